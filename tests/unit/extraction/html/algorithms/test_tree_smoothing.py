"""Isotonic smoothing on trees against exhaustive search over all assignments."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.html.algorithms.tree_smoothing import smooth

PENALTIES = [0.0, 0.01, 0.1, 1.0]


def cost(scores, parents, penalty, answer):
    changes = sum(
        parent >= 0 and answer[node] != answer[parent] for node, parent in enumerate(parents)
    )
    return sum(abs(x - y) for x, y in zip(scores, answer, strict=True)) + penalty * changes


def is_isotonic(parents, answer):
    return all(parent < 0 or answer[parent] <= answer[node] for node, parent in enumerate(parents))


@st.composite
def trees(draw):
    n = draw(st.integers(1, 5))
    scores = draw(st.lists(st.sampled_from([0.0, 0.1, 0.4, 0.5, 0.8, 1.0]), min_size=n, max_size=n))
    return scores, [-1, *(draw(st.integers(-1, node - 1)) for node in range(1, n))]


@given(trees(), st.sampled_from(PENALTIES))
def test_smoothing_costs_no_more_than_the_best_assignment(tree, penalty):
    scores, parents = tree
    least = min(
        cost(scores, parents, penalty, answer)
        for answer in product(set(scores), repeat=len(scores))
        if is_isotonic(parents, answer)
    )

    answer = smooth(scores, parents, penalty)

    assert is_isotonic(parents, answer)
    assert cost(scores, parents, penalty, answer) == pytest.approx(least)


@given(trees())
def test_isotonic_scores_stay_as_they_are(tree):
    scores, parents = tree
    rising = [max(scores[: node + 1]) for node in range(len(scores))]

    assert smooth(rising, parents) == rising


def test_large_penalty_gives_all_nodes_one_value():
    # The c = 1 row of the study's table: every element becomes the same.
    assert smooth([0.4, 0.9, 0.8, 0.9, 0.7], [-1, 0, 0, 1, 1], 10.0) == [0.8] * 5


def test_nothing_to_smooth():
    assert smooth([], []) == []
