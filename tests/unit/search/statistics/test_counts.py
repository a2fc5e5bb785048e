"""Facets and frequency lists: hits by column and by form."""

import pytest
from small_corpora import document, snapshot_of

from search.index.documents import DocumentKind
from search.query.parser import Language, parse
from search.query.run import run
from search.statistics.facets import FacetCount, count_by_column
from search.statistics.frequency import (
    FrequencyList,
    FrequencyRow,
    node_frequencies,
    phrase_frequencies,
)


@pytest.fixture(params=[1, 300_000], ids=["many segments", "one segment"])
def snapshot(tmp_path, request):
    documents = [
        document(1, "Rain/rain/NN rained/rain/VBD", publication="karoo", author="A"),
        document(2, "rain/rain/NN", publication="cape", author="B"),
        document(40, "rain/rain/NN rain/rain/NN", publication="cape", author="A"),
        document(3, "rain/rain/NN", kind=DocumentKind.COMMENT, publication="karoo"),
        document(4, "snow/snow/NN", publication="karoo"),
    ]
    return snapshot_of(tmp_path, *[[item] for item in documents], tail_tokens=request.param)


@pytest.mark.parametrize(
    ("column", "counts"),
    [
        ("publication", [("cape", 3, 2), ("karoo", 3, 2)]),
        ("kind", [("article", 5, 3), ("comment", 1, 1)]),
        ("month", [("1970-01", 4, 3), ("1970-02", 2, 1)]),
        ("author", [("A", 4, 2), ("", 1, 1), ("B", 1, 1)]),
    ],
)
def test_hits_are_counted_by_column(snapshot, column, counts):
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL))

    assert count_by_column(hits, column) == [FacetCount(*row) for row in counts]


@pytest.mark.parametrize(
    ("attribute", "fold_case", "limit", "rows"),
    [
        ("word", False, 9, [("rain", 4), ("Rain", 1), ("rained", 1)]),
        ("word", True, 9, [("rain", 5), ("rained", 1)]),
        ("word", False, 2, [("rain", 4), ("Rain", 1)]),
        ("lemma", False, 9, [("rain", 6)]),
        ("pos", False, 9, [("NN", 5), ("VBD", 1)]),
    ],
)
def test_nodes_are_counted_by_attribute(snapshot, attribute, fold_case, limit, rows):
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL))

    found = node_frequencies(hits, attribute, limit, fold_case=fold_case)

    assert found.rows == tuple(FrequencyRow(*row) for row in rows)
    assert found.n_hits == 6


def test_list_says_how_many_values_there_are(snapshot):
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL))

    found = node_frequencies(hits, "word", 1)

    assert found == FrequencyList((FrequencyRow("rain", 4),), 3, 6)


def test_phrases_are_counted_whole_and_in_lower_case(snapshot):
    hits = run(snapshot, parse('[lemma="rain"]+ </text>', Language.CQL))

    found = phrase_frequencies(hits, 3)

    assert found.rows == (
        FrequencyRow("rain", 2),
        FrequencyRow("rain rain", 1),
        FrequencyRow("rain rained", 1),
    )


def test_no_hits_give_no_rows(snapshot):
    hits = run(snapshot, parse('"hail"', Language.CQL))

    assert count_by_column(hits, "month") == []
    assert node_frequencies(hits, "word", 5) == FrequencyList((), 0, 0)
    assert phrase_frequencies(hits, 5) == FrequencyList((), 0, 0)
