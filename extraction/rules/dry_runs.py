"""The dry-run stage: a draft tried on every stored article of its publication, a slice a turn.

Only its own row is written: how far it came, how many articles got better, same, worse or failed,
how many texts changed, became shorter or empty, and the first that got worse.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from extraction.html.proposals.verdicts import RuleOutcome
from extraction.models import Article, DryRun, RuleVersion
from extraction.rules.published import fingerprint, rules_in
from extraction.rules.trials import Trial, readable_articles, stored_pages, try_rules
from feeds import leases
from feeds.leases import Claim

logger = logging.getLogger(__name__)

# A slice is tried between two looks at the lease: small, so that none outlasts it. Of what got
# worse the page of the rules shows the first.
SLICE_ARTICLES = 25
MAX_EXAMPLES = 50


@dataclass(frozen=True, slots=True)
class DryRunReport:
    """What a turn came to."""

    n_claimed: int = 0
    quarantined: int = 0


@transaction.atomic
def start(draft: RuleVersion, now: datetime) -> DryRun:
    """Begin to try the draft as it is now; an earlier run of it is forgotten."""
    DryRun.objects.filter(version=draft).delete()
    n_articles = _articles(draft).count()
    digest = fingerprint(rules_in(draft))
    return DryRun.objects.create(
        version=draft, rules_digest=digest, n_articles=n_articles, due_at=now
    )


def is_of_these_rules(run: DryRun) -> bool:
    """Whether the draft still has the rules that were tried."""
    return run.rules_digest == fingerprint(rules_in(run.version))


def run(limit: int, terms: Claim) -> DryRunReport:
    """Claim dry runs and try the next slice of each."""
    claimed = leases.claim(DryRun.objects.all(), limit, terms)
    quarantined = 0
    for row in DryRun.objects.filter(pk__in=claimed).select_related("version"):
        try:
            _try_slice(row, terms)
        except Exception as error:
            # One run of a batch: its failure stays on its row, the others go on.
            logger.exception("dry run %s failed", row.pk)
            quarantined += leases.fail(row, terms.owner, repr(error), terms.now)
    return DryRunReport(len(claimed), quarantined)


def _try_slice(row: DryRun, terms: Claim) -> None:
    articles = list(
        _articles(row.version).filter(pk__gt=row.last_article).order_by("pk")[:SLICE_ARTICLES]
    )
    trials = try_rules(stored_pages(articles), rules_in(row.version), terms.now, limit_seconds=None)
    is_last = len(articles) < SLICE_ARTICLES
    leases.complete(
        row,
        terms.owner,
        due_at=None if is_last else terms.now,
        last_article=articles[-1].pk if articles else row.last_article,
        counts=_added(row.counts, _outcomes(trials, len(articles))),
        changes=_added(row.changes, _changes(trials)),
        examples=[*row.examples, *_examples(trials)][:MAX_EXAMPLES],
        finished_at=terms.now if is_last else None,
    )


def _articles(draft: RuleVersion) -> QuerySet[Article]:
    """Find the articles that the draft will be for."""
    rows = readable_articles().filter(publication=draft.publication_id)
    if draft.valid_from is None:
        return rows
    return rows.filter(page__content_fetch__started_at__gte=draft.valid_from)


def _outcomes(trials: Sequence[Trial], n_articles: int) -> dict[str, int]:
    counts = {outcome.value: 0 for outcome in RuleOutcome}
    for trial in trials:
        counts[trial.verdict.outcome.value] += 1
    return counts | {"not archived": n_articles - len(trials)}


def _changes(trials: Sequence[Trial]) -> dict[str, int]:
    return {
        "changed": sum(trial.draft.text != trial.now.text for trial in trials),
        "shorter": sum(len(trial.draft.text) < len(trial.now.text) for trial in trials),
        "emptied": sum(bool(trial.now.text) and not trial.draft.text for trial in trials),
    }


def _examples(trials: Sequence[Trial]) -> list[list[object]]:
    return [
        [trial.article.pk, trial.verdict.outcome.value, "; ".join(trial.verdict.reasons)[:300]]
        for trial in trials
        if trial.verdict.outcome in {RuleOutcome.WORSE, RuleOutcome.FAILS}
    ]


def _added(before: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    return {name: before.get(name, 0) + count for name, count in more.items()}
