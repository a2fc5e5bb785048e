"""Where the headline stands among a page's lines, for what is looked for near it."""

from extraction.html.class_words import Hint
from extraction.html.outline import HEADING_TAGS, Outline
from extraction.html.titles import plain

_MAX_HEADLINE_CHARACTERS = 300
_ELSEWHERE = (Hint.NAVIGATION | Hint.RELATED | Hint.COMMENTS).value


def headline_position(outline: Outline, title: str) -> int | None:
    """Find the line that says the headline: a heading, else any line; None where none does."""
    wanted = plain(title)
    if not wanted:
        return None
    texts = [plain(line.text) for line in outline.lines]
    said = [position for position, text in enumerate(texts) if text == wanted]
    if not said:  # a kicker may stand before the headline, in the same heading
        ending = f" {wanted}"
        said = [position for position, text in enumerate(texts) if text.endswith(ending)]
    headings = [
        position for position in said if outline.tags[outline.lines[position].node] in HEADING_TAGS
    ]
    return next(iter(headings or said), None)


def short_lines(outline: Outline) -> frozenset[str]:
    """Plain forms of lines short enough for a headline, outside menus, lists and comments."""
    return frozenset(
        plain(line.text)
        for line in outline.lines
        if len(line.text) <= _MAX_HEADLINE_CHARACTERS and not outline.hints[line.node] & _ELSEWHERE
    )
