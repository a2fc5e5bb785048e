"""Elements of a page that may be a field, for choosing from a list instead of pointing.

They are guessed by place, class and form, not by what the extraction chose: it may be wrong.
"""

import re
from collections.abc import Callable

from lxml import etree

from extraction.html.markup.elements import attribute, text_of
from extraction.html.proposals.picking import OutlineRow, name_of
from extraction.html.site_rules.rules import RuleField

MAX_CANDIDATES = 8
_SHOWN_CHARACTERS = 90
_HEADINGS = frozenset(["h1", "h2", "h3"])
_LINE_TAGS = frozenset(["p", "div", "span", "font", "td", "b", "i", "em", "strong", "small"])
_BLOCKS = frozenset(["div", "article", "section", "main", "td"])
# A byline or a date is one line; what is longer holds it among other things.
_MAX_LINE = 160
_LEAST_BODY_WORDS = 60
_LINES_BELOW_HEADING = 4
_NEAR_HEADING = frozenset([RuleField.AUTHOR, RuleField.DATE, RuleField.SECTION])
_AUTHOR_WORDS = re.compile(r"author|byline|writer|contributor|skrywer|outeur", re.IGNORECASE)
_MENU_WORDS = re.compile(r"nav|menu|header|footer", re.IGNORECASE)
_BY = re.compile(r"(?:by|deur|door|von|par|por)\s+\S", re.IGNORECASE)
_DATE_WORDS = re.compile(r"date|time|publish|posted|datum", re.IGNORECASE)
# Bounded on both sides: a day's and a year's digits in one short line.
_DATE = re.compile(r"\b(?:19|20)\d\d\b")
_SECTION_WORDS = re.compile(r"section|category|breadcrumb|kicker|rubric|tag", re.IGNORECASE)


def candidates(root: etree._Element, field: RuleField) -> list[OutlineRow]:
    """List elements that may be a field, the likeliest first; numbers are those of `pick`.

    Parameters
    ----------
    root
        Tree of the page, as parsed.
    field
        What is looked for; nothing is proposed for removal.
    """
    score = _SCORES.get(field)
    body = root.find("body")
    if score is None or body is None:
        return []
    own, near = set(body.iter()), _below_heading(body) if field in _NEAR_HEADING else set()
    found: list[tuple[int, int, etree._Element]] = []
    for number, element in enumerate(root.iter()):
        if element in own and isinstance(element.tag, str):
            points = 2 * score(element) + (element in near)
            if points:
                found.append((-points, number, element))
    if not found and field in _NEAR_HEADING:
        found = _short_lines(root, own)
    rows: list[OutlineRow] = []
    for _, number, element in sorted(found, key=lambda item: item[:2]):
        text = text_of(element, " ")[:_SHOWN_CHARACTERS]
        if text not in {row.text for row in rows}:
            rows.append(OutlineRow(number, 0, name_of(element), text))
        if len(rows) == MAX_CANDIDATES:
            break
    return rows


def _below_heading(body: etree._Element) -> set[etree._Element]:
    """Give the first short lines below the first heading: where names and days stand unmarked."""
    found: set[etree._Element] = set()
    heading = next((element for element in body.iter(*_HEADINGS)), None)
    after = heading.itersiblings() if heading is not None else body.iter("p")
    for element in after:
        if len(found) == _LINES_BELOW_HEADING:
            break
        if isinstance(element.tag, str) and _line(element):
            found.add(element)
    return found


def _short_lines(
    root: etree._Element, own: set[etree._Element]
) -> list[tuple[int, int, etree._Element]]:
    """List the first short lines of a page that marks nothing; links stand in menus."""
    return [
        (0, number, element)
        for number, element in enumerate(root.iter())
        if element in own
        and element.tag in _LINE_TAGS
        and not len(element)
        and _line(element)
        and not _MENU_WORDS.search(_names(element))
    ]


def _names(element: etree._Element) -> str:
    """Give the words by which a page names an element."""
    return " ".join(attribute(element, name) for name in ("class", "id", "itemprop", "rel"))


def _line(element: etree._Element) -> str:
    """Give the text of an element that may be one line; empty for longer ones."""
    if len(element) > _MAX_LINE:
        return ""
    text = text_of(element, " ")
    return text if len(text) <= _MAX_LINE else ""


def _title(element: etree._Element) -> int:
    if element.tag not in _HEADINGS or not _line(element):
        return 0
    return 4 - int(element.tag[1])


def _author(element: etree._Element) -> int:
    if not _AUTHOR_WORDS.search(_names(element)) and not _BY.match((element.text or "").strip()):
        return 0
    line = _line(element)
    is_name = bool(_AUTHOR_WORDS.search(_names(element)))
    return (2 * is_name + bool(_BY.match(line)) + (len(element) == 0)) if line else 0


def _date(element: etree._Element) -> int:
    is_named = element.tag == "time" or bool(_DATE_WORDS.search(_names(element)))
    own = " ".join([element.text or "", *(child.tail or "" for child in element)])
    if not is_named and not _DATE.search(own[:_MAX_LINE]):
        return 0
    line = _line(element)
    points = 3 * (element.tag == "time") + 2 * is_named + bool(_DATE.search(line))
    return points if line else 0


def _section(element: etree._Element) -> int:
    if not _SECTION_WORDS.search(_names(element)):
        return 0
    return 1 + (len(element) == 0) if _line(element) else 0


def _body(element: etree._Element) -> int:
    """Words of the paragraphs that stand directly in a block."""
    if element.tag not in _BLOCKS:
        return 0
    n_words = sum(len(text_of(child, " ").split()) for child in element.iterchildren("p"))
    return n_words if n_words >= _LEAST_BODY_WORDS else 0


_SCORES: dict[RuleField, Callable[[etree._Element], int]] = {
    RuleField.TITLE: _title,
    RuleField.AUTHOR: _author,
    RuleField.DATE: _date,
    RuleField.SECTION: _section,
    RuleField.BODY: _body,
}
