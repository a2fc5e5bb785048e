"""Collocates equal counting window by window."""

from collections import Counter, defaultdict

import pytest
from counted_hits import batches, plain_hits, sentence_numbers, value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_corpora import build, filters, plain_selection
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.collocation import collocates as collocates_module
from search.engine.statistics.collocation.association import MEASURES, contingency
from search.engine.statistics.collocation.collocates import (
    ATTRIBUTES,
    CollocateRequest,
    collocates,
    every_nth,
)
from search.engine.statistics.counting import windows
from search.engine.statistics.counting.windows import Window

QUERIES = ('[lemma="rain"]', '"the"%c', '[pos="N.*"]+', '"," []', "[]", '"hail"')
windows_ = st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any)
MANY = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def plain_windows(query, items, distances):
    """Each token of each window: hit, distance, token."""
    for number, hit in enumerate(plain_hits(query, items)):
        sentences = sentence_numbers(hit.document)
        for distance in distances:
            edge = hit.start if distance < 0 else hit.end - 1
            at = edge + distance
            if 0 <= at < len(sentences) and sentences[at] == sentences[edge]:
                yield number, hit, distance, hit.document.tokens[at]


def plain_collocates(query, items, attribute, distances):
    joint, positions, hits, texts = Counter(), Counter(), defaultdict(set), defaultdict(set)
    for number, hit, distance, token in plain_windows(query, items, distances):
        name = value(token, attribute)
        joint[name] += 1
        positions[name] += distance
        hits[name].add(number)
        texts[name].add((hit.document.kind, hit.document.key))
    total = Counter(value(token, attribute) for item in items for token in item.tokens)
    return {
        name: (n, total[name], pytest.approx(positions[name] / n), len(hits[name]),
               len(texts[name]))
        for name, n in joint.items()
    }  # fmt: skip


@given(batches, filters, st.sampled_from(QUERIES), st.sampled_from(ATTRIBUTES), windows_,
       st.sampled_from([1, 7, windows.BLOCK_CELLS]))  # fmt: skip
@MANY
def test_collocates_equal_counting_window_by_window(
    tmp_path_factory, batches, wanted, cql, attribute, sides, block_cells
):
    snapshot = build(tmp_path_factory.mktemp("index"), batches, tail_tokens=10)
    query = parse(cql, Language.CQL)
    request = CollocateRequest(
        attribute, Window.around(*sides), least=1, limit=1000, with_punctuation=True
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "BLOCK_CELLS", block_cells)
        patch.setattr(collocates_module, "KEPT_CELLS", 10 * block_cells)

        found = collocates(run(snapshot, query, wanted), select(snapshot, wanted), request)

    items = plain_selection(batches, wanted)
    expected = plain_collocates(query, items, attribute, request.window.distances)
    assert {
        row.value: (row.n_joint, row.n_total, row.mean_position, row.n_hits, row.n_texts)
        for row in found.rows
    } == expected
    assert found.n_collocates == len(expected)
    assert found.window_tokens == sum(row[0] for row in expected.values())
    assert found.base_tokens == sum(len(item.tokens) for item in items)


@pytest.fixture
def snapshot(tmp_path):
    documents = [
        document(1, "heavy/heavy/JJ rain/rain/NN fell/fall/VBD ,/,/, then/then/RB rain/rain/NN"),
        document(2, "rain/rain/NN rain/rain/NN | heavy/heavy/JJ snow/snow/NN"),
        document(3, "Heavy/heavy/JJ rain/rain/NN and/and/CC heavy/heavy/JJ wind/wind/NN"),
    ]
    return snapshot_of(tmp_path, documents)


def collocates_of(snapshot, cql='[lemma="rain"]', **request):
    hits = run(snapshot, parse(cql, Language.CQL))
    request = {"least": 1, "window": Window.around(2, 2)} | request
    return collocates(hits, select(snapshot, DocumentFilter()), CollocateRequest(**request))


def test_measures_take_their_own_marginals(snapshot):
    found = collocates_of(snapshot)
    heavy = next(row for row in found.rows if row.value == "heavy")

    # Windows: heavy|fell ,  -  , then|  -  |rain  -  rain|  -  Heavy|and heavy
    assert (found.window_tokens, found.base_tokens, found.n_hits) == (10, 15, 5)
    assert (heavy.n_joint, heavy.n_total, heavy.n_hits, heavy.n_texts) == (3, 4, 2, 2)
    assert heavy.expected == pytest.approx(10 * 4 / 15)
    assert heavy.mean_position == 0
    by_window, by_frequency = contingency(3, 10, 4, 15), contingency(3, 5, 4, 15)
    for name, measure in MEASURES.items():
        table = by_frequency if name in ("dice", "logdice", "minsens") else by_window
        assert heavy.scores[name] == pytest.approx(measure(table)[0]), name


def test_neighbouring_hits_are_collocates_and_own_tokens_are_not(snapshot):
    rain = next(row for row in collocates_of(snapshot).rows if row.value == "rain")

    assert (rain.n_joint, rain.n_hits, rain.mean_position) == (2, 2, 0)


def test_punctuation_is_listed_on_demand(snapshot):
    without = {row.value for row in collocates_of(snapshot).rows}
    everything = {row.value for row in collocates_of(snapshot, with_punctuation=True).rows}

    assert everything - without == {","}
    assert collocates_of(snapshot).window_tokens == 10


