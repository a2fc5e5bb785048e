"""The studio's list of rules on stored pages: matches, warnings; and boxes that may be removed."""

from collections.abc import Sequence
from dataclasses import dataclass

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


def rule_rows(version: RuleVersion | None, sample: Sequence[StoredPage]) -> list[RuleRow]:
    if version is None:
        return []
    places = [use.value for use, _ in USES]
    rows = sorted(version.rules.all(), key=lambda row: (places.index(row.field), row.position))
    pages = [(page.root, page.html) for page in sample]
    matched = [match_rule(as_rule(row), pages) for row in rows]
    return [
        RuleRow(row, one.n_matching, len(pages), said)
        for row, one, said in zip(rows, matched, warnings_of(matched), strict=True)
    ]


def boxes_of(version: RuleVersion | None, sample: Sequence[StoredPage]) -> list[RepeatedBox]:
    """Boxes on many pages that no rule removes yet."""
    removed = set[str]()
    if version is not None:
        rows = version.rules.filter(field=RuleField.REMOVE, kind=RuleKind.CSS)
        removed.update(rows.values_list("selector", flat=True))
    found = repeated_boxes([(page.root, page.article.text) for page in sample])
    return [box for box in found if box.rule.selector not in removed]
