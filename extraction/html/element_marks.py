"""Flags of an element by its tag and attributes; whether the outline leaves it out."""

from collections.abc import Sequence

from lxml import etree

from extraction.html.class_words import Hint, hints_of_element, hints_of_names
from extraction.html.comments import COMMENT_MARK, is_comment_container

_UNSEEN = Hint.UNSEEN.value
# Only elements with one of these flags need a second look.
MAY_BE_LEFT_OUT = Hint.COMMENTS.value | _UNSEEN
_NEVER_UNSEEN = frozenset(["html", "body", "main", "article"])
_OTHER_MARKS = frozenset(["role", "itemprop", "rel", COMMENT_MARK])


def marks_of(element: etree._Element, tag: str) -> tuple[str, int]:
    """Class value of an element, and the flags (`Hint`) of its tag and names.

    All attributes are read at once, since each single question costs as much.
    """
    attributes = element.items()
    if not attributes:
        return "", hints_of_element(tag, "", "")
    names = identity = ""
    others = []
    for attribute in attributes:
        name = attribute[0]
        if name == "class":
            names = str(attribute[1])
        elif name == "id":
            identity = str(attribute[1])
        elif name in _OTHER_MARKS:
            others.append((name, str(attribute[1])))
    hints = _hints_of_others(tag, others) if others else hints_of_element(tag, "", "")
    if names:
        hints |= hints_of_names(names)
    if identity:
        hints |= hints_of_names(identity)
    return names, hints


def _hints_of_others(tag: str, attributes: Sequence[tuple[str | bytes, str]]) -> int:
    """Give the flags of tag, role and property; of several properties the last one counts."""
    role = item_property = ""
    for name, value in attributes:
        if name == "role":
            role = value
        elif name == "itemprop" or (name == "rel" and value == "author"):
            item_property = value
        elif name == COMMENT_MARK:
            item_property = "comment"
    return hints_of_element(tag, role, item_property)


def is_left_out(element: etree._Element, hints: int) -> bool:
    """Whether an element with such flags is a reader's comment, or hidden by convention."""
    if hints & _UNSEEN and element.tag not in _NEVER_UNSEEN:
        return True
    return is_comment_container(element)
