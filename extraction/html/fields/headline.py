"""Where the headline stands among a page's lines, for what is looked for near it."""

from extraction.html.markup.class_words import Hint
from extraction.html.markup.outline import HEADING_TAGS, Outline, tag_bit
from extraction.text.plain_words import plain

_MAX_HEADLINE_CHARACTERS = 300  # a longer line that holds the title is a paragraph
# A line that says the headline may be this much longer: soft hyphens, blanks, a kicker before it.
_LONGEST_LINE, _KICKER_CHARACTERS = 2, 100
_MENU = tag_bit("nav") | tag_bit("footer")
_ELSEWHERE = (Hint.NAVIGATION | Hint.RELATED | Hint.COMMENTS).value


def headline_position(outline: Outline, title: str) -> int | None:
    """Find the line that says the headline: a heading, else any line; None where none does."""
    wanted = plain(title)
    if not wanted:
        return None
    last_word = wanted.rsplit(" ", 1)[-1]
    most = _LONGEST_LINE * len(title) + _KICKER_CHARACTERS
    texts = {
        position: plain(line.text)
        for position, line in enumerate(outline.lines)
        if len(line.text) <= most
        and (last_word in (text := line.text.casefold()) or "\xad" in text or not text.isascii())
    }
    said = [position for position, text in texts.items() if text == wanted]
    if not said:  # a kicker may stand before the headline, in the same heading
        ending = f" {wanted}"
        said = [position for position, text in texts.items() if text.endswith(ending)]
    return min(said, key=lambda position: _doubt(outline, position), default=None)


def _doubt(outline: Outline, position: int) -> tuple[bool, bool]:
    """Rank of a line among those that say the headline, the likeliest least."""
    node = outline.lines[position].node
    in_menu = bool(outline.hints[node] & Hint.NAVIGATION.value or outline.tag_bits[node] & _MENU)
    return outline.tags[node] not in HEADING_TAGS, in_menu


def first_heading(outline: Outline) -> int | None:
    """Find the first line of a heading of the first level that is outside of menus and lists."""
    for position, line in enumerate(outline.lines):
        if outline.tags[line.node] == "h1" and not outline.hints[line.node] & _ELSEWHERE:
            return position
    return None


def stands_elsewhere(outline: Outline, index: int, hints: int, headline: int | None) -> bool:
    """Whether an element lies in a part with one of the hints that does not hold the headline.

    A wrapper around the whole article that is named "related-story" or "comments-open" says nothing
    about what is in it. `headline` is the element of the headline's line, None where none is known.
    """
    if not outline.hints[index] & hints:
        return False
    if headline is None:
        return True
    while index >= 0 and not index <= headline < outline.ends[index]:
        if outline.own_hints[index] & hints:
            return True
        index = outline.parents[index]
    return False


def short_lines(outline: Outline) -> frozenset[str]:
    """Plain forms of lines short enough for a headline, outside menus, lists and comments."""
    return frozenset(
        plain(line.text)
        for line in outline.lines
        if len(line.text) <= _MAX_HEADLINE_CHARACTERS and not outline.hints[line.node] & _ELSEWHERE
    )
