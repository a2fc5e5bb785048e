"""Rules of one site: where a field stands, what is removed.

A rule is a value: it is checked by `rule_check`, compiled here once, and run on the page's one
tree. Patterns run on RE2, which cannot run away. XPath gets no regular expressions and no extension
functions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import re2
from cssselect import SelectorError
from lxml import etree
from lxml.cssselect import CSSSelector

from extraction.html.markup.cleaning import drop
from extraction.html.markup.elements import is_element, text_of
from extraction.html.markup.limited_paths import CPU_SECONDS, PathTooSlow, run_path
from extraction.html.site_rules.source_values import json_steps, json_values, pattern_values

# A rule never needs more of these; a selector that matches everything is a mistake of the editor.
MAX_MATCHES = 2_000
TOO_SLOW = f"It was stopped after searching this page for {CPU_SECONDS} s."
# What cssselect and lxml raise: for broken ones, for what no XML may hold, for a thousand brackets.
_UNREADABLE = (SelectorError, etree.XPathError, ValueError, RecursionError)
_AT = re.compile(r"(?:>)? at (\d+)(?=>|$|[.\s])")


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
    REGEX = "regex"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; rules of a field are tried in their order."""

    field: RuleField
    kind: RuleKind
    selector: str = ""  # CSS, XPath, static text, pattern or JSON path
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


@dataclass(frozen=True, slots=True)
class RuleReport:
    """Whether each part of the site's rules matched: one that stops matching is a warning."""

    part: str  # "title", "author", "date", "body", "remove 2", "static text 1"
    matched: bool
    problem: str = ""  # a sentence when the rule could not be run at all


class RuleError(ValueError):
    """A rule cannot be run; raised when it is compiled.

    `position` is that of the character in the selector at which reading stopped, where it is known.
    Caught by the page's extraction and by `rule_check`.
    """

    def __init__(self, sentence: str, position: int | None = None) -> None:
        super().__init__(sentence)
        self.position = position


def find(rule: Rule, root: etree._Element, source: str = "") -> list[etree._Element | str]:
    """Find what a rule matches, in document order.

    Strings come from an XPath that ends in an attribute or in text, from embedded JSON, and from a
    pattern, which runs over `source`; with a removal it runs over the texts of elements.

    Raises
    ------
    RuleError
        When the selector, expression or pattern is broken.
    """
    if rule.kind is RuleKind.TAG:
        return list(_find_tags(rule, root))
    if rule.kind is RuleKind.JSON:
        return list(json_values(_compiled_path(rule.selector), root))
    if rule.kind is RuleKind.REGEX:
        return _find_by_pattern(rule, root, source)
    return [] if rule.kind is RuleKind.TEXT else _select(rule, root)


def _select(rule: Rule, root: etree._Element) -> list[etree._Element | str]:
    try:
        found = run_path(_compiled(rule.kind, rule.selector), root)
    except etree.XPathError as error:
        raise RuleError(f"The expression cannot be evaluated: {error}.") from error
    except PathTooSlow as error:
        raise RuleError(TOO_SLOW) from error
    if not isinstance(found, list):
        return [str(found)] if found not in {None, "", False} else []
    return [item if is_element(item) else str(item) for item in found[:MAX_MATCHES]]


def xpath_of(rule: Rule) -> str:
    """Give the XPath that a CSS selector or an XPath is run as."""
    return str(_compiled(rule.kind, rule.selector).path)


@lru_cache(maxsize=512)
def _compiled(kind: RuleKind, selector: str) -> etree.XPath:
    try:
        if kind is RuleKind.CSS:
            return CSSSelector(selector, translator="html")
        return etree.XPath(selector, regexp=False, smart_strings=False)
    except _UNREADABLE as error:
        name = "CSS selector" if kind is RuleKind.CSS else "XPath"
        sentence = f"The {name} cannot be read: {_AT.sub('', str(error))}."
        raise RuleError(sentence, _position(error)) from error


def _position(error: Exception) -> int | None:
    """Where a reader stopped: cssselect says it in words, libxml2 in the column of its log."""
    said = _AT.search(str(error))
    if said:
        return int(said[1])
    log = list(getattr(error, "error_log", ()))
    # libxml2 counts from 1.
    return max(log[-1].column - 1, 0) if log and log[-1].column else None


@lru_cache(maxsize=512)
def _compiled_path(path: str) -> tuple[str | int, ...]:
    try:
        return json_steps(path)
    except ValueError as error:
        sentence, position = error.args
        raise RuleError(sentence, position) from error


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
        # RE2 names the piece it could not read after its reason.
        piece = str(reason).partition(": ")[2]
        position = pattern.find(piece) if piece else -1
        sentence = f"The pattern cannot be read: {reason}."
        raise RuleError(sentence, position if position >= 0 else None) from error


def pattern_of(rule: Rule) -> re2._Regexp:
    """Compile a rule's pattern; a body is of many lines, so a dot in its pattern is any sign."""
    return compile_pattern(
        f"(?s){rule.selector}" if rule.field is RuleField.BODY else rule.selector
    )


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


def _find_by_pattern(rule: Rule, root: etree._Element, source: str) -> list[etree._Element | str]:
    """Values in the source; for a removal innermost elements (p, or the tag) with such a text."""
    pattern = pattern_of(rule)
    if rule.field is not RuleField.REMOVE:
        return list(pattern_values(pattern, source))
    found: list[etree._Element | str] = []
    tag = rule.tag_type.strip().lower() or "p"
    for element in root.iter(tag):
        if element.find(f".//{tag}") is None and pattern.search(text_of(element, " ")):
            found.append(element)
        if len(found) >= MAX_MATCHES:
            break
    return found


def _value_matches(
    rule: Rule, pattern: "re2._Regexp | None", value: str, *, is_class: bool
) -> bool:
    choices = [value, *value.split()] if is_class else [value]
    if pattern is not None:
        return any(pattern.search(choice) is not None for choice in choices)
    return not rule.attribute_value or rule.attribute_value in choices


def value_of(rule: Rule, match: etree._Element | str) -> str:
    """Text a match stands for.

    With a split string, one piece of its HTML, an empty string when there is no such piece.
    """
    if isinstance(match, str):
        text = match
    elif rule.split_string:
        pieces = outer_html(match).split(rule.split_string)
        if not -len(pieces) <= rule.split_index < len(pieces):
            return ""
        from bs4 import BeautifulSoup  # noqa: PLC0415 (50 ms, of few rules alone)

        text = BeautifulSoup(pieces[rule.split_index], "lxml").get_text(" ")
    else:
        text = _own_value(match, rule.field)
    return " ".join(text.split())


def _own_value(element: etree._Element, field: RuleField) -> str:
    """Content of a meta element, of a date its machine-readable form, else the text."""
    if element.tag == "meta":
        return element.get("content") or ""
    machine_readable = element.get("datetime") or ""
    if field is RuleField.DATE:
        machine_readable = machine_readable or element.get("content") or ""
        if machine_readable.strip():
            return machine_readable
    text = " ".join(part for part in element.itertext() if isinstance(part, str))
    return text if text.strip() else machine_readable or element.get("title") or ""


def outer_html(element: etree._Element) -> str:
    """HTML of an element without the text that follows it."""
    return etree.tostring(element, encoding="unicode", method="html", with_tail=False)


def remove_matches(rule: Rule, root: etree._Element) -> int:
    """Phase 2 of the cleaning: remove what a rule matches; returns how many elements went."""
    matches = [
        match for match in find(rule, root) if is_element(match) and match.getparent() is not None
    ]
    drop(matches)
    return len(matches)
