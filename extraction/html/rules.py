"""Rules of one site: where a field stands, what is removed (COR-24, 76, 77, 106).

A rule is a value: it is checked by `rule_check`, compiled here once, and run on the page's one
tree. Patterns run on RE2, which cannot run away. XPath gets no regular expressions and no extension
functions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import re2
from bs4 import BeautifulSoup
from lxml import etree
from lxml.cssselect import CSSSelector

from extraction.html.cleaning import drop
from extraction.html.elements import is_element

# A rule never needs more of these; a selector that matches everything is a mistake of the editor.
MAX_MATCHES = 2_000


class RuleField(StrEnum):
    """What a rule finds."""

    TITLE = "title"
    AUTHOR = "author"
    DATE = "date"
    BODY = "body"
    SECTION = "section"
    REMOVE = "remove"


class RuleKind(StrEnum):
    """How a rule finds it."""

    CSS = "css"
    XPATH = "xpath"
    TAG = "tag"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; rules of a field are tried in their order."""

    field: RuleField
    kind: RuleKind
    selector: str = ""  # CSS, XPath or static text
    tag_type: str = ""
    attribute_name: str = ""
    attribute_value: str = ""
    value_is_regex: bool = False
    split_string: str = ""
    split_index: int = 0


@dataclass(frozen=True, slots=True)
class SiteRules:
    """All active rules of a publication."""

    rules: tuple[Rule, ...] = ()

    def of(self, field: RuleField) -> tuple[Rule, ...]:
        """Rules of one field in the order they are tried."""
        return tuple(rule for rule in self.rules if rule.field is field)


class RuleError(ValueError):
    """A rule cannot be run; raised when it is compiled.

    Caught by the page's extraction and by `rule_check`.
    """


def find(rule: Rule, root: etree._Element) -> list[etree._Element | str]:
    """Find what a rule matches, in document order.

    Strings come from an XPath that ends in an attribute or in text.

    Raises
    ------
    RuleError
        When the selector, expression or pattern is broken.
    """
    if rule.kind is RuleKind.TAG:
        return list(_find_tags(rule, root))
    if rule.kind is RuleKind.TEXT:
        return []
    try:
        found = _compiled(rule.kind, rule.selector)(root)
    except etree.XPathError as error:
        raise RuleError(f"The expression cannot be evaluated: {error}.") from error
    if not isinstance(found, list):
        return [str(found)] if found not in {None, "", False} else []
    return [item if is_element(item) else str(item) for item in found[:MAX_MATCHES]]


@lru_cache(maxsize=512)
def _compiled(kind: RuleKind, selector: str) -> etree.XPath:
    try:
        if kind is RuleKind.CSS:
            return CSSSelector(selector, translator="html")
        return etree.XPath(selector, regexp=False, smart_strings=False)
    except Exception as error:  # cssselect and lxml raise several unrelated classes
        name = "CSS selector" if kind is RuleKind.CSS else "XPath"
        raise RuleError(f"The {name} cannot be read: {error}.") from error


@lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> re2._Regexp:
    """RE2 pattern of a rule.

    Raises
    ------
    RuleError
        With RE2's own reason; look-around and back references are refused by it.
    """
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        if isinstance(reason, bytes):
            reason = reason.decode("utf-8", "replace")
        raise RuleError(f"The pattern cannot be read: {reason}.") from error


def _find_tags(rule: Rule, root: etree._Element) -> Sequence[etree._Element]:
    """Beautiful Soup's `find_all(tag, {name.

    Value})` over the lxml tree: a class value matches one of the classes or all.
    """
    pattern = compile_pattern(rule.attribute_value) if rule.value_is_regex else None
    name = rule.attribute_name.strip().lower()
    tags = [] if rule.tag_type in {"", "*"} else [rule.tag_type.strip().lower()]
    matches: list[etree._Element] = []
    for element in root.iter(*tags):
        if not name:
            matches.append(element)
        else:
            value = element.get(name)
            if value is not None and _value_matches(rule, pattern, value, is_class=name == "class"):
                matches.append(element)
        if len(matches) >= MAX_MATCHES:
            break
    return matches


def _value_matches(
    rule: Rule, pattern: "re2._Regexp | None", value: str, *, is_class: bool
) -> bool:
    choices = [value, *value.split()] if is_class else [value]
    if pattern is not None:
        return any(pattern.search(choice) is not None for choice in choices)
    return not rule.attribute_value or rule.attribute_value in choices


def value_of(rule: Rule, match: etree._Element | str) -> str:
    """Text a match stands for.

    With a split string, one piece of its HTML (COR-76), an empty string when there is no such
    piece.
    """
    if isinstance(match, str):
        text = match
    elif rule.split_string:
        pieces = outer_html(match).split(rule.split_string)
        if not -len(pieces) <= rule.split_index < len(pieces):
            return ""
        text = BeautifulSoup(pieces[rule.split_index], "lxml").get_text(" ")
    else:
        text = _own_value(match)
    return " ".join(text.split())


def _own_value(element: etree._Element) -> str:
    """Content of a meta element, machine-readable time of a time element, else the text."""
    if element.tag == "meta":
        return element.get("content") or ""
    text = " ".join(part for part in element.itertext() if isinstance(part, str))
    return text if text.strip() else element.get("datetime") or element.get("title") or ""


def outer_html(element: etree._Element) -> str:
    """HTML of an element without the text that follows it."""
    return etree.tostring(element, encoding="unicode", method="html", with_tail=False)


def remove_matches(rule: Rule, root: etree._Element) -> int:
    """Phase 2 of the cleaning: remove what a rule matches; returns how many elements went."""
    n_removed = 0
    for match in find(rule, root):
        if is_element(match) and match.getparent() is not None:
            drop(match)
            n_removed += 1
    return n_removed
