"""The stages in order: the whole way of a text on one page, and the only file that knows it.

    fetch ──▶ extract ──▶ detect ──▶ index
    (feeds)   (extraction) (dedup)    (search)
                              └─▶ story ──▶ index again

A text is indexed once it is judged a copy or not; which reports tell of one event is found by
passes over all that is new, and what has another story then is indexed again.

Four stages stand beside the way, begun by editors: dry-run tries a draft of rules on all articles,
evaluate compares extractors, limit-trial tries another limit for duplicates, crawl lets what it
finds into the frontier, from where it goes the way of all pages. A published version of rules, or
another extractor, makes pages due at extract again. Sweeping extract learns what sites show, opens
and closes alarms, and makes the pages due that would be read otherwise by now. Index also follows
changes of the lexicon into old texts, and counts once a day what its entries did.

Each stage claims due rows of its own table, works on them, and reports the ids that go on;
`register` makes the next stage's rows due. Registering may be lost with its process: `sweep` asks
each stage for rows whose input has changed and finds them again. So every stage may be run at any
time, by any process, any number of times.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.conf import settings

from dedup import detect, stories, threshold_trials
from dedup.models import Detection, StoryPass, ThresholdTrial
from extraction import dry_runs, evaluating, extract
from extraction.models import DryRun, EvaluationRun, Extraction
from feeds import crawl, crawl_slices, leases
from feeds.leases import Claim
from feeds.models import Crawl, Page, PublicationState, Work, WorkQuerySet
from search import indexing
from search.lexicon import retagging, uses
from search.models import IndexedArticle, IndexedComment, Retagging, UseCount


@dataclass(frozen=True, slots=True)
class Summary:
    """What was done: counts since the start of a run. `fetched` is by outcome."""

    n_claimed: int = 0
    feeds_polled: int = 0
    pages_found: int = 0
    fetched: Counter[str] = field(default_factory=Counter)
    archived: int = 0
    articles: int = 0
    comments: int = 0
    duplicates: int = 0
    indexed: int = 0
    quarantined: int = 0

    def __add__(self, other: "Summary") -> "Summary":
        return replace(
            self,
            **{
                name: getattr(self, name) + getattr(other, name)
                for name in self.__dataclass_fields__
            },
        )


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the way: its rows, how many it takes at once, and what it does."""

    name: str
    queue: str
    models: tuple[type[Work], ...]
    batch: int
    run: Callable[[int, Claim], Summary]
    pending: Callable[[int, datetime], int]
    has_one_writer: bool = False
    # After a turn it waits so long for the next, while other stages have work.
    rest_seconds: float = 0.0


def _fetch(limit: int, terms: Claim) -> Summary:
    report = crawl.run(limit, terms)
    extract.register(report.page_ids, terms.now)
    return Summary(
        n_claimed=report.n_claimed,
        feeds_polled=report.feeds_polled,
        pages_found=report.pages_found,
        fetched=Counter(report.fetched),
        archived=report.archived,
        quarantined=report.quarantined,
    )


def _extract(limit: int, terms: Claim) -> Summary:
    report = extract.run(limit, terms)
    detect.register(report.article_ids, terms.now)
    indexing.refresh(report.article_ids, terms.now)
    indexing.register((), report.comment_ids, terms.now)
    return Summary(
        n_claimed=report.n_claimed,
        articles=report.articles,
        comments=report.comments,
        quarantined=report.quarantined,
    )


def _detect(limit: int, terms: Claim) -> Summary:
    report = detect.run(limit, terms)
    stories.register(report.article_ids, terms.now)
    indexing.register(report.article_ids, (), terms.now)
    return Summary(
        n_claimed=report.n_claimed, duplicates=report.duplicates, quarantined=report.quarantined
    )


def _story(limit: int, terms: Claim) -> Summary:
    report = stories.run(limit, terms)
    indexing.register(report.article_ids, (), terms.now)
    return Summary(n_claimed=report.n_claimed, quarantined=report.quarantined)


