"""Where in a page its comments are believed to be, and what stands beside its article."""

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import islice

from lxml import etree

from extraction.html.markup.elements import attribute, holds_more_than, select, text_of
from extraction.html.reader_comments.comment_names import (
    ZONE_WORD,
    is_aside,
    is_comment_list,
    names_of,
)
from extraction.html.reader_comments.comment_words import is_answer_caption, is_head, named_count

# Bounds for pages that were made to exhaust us.
_MAX_MARKS = 200
_MAX_LEVELS = 60
_MAX_ZONES = 50
_LEAST_PLACES = 2  # of comments, to know what holds them
_LEAST_CHARACTERS = 20  # of a text; shorter ones are counts and captions
_TEXT_SIGN = re.compile(r"(?:^|\s)(?:[a-z]+[-_])?[ck]omm?ent[a-z]*(?:$|\s)", re.IGNORECASE)
_PLACES = etree.XPath("//a[@name]")
# Id or name of one comment: "comment-41", "komentarz-1896637", "comment_62732".
_NUMBERED = re.compile(
    r"(?:[a-z]{1,30}[-_])?(?:[ck]omm?ent[a-z]{0,30}|opinia|reactie)[-_]?\d{1,20}$", re.IGNORECASE
)
_HEADINGS = ("h2", "h3", "h4", "h5", "h6", "legend", "b", "strong")
_BUTTONS = ("a", "button", "span")
_LEAST_BUTTONS = 2  # with one caption, to say that a list can be answered
_MAX_CAPTION_CHARACTERS = 30
_RANKED = frozenset(["h2", "h3", "h4", "h5", "h6"])
_HEAD_LEVELS = 4  # from a heading up to the element that holds the comments too
_HEAD_PARTS = 4  # of a heading: a picture, a number, a name
_MAX_HEAD_ELEMENTS = 50  # below one; a head holds a line, and is asked for often
_MAX_HEAD_CHARACTERS = 90
_NO_ZONE = frozenset(
    [
        "html",
        "body",
        "head",
        "main",
        "a",
        "span",
        "form",
        "button",
        "script",
        "input",
        "link",
        "meta",
    ]
)


def is_in_numbered(heading: etree._Element) -> bool:
    """Whether a headline stands in a comment with a number: a reader's subject."""
    above = islice(heading.iterancestors(), _MAX_LEVELS)
    return any(_NUMBERED.match(attribute(one, "id")) for one in above)


@dataclass(frozen=True, slots=True)
class Zone:
    """Where comments are believed to be: below `top`, behind `head` where it has one."""

    top: etree._Element
    head: etree._Element | None = None
    n_named: int = 0  # comments that its heading speaks of
    title: etree._Element | None = None  # that heading, wherever in the zone it stands

    def parts(self) -> list[etree._Element]:
        """Elements of the zone: its top, or what follows its heading up to the next like it."""
        if self.head is None:
            return [self.top]
        behind: list[etree._Element] = []
        for element in self.head.itersiblings("*"):
            if element.tag == self.head.tag and element.tag in _RANKED:
                break
            behind.append(element)
        return behind


def comment_zones(
    named: list[etree._Element], heads: list[etree._Element], around: set[etree._Element]
) -> list[Zone]:
    """Parts of the page that are believed to hold the comments, none inside another.

    Parameters
    ----------
    named
        Elements with a sign of comments in their names.
    heads
        Headings of comments (`comment_heads`).
    around
        Elements that hold the article.
    """
    found: dict[etree._Element, Zone] = {}
    for element in named:
        if element.tag in _NO_ZONE or element in around or element in found:
            continue
        # The dearest question last: a page may name ten thousands of elements so.
        if not any(map(ZONE_WORD.search, names_of(element))) or _is_within(element, found):
            continue
        if not is_beside(element, around):
            found[element] = Zone(element)
        if len(found) == _MAX_ZONES:
            break
    for head in heads:
        zone = _zone_behind(head, around)
        if zone is not None:
            _add_headed(found, zone)
    if not found and (texts := _zone_of_texts(named)) is not None and _is_zone(texts, around):
        found[texts] = Zone(texts)
    return list(found.values())[:_MAX_ZONES]


def _add_headed(found: dict[etree._Element, Zone], zone: Zone) -> None:
    """Add a zone that a heading opens; one that is named so already learns what it counts."""
    line = (zone.top, *islice(zone.top.iterancestors(), _MAX_LEVELS))
    known = next((found[one] for one in line if one in found), None)
    if known is None:
        found[zone.top] = zone
    elif not known.n_named:
        found[known.top] = replace(known, n_named=zone.n_named, title=zone.title)


def zone_of_anchors(
    root: etree._Element, around: set[etree._Element], zones: list[Zone]
) -> list[Zone]:
    """Zone around the places that links to comments lead to, unless it is in one of `zones`."""
    place = _zone_of_places(root)
    tops = {zone.top: zone for zone in zones}
    if place is None or _is_within(place, tops) or place in tops or not _is_zone(place, around):
        return []
    return [Zone(place)]


def _is_zone(element: etree._Element, around: set[etree._Element]) -> bool:
    return not (element in around or element.tag in _NO_ZONE or is_beside(element, around))


