"""Elements of an lxml tree with plain types: text of an element, results of an XPath."""

from collections.abc import Sequence
from itertools import islice
from typing import TypeGuard

from lxml import etree


def is_element(value: object) -> TypeGuard[etree._Element]:
    """Tell an element from the strings and numbers an XPath may also give."""
    return bool(etree.iselement(value))


def text_of(element: etree._Element, separator: str = "") -> str:
    """Give all text below an element with single blanks; `separator` goes between text nodes."""
    return " ".join(separator.join(map(str, element.itertext())).split())


def attribute(element: etree._Element, name: str) -> str:
    """Give the value of an attribute, or an empty string."""
    return element.get(name) or ""


def holds_more_than(element: etree._Element, most: int) -> bool:
    """Whether there are more than so many elements below one; no more of them are looked at."""
    return next(islice(element.iterdescendants(), most, None), None) is not None


def select(path: etree.XPath, root: etree._Element, **variables: str) -> Sequence[etree._Element]:
    """Run a compiled XPath whose result is a list; anything in it but elements is left out."""
    found = path(root, **variables)
    return [item for item in found if is_element(item)] if isinstance(found, list) else []
