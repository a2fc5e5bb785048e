"""The first k of n equal those of a whole sort."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search.engine.concordance.first_in_order import first_in_order, n_before

COLUMNS = st.integers(1, 3).flatmap(
    lambda n_keys: st.lists(st.tuples(*[st.integers(0, 3)] * n_keys), max_size=30)
)


def keys_of(rows):
    columns = [np.array(column, dtype=np.uint64) for column in zip(*rows, strict=True)]
    return [
        lambda chosen, column=column: column if chosen is None else column[chosen]
        for column in columns
    ]


@given(COLUMNS, st.integers(-1, 35))
def test_first_lines_are_those_of_a_sort(rows, k):
    found = first_in_order(keys_of(rows), len(rows), k)

    expected = sorted(range(len(rows)), key=rows.__getitem__)[: max(k, 0)]
    assert found.tolist() == sorted(expected)


@given(COLUMNS.filter(bool), st.data())
def test_lines_before_one_are_counted(rows, data):
    line = data.draw(st.sampled_from(rows))

    before, equal = n_before(keys_of(rows), len(rows), [np.uint64(value) for value in line])

    assert before == sum(row < line for row in rows)
    assert equal.tolist() == [number for number, row in enumerate(rows) if row == line]
