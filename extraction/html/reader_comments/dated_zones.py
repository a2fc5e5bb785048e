"""Zones of comments with the elements in them that name a moment, found once for all readers."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from lxml import etree

from extraction.html.markup.elements import text_of
from extraction.html.reader_comments.comment_names import is_aside, is_time
from extraction.html.reader_comments.comment_text import UNREAD_TAGS, is_short
from extraction.html.reader_comments.comment_times import names_a_day, names_a_time
from extraction.html.reader_comments.comment_words import is_since
from extraction.html.reader_comments.comment_zones import Zone

_MAX_ELEMENTS = 20_000  # of a zone
_MAX_TIME_CHARACTERS = 90
_MAX_TIME_WORDS = 12  # around a time; more are a sentence


class DatedZone(NamedTuple):
    """A zone and its elements that name a moment, in page order."""

    zone: Zone
    anchors: list[etree._Element]


def dated(zones: list[Zone]) -> list[DatedZone]:
    """Look for the moments of zones."""
    return [DatedZone(zone, anchors_of(zone)) for zone in zones]


def anchors_of(zone: Zone) -> list[etree._Element]:
    """Elements of a zone that name a moment, in page order."""
    return [one for part in zone.parts() for one in islice(_anchors(part, zone), _MAX_ELEMENTS)]


def _anchors(part: etree._Element, zone: Zone) -> Iterator[etree._Element]:
    """Elements that name a moment, those in asides left out."""
    walker = etree.iterwalk(part, events=("start",))
    for _, element in walker:
        if element.tag in UNREAD_TAGS or (element is not zone.top and is_aside(element)):
            walker.skip_subtree()
        elif element is not zone.top and _is_anchor(element):
            walker.skip_subtree()
            yield element


def _is_anchor(element: etree._Element) -> bool:
    if is_time(element) and is_short(element):
        text = text_of(element, " ")
        return element.tag == "time" or names_a_time(text)
    own = " ".join([element.text or "", *(child.tail or "" for child in element)]).strip()
    if not 0 < len(own) <= _MAX_TIME_CHARACTERS or len(own.split()) > _MAX_TIME_WORDS:
        return False
    return names_a_day(own) and not _is_since(element)


def _is_since(element: etree._Element) -> bool:
    """Whether the time that an element names is that of a membership."""
    label = element.getprevious()
    return is_since(text_of(element, " ")) or (label is not None and is_since(label.text or ""))
