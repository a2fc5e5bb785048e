"""Where in a page its comments are believed to be, and what stands beside its article."""

import re
from itertools import islice

from lxml import etree

from extraction.html.markup.elements import attribute, select, text_of
from extraction.html.reader_comments.comment_names import (
    ZONE_WORD,
    is_aside,
    is_comment_list,
    names_of,
)
from extraction.html.reader_comments.comment_words import named_count

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
    r"(?:[a-z]+[-_])?(?:[ck]omm?ent[a-z]*|opinia|reactie)[-_]?\d+$", re.IGNORECASE
)
_HEADINGS = ("h2", "h3", "h4", "h5")
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


def comment_zones(
    named: list[etree._Element], root: etree._Element, around: set[etree._Element]
) -> list[etree._Element]:
    """Elements that are believed to hold the comments, none inside another."""
    found: dict[etree._Element, None] = {}
    for element in named:
        if element.tag in _NO_ZONE or element in around or is_beside(element, around):
            continue
        if any(map(ZONE_WORD.search, names_of(element))) and not _is_within(element, found):
            found.setdefault(element)
    for heading in islice(root.iter(*_HEADINGS), _MAX_MARKS):
        above = heading.getparent()
        if above is None or above in around or not named_count(text_of(heading, " ")):
            continue
        if (
            above.tag not in _NO_ZONE
            and not _is_within(above, found)
            and not is_beside(above, around)
        ):
            found.setdefault(above)
    place = _zone_of_places(root)
    if place is None and not found:
        place = _zone_of_texts(named)
    if place is not None and not (
        place in around
        or place.tag in _NO_ZONE
        or _is_within(place, found)
        or is_beside(place, around)
    ):
        found.setdefault(place)
    return list(found)[:_MAX_ZONES]


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


def _is_within(element: etree._Element, zones: dict[etree._Element, None]) -> bool:
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
