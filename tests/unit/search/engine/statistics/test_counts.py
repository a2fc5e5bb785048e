"""Facets: hits by document column."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.index.documents import DocumentKind
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.facets import FacetCount, count_by_column


@pytest.fixture(params=[1, 300_000], ids=["many segments", "one segment"])
def snapshot(tmp_path, request):
    documents = [
        document(1, "Rain/rain/NN rained/rain/VBD", publication="karoo", author="A",
                 is_undated=True),
        document(2, "rain/rain/NN", publication="cape", author="B"),
        document(40, "rain/rain/NN rain/rain/NN", publication="cape", author="A"),
        document(3, "rain/rain/NN", kind=DocumentKind.COMMENT, publication="karoo"),
        document(4, "snow/snow/NN", publication="karoo"),
    ]  # fmt: skip
    return snapshot_of(tmp_path, *[[item] for item in documents], tail_tokens=request.param)


@pytest.mark.parametrize(
    ("column", "counts"),
    [
        ("publication", [("cape", 3, 2), ("karoo", 3, 2)]),
        ("kind", [("article", 5, 3), ("comment", 1, 1)]),
        ("month", [("", 2, 1), ("1970-01", 2, 2), ("1970-02", 2, 1)]),
        ("undated", [("no", 4, 3), ("yes", 2, 1)]),
        ("author", [("A", 4, 2), ("", 1, 1), ("B", 1, 1)]),
    ],
)
def test_hits_are_counted_by_column(snapshot, column, counts):
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL))

    assert count_by_column(hits, column) == [FacetCount(*row) for row in counts]


def test_no_hits_give_no_rows(snapshot):
    hits = run(snapshot, parse('"hail"', Language.CQL))

    assert count_by_column(hits, "month") == []
