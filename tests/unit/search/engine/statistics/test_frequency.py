"""Frequency lists equal counting hit by hit."""

from collections import Counter, defaultdict

import pytest
from counted_hits import batches, plain_hits, value_of_hit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_corpora import build, filters, plain_selection
from small_corpora import document, snapshot_of

from search.engine.allowance import AllowanceUsedError, allowing
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.counting.grouping import group_hits
from search.engine.statistics.counting.hit_values import key_text, parse_key
from search.engine.statistics.frequency import (
    FrequencyList,
    FrequencyOrder,
    RowsWanted,
    frequencies,
    spelled,
)

QUERIES = ('[lemma="rain"]', '"the"%c', '[pos="N.*"]+', '[]{1,3} "snow"', '[pos="DT"] []', "[]")
KEYS = ("word", "lower", "lemma", "pos", "lemma+pos", "first.lemma", "last.word", "2.pos",
        "l1.lemma", "r1.lower", "r3.word", "l2.pos", "publication", "kind", "month")  # fmt: skip
HIT_BY_HIT = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def plain_frequencies(query, items, keys):
    """Hits, texts and publications by tuple of values."""
    hits, texts, papers = Counter(), defaultdict(set), defaultdict(set)
    for hit in plain_hits(query, items):
        values = tuple(value_of_hit(hit, key) for key in keys)
        hits[values] += 1
        texts[values].add((hit.document.kind, hit.document.key))
        papers[values].add(hit.document.publication)
    return {v: (n, len(texts[v]), len(papers[v])) for v, n in hits.items()}


@given(batches, filters, st.sampled_from(QUERIES), st.lists(st.sampled_from(KEYS), min_size=1,
       max_size=3), st.booleans())  # fmt: skip
@HIT_BY_HIT
def test_frequencies_equal_counting_hit_by_hit(
    tmp_path_factory, batches, wanted, cql, keys, with_selection
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    query = parse(cql, Language.CQL)
    hits = run(snapshot, query, wanted)
    selection = select(snapshot, wanted) if with_selection else None

    found = frequencies(hits, [parse_key(key) for key in keys], RowsWanted(10**6), selection)

    expected = plain_frequencies(query, plain_selection(batches, wanted), keys)
    assert {
        row.values: (row.n_hits, row.spread.n_texts, row.spread.n_publications)
        for row in found.rows
    } == expected
    assert found.n_values == len(found.rows) == len(expected)
    assert found.n_hits == hits.total


@given(batches, filters, st.sampled_from(QUERIES), st.sampled_from(KEYS), st.booleans())
@HIT_BY_HIT
def test_dispersion_equals_its_definition(
    tmp_path_factory, batches, wanted, cql, key, with_selection
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    query = parse(cql, Language.CQL)
    selection = select(snapshot, wanted) if with_selection else None

    found = frequencies(run(snapshot, query, wanted), [parse_key(key)], None, selection)

    items = plain_selection(batches, wanted)
    n_tokens = sum(len(item.tokens) for item in items)
    for row in found.rows:
        counts = [
            sum(value_of_hit(hit, key) == row.values[0] for hit in plain_hits(query, [item]))
            for item in items
        ]
        differences = [
            abs(count / row.n_hits - len(item.tokens) / n_tokens)
            for count, item in zip(counts, items, strict=True)
        ]
        assert row.spread.deviation == pytest.approx(sum(differences) / 2)


@pytest.fixture
def snapshot(tmp_path):
    documents = [
        document(1, "Rain/rain/NN rained/rain/VBD hard/hard/RB", publication="karoo"),
        document(2, "rain/rain/NN | rain/rain/NN rain/rain/NN", publication="cape"),
        document(40, "the/the/DT rain/rain/NN", publication="cape", author="A"),
    ]
    return snapshot_of(tmp_path, *[[item] for item in documents])


def listed(found):
    return [(*row.values, row.n_hits) for row in found.rows]


@pytest.mark.parametrize(
    ("keys", "wanted", "rows"),
    [
        (["word"], RowsWanted(), [("rain", 4), ("Rain", 1), ("rained", 1)]),
        (["word"], RowsWanted(limit=2), [("rain", 4), ("Rain", 1)]),
        (["word"], RowsWanted(least=2), [("rain", 4)]),
        (
            ["word"],
            RowsWanted(order=FrequencyOrder.VALUE),
            [("Rain", 1), ("rain", 4), ("rained", 1)],
        ),
        (["publication"], RowsWanted(order=FrequencyOrder.TEXTS), [("cape", 4), ("karoo", 2)]),
        (
            ["word"],
            RowsWanted(order=FrequencyOrder.TEXTS),
            [("rain", 4), ("Rain", 1), ("rained", 1)],
        ),
        (["lower", "month"], RowsWanted(limit=2), [("rain", "1970-01", 4), ("rain", "1970-02", 1)]),
        (["r1.word"], RowsWanted(limit=3), [("", 3), ("hard", 1), ("rain", 1)]),
        (["l1.lemma", "pos"], RowsWanted(limit=2), [("", "NN", 3), ("rain", "NN", 1)]),
    ],
)
def test_rows_are_sorted_and_cut(snapshot, keys, wanted, rows):
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL))

    for selection in (None, select(snapshot, DocumentFilter())):
        found = frequencies(hits, [parse_key(key) for key in keys], wanted, selection)

        assert listed(found) == rows


