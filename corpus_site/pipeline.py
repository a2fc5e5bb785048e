"""The stages in order: the whole way of a text on one page, and the only file that knows it.

    fetch ──▶ extract ──▶ detect ──▶ index
    (feeds)   (extraction) (dedup)    (search)
                              └─▶ story ──▶ index again

A text is indexed once it is judged a copy or not; which reports tell of one event is found by
passes over all that is new, and what has another story then is indexed again.

Fourteen stages stand beside the way. The last sends messages: its sweep finds what people asked to
be told of; the one before it lets rows go by policies for their age, and the one before that asks
hubs to tell of feeds' news. Eleven are begun by editors:
placing asks which stored articles belong to the corpus when a publication's terms change, dry-run
tries a draft of rules on all articles, import writes the sources of a file, evaluate compares
extractors, limit-trial tries another limit for duplicates, crawl lets what it finds into the
frontier, from where it goes the way of all pages, warc gives pages the documents that files of
other crawlers hold, texts makes articles of texts that somebody gives to a collection, comments
looks at the threads of a month, look-up
finds what is at an address for the wizard, erase leaves nothing of a text. A published version of
rules, or another extractor, makes pages due at extract again. Sweeping extract learns what sites
show, opens and closes alarms, and makes the pages due that would be read otherwise by now; extract
also judges stored texts anew where a policy or a site's word on text mining has changed. Index also
follows changes of the lexicon into old texts, and counts once a day what its entries did. What was
withdrawn leaves the index before all that waits there. Each stage claims due rows of its own table,
works on them, and reports the ids that go on; its followers' `register` makes their rows due.
Registering may be lost with its process: `sweep` asks each stage for rows whose input has changed
and finds them again. So every stage may be run at any time, by any process, any number of times.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db.models import Value

from corpus_site.accounts import forgotten, sent_forms
from corpus_site.adding import look_ups
from corpus_site.messaging import delivering, making
from corpus_site.messaging.models import Message
from corpus_site.removal import erasing
from corpus_site.retention import policies
from corpus_site.retention.models import RetentionPass
from dedup import detect
from dedup.judging import threshold_trials
from dedup.models import Detection, StoryPass, ThresholdTrial
from dedup.stories import passes
from extraction import comment_months, evaluating, extract, placing, rights
from extraction.models import (
    Capture,
    CommentMonth,
    DryRun,
    Erasure,
    EvaluationRun,
    Extraction,
    Placing,
    RightsReview,
    SourceImport,
)
from extraction.rules import dry_runs, reread
from extraction.source_files import importing
from extraction.stage import captures
from extraction.stage.withdrawn_rows import take_out_latecomers
from feeds import fetch, revisits
from feeds.crawls import crawl_slices
from feeds.frontier import unfinished_pages
from feeds.hubs import asking, subscriptions
from feeds.jobs import Job
from feeds.models import (
    Crawl,
    HubSubscription,
    Moment,
    Page,
    SourceDraft,
    WarcImport,
    Work,
    WorkQuerySet,
)
from feeds.parameters import values
from feeds.rights import ask_sites
from feeds.warc_files import importing as warc_importing
from feeds.work import leases
from feeds.work.batches import Report
from feeds.work.leases import Claim
from feeds.work.prepared import Prepared, placeholder
from search import indexing
from search.collecting import importing as text_importing
from search.lexicon import retagging, uses
from search.models import IndexedArticle, IndexedComment, Retagging, TextImport, UseCount
from search.stage import leaving

_Register = Callable[[Collection[int], datetime], None]


def _nothing_pending(limit: int, now: datetime) -> int:  # noqa: ARG001 (the stages share a signature)
    """Jobs are due by an editor's wish: nothing precedes them."""
    return 0


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the way, with all that pages, commands and workers need to know of it."""

    name: str  # in addresses, in the log, for commands
    label: str  # for people
    queue: str
    # Its tables, each with the column that says what a row is about.
    subjects: Mapping[type[Work], str]
    batch: int
    work: Callable[[int, Claim], Report]
    pending: Callable[[int, datetime], int] = _nothing_pending
    # Who hears of what it has done: by the kind of the ids that go on.
    followers: Mapping[str, tuple[_Register, ...]] = field(default_factory=dict)
    # Work that people asked for, which this stage does.
    jobs: Callable[[datetime], Iterable[Job]] | None = None
    # The lock of the one writer it has in the world; without a name, many may work on it.
    writer_lock: str = ""
    # Whether it does nothing where no row of its tables is due.
    is_by_rows: bool = True
    # After a turn that found work it waits so long for the next, while other stages have some.
    rest_seconds: float = 0.0

    @property
    def models(self) -> tuple[type[Work], ...]:
        return tuple(self.subjects)

    def run(self, terms: Claim) -> Report:
        """Work on one batch and register what goes on; the report names no ids any more.

        Whether a row is due is asked first by a statement that is kept: it costs a tenth of a claim
        in vain, which most stages would make in most turns.
        """
        if self.is_by_rows and not has_due(self, terms.now):
            return Report()
        values.refresh()
        report = self.work(self.batch, terms)
        for kind, ids in report.next_ids.items():
            for register in self.followers[kind]:
                register(ids, terms.now)
        return replace(report, next_ids={})


def _extract(limit: int, terms: Claim) -> Report:
    """Read pages and captures, and judge some texts anew where a word on rights has changed."""
    return extract.run(limit, terms) + captures.run(limit, terms) + rights.run(1, terms)


def _extract_pending(limit: int, now: datetime) -> int:
    return extract.pending(limit, now) + rights.pending(limit, now)


def _index(limit: int, terms: Claim) -> Report:
    """Make what is to be tagged again due, index, and count uses when no text waits."""
    due_again = retagging.run(terms)
    report = indexing.run(limit, terms)
    counted = Report() if report.n_claimed else uses.run(terms)
    return due_again + report + counted


def _index_pending(limit: int, now: datetime) -> int:
    uses.plan(now)
    return indexing.pending(limit, now)


# Batches: small enough that a killed worker loses little, large enough that a commit is shared.
def _pending_mail(limit: int, now: datetime) -> int:
    """Send links for forgotten passwords, and make the messages that are due."""
    forgotten.send(now)
    return making.pending(limit, now)


STAGES: tuple[Stage, ...] = (
    Stage(
        "fetch",
        "fetch",
        queue="crawl",
        subjects={Page: "url"},
        batch=settings.CRAWL_HOSTS_PER_BATCH,
        work=fetch.run,
        is_by_rows=False,  # visits go by hosts, who ask by kept statements themselves
        pending=revisits.pending,
        followers={"pages": (extract.register_fetched,)},
    ),
    Stage(
        "extract",
        "extract",
        queue="extract",
        subjects={
            Extraction: "page__url",
            RightsReview: "publication__home_url",
            Capture: "fetch__url",
        },
        batch=20,
        work=_extract,
        pending=_extract_pending,
        followers={
            "articles": (detect.register, indexing.refresh, ask_sites),
            "comments": (indexing.register_comments,),
        },
        jobs=reread.jobs,
    ),
    Stage(
        "detect",
        "detect copies",
        queue="extract",
        subjects={Detection: "article__url"},
        batch=500,
        work=detect.run,
        pending=detect.pending,
        followers={"articles": (passes.register, indexing.register)},
        # Texts of one batch are judged in order of time, so fewer are judged again in large ones.
        rest_seconds=5.0,
    ),
    Stage(
        "story",
        "find stories",
        queue="extract",
        subjects={StoryPass: "last_run_at"},
        batch=1,
        work=passes.run,
        pending=passes.pending,
        followers={"articles": (indexing.register,)},
        # A pass reads its window anew, and only what else is known of an event waits for it.
        rest_seconds=10.0,
    ),
    Stage(
        "index",
        "tag and index",
        queue="index",
        subjects={
            IndexedArticle: "article__url",
            IndexedComment: "comment__article__url",
            Retagging: "title",
            UseCount: "last_word",
        },
        batch=100,
        work=_index,
        pending=_index_pending,
        jobs=retagging.jobs,
        writer_lock=indexing.WRITER_LOCK,
        is_by_rows=False,  # it looks for what the index has lost, and for parts that it lacks
    ),
    Stage(
        "placing",
        "place stored texts",
        queue="extract",
        subjects={Placing: "publication__home_url"},
        batch=1,
        work=placing.run,
        pending=placing.pending,
        followers={
            "articles": (detect.register, indexing.refresh),
            "labels": (indexing.refresh,),
            "comments": (indexing.register_comments,),
        },
    ),
    Stage(
        "dry-run",
        "dry runs of rules",
        queue="extract",
        subjects={DryRun: "version__publication__home_url"},
        batch=1,
        work=dry_runs.run,
        jobs=dry_runs.jobs,
    ),
    Stage(
        "import",
        "imports of sources",
        queue="extract",
        subjects={SourceImport: "file_name"},
        batch=1,
        work=importing.run,
        jobs=importing.jobs,
    ),
    Stage(
        "evaluate",
        "comparisons of extractors",
        queue="extract",
        subjects={EvaluationRun: "publication__home_url"},
        batch=1,
        work=evaluating.work,
        jobs=evaluating.jobs,
    ),
    Stage(
        "limit-trial",
        "trials of a limit",
        queue="extract",
        subjects={ThresholdTrial: "method"},
        batch=1,
        work=threshold_trials.run,
        jobs=threshold_trials.jobs,
    ),
    Stage(
        "crawl",
        "crawls",
        queue="crawl",
        subjects={Crawl: "publication__home_url"},
        batch=1,
        work=crawl_slices.run,
    ),
    Stage(
        "warc",
        "imports of web archives",
        queue="extract",
        subjects={WarcImport: "path"},
        batch=1,
        work=warc_importing.run,
        pending=warc_importing.pending,
        followers={"pages": (extract.register_fetched, captures.register)},
        jobs=warc_importing.jobs,
    ),
    Stage(
        "texts",
        "imports of texts",
        queue="extract",
        subjects={TextImport: "file_name"},
        batch=1,
        work=text_importing.run,
        followers={"articles": (detect.register, indexing.refresh)},
        jobs=text_importing.jobs,
    ),
    Stage(
        "comments",
        "comments of a month",
        queue="crawl",
        subjects={CommentMonth: "month"},
        batch=1,
        work=comment_months.run,
        jobs=comment_months.jobs,
    ),
    Stage(
        "look-up",
        "look-ups of the wizard",
        # Somebody waits for it, so it does not stand behind the fetches.
        queue="default",
        subjects={SourceDraft: "address"},
        batch=1,
        work=look_ups.run,
        pending=look_ups.pending,
    ),
    Stage(
        "erase",
        "erasures",
        # Words that only erased texts held go where the index is written.
        queue="index",
        subjects={Erasure: "entry__address"},
        # The index writes each segment anew that holds one of them: once for all of a batch.
        batch=50,
        work=erasing.run,
        pending=erasing.pending,
        followers={
            "articles": (detect.register, indexing.register),
            "comments": (indexing.register_comments,),
        },
        jobs=erasing.jobs,
    ),
    Stage(
        "hub",
        "subscriptions to hubs",
        queue="default",
        subjects={HubSubscription: "url"},
        batch=10,
        work=asking.run,
        pending=subscriptions.pending,
    ),
    Stage(
        "retention",
        "looks at old rows",
        queue="default",
        subjects={RetentionPass: "kind"},
        batch=1,
        work=policies.run,
        pending=policies.pending,
        followers={
            "articles": (detect.register, indexing.refresh, leaving.register_articles),
            "comments": (indexing.register_comments, leaving.register_comments),
        },
        jobs=policies.jobs,
    ),
    Stage(
        "message",
        "send messages",
        queue="default",
        subjects={Message: "channel__name"},
        batch=10,
        work=delivering.run,
        pending=_pending_mail,
    ),
)
BY_NAME = {stage.name: stage for stage in STAGES}
TEXT_STAGES = STAGES[1:]
MODELS = tuple(dict.fromkeys(model for stage in STAGES for model in stage.models))

# A sweep looks at this many stragglers a stage; the next one takes the rest.
SWEEP_LIMIT = 1000
NEGLECTED_AFTER = timedelta(seconds=20)
# A writer is away when it has not written for so long: its other stages' turns take less, also
# beside busy neighbours, and a dead one's lock is its own as long.
AWAY_AFTER = timedelta(seconds=60)
# Below the 32,766 variables that SQLite takes in a statement.
IDS_PER_STATEMENT = 5_000
_LEAVING = {"articles": leaving.register_articles, "comments": leaving.register_comments}


def follow(kind: str, ids: Collection[int], now: datetime) -> None:
    """Make the followers of the extract stage due for rows that were written outside of it.

    `kind` is "articles" or "comments". Call it when the change has been written, or in one
    transaction with it: what dedup and index hold of these texts then follows the rows.
    What was withdrawn leaves the index before all that waits.
    """
    ordered = sorted(ids)
    for start in range(0, len(ordered), IDS_PER_STATEMENT):
        some = ordered[start : start + IDS_PER_STATEMENT]
        for register in BY_NAME["extract"].followers[kind]:
            register(some, now)
        _LEAVING[kind](some, now)


def after(name: str) -> tuple[Stage, ...]:
    """Name the stages that may have become due when stage `name` has worked."""
    names = [stage.name for stage in STAGES]
    return STAGES[names.index(name) + 1 :]


def sweep(now: datetime) -> int:
    """Find stragglers of every stage and quarantine rows that killed all their workers.

    Returns how many rows became due.
    """
    values.refresh()
    sent_forms.forget(now)
    found = 0
    for model in leases.with_exhausted(MODELS, now):
        leases.quarantine_exhausted(model, now)
    for stage in STAGES:
        found += stage.pending(SWEEP_LIMIT, now)
    late = take_out_latecomers(now)
    follow("articles", late, now)
    return found + len(late)


def has_due(stage: Stage, now: datetime) -> bool:
    """Whether a stage has rows that are due or in somebody's hands: the run is not idle before."""
    return any(_an_unfinished(model).rows(now=now) for model in stage.models)


@cache
def _an_unfinished(model: type[Work]) -> Prepared:
    rows = unfinished_rows(model, placeholder("now"))
    return Prepared.of(rows.order_by().values(has=Value(1))[:1])


def unfinished_rows(model: type[Work], now: Moment) -> WorkQuerySet[Work]:
    """Rows whose time has come; visits that their host's ceiling holds back are not among them."""
    return unfinished_pages(now) if model is Page else model.objects.unfinished(now)


def is_late(stage: Stage, now: datetime) -> bool:
    """Whether rows of a stage have been due for a while."""
    return has_due(stage, now - NEGLECTED_AFTER)


def is_neglected(stage: Stage, owner: str, now: datetime) -> bool:
    """Whether rows of a stage with one writer are late, and no other than `owner` writes them."""
    if not is_late(stage, now):
        return False
    return not leases.is_in_other_hands(stage.writer_lock, owner, now - AWAY_AFTER)


def active_rows(model: type[Work]) -> WorkQuerySet[Work]:
    """All rows, but only the pages of publications that run: others wait, whatever their date."""
    if model is Page:
        return Page.objects.all().of_running_publications()
    return model.objects.all()
