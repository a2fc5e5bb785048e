"""Key items of two stretches agree with counting and scoring one by one."""

import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_corpora import batches, build, filters, plain_counts, plain_selection
from small_corpora import document, snapshot_of

from search.engine.index.documents import DocumentKind
from search.engine.query.filters import DocumentFilter, select
from search.engine.statistics import keyness as subject
from search.engine.statistics.keyness import (
    KeynessMeasure,
    KeynessRequest,
    Side,
    keyness,
)

ANY = KeynessRequest(min_hits=1, min_texts=1, alpha=1, limit=1000)
HERE, THERE = DocumentFilter(publications=("karoo",)), DocumentFilter(publications=("cape",))


def plain_keyness(here, there, attribute, min_hits, min_texts):
    """Values more frequent here with simple maths, N = 1, by dividing."""
    (a, texts), (b, other_texts) = plain_counts(here, attribute), plain_counts(there, attribute)
    n, m = sum(a.values()), sum(b.values())
    found = {}
    for value in a:
        rate, other_rate = 1e6 * a[value] / n, 1e6 * b[value] / m if m else 0.0
        is_word = attribute == "pos" or any(c.isalnum() for c in value)
        is_more = m and a[value] * m > b[value] * n
        if is_more and is_word and a[value] >= min_hits and texts[value] >= min_texts:
            score = (rate + 1) / (other_rate + 1)
            found[value] = (a[value], b[value], texts[value], other_texts[value], score)
    return found


@settings(deadline=None, max_examples=40)
@given(batches, filters, filters, st.sampled_from(["lower", "lemma", "pos"]), st.integers(1, 3))
def test_keyness_equals_dividing_one_by_one(stories, one, other, attribute, floor):
    wanted = KeynessRequest(
        attribute=attribute, min_hits=floor, min_texts=floor - 1, alpha=1, limit=1000
    )
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories)

        result = keyness(select(snapshot, one), select(snapshot, other), wanted)

        here, there = plain_selection(stories, one), plain_selection(stories, other)
        expected = plain_keyness(here, there, attribute, floor, floor - 1)
        found = {
            item.value: (item.focus_hits, item.reference_hits, item.focus_texts,
                         item.reference_texts, item.score)
            for item in result.items
        }  # fmt: skip
        assert found.keys() == expected.keys()
        for value, row in expected.items():
            assert found[value] == pytest.approx(row)
        assert result.n_items == len(result.items)
        if one.generation == other.generation:
            assert result.shared_documents == len([item for item in here if item in there])
        scores = [item.score for item in result.items]
        assert scores == sorted(scores, reverse=True)


@settings(deadline=None, max_examples=40)
@given(batches, filters, filters)
def test_more_there_is_more_here_with_the_stretches_exchanged(stories, one, other):
    with tempfile.TemporaryDirectory() as folder:
        snapshot = build(Path(folder), stories)
        here, there = select(snapshot, one), select(snapshot, other)
        wanted = {"min_hits": 1, "min_texts": 1, "alpha": 1.0}

        assert keyness(here, there, KeynessRequest(side=Side.THERE, **wanted)) == keyness(
            there, here, KeynessRequest(side=Side.HERE, **wanted)
        )


@pytest.fixture
def snapshot(tmp_path):
    """Karoo has `veld` in many texts, `advert` in one; Cape has the sea."""
    karoo = [document(i, "the/the/DT veld is/be/VBZ dry Kosie/kosie/NNP") for i in range(1, 9)]
    karoo.append(document(9, " ".join(["advert"] * 12)))
    cape = [document(i, "the/the/DT sea is/be/VBZ wet", publication="cape") for i in range(10, 18)]
    return snapshot_of(tmp_path, karoo + cape)


def values_of(snapshot, **wanted):
    options = {"min_hits": 1, "min_texts": 1, "alpha": 1.0} | wanted
    result = keyness(select(snapshot, HERE), select(snapshot, THERE), KeynessRequest(**options))
    return {item.value for item in result.items}


@pytest.mark.parametrize(
    ("wanted", "values"),
    [
        ({}, {"veld", "dry", "kosie", "advert"}),
        ({"min_texts": 2}, {"veld", "dry", "kosie"}),
        ({"min_hits": 9}, {"advert"}),
        ({"min_publications": 2}, set()),
        ({"without_names": True}, {"veld", "dry", "advert"}),
        ({"side": Side.THERE}, {"sea", "wet", "the", "is"}),
        ({"side": Side.THERE, "without_function_words": True}, {"sea", "wet"}),
        ({"side": Side.ONLY_HERE, "min_texts": 3}, {"veld", "dry", "kosie"}),
    ],
)
def test_floors_and_switches_leave_items_out(snapshot, wanted, values):
    assert values_of(snapshot, **wanted) == values


def test_many_candidates_are_counted_like_few(snapshot, monkeypatch):
    monkeypatch.setattr(subject, "MANY_CANDIDATES", 0)

    assert values_of(snapshot, min_texts=2) == {"veld", "dry", "kosie"}


def test_significance_is_corrected_for_the_number_of_items(snapshot):
    here, there = select(snapshot, HERE), select(snapshot, THERE)

    result = keyness(here, there, KeynessRequest(min_hits=1, min_texts=1, alpha=0.05))

    assert result.n_compared == 8
    # Šidák for eight items: 1 - 0.95 ** (1 / 8) = 0.00639, chi-squared 7.44.
    assert result.critical == pytest.approx(7.44, abs=0.01)
    assert all(item.log_likelihood >= result.critical for item in result.items)
    strict = values_of(snapshot, alpha=1e-6)
    assert strict < {item.value for item in result.items} | {"advert"}


@pytest.mark.parametrize("measure", list(KeynessMeasure))
def test_every_measure_ranks_from_most_to_least(snapshot, measure):
    here, there = select(snapshot, HERE), select(snapshot, THERE)

    result = keyness(here, there, KeynessRequest(measure=measure, min_hits=1, min_texts=1, alpha=1))

    scores = [item.score for item in result.items]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)


def test_the_interval_of_log_ratio_leaves_out_zero_where_items_are_significant(snapshot):
    here, there = select(snapshot, HERE), select(snapshot, THERE)

    for item in keyness(here, there, KeynessRequest(min_texts=1)).items:
        assert item.log_ratio > 0
        assert math.isfinite(item.margin)


def test_an_empty_stretch_gives_no_items(snapshot):
    nothing = select(snapshot, DocumentFilter(kinds=frozenset({DocumentKind.COMMENT})))
    everything = select(snapshot, DocumentFilter())

    assert keyness(everything, nothing, ANY).items == ()
    assert keyness(nothing, everything, ANY).items == ()
