"""Filters: which documents count, copies once, generations, the base."""

import datetime as dt

import numpy as np
import pytest
from small_corpora import document, snapshot_of

from search.engine.index.documents import DocumentKind
from search.engine.index.selection import Base
from search.engine.query.errors import QueryCancelledError, QueryTooExpensiveError
from search.engine.query.filters import Copies, DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.limits import Budget
from search.engine.query.run import run

ARTICLE, COMMENT = DocumentKind.ARTICLE, DocumentKind.COMMENT
RAIN = parse("rain")
TEXT = "rain falls"


def found(snapshot, **wanted):
    """Kind and key of the documents that have hits."""
    hits = run(snapshot, RAIN, DocumentFilter(**wanted))
    keys = []
    for part in hits.parts:
        columns = part.view.segment.documents
        for row, n in enumerate(part.document_counts.tolist()):
            if n:
                keys.append((int(columns.kind[row]), int(columns.key[row])))
    assert hits.total == len(keys)
    assert hits.n_texts == len(keys)
    return sorted(keys)


@pytest.fixture(params=[1, 300_000], ids=["many segments", "one segment"])
def snapshot(tmp_path, request):
    documents = [
        document(1, TEXT, publication="karoo", section="News", author="A"),
        document(2, TEXT, publication="cape", section="Sport", author="B", language="af"),
        document(3, TEXT, publication="cape", section="News", author="A"),
        document(1, TEXT, kind=COMMENT, publication="karoo", author="Gogo"),
    ]
    return snapshot_of(tmp_path, *[[item] for item in documents], tail_tokens=request.param)


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ({}, [(1, 1), (1, 2), (1, 3), (2, 1)]),
        ({"kinds": frozenset({ARTICLE})}, [(1, 1), (1, 2), (1, 3)]),
        ({"kinds": frozenset({COMMENT})}, [(2, 1)]),
        ({"publications": ("cape",)}, [(1, 2), (1, 3)]),
        ({"publications": ("cape", "karoo")}, [(1, 1), (1, 2), (1, 3), (2, 1)]),
        ({"publications": ("unknown",)}, []),
        ({"without_publications": ("cape",)}, [(1, 1), (2, 1)]),
        ({"sections": ("News",)}, [(1, 1), (1, 3)]),
        ({"authors": ("A", "Gogo")}, [(1, 1), (1, 3), (2, 1)]),
        ({"languages": ("af",)}, [(1, 2)]),
        ({"first_day": dt.date(1970, 1, 3)}, [(1, 2), (1, 3)]),
        ({"last_day": dt.date(1970, 1, 3)}, [(1, 1), (1, 2), (2, 1)]),
        ({"first_day": dt.date(1970, 1, 3), "last_day": dt.date(1970, 1, 3)}, [(1, 2)]),
        ({"generation": 2}, [(1, 1), (1, 2)]),
        ({"generation": 0}, []),
        ({"generation": 99}, [(1, 1), (1, 2), (1, 3), (2, 1)]),
    ],
    ids=str,
)
def test_filter_lets_through(snapshot, wanted, keys):
    assert found(snapshot, **wanted) == keys
    assert select(snapshot, DocumentFilter(**wanted)).base == Base(2 * len(keys), len(keys))


@pytest.fixture
def copies(tmp_path):
    """Cluster 1 has its original and two copies; of cluster 9 only copies are in the index."""
    documents = [
        document(1, TEXT, publication="karoo"),
        document(2, TEXT, publication="cape", duplicate_cluster=1),
        document(3, TEXT, publication="cape", duplicate_cluster=1),
        document(4, TEXT, publication="natal", duplicate_cluster=4),
        document(5, TEXT, publication="natal", duplicate_cluster=9),
        document(6, TEXT, publication="cape", duplicate_cluster=9),
        document(1, TEXT, kind=COMMENT, duplicate_cluster=1),
    ]
    return snapshot_of(tmp_path, documents[:3], documents[3:], tail_tokens=1)


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ({"copies": Copies.ALL}, [1, 2, 3, 4, 5, 6]),
        ({"copies": Copies.ONCE}, [1, 4, 5]),
        ({"copies": Copies.ORIGINALS}, [1, 4]),
        ({"copies": Copies.ONCE, "publications": ("cape",)}, [2, 6]),
        ({"copies": Copies.ORIGINALS, "publications": ("cape",)}, []),
        ({"copies": Copies.ONCE, "without_publications": ("karoo", "natal")}, [2, 6]),
    ],
    ids=str,
)
def test_copies_are_counted_as_asked(copies, wanted, keys):
    assert found(copies, kinds=frozenset({ARTICLE}), **wanted) == [(1, key) for key in keys]


