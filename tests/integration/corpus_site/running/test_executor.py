"""The local work loop: who does what, when a run is idle, what a full disk does to it."""

import errno
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone
from factories import make_article, make_fetch, make_page

from corpus_site import pipeline
from corpus_site.pipeline import Stage
from corpus_site.running.executor import Heartbeat, WorkLoop, idle_wait, is_idle, make_loop
from corpus_site.tasks import run_stage
from extraction.models import Extraction
from feeds.models import Worker
from feeds.work import leases
from feeds.work.batches import Report
from feeds.work.leases import Claim
from search import indexing
from search.models import IndexedArticle

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def names(loop):
    return [stage.name for stage in loop.stages]


def test_single_worker_runs_every_stage():
    loop = make_loop(0, 1)

    assert (names(loop), loop.is_writer) == (
        [
            "fetch",
            "extract",
            "detect",
            "story",
            "index",
            "placing",
            "dry-run",
            "import",
            "evaluate",
            "limit-trial",
            "crawl",
            "warc",
            "texts",
            "comments",
            "look-up",
            "erase",
            "hub",
            "retention",
            "message",
        ],
        True,
    )


def test_last_of_several_never_fetches_and_writes_the_index():
    first, last = make_loop(0, 2), make_loop(1, 2)

    assert (names(first), first.is_writer) == (
        [
            "fetch",
            "extract",
            "detect",
            "story",
            "index",
            "placing",
            "dry-run",
            "import",
            "evaluate",
            "limit-trial",
            "crawl",
            "warc",
            "texts",
            "comments",
            "look-up",
            "erase",
            "hub",
            "retention",
            "message",
        ],
        False,
    )
    assert (names(last), last.is_writer) == (
        [
            "extract",
            "detect",
            "story",
            "index",
            "placing",
            "dry-run",
            "import",
            "evaluate",
            "limit-trial",
            "crawl",
            "warc",
            "texts",
            "comments",
            "look-up",
            "erase",
            "hub",
            "retention",
            "message",
        ],
        True,
    )


def test_other_worker_indexes_only_what_has_been_neglected():
    article = make_article()
    row = IndexedArticle.objects.create(article=article, due_at=timezone.now())
    loop = make_loop(0, 2)

    assert loop.run_once() == 0
    IndexedArticle.objects.update(
        due_at=row.due_at - pipeline.NEGLECTED_AFTER - timedelta(seconds=1)
    )

    assert loop.run_once() == 1
    assert IndexedArticle.objects.get().outcome == "indexed"


@pytest.mark.parametrize(
    ("written_ago", "n_claimed"),
    [(timedelta(0), 0), (pipeline.AWAY_AFTER, 1)],
    ids=["busy writer", "writer away"],
)
def test_other_worker_leaves_a_late_index_to_a_writer_that_writes(written_ago, n_claimed):
    now = timezone.now()
    IndexedArticle.objects.create(article=make_article(), due_at=now - timedelta(hours=1))
    writer = Claim.make("writer", now - written_ago)
    leases.take_lock(indexing.WRITER_LOCK, writer)
    leases.release_lock(indexing.WRITER_LOCK, writer.owner, writer.now)

    assert make_loop(0, 2).run_once() == n_claimed


def test_writer_that_lags_behind_leaves_all_else_to_the_others():
    now = timezone.now()
    IndexedArticle.objects.create(article=make_article(), due_at=now - timedelta(hours=1))
    Extraction.objects.create(page=make_page(), due_at=now)
    loop = make_loop(1, 2)

    claimed = [(loop.run_once(), Extraction.objects.get().due_at == now) for _ in range(2)]

    assert claimed == [(1, True), (1, False)]
    assert IndexedArticle.objects.get().outcome == "indexed"


def test_an_idle_turn_asks_each_table_once_and_writes_nothing(django_assert_max_num_queries):
    stages = tuple(stage for stage in pipeline.STAGES if stage.is_by_rows)
    loop = WorkLoop(stages, Heartbeat("worker"))
    loop.run_once()
    n_tables = len({model for stage in stages for model in stage.models})

    with django_assert_max_num_queries(n_tables) as asked:
        assert loop.run_once() == 0

    assert {query["sql"].split()[0] for query in asked.captured_queries} == {"SELECT"}


