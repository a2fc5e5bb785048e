"""Where the headline stands among a page's lines, for what is looked for near it."""

from extraction.html.outline import HEADING_TAGS, Outline
from extraction.html.titles import plain


def headline_position(outline: Outline, title: str) -> int | None:
    """Find the line that says the headline: a heading, else any line; None where none does."""
    wanted = plain(title)
    if not wanted:
        return None
    said = [position for position, line in enumerate(outline.lines) if plain(line.text) == wanted]
    headings = [
        position for position in said if outline.tags[outline.lines[position].node] in HEADING_TAGS
    ]
    return next(iter(headings or said), None)
