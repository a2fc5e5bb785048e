"""Comments that no element holds: a line with name and time, and what follows it up to the next.

Definition lists (`dt`, `dd`) and bare paragraphs ("<b>Anna</b> said on 5 June:") below a heading of
comments. Each run is read from a copy of its elements; the page's own stay where they are.
"""

from collections import defaultdict
from collections.abc import Set as AbstractSet
from copy import deepcopy

from lxml import etree

from extraction.html.markup.elements import text_of
from extraction.html.reader_comments.comment_items import Item
from extraction.html.reader_comments.comment_text import is_short
from extraction.html.reader_comments.comment_times import names_a_day
from extraction.html.reader_comments.comment_zones import Zone
from extraction.html.reader_comments.like_items import anchors_of

_HEAD_TAGS = frozenset(["dt", "p", "div", "h3", "h4", "h5", "h6", "header"])
_LEAST_RUNS = 2
_MOST_FOLLOWING = 60  # elements of one comment


def run_items(zones: list[Zone]) -> list[Item]:
    """Items of the zones, in page order, each of a line with a time and what follows it."""
    found: list[Item] = []
    for zone in zones:
        by_list: dict[etree._Element, dict[etree._Element, None]] = defaultdict(dict)
        for anchor in anchors_of(zone):
            line = _line_of(anchor)
            if line is not None and (above := line.getparent()) is not None:
                by_list[above].setdefault(line)
        for lines in by_list.values():
            found.extend(_runs(list(lines)))
    return found


def _line_of(anchor: etree._Element) -> etree._Element | None:
    """Short paragraph or term that a time stands in."""
    for element in (anchor, *anchor.iterancestors()):
        if element.tag in _HEAD_TAGS:
            is_line = is_short(element) and names_a_day(text_of(element, " "))
            return element if is_line else None
    return None


def _runs(lines: list[etree._Element]) -> list[Item]:
    same = dict.fromkeys(one for one in lines if one.tag == lines[0].tag)
    runs = [_run(one, same.keys()) for one in same]
    whole = [run for run in runs if len(run) > 1 and any(text_of(one) for one in run[1:])]
    if len(whole) < _LEAST_RUNS or len(whole) < len(runs):
        return []
    return [_item(run) for run in whole]


def _run(line: etree._Element, lines: AbstractSet[etree._Element]) -> tuple[etree._Element, ...]:
    """Give a line and its brothers behind it, up to the next line or a rule."""
    run = [line]
    for element in line.itersiblings("*"):
        if element in lines or element.tag in {"hr", "h2", "form"} or len(run) > _MOST_FOLLOWING:
            break
        run.append(element)
    return tuple(run)


def _item(run: tuple[etree._Element, ...]) -> Item:
    around = etree.Element("div")
    around.extend([deepcopy(one) for one in run])
    for copy in around:
        copy.tail = None
    return Item(around, around, has_time=True, run=run)
