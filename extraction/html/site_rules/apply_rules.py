"""An editor's rules at work on one page: values, removals, the body, a report on each rule.

A rule that cannot be run is reported and passed over, the page is extracted without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from extraction.html.markup.elements import is_element
from extraction.html.markup.limited_paths import PathTooSlow
from extraction.html.site_rules.body_patterns import body_html, lines_of_html
from extraction.html.site_rules.rules import (
    TOO_SLOW,
    Rule,
    RuleError,
    RuleField,
    RuleKind,
    RuleReport,
    SiteRules,
    find,
    remove_matches,
    value_of,
)
from extraction.html.site_rules.static_text import remove_static_text

_VALUE_FIELDS = (RuleField.TITLE, RuleField.AUTHOR, RuleField.DATE, RuleField.SECTION)
# The first matches may be empty (an avatar before the name); more are another article's.
_TRIED_MATCHES = 5


@dataclass(frozen=True, slots=True)
class RuledValues:
    """Field name → value found by the first rule that matched.

    With a report on every rule tried.
    """

    values: Mapping[str, str]
    reports: tuple[RuleReport, ...]


@dataclass(frozen=True, slots=True)
class RuledBody:
    """Elements the first matching body rule names, or the lines where it is a pattern."""

    elements: tuple[etree._Element, ...]
    reports: tuple[RuleReport, ...]
    texts: tuple[str, ...] = ()


def ruled_values(rules: SiteRules, root: etree._Element, source: str = "") -> RuledValues:
    """Run the rules of all fields but the body.

    On the tree before cleaning (a rule may name a meta element); patterns on the page's source.
    """
    values: dict[str, str] = {}
    reports: list[RuleReport] = []
    for field in _VALUE_FIELDS:
        for position, rule in enumerate(rules.of(field), start=1):
            if field.value in values:
                break
            part = f"{field.value} {position}"
            value, problem = _value(rule, root, source)
            report = RuleReport(part, matched=bool(value), problem=problem)
            reports.append(report)
            if value:
                values[field.value] = value
    return RuledValues(values, tuple(reports))


def remove_ruled(rules: SiteRules, root: etree._Element) -> tuple[RuleReport, ...]:
    """Phase 2 of the cleaning: the publication's filters and static texts."""
    reports = []
    for position, rule in enumerate(rules.of(RuleField.REMOVE), start=1):
        part = f"remove {position}"
        try:
            if rule.kind is RuleKind.TEXT:
                n_removed = remove_static_text(root, rule.selector)
            else:
                n_removed = remove_matches(rule, root)
        except RuleError as error:
            reports.append(RuleReport(part, matched=False, problem=str(error)))
        except PathTooSlow:
            reports.append(RuleReport(part, matched=False, problem=TOO_SLOW))
        else:
            reports.append(RuleReport(part, matched=n_removed > 0))
    return tuple(reports)


def ruled_body(rules: SiteRules, root: etree._Element, source: str = "") -> RuledBody:
    """Elements of the body by the first rule that matches any; patterns run on the source."""
    reports = []
    for position, rule in enumerate(rules.of(RuleField.BODY), start=1):
        part = f"body {position}"
        try:
            elements, texts = _body(rule, root, source)
        except RuleError as error:
            reports.append(RuleReport(part, matched=False, problem=str(error)))
            continue
        reports.append(RuleReport(part, matched=bool(elements or texts)))
        if elements or texts:
            return RuledBody(elements, tuple(reports), texts)
    return RuledBody((), tuple(reports))


def _body(
    rule: Rule, root: etree._Element, source: str
) -> tuple[tuple[etree._Element, ...], tuple[str, ...]]:
    """Elements that a body rule names, or the lines of a pattern's match."""
    if rule.kind is RuleKind.REGEX:
        return (), lines_of_html(body_html(rule, source))
    return tuple(match for match in find(rule, root) if is_element(match)), ()


def _value(rule: Rule, root: etree._Element, source: str) -> tuple[str, str]:
    """Value of the first match that has one, and what is wrong where the rule cannot be run."""
    try:
        matches = find(rule, root, source)
    except RuleError as error:
        return "", str(error)
    found = (value_of(rule, match) for match in matches[:_TRIED_MATCHES])
    return next((text for text in found if text), ""), ""
