"""Keyness measures give the numbers that their authors publish."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.statistics.keyness_measures import (
    Frequencies,
    corrected_alpha,
    critical_value,
    log_likelihood,
    log_likelihood_ratio,
    log_ratio,
    log_ratio_margin,
    odds_ratio,
    percent_difference,
    simple_maths,
)


def items(a, b, n, m):
    return Frequencies(np.array([a]), np.array([b]), n, m)


@pytest.mark.parametrize(
    ("a", "b", "n", "m", "expected", "decimals"),
    [
        # P. Rayson, Corpora list, 18 January 2002: forms of KEEP, learners and native speakers.
        (348, 99, 10**6, 10**6, 147, 0),
        (15, 14, 10**6, 10**6, 0, 0),
        (9, 32, 10**6, 10**6, 14, 0),
        (21, 25, 10**6, 10**6, 0, 0),
        # The example beside Lancaster's web form.
        (52, 57, 50_000, 75_000, 2.65, 2),
    ],
)
def test_log_likelihood_gives_published_values(a, b, n, m, expected, decimals):
    assert round(float(log_likelihood(items(a, b, n, m))[0]), decimals) == expected


@pytest.mark.parametrize(
    ("a", "b", "not_a", "not_b", "expected"),
    [
        # Dunning (1993), the first rows of table 1: "the swiss", "can be", "previous year".
        (110, 111, 2442, 29114, 270.72),
        (29, 123, 13, 31612, 263.90),
        (31, 139, 23, 31584, 256.84),
    ],
)
def test_log_likelihood_ratio_gives_the_values_of_the_paper(a, b, not_a, not_b, expected):
    value = float(log_likelihood_ratio(items(a, b, a + not_a, b + not_b))[0])

    assert value == pytest.approx(expected, abs=0.006)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        # Hardie (2014): 0 for the same, each point is a doubling, zero counts as a half.
        (10, 10, 0), (20, 10, 1), (40, 10, 2), (80, 10, 3), (10, 80, -3), (8, 0, 4), (0, 8, -4),
    ],
)  # fmt: skip
def test_log_ratio_doubles_with_each_point(a, b, expected):
    assert log_ratio(items(a, b, 10**6, 10**6)).tolist() == [expected]


def test_the_interval_of_log_ratio_is_that_of_a_relative_risk():
    # Aspirin study in A. Agresti, Categorical Data Analysis: 1.82 times the risk, 1.43 to 2.31.
    pair = items(189, 104, 11_034, 11_037)

    margin = log_ratio_margin(pair, 0.05)

    assert 2 ** log_ratio(pair)[0] == pytest.approx(1.82, abs=0.005)
    assert 2 ** (log_ratio(pair) - margin)[0] == pytest.approx(1.43, abs=0.01)
    assert 2 ** (log_ratio(pair) + margin)[0] == pytest.approx(2.31, abs=0.01)


@pytest.mark.parametrize(
    ("a", "b", "n", "m", "smoothing", "expected"),
    [
        # Sketch Engine's documentation: shard in BNC and ukWaC.
        (35, 263, 112_289_776, 1_559_716_979, 1, 1.1224),
        # Kilgarriff (2009): obscurish, middling and common words under N = 1, 100, 1000.
        (10, 0, 10**6, 10**6, 1, 11.0),
        (200, 100, 10**6, 10**6, 1, 1.9901),
        (12_000, 10_000, 10**6, 10**6, 1, 1.2),
        (10, 0, 10**6, 10**6, 100, 1.1),
        (200, 100, 10**6, 10**6, 100, 1.5),
        (10, 0, 10**6, 10**6, 1000, 1.01),
        (200, 100, 10**6, 10**6, 1000, 1.0909),
        (12_000, 10_000, 10**6, 10**6, 1000, 1.1818),
    ],
)
def test_simple_maths_gives_published_values(a, b, n, m, smoothing, expected):
    value = float(simple_maths(items(a, b, n, m), smoothing)[0])

    assert value == pytest.approx(expected, abs=6e-5)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [(20, 10, 100), (10, 10, 0), (5, 10, -50), (0, 10, -100), (206, 100, 106)],
)
def test_percent_difference_is_a_percentage_of_the_rate_there(a, b, expected):
    assert percent_difference(items(a, b, 10**6, 10**6))[0] == pytest.approx(expected)


def test_percent_difference_takes_a_tiny_rate_for_none():
    assert percent_difference(items(3, 0, 10**6, 10**6))[0] == pytest.approx(3e20)
    assert percent_difference(items(0, 0, 10**6, 10**6))[0] == pytest.approx(-100)


def test_odds_ratio_compares_odds():
    assert odds_ratio(items(15, 8, 20, 20))[0] == pytest.approx((15 / 5) / (8 / 12))
    assert odds_ratio(items(2, 0, 4, 4))[0] == pytest.approx(1 / (0.5 / 3.5))


def test_a_corrected_error_lies_between_bonferroni_and_the_plain_one():
    assert corrected_alpha(0.05, 1) == pytest.approx(0.05)
    assert corrected_alpha(0.05, 10) == pytest.approx(0.005116197)  # Šidák's table value
    assert 0.05 / 100_000 < corrected_alpha(0.05, 100_000) < 0.0514 / 100_000


def test_critical_values_are_those_of_the_log_likelihood_page():
    published = {0.05: 3.84, 0.01: 6.63, 0.001: 10.83, 0.0001: 15.13}

    for alpha, value in published.items():
        assert critical_value(alpha) == pytest.approx(value, abs=0.01)


counts = st.integers(0, 50)


@given(counts, counts, st.integers(50, 10**6), st.integers(50, 10**6))
def test_measures_agree_on_which_side_has_more(a, b, n, m):
    pair = items(a, b, n, m)
    more_here = a * m > b * n

    assert (simple_maths(pair)[0] > 1) == more_here
    assert log_likelihood(pair)[0] >= -1e-9
    assert log_likelihood_ratio(pair)[0] >= log_likelihood(pair)[0] - 1e-6 * (n + m)
    if a and b:
        assert (log_ratio(pair)[0] > 0) == more_here
        assert (percent_difference(pair)[0] > 1e-12) == more_here
    assert log_ratio(pair)[0] == pytest.approx(-log_ratio(items(b, a, m, n))[0])


def test_an_empty_corpus_cannot_be_compared():
    with pytest.raises(ValueError, match="at least one token"):
        items(1, 1, 0, 10)
    with pytest.raises(ValueError, match="above 0"):
        simple_maths(items(1, 1, 10, 10), 0)
