"""The dry-run stage: a draft tried on every stored article of its publication, a slice a turn.

Only its own row is written: how far it came, how many articles got better, same, changed, worse or
failed, in how many each field changed, how many texts became shorter or empty, and the first
that got worse or changed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from extraction.documents import taken_since
from extraction.html.proposals.verdicts import RuleOutcome
from extraction.models import Article, DryRun, RuleVersion
from extraction.rules.published import fingerprint, rules_in
from extraction.rules.trials import Trial, readable_articles, stored_pages, try_rules
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim

# A slice is tried between two looks at the lease: small, so that none outlasts it. Of what got
# worse the page of the rules shows the first.
SLICE_ARTICLES = 25
MAX_EXAMPLES = 50
# What is counted of the articles that change, in the order in which it is shown.
CHANGED_FIELDS = ("title", "author", "published", "modified", "section", "text")
_WORSE = frozenset({RuleOutcome.UNMATCHED.value, RuleOutcome.WORSE.value, RuleOutcome.FAILS.value})


@transaction.atomic
def start(draft: RuleVersion, now: datetime) -> DryRun:
    """Begin to try the draft as it is now; an earlier run of it is forgotten."""
    DryRun.objects.filter(version=draft).delete()
    n_articles = _articles(draft).count()
    digest = _digest(draft)
    return DryRun.objects.create(
        version=draft, rules_digest=digest, n_articles=n_articles, due_at=now
    )


def is_of_these_rules(run: DryRun) -> bool:
    """Whether the draft still has the rules that were tried, for the same pages."""
    return run.rules_digest == _digest(run.version)


def _digest(draft: RuleVersion) -> str:
    since = f"pages since {draft.valid_from.timestamp()}" if draft.valid_from else "all pages"
    return fingerprint(rules_in(draft), extractor=since)


def run(limit: int, terms: Claim) -> Report:
    """Claim dry runs and try the next slice of each."""
    return run_each(DryRun.objects.select_related("version"), limit, terms, _try_slice)


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest dry runs; nobody is noted as having asked for one."""
    rows = DryRun.objects.select_related("version__publication").order_by("-pk")
    for row in rows[:JOBS_PER_KIND]:
        publication = row.version.publication
        yield Job(
            kind="Dry run of rules",
            subject=f"{publication.name}, draft of version {row.version.number}",
            address=reverse("rules", args=[publication.slug]),
            n_done=sum(row.counts.values()),
            n_all=row.n_articles,
            unit="article,articles",
            now=now,
            row=row,
        )


def _try_slice(row: DryRun, terms: Claim) -> Report:
    articles = list(
        _articles(row.version).filter(pk__gt=row.last_article).order_by("pk")[:SLICE_ARTICLES]
    )
    trials = try_rules(stored_pages(articles), rules_in(row.version), terms.now, None, limits=None)
    is_last = len(articles) < SLICE_ARTICLES
    leases.complete(
        row,
        terms.owner,
        due_at=None if is_last else terms.now,
        last_article=articles[-1].pk if articles else row.last_article,
        counts=_added(row.counts, _outcomes(trials, len(articles))),
        changes=_added(row.changes, _changes(trials)),
        examples=_listed([*row.examples, *_examples(trials)]),
        finished_at=terms.now if is_last else None,
    )
    return Report(done=Counter(tried=len(trials)))


def _articles(draft: RuleVersion) -> QuerySet[Article]:
    """Find the articles that the draft will be for."""
    rows = readable_articles().filter(publication=draft.publication_id)
    if draft.valid_from is None:
        return rows
    return rows.filter(taken_since(draft.valid_from))


def _outcomes(trials: Sequence[Trial], n_articles: int) -> dict[str, int]:
    counts = {outcome.value: 0 for outcome in RuleOutcome}
    for trial in trials:
        counts[trial.verdict.outcome.value] += 1
    return counts | {"not archived": n_articles - len(trials)}


def _changes(trials: Sequence[Trial]) -> dict[str, int]:
    fields = Counter(change.name for trial in trials for change in trial.verdict.changes)
    return {
        **{name: fields[name] for name in CHANGED_FIELDS},
        "shorter": sum(len(trial.draft.text) < len(trial.now.text) for trial in trials),
        "emptied": sum(bool(trial.now.text) and not trial.draft.text for trial in trials),
    }


def _examples(trials: Sequence[Trial]) -> list[list[object]]:
    return [
        [trial.article.pk, trial.verdict.outcome.value, "; ".join(trial.verdict.reasons)[:300]]
        for trial in trials
        if trial.verdict.outcome is not RuleOutcome.SAME
    ]


def _listed(examples: Sequence[list[object]]) -> list[list[object]]:
    """Keep the first that get worse, and the first that change otherwise."""
    worse = [example for example in examples if example[1] in _WORSE][:MAX_EXAMPLES]
    others = [example for example in examples if example[1] not in _WORSE][:MAX_EXAMPLES]
    return [*worse, *others]


def _added(before: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    return {name: before.get(name, 0) + count for name, count in more.items()}
