"""Comments of a system that nobody named: items built alike, each with a time of its own.

A zone is an element named after comments, or what stands under a heading such as "12 Comments".
Every time in it stands in some item; the item is the lowest element around the time that has a
brother built alike with a time of its own. Once the kinds of items are known so, an item that
stands alone, as the only answer to another, is recognised by its kind.
"""

from collections import Counter
from collections.abc import Set as AbstractSet
from itertools import islice, pairwise

from lxml import etree

from extraction.html.markup.elements import attribute, text_of
from extraction.html.reader_comments.boxed_answers import boxed_answers
from extraction.html.reader_comments.comment_items import Item
from extraction.html.reader_comments.comment_names import is_like, stems
from extraction.html.reader_comments.comment_text import is_short
from extraction.html.reader_comments.comment_words import is_filler
from extraction.html.reader_comments.comment_zones import Zone
from extraction.html.reader_comments.dated_zones import DatedZone

_MAX_LEVELS = 40
_MAX_BROTHERS = 200  # looked at on each side
_LEAST_ITEMS = 2
_LEAST_BETWEEN = 0.5  # characters between signatures, of those of the signatures
_INLINE = frozenset(
    ["span", "a", "time", "small", "b", "strong", "abbr", "cite", "p", "i", "em", "font"]
)


def like_items(
    zones: list[DatedZone], around: AbstractSet[etree._Element], *, with_words: bool = False
) -> list[Item]:
    """Items of the zones, in page order.

    Parameters
    ----------
    zones
        Parts of the page that are believed to hold comments, none inside another.
    around
        Elements that hold the article: none of them is an item.
    with_words
        Whether an item holds the words behind the line of its time. That line may have a brother
        built alike with a time, in the answers behind the words.
    """
    found: list[Item] = []
    for zone, anchors in zones:
        items = _items_around(_lines(anchors, zone.top, with_words), around)
        if _are_lines(items):
            continue
        if len(items) >= _LEAST_ITEMS:
            found.extend(Item(one, one, has_time=True) for one in items)
        elif zone.n_named == 1 and len(anchors) == 1:
            found.extend(_only_item(anchors[0], zone))
    return found


def _are_lines(items: list[etree._Element]) -> bool:
    """Whether items are but the signatures of what stands between them, brothers of theirs."""
    if len(items) < _LEAST_ITEMS or not all(map(is_short, items)):
        return False
    n_between = 0
    for item, following in pairwise(items):
        n_characters = _n_between(item, following)
        if not n_characters:
            return False
        n_between += n_characters
    n_signed = sum(len(text_of(item, " ")) for item in items[1:])
    return n_between >= _LEAST_BETWEEN * n_signed


def _n_between(item: etree._Element, following: etree._Element) -> int:
    """Characters of the brothers between two elements, captions left out; 0 if they are none."""
    n_characters = 0
    for one in islice(item.itersiblings("*"), _MAX_BROTHERS):
        if one is following:
            return n_characters
        text = text_of(one, " ")
        n_characters += 0 if is_filler(text) else len(text)
    return 0


def _only_item(anchor: etree._Element, zone: Zone) -> list[Item]:
    """Item of a zone whose heading names one comment: all around its time below the zone."""
    line = [anchor, *islice(anchor.iterancestors(), _MAX_LEVELS)]
    titled = set() if zone.title is None else set(zone.title.iterancestors())
    below = [
        one for one in line[: line.index(zone.top)] if one.tag not in _INLINE and one not in titled
    ]
    return [Item(below[-1], below[-1], has_time=True)] if below else []


def _lines(
    anchors: list[etree._Element], zone: etree._Element, with_words: bool
) -> list[list[etree._Element]]:
    """Each element that names a moment with those around it up to the zone."""
    lines = []
    for anchor in anchors:
        line = [anchor]
        for above in islice(anchor.iterancestors(), _MAX_LEVELS):
            if above is zone:
                break
            line.append(above)
        lines.append(line)
    if not with_words:
        return lines
    moments = {one for line in lines for one in line}
    known: dict[etree._Element, bool] = {}
    return [line[_n_below_words(line, moments, known) :] for line in lines]


def _n_below_words(
    line: list[etree._Element],
    moments: AbstractSet[etree._Element],
    known: dict[etree._Element, bool],
) -> int:
    """Count the elements of a line up to the lowest that has words without a moment behind it."""
    for place, element in enumerate(line):
        if element not in known:
            behind = islice(element.itersiblings("*"), _MAX_BROTHERS)
            known[element] = any(one not in moments and _has_words(one) for one in behind)
        if known[element]:
            return place + 1
    return 0


def _has_words(element: etree._Element) -> bool:
    return any(str(text).strip() for text in element.itertext())


def _items_around(
    lines: list[list[etree._Element]], around: AbstractSet[etree._Element]
) -> list[etree._Element]:
    holding = Counter(one for line in lines for one in line)
    listed = [one for line in lines if (one := _listed(line, holding)) is not None]
    listed.extend(one for line in lines if (one := _nested(line, holding)) is not None)
    kinds = {_kind(one) for one in listed}
    items: dict[etree._Element, None] = {}
    for line in lines:
        lowest = next((one for one in line if _kind(one) in kinds and one not in around), None)
        if lowest is not None:
            items.setdefault(lowest)
    known = items.keys() | boxed_answers(lines, items)
    lowest_of = (next((one for one in line if one in known), None) for line in lines)
    return [one for one in dict.fromkeys(lowest_of) if one is not None]


def _listed(line: list[etree._Element], holding: Counter[etree._Element]) -> etree._Element | None:
    """Lowest element of a line with a brother built alike that holds a moment too."""
    blocks = (one for one in line if one.tag not in _INLINE)
    return next((one for one in blocks if _has_brothers(one, holding)), None)


def _has_brothers(element: etree._Element, holding: Counter[etree._Element]) -> bool:
    for before in (True, False):
        brothers = islice(element.itersiblings(preceding=before), _MAX_BROTHERS)
        if any(holding[one] and is_like(one, element) for one in brothers):
            return True
    return False


def _nested(line: list[etree._Element], holding: Counter[etree._Element]) -> etree._Element | None:
    """Element of a line that stands in one of its kind with a moment of its own, and all of it."""
    kinds: dict[tuple[str, frozenset[str]], etree._Element] = {}
    for element in line:
        kind = _kind(element)
        inner = kinds.setdefault(kind, element)
        if inner is not element and kind[1] and holding[element] > holding[inner]:
            return _whole(inner, element, holding)
    return None


def _whole(
    inner: etree._Element, outer: etree._Element, holding: Counter[etree._Element]
) -> etree._Element:
    """Go up from both while what is around them is of one kind too: a picture stands beside."""
    for _ in range(_MAX_LEVELS):
        above, beyond = inner.getparent(), outer.getparent()
        if above is None or beyond is None or above is outer or _kind(above) != _kind(beyond):
            break
        if not holding[beyond] or holding[above] > holding[inner]:
            break
        inner, outer = above, beyond
    return inner


def _kind(element: etree._Element) -> tuple[str, frozenset[str]]:
    names = list(stems(element))
    number = attribute(element, "id")  # a number, as often as not with letters in it
    return str(element.tag), frozenset(names[:-1] if number and len(names) > 1 else names)
