"""Static text of a publication: wording that goes before extraction.

A match on wording is fragile, so the element that holds the wording is removed, and the report says
when none does any more.
"""

import re

from lxml import etree

from extraction.html.markup.cleaning import drop
from extraction.html.markup.elements import text_of
from extraction.html.markup.limited_paths import run_path

# An element is removed whole when the wording is at least this share of its text, else only the
# wording goes.
_WHOLE_SHARE = 0.6
_HOLDERS = etree.XPath("//*[contains(normalize-space(translate(., $blank, ' ')), $text)]")


def remove_static_text(root: etree._Element, static_text: str) -> int:
    """Remove every occurrence of a wording; returns how many there were.

    White space does not matter, neither does markup inside the wording.
    """
    wanted = " ".join(static_text.split())
    return sum(_remove_from(holder, wanted) for holder in _holders(root, wanted))


def count_static_text(root: etree._Element, static_text: str) -> int:
    """In how many places a wording stands; the tree stays as it is."""
    return len(_holders(root, " ".join(static_text.split())))


def _holders(root: etree._Element, wanted: str) -> list[etree._Element]:
    """Innermost elements that hold a wording.

    Raises
    ------
    PathTooSlow
        On a page so large and deep that it is not searched to its end.
    """
    if not wanted:
        return []
    holders = run_path(_HOLDERS, root, text=wanted, blank="\u00a0")
    outer = {parent for holder in holders if (parent := holder.getparent()) is not None}
    return [holder for holder in holders if holder not in outer]


def _remove_from(holder: etree._Element, wanted: str) -> int:
    text = text_of(holder)
    if len(wanted) >= _WHOLE_SHARE * len(text) and holder.getparent() is not None:
        drop([holder])
        return 1
    pattern = re.compile(r"\s+".join(re.escape(word) for word in wanted.split()))
    n_removed = 0
    for element in holder.iter():
        for attribute in ("text", "tail"):
            value = getattr(element, attribute)
            if not value or (attribute == "tail" and element is holder):
                continue
            shorter, n_found = pattern.subn(" ", value)
            if n_found:
                setattr(element, attribute, shorter)
                n_removed += n_found
    return n_removed
