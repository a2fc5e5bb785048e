from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedup.similarity.increasing import longest_increasing


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], []), ([7], [0]), ([3, 2, 1], [2]), ([1, 1, 1], [2]), ([5, 0, 1, 9, 2], [1, 2, 4])],
)
def test_longest_increasing_names_places(values, expected):
    assert longest_increasing(values) == expected


@given(st.lists(st.integers(0, 9), max_size=8))
def test_longest_increasing_is_as_long_as_any(values):
    found = [values[at] for at in longest_increasing(values)]
    rising = [
        row
        for n in range(len(values) + 1)
        for row in combinations(values, n)
        if all(one < two for one, two in pairwise(row))
    ]

    assert found == sorted(set(found))
    assert len(found) == max(map(len, rising))
