"""Rules proposed for a publication from its stored articles, for the editor to take or leave.

Finding them takes up to 4 s of CPU time on the heaviest sites, and the studio shows them again with
every pick: they are remembered for as long as the pages and what is known of them stay the same.
"""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache

from extraction.html.proposals.body_proposals import propose_body
from extraction.html.proposals.known_pages import KnownPage
from extraction.html.proposals.rule_proposals import (
    LEAST_PAGES,
    LEAST_SHARE,
    Proposal,
    propose_values,
)
from extraction.html.site_rules.rules import Rule, RuleField
from extraction.rules.trials import StoredPage, known_page
from feeds.crawler.documents.limited_work import FOR_A_REQUEST, WorkEndedError, run_limited

logger = logging.getLogger(__name__)

# Each costs a parse or two; more pages than these change nothing in the ranking.
PROPOSAL_PAGES = 20
SHOWN_PER_FIELD = 3  # an editor compares them by eye
REMEMBERED_SECONDS = 3600  # the length of a sitting in the rule studio
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
    is_best: bool  # to be taken without a look: the first of its field, right on half of the pages

    @property
    def lines(self) -> list[str]:
        """Rules as values of a form, see `rule_changes`."""
        return [f"{rule.field.value}:{rule.kind.value}:{rule.selector}" for rule in self.rules]


def suggest(pages: Sequence[StoredPage], field: RuleField | None = None) -> list[Suggested]:
    """Propose rules for one field or for all, best first within a field.

    A child looks for them, somebody waits; for pages that take too much nothing is proposed.
    """
    key = _key(pages, field)
    found: list[Suggested] | None = cache.get(key)
    if found is None:
        try:
            found = run_limited(lambda: _found(pages, field), FOR_A_REQUEST)
        except WorkEndedError:
            logger.warning("pages of article %s and others take too much", pages[0].article.pk)
            return []
        cache.set(key, found, REMEMBERED_SECONDS)
    return found


def are_remembered(pages: Sequence[StoredPage], field: RuleField | None) -> bool:
    """Tell whether the proposals for these very pages need not be looked for again."""
    return _key(pages, field) in cache


def _key(pages: Sequence[StoredPage], field: RuleField | None) -> str:
    """Digest all that a proposal rests on: the bytes of the pages and what is known of each."""
    digest = hashlib.blake2b(digest_size=16)
    for stored in pages[:PROPOSAL_PAGES]:
        article, page = stored.article, stored.page
        known = (article.title, article.authors, article.published_at, article.text)
        said = (page.content_type, page.feed, known, len(page.body))
        digest.update(repr(said).encode(errors="surrogatepass"))
        digest.update(page.body)
    return f"rule-suggestions:{field}:{digest.hexdigest()}"


def _found(pages: Sequence[StoredPage], field: RuleField | None) -> list[Suggested]:
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
            is_best=rank == 0 and _is_right(proposal),
        )
        for rank, (proposal, removals) in enumerate(proposals[:SHOWN_PER_FIELD])
    ]


def _is_right(proposal: Proposal) -> bool:
    """Whether it says what is known as often as a rule for a title must to be proposed at all."""
    return proposal.n_agree >= max(LEAST_PAGES, LEAST_SHARE * proposal.n_known)
