"""Positions put together: ascending, each once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search.engine.query.running.machine import merged


@given(st.lists(st.lists(st.integers(0, 30)), min_size=1, max_size=4))
def test_merged_positions_ascend_and_come_once(lists):
    found = merged([np.array(values, dtype=np.int64) for values in lists])

    assert found.tolist() == sorted({value for values in lists for value in values})
