"""Compared collocates: both sides hold what their own lists hold."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.index.documents import DocumentKind
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.collocation.collocate_comparison import (
    ComparedHits,
    compare_collocates,
)
from search.engine.statistics.collocation.collocates import CollocateRequest, collocates
from search.engine.statistics.counting.windows import Window


@pytest.fixture
def snapshot(tmp_path):
    documents = [
        document(1, "heavy rain fell | heavy rain and wind | a gas braai"),
        document(2, "the braai and wind", kind=DocumentKind.COMMENT),
        document(3, "a braai in rain | wood braai | a wood fire"),
    ]
    return snapshot_of(tmp_path, documents)


def side(snapshot, cql, **wanted):
    wanted = DocumentFilter(**wanted)
    return ComparedHits(run(snapshot, parse(cql, Language.CQL), wanted), select(snapshot, wanted))


def request(**changes):
    return CollocateRequest(**{"least": 1, "window": Window.around(2, 2), "limit": 100} | changes)


def test_both_sides_hold_what_their_lists_hold(snapshot):
    first, second = side(snapshot, '"rain"'), side(snapshot, '"braai"')

    found = compare_collocates(first, second, request())

    for place, one in enumerate((first, second)):
        own = {row.value: row for row in collocates(one.hits, one.selection, request()).rows}
        for row in found.rows:
            shown = (row.first, row.second)[place]
            listed = own.get(row.value)
            assert shown.n_joint == (listed.n_joint if listed else 0)
            assert shown.n_hits == (listed.n_hits if listed else 0)
            assert shown.score == (listed.scores["logdice"] if listed else None)
    assert found.n_collocates == len(found.rows) == 11
    assert [row.difference for row in found.rows] == sorted(
        (row.difference for row in found.rows), reverse=True
    )
    for row in found.rows:
        assert row.difference == (row.first.score or 0) - (row.second.score or 0)


def test_of_many_words_both_ends_are_returned(snapshot):
    first, second = side(snapshot, '"rain"'), side(snapshot, '"braai"')

    few = compare_collocates(first, second, request(limit=3))
    every = compare_collocates(first, second, request())

    differences = [row.difference for row in every.rows]
    assert [row.difference for row in few.rows] == [*differences[:2], differences[-1]]
    assert few.n_collocates == len(every.rows)


def test_sides_may_differ_by_their_texts(snapshot):
    articles = side(snapshot, '"braai"', kinds=frozenset({DocumentKind.ARTICLE}))
    comments = side(snapshot, '"braai"', kinds=frozenset({DocumentKind.COMMENT}))

    found = {row.value: row for row in compare_collocates(articles, comments, request()).rows}

    assert (found["wood"].first.n_joint, found["wood"].second.n_joint) == (1, 0)
    assert (found["wind"].first.n_joint, found["wind"].second.n_joint) == (0, 1)


def test_no_hits_on_either_side_compare_nothing(snapshot):
    nothing = side(snapshot, '"hail"')

    assert compare_collocates(nothing, nothing, request()).rows == ()
