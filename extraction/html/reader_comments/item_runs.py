"""Comments that no element holds: a line with name and time, and what follows it up to the next.

Definition lists (`dt`, `dd`) and bare paragraphs ("<b>Anna</b> said on 5 June:") below a heading of
comments. Where nothing follows the last line, each signs what stands above it ("Posted by Anna on
5 June"). Each run is read from a copy of its elements; the page's own stay where they are.
"""

from collections import defaultdict
from collections.abc import Set as AbstractSet
from copy import deepcopy

from lxml import etree

from extraction.html.markup.elements import text_of
from extraction.html.reader_comments.comment_items import Item
from extraction.html.reader_comments.comment_text import is_short
from extraction.html.reader_comments.comment_times import names_a_day
from extraction.html.reader_comments.comment_words import is_head, named_count
from extraction.html.reader_comments.dated_zones import DatedZone

_HEAD_TAGS = frozenset(["dt", "p", "div", "h3", "h4", "h5", "h6", "header", "footer", "ul"])
_SUBJECT_TAGS = frozenset(["h3", "h4", "h5", "h6"])
_DIVIDERS = frozenset(["hr", "h2", "form"])
_LEAST_RUNS = 2
_MOST_FOLLOWING = 60  # elements of one comment


def run_items(zones: list[DatedZone]) -> list[Item]:
    """Items of the zones, in page order, each of a line with a time and what follows it."""
    found: list[Item] = []
    for _, anchors in zones:
        by_list: dict[etree._Element, dict[etree._Element, None]] = defaultdict(dict)
        for anchor in anchors:
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
    for is_above in (False, True):
        runs = [_run(one, same.keys(), is_above=is_above) for one in same]
        if len(runs) >= _LEAST_RUNS and all(map(_is_said, runs)):
            return [_item(run, is_above=is_above) for run in runs]
    return []


def _is_said(run: tuple[etree._Element, ...]) -> bool:
    return any(text_of(one) for one in run[1:])


def _run(
    line: etree._Element, lines: AbstractSet[etree._Element], *, is_above: bool
) -> tuple[etree._Element, ...]:
    """Give a line and its brothers on one side of it, up to the next line or a rule."""
    beside: list[etree._Element] = []
    for element in line.itersiblings("*", preceding=is_above):
        if element in lines or _divides(element) or len(beside) >= _MOST_FOLLOWING:
            break
        beside.append(element)
    return (line, *(reversed(beside) if is_above else beside))


def _divides(element: etree._Element) -> bool:
    if element.tag in _DIVIDERS:
        return True
    is_title = element.tag in _SUBJECT_TAGS
    return is_title and (is_head(title := text_of(element, " ")) or named_count(title) > 0)


def _item(run: tuple[etree._Element, ...], *, is_above: bool) -> Item:
    around = etree.Element("div")
    around.extend([deepcopy(one) for one in run])
    for place, copy in enumerate(around):
        copy.tail = None
        if is_above and place and copy.tag in _SUBJECT_TAGS:
            copy.tag = "p"  # above a text that is signed below stands its subject, no name
    signature = around[0] if is_above else None
    return Item(around, around, has_time=True, run=run, signature=signature)
