"""Queries in slices: newest segments first, in the end what a run at one go finds."""

from itertools import count

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.errors import QueryTooExpensiveError
from search.engine.query.filters import DocumentFilter
from search.engine.query.language.parser import Language, parse
from search.engine.query.limits import Budget
from search.engine.query.progress import start
from search.engine.query.run import run


@pytest.fixture
def snapshot(tmp_path):
    documents = [document(key, "rain falls rain", publication="xy"[key % 2]) for key in range(1, 6)]
    return snapshot_of(tmp_path, *[[item] for item in documents], tail_tokens=1)


def clock():
    """A clock that goes on by a second whenever somebody looks."""
    ticks = count()
    return lambda: float(next(ticks))


def test_each_slice_searches_segments_until_its_time_is_over(snapshot):
    progress = start(snapshot, parse("rain"))

    seen = [(progress.n_done, progress.hits.total, progress.last_day_left)]
    while not progress.advance(2.0, clock()):
        seen.append((progress.n_done, progress.hits.total, progress.last_day_left))

    assert progress.n_segments == 5
    assert seen == [(0, 0, 5), (2, 4, 3), (4, 8, 1)]
    assert (progress.n_done, progress.last_day_left, progress.is_done) == (5, None, True)


@pytest.mark.parametrize(
    "query",
    ['"rain"', '"rain" []', '"rain" []* "rain"', '"rain" cut 2', '"rain" within "falls" []*'],
)
def test_finished_query_equals_one_that_was_run_at_one_go(snapshot, query):
    parsed, wanted = parse(query, Language.CQL), DocumentFilter(publications=("x",))
    progress = start(snapshot, parsed, wanted)

    while not progress.advance(0.0):
        pass

    hits = run(snapshot, parsed, wanted)
    assert progress.hits.total == hits.total
    assert progress.hits.base == hits.base
    assert [part.view for part in progress.hits.parts] == [part.view for part in hits.parts]


def test_budget_is_one_for_all_slices(snapshot):
    progress = start(snapshot, parse('[]* "rain"', Language.CQL), budget=Budget(visits=30))

    progress.advance(0.0)
    with pytest.raises(QueryTooExpensiveError):
        progress.advance(60.0)