def test_one_position_is_a_window(snapshot):
    found = collocates_of(snapshot, window=Window.parse("l1"), attribute="lower")

    assert {row.value: row.n_joint for row in found.rows} == {"heavy": 2, "then": 1, "rain": 1}


def test_rows_are_the_best_by_the_measure(snapshot):
    found = collocates_of(snapshot, measure="t", limit=2)
    everything = collocates_of(snapshot, measure="t")

    assert found.rows == everything.rows[:2]
    assert found.n_collocates == len(everything.rows)
    scores = [row.scores["t"] for row in everything.rows]
    assert scores == sorted(scores, reverse=True)


def test_repelled_words_stand_last_by_log_likelihood(snapshot):
    rows = collocates_of(snapshot, cql='"fell"', measure="ll", with_punctuation=True).rows

    attracted = [row.n_joint >= row.expected for row in rows]
    assert attracted == sorted(attracted, reverse=True)


def test_least_joint_frequency_is_kept(snapshot):
    assert {row.value for row in collocates_of(snapshot, least=2).rows} == {"heavy", "rain"}


def test_no_hits_have_no_collocates(snapshot):
    for cql in ('"hail"', '"hail" "storm"'):
        found = collocates_of(snapshot, cql=cql)
        assert (found.rows, found.n_collocates, found.window_tokens) == ((), 0, 0)


@pytest.mark.parametrize(
    ("text", "distances"),
    [("2,1", (-2, -1, 1)), ("0,2", (1, 2)), ("l3", (-3,)), ("r1", (1,)), ("1,0", (-1,))],
)
def test_windows_are_read(text, distances):
    window = Window.parse(text)

    assert window.distances == distances
    assert Window.parse(str(window)) == window


@pytest.mark.parametrize("text", ["", "0,0", "11,1", "l0", "r11", "5", "a,b", "-1,1"])
def test_other_windows_are_refused(text):
    with pytest.raises(ValueError, match="window"):
        Window.parse(text)


def test_unknown_attributes_and_measures_are_refused(snapshot):
    for wrong in ({"attribute": "colour"}, {"measure": "love"}):
        with pytest.raises(ValueError, match="is not among"):
            collocates_of(snapshot, **wrong)


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_every_nth_hit_is_taken_from_the_middle_of_each_step(tmp_path, step):
    texts = ["rain/rain/NN " * n for n in (3, 1, 5, 2)]
    snapshot = snapshot_of(tmp_path, [document(i, text) for i, text in enumerate(texts, 1)])
    hits = run(snapshot, parse('"rain"', Language.CQL), DocumentFilter())

    sample = every_nth(hits, step)

    places = [(i, at) for i, part in enumerate(hits.parts) for at in part.spans.starts.tolist()]
    kept = [(i, at) for i, part in enumerate(sample.parts) for at in part.spans.starts.tolist()]
    assert kept == places[step // 2 :: step]
    assert sample.base == hits.base


def test_a_sample_of_hits_that_are_all_alike_estimates_exactly(tmp_path):
    text = "the/the/DT cold/cold/JJ rain/rain/NN fell/fall/VBD ././. | " * 40
    snapshot = snapshot_of(tmp_path, [document(1, text.rstrip(" |"))])
    hits = run(snapshot, parse('"rain"', Language.CQL), DocumentFilter())
    everything = select(snapshot, DocumentFilter())

    exact = collocates(hits, everything, CollocateRequest(limit=10))
    sampled = collocates(hits, everything, CollocateRequest(limit=10, every=4))

    assert [row.value for row in sampled.rows] == [row.value for row in exact.rows]
    assert [(r.n_joint, r.n_hits, r.scores) for r in sampled.rows] == [
        (r.n_joint, r.n_hits, pytest.approx(r.scores)) for r in exact.rows
    ]
    assert (sampled.n_hits, sampled.window_tokens) == (exact.n_hits, exact.window_tokens)


def test_words_seen_too_rarely_in_a_sample_are_no_estimate(tmp_path):
    text = "the/the/DT rain/rain/NN | " * 20 + "cold/cold/JJ rain/rain/NN"
    snapshot = snapshot_of(tmp_path, [document(1, text)])
    hits = run(snapshot, parse('"rain"', Language.CQL), DocumentFilter())
    everything = select(snapshot, DocumentFilter())

    found = collocates(hits, everything, CollocateRequest(least=1, every=2))

    assert [row.value for row in found.rows] == ["the"]


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        ("", {"the", "old", "sink", "we", "run", "be"}),
        ("content", {"old", "sink", "run"}),
        ("function", {"the", "we"}),
        ("noun", {"sink"}),
        ("verb", {"be", "run"}),
        ("adjective", {"old"}),
    ],
)
def test_words_of_a_class_are_listed_with_the_same_figures(tmp_path, words, listed):
    text = (
        "the/the/DT old/old/JJ dam/dam/NN sink/sink/NN |we/we/PRP run/run/VB dam/dam/NN is/be/VBZ"
    )
    snapshot = snapshot_of(tmp_path, [document(1, text), document(2, "run/run/NN run/run/VB")])
    selection = select(snapshot, DocumentFilter())
    hits = run(snapshot, parse('"dam"', Language.CQL))
    every = {row.value: row for row in collocates(hits, selection, CollocateRequest(least=1)).rows}

    found = collocates(hits, selection, CollocateRequest(least=1, words=words))

    assert {row.value: row for row in found.rows} == {value: every[value] for value in listed}
    assert found.n_collocates == len(listed)
