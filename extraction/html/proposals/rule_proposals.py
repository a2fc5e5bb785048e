"""Rules proposed by the program: pages whose values are known → ranked rules with their figures.

For title, author and date: the smallest elements that say the known value, their robust selectors,
each judged on all pages: on how many does it match exactly one element (`n_once`), on how many does
the first match say the known value (`n_agree`). Ranked by agreement, then by robustness. The body
and the removals are `body_proposals`. After a redesign the same search in the new pages, with the
values of the old ones, is the repair.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from extraction.html.proposals.known_pages import (
    KnownPage,
    KnownValues,
    holders,
    read_values,
    says_known,
    value_in,
)
from extraction.html.proposals.selectors import Selector, selectors_of
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind

T = TypeVar("T")

VALUE_FIELDS = (RuleField.TITLE, RuleField.AUTHOR, RuleField.DATE)
MAX_PROPOSALS = 5  # an editor compares them by eye
# Fewer pages than this prove nothing, and a rule for less than half of them is not the layout's.
LEAST_PAGES = 2
LEAST_SHARE = 0.5
# A value stands in few places; one that stands everywhere is the layout's.
_MAX_HOLDERS = 6
_MAX_CANDIDATES = 160  # each is run on every page
# Candidates come from so many pages, the newest first; all pages judge them.
DERIVED_FROM = 8


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule with its figures over the pages it was judged on."""

    rule: Rule
    n_pages: int
    n_once: int  # pages on which it matches exactly one element
    n_known: int  # pages whose value is known
    n_agree: int  # of these, pages on which it gives the known value
    cost: float = 0.0


def propose_values(pages: Sequence[KnownPage]) -> dict[RuleField, tuple[Proposal, ...]]:
    """Propose rules for title, author and date.

    Parameters
    ----------
    pages
        Pages of one layout, 20 is plenty; at least two must know a field for a proposal.

    Returns
    -------
    dict
        Best first, at most `MAX_PROPOSALS` a field; a field without a good rule is absent.
    """
    known = [read_values(page) for page in pages]
    found = {field: _propose(known, field) for field in VALUE_FIELDS}
    return {field: proposals for field, proposals in found.items() if proposals}


def _propose(pages: Sequence[KnownValues], field: RuleField) -> tuple[Proposal, ...]:
    n_known = sum(says_known(page.page, field, "") is not None for page in pages)
    if n_known < LEAST_PAGES:
        return ()
    judged = [
        (selector, _judge(pages, field, selector, n_known))
        for selector in _candidates(pages[:DERIVED_FROM], field)
    ]
    least = max(LEAST_PAGES, LEAST_SHARE * n_known)
    good = [pair for pair in judged if pair[1].n_agree >= least]
    good.sort(key=lambda pair: (-pair[1].n_agree, -pair[1].n_once, pair[1].cost))
    return tuple(without_variants(good)[:MAX_PROPOSALS])


def without_variants(ranked: Iterable[tuple[Selector, T]]) -> list[T]:
    """Keep the first of those that differ by a tag beside the same names."""
    found: dict[tuple[str, str], T] = {}
    for selector, item in ranked:
        found.setdefault(selector.names, item)
    return list(found.values())


def _candidates(pages: Iterable[KnownValues], field: RuleField) -> list[Selector]:
    """Selectors of the elements that hold the value, those of most pages first."""
    votes: dict[Selector, int] = {}
    for page in pages:
        found = holders(page, field)[:_MAX_HOLDERS]
        for selector in {choice for element in found for choice in selectors_of(element)}:
            votes[selector] = votes.get(selector, 0) + 1
    ranked = sorted(votes, key=lambda selector: (-votes[selector], selector.cost, selector.css))
    return [selector for selector in ranked if votes[selector] >= LEAST_PAGES][:_MAX_CANDIDATES]


def _judge(
    pages: Sequence[KnownValues], field: RuleField, selector: Selector, n_known: int
) -> Proposal:
    n_once = n_agree = 0
    for page in pages:
        found = page.index.find(selector)
        n_once += len(found) == 1
        value = next((text for element in found[:5] if (text := value_in(element, field))), "")
        n_agree += says_known(page.page, field, value) is True
    rule = Rule(field, RuleKind.CSS, selector.css)
    return Proposal(rule, len(pages), n_once, n_known, n_agree, selector.cost)