def _zone_behind(head: etree._Element, around: set[etree._Element]) -> Zone | None:
    """Zone that a heading opens: the element around it, or its brothers behind it."""
    title, n_named = head, named_count(text_of(head, " "))
    for above in islice(head.iterancestors(), _HEAD_LEVELS):
        if is_beside(above, around):
            return None
        if above in around or above.tag in {"main", "body"}:
            return Zone(above, head, n_named, title)
        if above.tag not in _NO_ZONE and _holds_more(head):
            return Zone(above, None, n_named, title)
        head = above
    return None


def _holds_more(head: etree._Element) -> bool:
    """Whether words that are no count or caption stand behind a heading."""
    behind = (text_of(one, " ") for one in head.itersiblings("*"))
    return any(len(text) >= _LEAST_CHARACTERS for text in islice(behind, _MAX_MARKS))


def comment_heads(root: etree._Element, named: list[etree._Element]) -> list[etree._Element]:
    """Headings that say that comments follow, with their number or without."""
    found = dict.fromkeys(one for one in root.iter(*_HEADINGS) if _is_head(one))
    found.update(dict.fromkeys(one for one in named if _is_head(one)))
    return list(found)[:_MAX_MARKS]


def _is_head(element: etree._Element) -> bool:
    n_parts = len(element)
    if n_parts > _HEAD_PARTS or (element.tag in {"b", "strong"} and not _is_line(element)):
        return False
    if n_parts and holds_more_than(element, _MAX_HEAD_ELEMENTS):
        return False
    text = text_of(element, " ")
    return 0 < len(text) <= _MAX_HEAD_CHARACTERS and (bool(named_count(text)) or is_head(text))


def _is_line(element: etree._Element) -> bool:
    """Whether bold words are a line of their own."""
    above = element.getparent()
    # Neighbours, not `len(above)`: it counts, and each of 200,000 brothers would count them all.
    if above is None or element.getprevious() is not None or element.getnext() is not None:
        return False
    return not (above.text or element.tail or "").strip()


def answer_buttons(root: etree._Element) -> list[etree._Element]:
    """Buttons and links that let readers answer, quote or report, of a caption that comes again."""
    found: dict[str, list[etree._Element]] = defaultdict(list)
    for element in root.iter(*_BUTTONS):
        text = element.text
        if text is not None and len(text) <= _MAX_CAPTION_CHARACTERS and is_answer_caption(text):
            found[text.strip()].append(element)
    return max(found.values(), key=len, default=[])


def zone_of_buttons(buttons: list[etree._Element], around: set[etree._Element]) -> list[Zone]:
    """Zone around buttons that let readers answer: one level above the lowest that holds all."""
    if len(buttons) < _LEAST_BUTTONS:
        return []
    lowest = _lowest_around_all(buttons)
    if lowest is None or is_beside(lowest, around):
        return []
    above = lowest.getparent()
    return [Zone(lowest if above is None or lowest in around else above)]


def _lowest_around_all(elements: list[etree._Element]) -> etree._Element | None:
    if len(elements) < _LEAST_BUTTONS:
        return None
    lines = [list(islice(one.iterancestors(), _MAX_LEVELS)) for one in elements[:_MAX_MARKS]]
    shared = set(lines[0]).intersection(*map(set, lines[1:]))
    return next((one for one in lines[0] if one in shared), None)


def _zone_of_places(root: etree._Element) -> etree._Element | None:
    """Lowest element around the first two places that links to comments lead to."""
    names = islice(select(_PLACES, root), _MAX_MARKS)
    places = [one for one in names if _NUMBERED.match(attribute(one, "name"))]
    return _lowest_around(places)


def _zone_of_texts(named: list[etree._Element]) -> etree._Element | None:
    """Lowest element around the first two texts that are named as comments, but hold no author."""
    texts = (one for one in named if _TEXT_SIGN.search(attribute(one, "class")) and _is_text(one))
    return _lowest_around(list(islice(texts, _LEAST_PLACES)))


def _is_text(element: etree._Element) -> bool:
    """Whether an element holds words and no link: counts and buttons are links."""
    if element.tag in _NO_ZONE or element.find(".//a") is not None:
        return False
    return len(text_of(element, " ")) >= _LEAST_CHARACTERS


def _lowest_around(places: list[etree._Element]) -> etree._Element | None:
    if len(places) < _LEAST_PLACES or places[0].tag != places[1].tag:
        return None
    above = set(islice(places[0].iterancestors(), _MAX_LEVELS))
    return next((one for one in places[1].iterancestors() if one in above), None)


def _is_within(element: etree._Element, zones: dict[etree._Element, Zone]) -> bool:
    return any(one in zones for one in islice(element.iterancestors(), _MAX_LEVELS))


def is_beside(element: etree._Element, around: set[etree._Element]) -> bool:
    """Whether an element, or one around it but not the article, shows what belongs elsewhere."""
    for one in (element, *islice(element.iterancestors(), _MAX_LEVELS)):
        if one in around or one.tag in {"main", "body"}:
            return False
        if is_aside(one):
            return True
        if is_comment_list(one):
            return False
    return False
