"""Cross tables: cells and margins equal counting hit by hit."""

from collections import Counter

import pytest
from counted_hits import PlainHit, batches, plain_hits, value_of_hit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_corpora import build, filters, plain_selection
from small_corpora import document, snapshot_of

from search.engine.query.filters import select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.counting.hit_values import parse_key
from search.engine.statistics.cross_table import cross_table

TEXT_KEYS = ("publication", "kind", "month")
KEYS = ("word", "lemma", "pos", "l1.lemma", "r1.pos", "publication", "kind", "month")


@given(batches, filters, st.tuples(st.sampled_from(KEYS), st.sampled_from(KEYS)),
       st.tuples(st.integers(1, 3), st.integers(1, 3)))  # fmt: skip
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_cells_and_margins_equal_counting_hit_by_hit(
    tmp_path_factory, batches, wanted, keys, limits
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    query = parse('[pos="N.*|DT"]', Language.CQL)
    hits = run(snapshot, query, wanted)

    selection = select(snapshot, wanted)
    table = cross_table(hits, (parse_key(keys[0]), parse_key(keys[1])), limits, selection)

    pairs = Counter(
        tuple(value_of_hit(hit, key) for key in keys)
        for hit in plain_hits(query, plain_selection(batches, wanted))
    )
    for i, row in enumerate(table.rows.values):
        for j, column in enumerate(table.columns.values):
            assert table.counts[i, j] == pairs[row, column]
            said = tuple(zip(keys, (row, column), strict=True))
            assert table.tokens[i, j] == _plain_tokens(plain_selection(batches, wanted), said)
    for place, margin in enumerate((table.rows, table.columns)):
        totals = Counter()
        for values, n in pairs.items():
            totals[values[place]] += n
        assert margin.n_values == len(totals)
        assert len(margin.values) == min(limits[place], len(totals))
        assert margin.totals == tuple(totals[value] for value in margin.values)
    assert table.n_hits == sum(pairs.values())


def _plain_tokens(items, said):
    """Tokens of the texts that have what the keys of texts among some keys say."""
    of_texts = [(key, value) for key, value in said if key in TEXT_KEYS]
    return sum(
        len(item.tokens)
        for item in items
        if all(value_of_hit(PlainHit(item, 0, 1), key) == value for key, value in of_texts)
    )


@pytest.fixture
def hits(tmp_path):
    documents = [
        document(1, "rain/rain/NN rain/rain/NN snow/snow/NN", publication="karoo"),
        document(40, "rain/rain/NN hail/hail/NN", publication="cape"),
        document(70, "snow/snow/NN", publication="cape"),
    ]
    return run(snapshot_of(tmp_path, documents), parse('[pos="NN"]', Language.CQL))


def test_months_stand_in_order_of_time_and_the_latest_are_shown(hits):
    table = cross_table(hits, (parse_key("word"), parse_key("month")), (2, 2))

    assert table.rows.values == ("rain", "snow")
    assert table.columns.values == ("1970-02", "1970-03")
    assert table.counts.tolist() == [[1, 0], [0, 1]]
    assert table.rows.totals == (3, 2)
    assert (table.rows.n_values, table.columns.n_values, table.n_hits) == (3, 3, 6)


def test_no_hits_have_no_cells(hits):
    nothing = run(hits.snapshot, parse('"sleet"', Language.CQL))

    table = cross_table(nothing, (parse_key("word"), parse_key("month")), (5, 5))

    assert (table.rows.values, table.columns.values, table.counts.size) == ((), (), 0)
