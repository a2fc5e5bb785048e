"""Slope and test of series: published examples, the exact distribution, slow evaluators."""

import itertools
import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.statistics.counting.intervals import MILLION, wilson_per_million
from search.engine.statistics.monotony import mann_kendall, theil_sen_slope

series = st.lists(st.integers(-9, 9).map(float) | st.just(math.nan), max_size=14)


def slow_s(values):
    there = [value for value in values if not math.isnan(value)]
    return sum((b > a) - (b < a) for a, b in itertools.combinations(there, 2))


def test_the_example_of_gilbert_1987():
    """Section 16.4.1: 10, 15, 14, 20 gives S = 4, one-sided p = .167 by table A18."""
    test = mann_kendall([10, 15, 14, 20])

    assert test.s == 4
    assert test.is_exact
    assert test.p == pytest.approx(2 * 4 / 24)


def test_the_example_with_ties_of_epa_qa_g9s():
    """EPA QA/G-9S (2006), page 109: ties of 4 and 2 values."""
    test = mann_kendall([10, 10, 10, 5, 10, 20, 18, 17, 15, 24, 15])

    assert test.s == 22
    assert test.variance == pytest.approx(155.33, abs=0.01)
    assert test.z == pytest.approx(1.685, abs=0.001)
    assert not test.is_exact


def test_an_example_worked_by_hand():
    """J. Little, Holy Cross, “A Mann-Kendall example (by hand)”."""
    values = [12.9, 14.8, 13.2, 15.7, 13.8, 15.6, 12.9, 11.0, 17.3, 15.9, 19.0, 18.3, 20.1, 21.7]

    test = mann_kendall(values)

    assert test.s == 54
    assert test.z == pytest.approx(2.9058, abs=0.0001)
    assert test.p == pytest.approx(2 * 0.0018, abs=0.0001)


def test_a_hundred_rising_values():
    """As computed by MannKendall.jl."""
    test = mann_kendall(range(1, 101))

    assert (test.s, test.variance) == (4950, 112750)
    assert test.z == pytest.approx(14.73869998208331)


@pytest.mark.parametrize(
    ("n", "s", "p"), [(3, 3, 2 / 6), (5, 8, 10 / 120), (5, 0, 1), (10, 45, 2 / 3628800)]
)
def test_exact_probabilities(n, s, p):
    """Kendall (1975), table 1, doubled."""
    orders = (list(order) for order in itertools.permutations(range(n)))
    order = list(range(n)) if s == n * (n - 1) // 2 else next(o for o in orders if slow_s(o) == s)

    assert mann_kendall(order).p == pytest.approx(p)


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0], [1.0, math.nan, 2.0]])
def test_too_few_values_decide_nothing(values):
    assert mann_kendall(values) is None


def test_equal_values_have_no_trend():
    test = mann_kendall([5.0] * 12)

    assert (test.s, test.variance, test.z, test.p) == (0, 0, 0, 1)
    assert theil_sen_slope([5.0] * 12) == 0


@given(series)
def test_s_is_the_number_of_rises_less_that_of_falls(values):
    test = mann_kendall(values)

    if test is not None:
        assert test.s == slow_s(values)
        assert 0 <= test.p <= 1


@given(series)
def test_the_slope_is_the_median_of_all_slopes(values):
    there = [(i, value) for i, value in enumerate(values) if not math.isnan(value)]
    slopes = [(b - a) / (j - i) for (i, a), (j, b) in itertools.combinations(there, 2)]

    found = theil_sen_slope(values)

    if slopes:
        assert found == pytest.approx(statistics.median(slopes))
    else:
        assert math.isnan(found)


# Intervals


@pytest.mark.parametrize(
    ("hits", "tokens", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_of_newcombe_1998(hits, tokens, low, high):
    found = [float(end) / MILLION for end in wilson_per_million(hits, tokens)]

    assert found == pytest.approx([low, high], abs=0.00006)


def test_without_tokens_there_is_no_interval():
    low, high = wilson_per_million([0, 5], [0, 5])

    assert math.isnan(low[0])
    assert math.isnan(high[0])
    assert high[1] == MILLION


@given(st.integers(0, 1000), st.integers(1, 10**9))
def test_the_rate_lies_in_its_interval(hits, more):
    tokens = hits + more
    low, high = wilson_per_million(hits, tokens)

    assert low - 1e-6 <= MILLION * hits / tokens <= high + 1e-6


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=9), st.integers(1, 500))
def test_equal_sizes_weigh_nothing(values, size):
    sizes = [size] * len(values)

    plain, weighted = mann_kendall(values), mann_kendall(values, sizes)

    assert theil_sen_slope(values, sizes) == pytest.approx(theil_sen_slope(values))
    assert weighted.s == pytest.approx(plain.s)
    if len(set(values)) == len(values):
        assert weighted.variance == pytest.approx(plain.variance)


def test_a_value_that_rests_on_nearly_nothing_decides_nothing():
    values, sizes = [9.0, 1.0, 2.0, 3.0], [1, 10**6, 10**6, 10**6]

    assert theil_sen_slope(values, sizes) == pytest.approx(1.0)
    assert theil_sen_slope(values) == -0.5
    assert mann_kendall(values, sizes).s == pytest.approx(6.0, abs=0.01)


def test_p_by_sizes_is_the_share_of_all_orders():
    values, sizes = [1.0, 5.0, 2.0, 7.0], [10, 1, 30, 4]
    weight = {
        (i, j): sizes[i] * sizes[j] / (sizes[i] + sizes[j])
        for i, j in itertools.combinations(range(4), 2)
    }

    def plain_s(order):
        signs = {(i, j): (order[j] > order[i]) - (order[j] < order[i]) for i, j in weight}
        return sum(weight[pair] * sign for pair, sign in signs.items())

    every = [abs(plain_s(order)) for order in itertools.permutations(values)]
    found = mann_kendall(values, sizes)

    assert found.is_exact
    assert found.p == pytest.approx(sum(s >= abs(plain_s(values)) - 1e-9 for s in every) / 24)
    mean = sum(weight.values()) / 6
    assert found.variance == pytest.approx(sum(s * s for s in every) / 24 / mean**2)