def test_list_says_how_many_values_there_are(snapshot):
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL))

    found = frequencies(hits, [parse_key("word")], RowsWanted(limit=1))

    assert (len(found.rows), found.n_values, found.n_hits) == (1, 3, 6)


def test_rates_by_document_columns_refer_to_the_tokens_of_their_value(snapshot):
    hits = run(snapshot, parse('[lemma="rain"]', Language.CQL))

    by_paper = frequencies(
        hits, [parse_key("publication")], selection=select(snapshot, DocumentFilter())
    )
    by_word = frequencies(hits, [parse_key("word")], selection=select(snapshot, DocumentFilter()))

    assert [(row.values[0], row.base_tokens) for row in by_paper.rows] == [
        ("cape", 5), ("karoo", 3),
    ]  # fmt: skip
    assert by_paper.rows[0].per_million == 800_000
    assert {row.base_tokens for row in by_word.rows} == {8}


def test_whole_nodes_of_several_tokens_are_counted(snapshot):
    hits = run(snapshot, parse('[lemma="rain"]+ </text>', Language.CQL))

    found = frequencies(hits, [parse_key("lower")], RowsWanted())

    assert listed(found) == [("rain", 1), ("rain rain rain", 1)]


def test_names_of_many_ties_keep_to_the_allowance_of_who_asks(snapshot):
    hits = run(snapshot, parse("[]", Language.CQL))
    groups = group_hits(hits, [parse_key("word")], None)

    with allowing(0.0), pytest.raises(AllowanceUsedError):
        spelled(groups, 0)


def test_no_hits_give_no_rows(snapshot):
    for cql in ('"hail"', '"hail" "storm"'):
        hits = run(snapshot, parse(cql, Language.CQL))
        for key in ("word", "r1.word", "month"):
            assert frequencies(hits, [parse_key(key)]) == FrequencyList((), 0, 0)


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_written_as_they_are_read(key):
    assert key_text(parse_key(key)) == key


@pytest.mark.parametrize("text", ["", "colour", "r11.word", "r1.colour", "l0.word", "r1", "0.word"])
def test_other_keys_are_refused(text):
    with pytest.raises(ValueError, match="is nothing to count by"):
        parse_key(text)


def test_none_and_four_keys_are_refused(snapshot):
    hits = run(snapshot, parse('"rain"', Language.CQL))

    for keys in ([], ["word", "lemma", "pos", "lower"]):
        with pytest.raises(ValueError, match="one to 3 things"):
            frequencies(hits, [parse_key(key) for key in keys])
