"""Counting keys over articles: against a plain dictionary, and within bounds."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from extraction.html.site.recurrence import RecurrenceTable

PAGES = st.lists(st.sets(st.integers(1, 40), max_size=12), max_size=20)


def keys_of(numbers):
    return np.array(sorted(numbers), dtype=np.uint64)


@given(PAGES)
def test_counts_are_those_of_a_dictionary(pages):
    table, expected = RecurrenceTable(capacity=100), Counter()

    for turn, page in enumerate(pages):
        table.add(keys_of(page), turn)
        expected.update(page)

    everything = keys_of(range(1, 41))
    assert table.counts_of(everything).tolist() == [expected[key] for key in range(1, 41)]
    assert table.keys.tolist() == sorted(expected)


@given(PAGES)
def test_sums_are_added_beside_the_counts(pages):
    table, expected = RecurrenceTable(capacity=100, n_sums=2), Counter()

    for turn, page in enumerate(pages):
        keys = keys_of(page)
        table.add(keys, turn, np.stack([keys, 2 * keys], axis=1).astype(np.float32))
        expected.update({key: key for key in page})

    sums = table.sums_of(keys_of(range(1, 41))).tolist()
    assert sums == [[expected[key], 2 * expected[key]] for key in range(1, 41)]


def test_what_is_rare_and_old_falls_out_first():
    table = RecurrenceTable(capacity=8)
    for turn in range(4):
        table.add(keys_of([7]), turn)

    for turn in range(4, 20):
        table.add(keys_of([1000 + turn]), turn)

    assert len(table.keys) <= 8
    assert table.counts_of(keys_of([7, 1004, 1019])).tolist() == [4, 0, 1]


def test_halving_forgets_what_was_seen_once():
    table = RecurrenceTable(capacity=8)
    for turn, page in enumerate([[1, 2], [1], [1], [1]]):
        table.add(keys_of(page), turn)

    table.halve()

    assert (table.keys.tolist(), table.counts.tolist()) == ([1], [2])


def test_empty_table_knows_nothing():
    table = RecurrenceTable(capacity=8, n_sums=2)

    assert table.counts_of(keys_of([1, 2])).tolist() == [0, 0]
    assert table.sums_of(keys_of([1])).tolist() == [[0, 0]]
