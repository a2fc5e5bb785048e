import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity import overlap
from dedup.similarity.overlap import jaccard

HASHES = st.frozensets(st.integers(0, 30), min_size=1)


def test_examples_of_the_docstrings_hold():
    assert doctest.testmod(overlap).failed == 0


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({1, 2, 3, 4}, {1, 2, 3, 4}, 1.0),
        ({1, 2, 3, 4}, {1, 2, 3, 5}, 3 / 5),
        ({1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 10}, 8 / 10),
        ({1}, {2}, 0.0),
        (set(), {1}, None),
        (set(), set(), None),
    ],
)
def test_jaccard_of_hand_made_pairs(first, second, expected):
    assert jaccard(first, second) == expected


def test_jaccard_of_articles_that_share_only_boilerplate_is_nothing_to_compare():
    assert jaccard({1, 2}, {1, 3}, popular={1}) == 0.0
    assert jaccard({1}, {1, 3}, popular={1}) is None


@given(HASHES, HASHES)
def test_jaccard_is_symmetric_and_from_0_to_1(first, second):
    similarity = jaccard(first, second)

    assert similarity == jaccard(second, first)
    assert 0 <= similarity <= 1


@given(HASHES)
def test_jaccard_of_a_set_with_itself_is_1(hashes):
    assert jaccard(hashes, hashes) == 1.0


@given(HASHES, HASHES, HASHES)
def test_jaccard_distance_obeys_the_triangle_inequality(first, second, third):
    direct = 1 - jaccard(first, third)
    detour = (1 - jaccard(first, second)) + (1 - jaccard(second, third))

    assert direct <= detour + 1e-12