def _index(limit: int, terms: Claim) -> Summary:
    """Make what is to be tagged again due, index, and count uses when no text waits."""
    job = retagging.run(terms)
    report = indexing.run(limit, terms)
    n_counted = 0 if report.n_claimed else uses.run(terms)
    return Summary(
        n_claimed=job.n_claimed + report.n_claimed + n_counted,
        indexed=report.indexed,
        quarantined=job.quarantined + report.quarantined,
    )


def _index_pending(limit: int, now: datetime) -> int:
    uses.plan(now)
    return indexing.pending(limit, now)


def _dry_run(limit: int, terms: Claim) -> Summary:
    report = dry_runs.run(limit, terms)
    return Summary(n_claimed=report.n_claimed, quarantined=report.quarantined)


def _evaluate(limit: int, terms: Claim) -> Summary:
    report = evaluating.work(limit, terms)
    return Summary(n_claimed=report.n_claimed, quarantined=report.quarantined)


def _limit_trial(limit: int, terms: Claim) -> Summary:
    report = threshold_trials.run(limit, terms)
    return Summary(n_claimed=report.n_claimed, quarantined=report.quarantined)


def _crawl(limit: int, terms: Claim) -> Summary:
    report = crawl_slices.run(limit, terms)
    return Summary(
        n_claimed=report.n_claimed, pages_found=report.n_found, quarantined=report.quarantined
    )


def _nothing_pending(limit: int, now: datetime) -> int:  # noqa: ARG001 (the stages share a signature)
    """Pages are due by their next visit, dry runs by an editor's wish: nothing precedes them."""
    return 0


# A pass reads its window anew, and only what else is known of an event waits for it.
_STORY_REST = 10.0

# Batches: small enough that a killed worker loses little, large enough that a commit is shared.
STAGES: tuple[Stage, ...] = (
    Stage("fetch", "crawl", (Page,), settings.CRAWL_HOSTS_PER_BATCH, _fetch, _nothing_pending),
    Stage("extract", "extract", (Extraction,), 20, _extract, extract.pending),
    Stage("detect", "extract", (Detection,), 500, _detect, detect.pending),
    Stage("story", "extract", (StoryPass,), 1, _story, stories.pending, rest_seconds=_STORY_REST),
    Stage(
        "index",
        "index",
        (IndexedArticle, IndexedComment, Retagging, UseCount),
        100,
        _index,
        _index_pending,
        has_one_writer=True,
    ),
    Stage("dry-run", "extract", (DryRun,), 1, _dry_run, _nothing_pending),
    Stage("evaluate", "extract", (EvaluationRun,), 1, _evaluate, _nothing_pending),
    Stage("limit-trial", "extract", (ThresholdTrial,), 1, _limit_trial, _nothing_pending),
    Stage("crawl", "crawl", (Crawl,), 1, _crawl, _nothing_pending),
)
BY_NAME = {stage.name: stage for stage in STAGES}
TEXT_STAGES = STAGES[1:]

# A sweep looks at this many stragglers a stage; the next one takes the rest.
SWEEP_LIMIT = 1000
NEGLECTED_AFTER = timedelta(seconds=20)


def after(name: str) -> tuple[Stage, ...]:
    """Name the stages that may have become due when stage `name` has worked."""
    names = [stage.name for stage in STAGES]
    return STAGES[names.index(name) + 1 :]


def sweep(now: datetime) -> int:
    """Find stragglers of every stage and quarantine rows that used up their attempts.

    Returns how many rows became due.
    """
    found = 0
    for stage in STAGES:
        for model in stage.models:
            leases.quarantine_exhausted(model, now)
        found += stage.pending(SWEEP_LIMIT, now)
    return found


def has_due(stage: Stage, now: datetime) -> bool:
    """Whether a stage has rows that are due or in somebody's hands: the run is not idle before."""
    return any(active_rows(model).unfinished(now).exists() for model in stage.models)


def is_neglected(stage: Stage, now: datetime) -> bool:
    """Whether a stage's rows have been due for a while: whoever should work on them does not."""
    return has_due(stage, now - NEGLECTED_AFTER)


def active_rows(model: type[Work]) -> WorkQuerySet[Work]:
    """All rows, but only the pages of publications that run: others wait, whatever their date."""
    if model is Page:
        return Page.objects.filter(publication__state=PublicationState.ACTIVE)
    return model.objects.all()
