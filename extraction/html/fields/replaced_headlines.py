"""The line that took a headline's place between two documents of one page.

A page without metadata says its headline in some line of its own markup, and a feed goes on with
the one it gave first. Input → output: outlines of both documents, the headline as it was → as it is
now; a line counts that lies in like markup and has the same neighbour before or behind it.
"""

from extraction.html.fields.headline import headline_position
from extraction.html.markup.outline import Outline
from extraction.text.plain_words import plain

_LONGEST_HEADLINE = 300  # a longer line is a paragraph


def replaced_headline(former: Outline, later: Outline, headline: str) -> str:
    """Find what stands where a headline stood; empty where that cannot be told.

    Parameters
    ----------
    former
        The document that showed the headline.
    later
        The document that shows it no more.
    headline
        As it was.
    """
    place = headline_position(former, headline)
    if place is None:
        return ""
    markup, neighbours = _markup(former, place), _neighbours(former, place)
    known = {plain(line.text) for line in former.lines}
    found = [
        (sum(map(_is_same, neighbours, _neighbours(later, position))), -position)
        for position, line in enumerate(later.lines)
        if _markup(later, position) == markup
        and len(line.text) <= _LONGEST_HEADLINE
        and plain(line.text) not in known
    ]
    n_same, position = max(found, default=(0, 0))
    if not n_same:
        return ""
    return _without_kicker(former.lines[place].text, headline, later.lines[-position].text)


def replaced_part(former: str, later: str, headline: str) -> str:
    """Find what stands for a headline in another title element; empty where that cannot be told.

    Examples
    --------
    >>> replaced_part("A fire rages | The Post", "A fire is out | The Post", "A fire rages")
    'A fire is out'
    """
    before, found, behind = former.partition(headline)
    if not found or later == former or not (later.startswith(before) and later.endswith(behind)):
        return ""
    return later[len(before) : len(later) - len(behind)].strip()


def _markup(outline: Outline, position: int) -> tuple[str, str]:
    node = outline.lines[position].node
    return outline.tags[node], outline.classes[node]


def _neighbours(outline: Outline, position: int) -> tuple[str, str]:
    """Plain forms of the lines before and behind one; empty at the ends of the page."""
    texts = (
        plain(outline.lines[place].text) if 0 <= place < len(outline.lines) else ""
        for place in (position - 1, position + 1)
    )
    before, behind = texts
    return before, behind


def _is_same(one: str, other: str) -> bool:
    return one == other != ""


def _without_kicker(former: str, headline: str, later: str) -> str:
    """Cut what stood before the headline in its line, where it stands before the new one too."""
    kicker = former.removesuffix(headline)
    return later.removeprefix(kicker) if kicker != former else later
