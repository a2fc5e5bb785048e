"""Text-to-tag ratio: the simple form of the college crawler.

Listed tags are taken away; a child of the body stays when it has more than twice as many characters
of text as tags. Link words are not counted (links are among the listed tags) but stay in the text
of what is kept, since words inside sentences would vanish otherwise.
"""

from dataclasses import dataclass

from extraction.html.algorithms.parameters import limited
from extraction.html.algorithms.scored_page import ReadPage, ScoredBlock, ScoredPage
from extraction.html.markup.outline import Outline
from extraction.html.markup.page_size import REMOVED_WHOLE, body_index, text_and_tags


@dataclass(frozen=True, slots=True)
class TagRatioParameters:
    """The ratio is the source's: its first, 4, removed most of the content."""

    least_ratio: float = limited(2.0, 0.0, 1000.0)
    is_recursive: bool = False  # the source looks at the children of the body only


def tag_ratio(page: ReadPage, parameters: TagRatioParameters) -> ScoredPage:
    """Keep what has more than `least_ratio` characters a tag; linear in elements.

    In the recursive form the children of what stays are judged the same way, down to the elements
    that hold no block; text directly in an element that stays, stays.
    """
    outline = page.outline
    if not outline.tags:
        return ScoredPage(())
    verdicts = _verdicts(outline, _ratios(outline), parameters)
    blocks: dict[int, tuple[float, list[int]]] = {}
    for position, line in enumerate(outline.lines):
        element, score = verdicts[line.node]
        blocks.setdefault(element, (score, []))[1].append(position)
    return ScoredPage(
        tuple(
            ScoredBlock(tuple(positions), score, score > parameters.least_ratio)
            for score, positions in blocks.values()
        )
    )


def _verdicts(
    outline: Outline, ratios: list[float], parameters: TagRatioParameters
) -> list[tuple[int, float]]:
    """For each element the one that decides about it, and that one's ratio.

    What fails decides about all it holds; in the simple form so does each child of the body.
    """
    body = body_index(outline)
    verdicts: list[tuple[int, float]] = []
    for index, (tag, parent) in enumerate(zip(outline.tags, outline.parents, strict=True)):
        above = verdicts[parent] if parent > body else None
        is_judged = parameters.is_recursive or tag in REMOVED_WHOLE
        has_failed = above is not None and above[1] <= parameters.least_ratio
        own = (index, ratios[index])
        verdicts.append(own if above is None or (is_judged and not has_failed) else above)
    return verdicts


def _ratios(outline: Outline) -> list[float]:
    """Characters of text a tag below each element, the listed tags taken away."""
    n_chars, n_tags = text_and_tags(outline)
    return [chars / (tags or 1) for chars, tags in zip(n_chars, n_tags, strict=True)]
