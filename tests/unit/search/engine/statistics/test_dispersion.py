"""Dispersion: values of the papers, edge cases, slow evaluators."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.statistics.dispersion import (
    average_reduced_frequency,
    carroll_d2,
    deviation_of_proportions,
    juilland_d,
    normalized_deviation,
    part_range,
    rosengren_s,
)

# The small corpus of Gries (2008): five parts, letters for words.
GRIES = (
    "b a m n i b e u p",
    "b a s a t b e w q n",
    "b c a g a b e s t a",
    "b a g h a b e a a t",
    "b a h a a b e a x a t",
)
SIZES = [len(part.split()) for part in GRIES]


def counts_of(word):
    return [part.split().count(word) for part in GRIES]


def test_the_small_corpus_is_the_one_of_the_paper():
    assert SIZES == [9, 10, 10, 10, 11]
    assert counts_of("a") == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (juilland_d, 0.785),
        (carroll_d2, 0.938),
        (rosengren_s, 0.950),
        (deviation_of_proportions, 0.180),
    ],
)
def test_the_word_a_of_gries_has_the_published_values(measure, value):
    assert float(measure(counts_of("a"), SIZES)) == pytest.approx(value, abs=0.0005)


@pytest.mark.parametrize(
    ("word", "deviation", "normalized"),
    [("a", 0.18, 0.2195), ("b", 0.02, 0.0244), ("x", 0.78, 0.9512), ("i", 0.82, 1.0)],
)
def test_dp_of_gries_corpus(word, deviation, normalized):
    found = deviation_of_proportions(counts_of(word), SIZES)

    assert float(found) == pytest.approx(deviation)
    assert float(normalized_deviation(found, SIZES)) == pytest.approx(normalized, abs=0.0001)


def test_dp_of_lijffijt_and_gries_table_1():
    deviation = deviation_of_proportions([2, 1, 0], [1, 1, 1])

    assert float(deviation) == pytest.approx(1 / 3)
    assert float(normalized_deviation(deviation, [1, 1, 1])) == pytest.approx(1 / 2)


def test_allemand_in_the_tenths_of_lynes_corpus():
    """Lyne (1985); values of the R package tlda, which has another variant of DP."""
    counts = [2, 0, 1, 1, 3, 0, 3, 0, 0, 0]
    sizes = [8143, 8058, 8271, 8125, 7959, 7941, 8146, 8001, 8003, 7930]

    assert int(part_range(counts)) == 5
    assert float(juilland_d(counts, sizes)) == pytest.approx(0.6038797, abs=1e-7)
    assert float(carroll_d2(counts, sizes)) == pytest.approx(0.6521444, abs=1e-7)
    assert float(rosengren_s(counts, sizes)) == pytest.approx(0.4763652, abs=1e-7)
    assert float(deviation_of_proportions(counts, sizes)) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("measure", [juilland_d, carroll_d2, rosengren_s, deviation_of_proportions])
def test_many_words_are_measured_as_one_by_one(measure):
    matrix = np.array([counts_of(word) for word in "abegx"])

    found = measure(matrix, SIZES)

    assert found.tolist() == pytest.approx([float(measure(row, SIZES)) for row in matrix])


@pytest.mark.parametrize("measure", [juilland_d, carroll_d2, rosengren_s, deviation_of_proportions])
@pytest.mark.parametrize(
    ("counts", "sizes"), [([0, 0], [5, 5]), ([], []), ([0, 0], [0, 0]), ([[0, 0]], [3, 4])]
)
def test_without_hits_there_is_no_dispersion(measure, counts, sizes):
    assert np.isnan(measure(counts, sizes)).all()


def test_one_part_is_spread_as_its_tokens_are():
    assert float(deviation_of_proportions([3], [10])) == 0
    assert float(rosengren_s([3], [10])) == pytest.approx(1)
    assert math.isnan(juilland_d([3], [10]))
    assert math.isnan(carroll_d2([3], [10]))
    assert math.isnan(normalized_deviation(0.0, [10]))


def test_parts_without_tokens_change_nothing():
    with_empty = deviation_of_proportions([1, 0, 2, 0], [4, 0, 6, 0])

    assert float(with_empty) == pytest.approx(float(deviation_of_proportions([1, 2], [4, 6])))
    assert float(normalized_deviation(0.3, [4, 0, 6])) == pytest.approx(0.5)


@pytest.mark.parametrize(("counts", "sizes"), [([1, 2], [3]), ([1, 0], [0, 3])])
def test_counts_that_cannot_be_are_refused(counts, sizes):
    with pytest.raises(ValueError, match=r"parts|without tokens"):
        deviation_of_proportions(counts, sizes)


def test_no_words_give_no_values():
    assert deviation_of_proportions(np.zeros((0, 3)), [1, 2, 3]).shape == (0,)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 60)), min_size=2, max_size=12).filter(
        lambda parts: any(hits for hits, _ in parts)
    )
)
def test_measures_keep_their_ranges(parts):
    counts, sizes = zip(*parts, strict=True)

    deviation = float(deviation_of_proportions(counts, sizes))
    assert -1e-12 <= deviation <= 1 - min(sizes) / sum(sizes) + 1e-12
    assert -1e-12 <= float(juilland_d(counts, sizes)) <= 1 + 1e-12
    assert -1e-12 <= float(carroll_d2(counts, sizes)) <= 1 + 1e-12
    assert min(sizes) / sum(sizes) - 1e-12 <= float(rosengren_s(counts, sizes)) <= 1 + 1e-12


# Average reduced frequency


def slow_arf(positions, n_tokens):
    """By its other definition: the mean, over all ways to begin, of the stretches with a hit.

    All texts in a row are cut into as many equal parts as there are hits.
    """
    length = n_tokens // len(positions)
    counts = [
        len({(place - first) % n_tokens // length for place in positions})
        for first in range(length)
    ]
    return sum(counts) / len(counts)


@given(st.data())
def test_arf_is_the_mean_of_reduced_frequencies(data):
    length = data.draw(st.integers(1, 12))
    n_hits = data.draw(st.integers(1, 10))
    n_tokens = length * n_hits
    places = st.lists(st.integers(0, n_tokens - 1), min_size=n_hits, max_size=n_hits, unique=True)
    positions = sorted(data.draw(places))

    found = average_reduced_frequency(positions, n_tokens)

    assert found == pytest.approx(slow_arf(positions, n_tokens))


def test_arf_of_a_in_the_small_corpus():
    places = [i for i, word in enumerate(" ".join(GRIES).split()) if word == "a"]

    # distances 9 2 9 2 5 2 3 3 1 3 2 1 3 2 and 3 around the end; v = 50 / 15
    assert average_reduced_frequency(places, 50) == pytest.approx(37 / (50 / 15))


@pytest.mark.parametrize(
    ("positions", "n_tokens", "value"),
    [([], 100, 0), ([7], 100, 1), (range(10), 1000, 1.09), (range(0, 100, 10), 100, 10)],
)
def test_arf_at_its_bounds(positions, n_tokens, value):
    assert average_reduced_frequency(list(positions), n_tokens) == pytest.approx(value)
