"""How many comments a page says it has: "134 Comments", "Kommentare (12)"."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree

from extraction.html.markup.elements import attribute, holds_more_than, text_of
from extraction.html.reader_comments.comment_names import ZONE_WORD, is_aside, names_of
from extraction.html.reader_comments.comment_words import named_count

_HEADINGS = frozenset(["h2", "h3", "h4", "h5", "h6"])
_MAX_ELEMENTS = 400
_MAX_LEVELS = 6
_MAX_CHARACTERS = 200
_MAX_LABEL_ELEMENTS = 100  # in so few characters; others hold what is counted
_MOST = 1_000_000  # more is no count of comments


def comment_count(named: list[etree._Element], items: list[etree._Element], n_shown: int) -> int:
    """Give the number that the page names, 0 where it names none or fewer than stand there.

    Parameters
    ----------
    named
        Elements named after comments, in page order.
    items
        Elements of the comments that stand in the page.
    n_shown
        Number of these.
    """
    for element in islice(_labels(named, items), _MAX_ELEMENTS):
        said = attribute(element, "content")
        if said.isdecimal() and attribute(element, "itemprop") == "commentCount":
            count = int(said)
        else:
            count = named_count(text_of(element, " "))
        if n_shown <= count < _MOST and count:
            return count
    return 0


def _labels(named: list[etree._Element], items: list[etree._Element]) -> Iterator[etree._Element]:
    """Elements that may name the number, the surest first: headings around the comments."""
    for item in items[:1]:
        for above in islice(item.iterancestors(), _MAX_LEVELS):
            yield from (one for one in above if _is_heading(one))
    for element in named:
        if element.tag in _HEADINGS or attribute(element, "itemprop") == "commentCount":
            yield element
        elif _is_label(element):
            yield element
            yield from (one for one in element if one.tag in _HEADINGS)


def _is_heading(element: etree._Element) -> bool:
    if element.tag in _HEADINGS:
        return True
    return isinstance(element.tag, str) and _is_label(element)


def _is_label(element: etree._Element) -> bool:
    """Whether an element is short, named after comments, and no link to another page's."""
    if not any(map(ZONE_WORD.search, names_of(element))):
        return False
    if holds_more_than(element, _MAX_LABEL_ELEMENTS):
        return False
    n_characters = 0
    for text in element.itertext():
        n_characters += len(text)
        if n_characters > _MAX_CHARACTERS:
            return False
    return not _is_elsewhere(element)  # the dearest question last


def _is_elsewhere(element: etree._Element) -> bool:
    above = [element, *islice(element.iterancestors(), _MAX_LEVELS)]
    if any(is_aside(one) for one in above if one.tag not in {"html", "body"}):
        return True
    links = [one for one in (element, *element.iter("a")) if one.tag == "a"]
    return any("#" not in attribute(link, "href") for link in links if link.get("href"))
