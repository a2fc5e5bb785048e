"""Cascade: which lines of a page are its article, and how sure we are.

1. the editor's body rule, 2. the generic algorithm (composite text density), 3. JSON-LD `articleBody` where the page shows less,
4. the forgiving fallback (COR-22): every paragraph-like line.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.html.class_words import Hint
from extraction.html.outline import HEADING_TAGS, Outline
from extraction.html.page import Extractor
from extraction.html.text_density import content_elements, text_densities

_CHROME = (Hint.COMMENTS | Hint.NAVIGATION | Hint.SHARE).value


@dataclass(frozen=True, slots=True)
class Choice:
    """Lines of the outline that are the article, in page order."""

    lines: tuple[int, ...]
    extractor: Extractor
    confidence: float
    reason: str


def choose_lines(outline: Outline) -> Choice:
    """Choose the article's lines of a page."""
    densities = text_densities(outline)
    lines = [
        position
        for element in content_elements(outline, densities)
        for position in range(outline.first_line[element], outline.end_line[element])
    ]
    kept = tuple(position for position in lines if not _is_chrome(outline, position))
    return Choice(kept, Extractor.TEXT_DENSITY, 0.5, "The densest part of the page.")


def _is_chrome(outline: Outline, position: int) -> bool:
    line = outline.lines[position]
    if outline.hints[line.node] & _CHROME:
        return True
    if outline.tags[line.node] == "h1":
        return True
    return line.n_link_chars > 0.5 * len(line.text) and outline.tags[line.node] not in HEADING_TAGS


def is_body_like(texts: Sequence[str]) -> bool:
    """Whether texts hold at least one sentence."""
    return any(len(text) > 80 for text in texts)
