"""Ranks are those of numpy's own, whichever way they are found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.statistics.counting import hit_values
from search.engine.statistics.counting.hit_values import ranked

NUMBERS = st.lists(st.integers(0, 50) | st.integers(0, 2**40), max_size=30)


@given(NUMBERS, st.sampled_from([0, 1 << 22]))
def test_ranks_are_those_of_unique(numbers, table_size):
    array = np.array(numbers, dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hit_values, "TABLE_SIZE", table_size)

        distinct, found = ranked(array)

    expected = np.unique(array, return_inverse=True)
    assert distinct.tolist() == expected[0].tolist()
    assert found.tolist() == expected[1].tolist()
