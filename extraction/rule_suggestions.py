"""Rules proposed for a publication from its stored articles, for the editor to take or leave."""

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.html.body_proposals import propose_body
from extraction.html.known_pages import KnownPage
from extraction.html.rule_proposals import Proposal, propose_values
from extraction.html.rules import Rule, RuleField
from extraction.rule_trials import StoredPage, known_page

# Each costs a parse or two; more pages than these change nothing in the ranking.
PROPOSAL_PAGES = 20
SHOWN_PER_FIELD = 3
_PROPOSED = (RuleField.TITLE, RuleField.AUTHOR, RuleField.DATE, RuleField.BODY)


@dataclass(frozen=True, slots=True)
class Suggested:
    """A proposed rule, with the removals it needs where it names the body."""

    field: RuleField
    rules: tuple[Rule, ...]
    n_agree: int
    n_known: int
    n_once: int
    n_pages: int
    is_best: bool

    @property
    def lines(self) -> list[str]:
        """Rules as values of a form, see `rule_changes`."""
        return [f"{rule.field.value}:{rule.kind.value}:{rule.selector}" for rule in self.rules]


def suggest(pages: Sequence[StoredPage], field: RuleField | None = None) -> list[Suggested]:
    """Propose rules for one field or for all, best first within a field."""
    known = [known_page(page) for page in pages[:PROPOSAL_PAGES]]
    found: list[Suggested] = []
    if field is None or field in {RuleField.TITLE, RuleField.AUTHOR, RuleField.DATE}:
        for own, proposals in propose_values(known).items():
            if field in {None, own}:
                found += _ranked(own, [(proposal, ()) for proposal in proposals])
    if field in {None, RuleField.BODY, RuleField.REMOVE}:
        found += _bodies(known)
    return found


def without_proposal(found: Sequence[Suggested]) -> list[RuleField]:
    """Fields for which `suggest` found nothing, of all that it looks for."""
    return [field for field in _PROPOSED if field not in {each.field for each in found}]


def _bodies(known: Sequence[KnownPage]) -> list[Suggested]:
    proposals = propose_body(known)
    pairs = [(found.body, tuple(r.rule for r in found.removals)) for found in proposals]
    return _ranked(RuleField.BODY, pairs)


def _ranked(
    field: RuleField, proposals: Sequence[tuple[Proposal, tuple[Rule, ...]]]
) -> list[Suggested]:
    return [
        Suggested(
            field=field,
            rules=(proposal.rule, *removals),
            n_agree=proposal.n_agree,
            n_known=proposal.n_known,
            n_once=proposal.n_once,
            n_pages=proposal.n_pages,
            is_best=rank == 0,
        )
        for rank, (proposal, removals) in enumerate(proposals[:SHOWN_PER_FIELD])
    ]
