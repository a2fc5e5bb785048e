"""Sentence starts as bits: packed, unpacked, and counted back to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.index.segments.sentences import LeftDistances, pack_starts, unpack_starts

LENGTHS = st.lists(st.integers(1, 400), min_size=1, max_size=8)


def starts_of(lengths):
    starts = np.zeros(sum(lengths), dtype=np.bool_)
    starts[np.cumsum([0, *lengths[:-1]])] = True
    return starts


@given(st.lists(st.booleans(), max_size=300))
def test_packed_starts_come_back(values):
    starts = np.array(values, dtype=np.bool_)

    assert unpack_starts(pack_starts(starts), len(starts)).tolist() == values


@given(LENGTHS)
def test_left_counts_back_to_the_start_of_the_sentence(lengths):
    left = LeftDistances(pack_starts(starts_of(lengths)), sum(lengths))

    plain = [min(i, 255) for n in lengths for i in range(n)]

    assert np.asarray(left).tolist() == plain
    assert left[np.arange(len(plain))[::-1]].tolist() == plain[::-1]
    assert left[np.arange(len(plain), dtype=np.uint32)].tolist() == plain
    assert [left[i] for i in range(len(plain))] == plain
    assert left[3:70].tolist() == plain[3:70]
    assert left[:0].tolist() == []


@pytest.mark.parametrize("start", range(64))
def test_every_bit_of_a_word_is_read_exactly(start):
    starts = np.zeros(64, dtype=np.bool_)
    starts[start:] = True

    left = LeftDistances(pack_starts(starts), 64)

    assert left[start:].tolist() == [0] * (64 - start)


def test_words_without_a_start_are_passed_over_as_far_as_a_byte_counts():
    starts = np.zeros(1000, dtype=np.bool_)
    starts[0] = True

    left = LeftDistances(pack_starts(starts), 1000)

    assert left[np.array([63, 64, 200, 254, 255, 256, 999])].tolist() == [
        63, 64, 200, 254, 255, 255, 255,
    ]  # fmt: skip