@pytest.mark.parametrize(
    ("test", "n"),
    [
        ('text_section="news"%c', 3),
        ('text_section="news"', 0),
        ('text_kind!="comment"', 3),
        ('text_date="1970-01-0[23]"', 3),
        ('text_id="2|3"', 2),
        ('text_author="B"', 1),
    ],
)
def test_text_attributes_of_a_query(tmp_path, test, n):
    documents = [
        document(1, TEXT, section="News"),
        document(2, TEXT, section="News", author="B"),
        document(3, TEXT),
        document(1, TEXT, kind=COMMENT, section="NEWS"),
    ]
    snapshot = snapshot_of(tmp_path, documents)

    hits = run(snapshot, parse(f'[word="rain" & _.{test}]', Language.CQL))

    assert hits.total == n


@pytest.mark.parametrize(
    ("test", "keys"),
    [
        ('text_author="T. Nkosi"', [1, 2]),
        ('text_author="T. Nkosi; AFP"', [2]),
        ('text_author="t\\. nkosi"%c', [1, 2]),
        ('text_author!="T. Nkosi"', [3, 4, 5, 6]),
        ('text_author=""', [5]),
        ('text_author="AFP"', [2, 3, 6]),
        ('text_agency="AFP"', [2, 3]),
        ('text_agency="Nampa|Reuters"', [3]),
        ('text_agency="N.*"', [3]),
        ('text_agency!="Nampa"', [1, 2, 4, 5, 6]),
        ('text_agency=""', [1, 4, 5, 6]),
        ('text_agency!=""', [2, 3]),
    ],
)
@pytest.mark.parametrize(
    "query",
    ['[word="rain" & {}]', '"rain" :: match.{}', '<{}> "rain"'],
    ids=["of a token", "of a label", "of an edge"],
)
def test_a_text_has_each_of_its_authors_and_agencies(tmp_path, query, test, keys):
    """Those joined in one value, too; readers who comment under the name of one sign nothing."""
    names = ["T. Nkosi", "T. Nkosi; AFP", "AFP; Nampa", "B. Nel", "", "AFP"]
    documents = [
        document(key, TEXT, author=name, kind=COMMENT if key == len(names) else ARTICLE)
        for key, name in enumerate(names, 1)
    ]
    snapshot = snapshot_of(tmp_path, documents[:3], documents[3:], tail_tokens=1)

    hits = run(snapshot, parse(query.format(test), Language.CQL))

    found = [
        int(part.view.segment.documents.key[row])
        for part in hits.parts
        for row in np.flatnonzero(part.document_counts).tolist()
    ]
    assert sorted(found) == keys


def test_comment_with_the_number_of_a_cluster_is_no_copy(copies):
    assert found(copies, kinds=frozenset({COMMENT}), copies=Copies.ONCE) == [(2, 1)]


def test_replaced_documents_count_in_their_generations_only(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "rain rain")], [document(1, "rain")])

    totals = [run(snapshot, RAIN, DocumentFilter(generation=g)).total for g in (1, 2, None)]

    assert totals == [2, 1, 1]


def test_per_million_refers_to_the_filtered_base(snapshot):
    hits = run(snapshot, RAIN, DocumentFilter(publications=("cape",)))

    assert (hits.total, hits.base, hits.per_million) == (2, Base(4, 2), 500_000)


def test_budget_stops_an_expensive_query(snapshot):
    with pytest.raises(QueryTooExpensiveError):
        run(snapshot, parse("[]+", Language.CQL), budget=Budget(visits=3))


@pytest.mark.parametrize("cql", ['[pos="NN"] [pos="NN"]', '(?longest) [pos="NN"]+'])
def test_comparing_a_stretch_of_tokens_costs_less_than_visiting_each(tmp_path, cql):
    snapshot = snapshot_of(tmp_path, [document(1, " ".join(["rain/rain/NN"] * 400))])

    hits = run(snapshot, parse(cql, Language.CQL), budget=Budget(visits=100))

    assert hits.total == (399 if "longest" not in cql else 1)
    with pytest.raises(QueryTooExpensiveError):
        run(snapshot, parse(cql, Language.CQL), budget=Budget(visits=99))


def test_cancelled_query_stops(snapshot):
    with pytest.raises(QueryCancelledError):
        run(snapshot, RAIN, budget=Budget(is_cancelled=lambda: True))
