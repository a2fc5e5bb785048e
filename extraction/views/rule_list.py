"""The studio's list of rules on stored pages: matches, warnings; and boxes that may be removed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lxml import etree

from extraction.html.proposals.repeated_boxes import RepeatedBox, repeated_boxes
from extraction.html.site_rules.rule_warnings import match_rule, warnings_of
from extraction.html.site_rules.rules import RuleField, RuleKind
from extraction.models import RuleVersion, SiteRule
from extraction.rules.published import as_rule
from extraction.rules.trials import StoredPage

USES = (
    (RuleField.TITLE, "Title"),
    (RuleField.AUTHOR, "Author"),
    (RuleField.DATE, "Date"),
    (RuleField.SECTION, "Section"),
    (RuleField.BODY, "Body"),
    (RuleField.REMOVE, "Remove"),
)


class ParsedPage(Protocol):
    """A page of a sample: its characters and its tree."""

    @property
    def html(self) -> str: ...

    @property
    def root(self) -> etree._Element: ...


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule in the list with the number of stored pages on which it matches."""

    row: SiteRule
    n_matches: int
    n_pages: int
    warnings: tuple[str, ...] = ()

    @property
    def tone(self) -> str:
        if self.n_matches == self.n_pages:
            return "ok"
        return "warn" if self.n_matches else "bad"


def site_rules(version: RuleVersion | None) -> list[SiteRule]:
    """Give the rules of a version in the order of the list."""
    if version is None:
        return []
    places = [use.value for use, _ in USES]
    return sorted(version.rules.all(), key=lambda row: (places.index(row.field), row.position))


def rule_rows(rows: Sequence[SiteRule], pages: Sequence[ParsedPage]) -> list[RuleRow]:
    """Say of each rule on how many pages it matches, and what looks wrong with it."""
    trees = [(page.root, page.html) for page in pages]
    matched = [match_rule(as_rule(row), trees) for row in rows]
    return [
        RuleRow(row, one.n_matching, len(pages), said)
        for row, one, said in zip(rows, matched, warnings_of(matched), strict=True)
    ]


def boxes_of(rows: Sequence[SiteRule], sample: Sequence[StoredPage]) -> list[RepeatedBox]:
    """Boxes on many pages that no rule removes yet."""
    removed = {
        row.selector
        for row in rows
        if row.field == RuleField.REMOVE.value and row.kind == RuleKind.CSS.value
    }
    found = repeated_boxes([(page.root, page.article.text) for page in sample])
    return [box for box in found if box.rule.selector not in removed]
