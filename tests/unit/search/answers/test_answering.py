"""Queries in slices find what a whole run finds, and are kept for whoever asks on."""

import pytest
from small_corpora import document, snapshot_of

from search.answers.answering import FOREVER, Running, is_running, running
from search.engine.query.errors import QueryTooExpensiveError
from search.engine.query.filters import DocumentFilter
from search.engine.query.language.parser import Language, parse
from search.engine.query.limits import Budget
from search.engine.query.progress import start
from search.engine.query.run import run

QUERY = parse('"a" []* "b" within s', Language.CQL)


@pytest.fixture
def snapshot(tmp_path):
    """Five segments, a text each."""
    batches = [[document(key, "a c b a b")] for key in range(1, 6)]
    return snapshot_of(tmp_path, *batches, tail_tokens=1)


def test_slices_end_with_all_hits(snapshot):
    whole = run(snapshot, QUERY)
    query = running(snapshot, QUERY, DocumentFilter())

    steps = [query.advance(0.0) for _ in range(5)]

    assert [step.n_done for step in steps] == [1, 2, 3, 4, 5]
    assert [step.is_done for step in steps] == [False] * 4 + [True]
    assert [step.hits.total for step in steps] == [2, 4, 6, 8, 10]
    assert steps[-1].hits.total == whole.total
    assert [part.spans.starts.tolist() for part in steps[-1].hits.parts] == [
        part.spans.starts.tolist() for part in whole.parts
    ]
    assert query.advance(FOREVER).hits is steps[-1].hits


def test_newest_texts_come_first(snapshot):
    step = running(snapshot, QUERY, DocumentFilter()).advance(0.0)

    (part,) = step.hits.parts
    assert part.view.segment.documents.key.tolist() == [5]
    assert step.last_day_left == 4


def test_the_same_question_goes_on(snapshot):
    running(snapshot, QUERY, DocumentFilter()).advance(0.0)

    again = running(snapshot, QUERY, DocumentFilter(generation=snapshot.generation))

    assert is_running(snapshot, QUERY, DocumentFilter())
    assert again.advance(0.0).n_done == 2
    assert not is_running(snapshot, parse('"c"', Language.CQL), DocumentFilter())


def test_a_refused_query_stays_refused_and_never_ends_early(snapshot):
    query = Running(start(snapshot, QUERY, DocumentFilter(), Budget(visits=8)))

    for _ in range(10):
        with pytest.raises(QueryTooExpensiveError):
            query.advance(FOREVER)


def test_what_could_not_be_searched_stays_undone(snapshot):
    progress = start(snapshot, QUERY, DocumentFilter(), Budget(visits=0))

    for _ in range(10):
        with pytest.raises(QueryTooExpensiveError):
            progress.advance(0.0)

    assert not progress.is_done
    assert progress.n_done == 0
