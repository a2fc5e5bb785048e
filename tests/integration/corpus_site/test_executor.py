"""The local work loop: who does what, and when a run is idle."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_article

from corpus_site import pipeline
from corpus_site.executor import idle_wait, is_idle, make_loop
from feeds.models import Worker
from search.models import IndexedArticle

pytestmark = pytest.mark.django_db


def names(loop):
    return [stage.name for stage in loop.stages]


def test_single_worker_runs_every_stage():
    loop = make_loop(0, 1)

    assert (names(loop), loop.is_writer) == (
        ["fetch", "extract", "detect", "story", "index", "dry-run", "evaluate", "limit-trial"],
        True,
    )


def test_last_of_several_never_fetches_and_writes_the_index():
    first, last = make_loop(0, 2), make_loop(1, 2)

    assert (names(first), first.is_writer) == (
        ["fetch", "extract", "detect", "story", "index", "dry-run", "evaluate", "limit-trial"],
        False,
    )
    assert (names(last), last.is_writer) == (
        ["extract", "detect", "story", "index", "dry-run", "evaluate", "limit-trial"],
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


def test_run_until_idle_does_what_is_due_and_stamps_its_worker():
    make_article()
    loop = make_loop(0, 1)

    summary = loop.run_until_idle()

    assert summary.indexed == 1
    assert is_idle(timezone.now())
    assert Worker.objects.get().kind == "worker"


def test_idle_wait_grows_to_a_second():
    assert [idle_wait(turns) for turns in (1, 2, 3, 4, 5, 50)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