def test_run_until_idle_does_what_is_due_and_stamps_its_worker():
    make_article()
    loop = make_loop(0, 1)

    report = loop.run_until_idle()

    assert report.done["indexed"] == 1
    assert is_idle(timezone.now())
    assert Worker.objects.get().kind == "worker"


def test_stage_that_rests_waits_while_others_have_work_and_no_longer():
    turns = []

    def stage(name, due, rest_seconds=0.0):
        def run(limit, terms):
            turns.append(name)
            return Report(n_claimed=min(limit, due.pop(0) if due else 0))

        return Stage(name, name, "", {}, 1, run, is_by_rows=False, rest_seconds=rest_seconds)

    stages = (stage("texts", [1, 1, 1]), stage("passes", [1, 1], rest_seconds=3600))
    loop = WorkLoop(stages, Heartbeat("worker"))
    claimed = [loop.run_once() for _ in range(5)]

    assert claimed == [2, 1, 1, 1, 0]
    assert turns == ["texts", "passes", "texts", "texts", *["texts", "passes"] * 2]


def test_idle_wait_grows_to_a_second():
    assert [idle_wait(turns) for turns in (1, 2, 3, 4, 5, 50)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


def test_without_room_nothing_is_taken_and_with_room_all_goes_on(settings):
    make_article()
    loop = make_loop(0, 1)
    settings.MIN_FREE_DISK_BYTES = 10**18

    assert [loop.run_once(), run_stage("detect")] == [0, None]
    assert Worker.objects.get(kind="worker").doing == "waiting for room on the disk"
    settings.MIN_FREE_DISK_BYTES = 0

    assert loop.run_until_idle().done["indexed"] == 1


def failing_index(error):
    """The index stage, whose batch ends in an error after its claim."""

    def run(limit, terms):
        leases.claim(IndexedArticle.objects.all(), limit, terms)
        raise error

    return replace(pipeline.BY_NAME["index"], work=run)


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EIO, "Input/output error"),
        OperationalError("database or disk is full"),
        OperationalError("server closed the connection unexpectedly"),
    ],
)
def test_what_the_machine_spoilt_is_no_attempt_of_the_row(error):
    IndexedArticle.objects.create(article=make_article(), due_at=timezone.now())
    loop = make_loop(0, 1)
    loop.stages = (failing_index(error),)

    for _ in range(5):
        if isinstance(error, OperationalError):
            with pytest.raises(OperationalError):
                loop.run_once()
        else:
            loop.run_once()
    loop.stages = (pipeline.BY_NAME["index"],)
    loop.run_once()

    row = IndexedArticle.objects.get()
    assert (row.outcome, row.attempts, row.quarantined_at) == ("indexed", 0, None)


def test_celery_gives_back_what_the_machine_spoilt(monkeypatch):
    IndexedArticle.objects.create(article=make_article(), due_at=timezone.now())
    failing = failing_index(OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setitem(pipeline.BY_NAME, "index", failing)

    for _ in range(5):
        run_stage("index")

    row = IndexedArticle.objects.get()
    assert (row.attempts, row.lease_until, row.quarantined_at) == (0, None, None)


def test_archive_that_is_not_mounted_is_waited_for_and_no_page_is_given_up(settings):
    page = make_page()
    page.content_fetch = make_fetch(page, archive_file="broadsheet-1.warc.gz", archive_offset=0)
    page.content_digest = "d"
    page.save()
    Extraction.objects.create(page=page, due_at=timezone.now())
    loop = make_loop(0, 1)

    for _ in range(5):
        loop.run_once()
    row = Extraction.objects.get()
    settings.ARCHIVE_DIR.mkdir()
    (settings.ARCHIVE_DIR / "broadsheet-2.warc.gz").touch()
    loop.run_once()

    assert (row.outcome, row.attempts, row.quarantined_at) == ("", 1, None)
    later = Extraction.objects.get()
    assert (later.outcome, later.attempts, later.quarantined_at) == ("", 0, None)
    assert later.unread_since is not None


def test_fault_of_the_work_itself_counts_as_an_attempt():
    IndexedArticle.objects.create(article=make_article(), due_at=timezone.now())
    loop = make_loop(0, 1)
    loop.stages = (failing_index(ValueError("odd text")),)

    loop.run_once()

    assert IndexedArticle.objects.get().attempts == 1
