"""Places of set bits and true values: those that numpy finds, at any density."""

import numpy as np
import pytest

from search.engine.index.set_bits import (
    FEW_VALUES,
    bits_at,
    chosen,
    next_bits,
    octets_at,
    true_at,
)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.02, 0.07, 0.5, 1.0])
@pytest.mark.parametrize("n_values", [0, 1, 64, FEW_VALUES - 1, 50_000, 50_003])
def test_places_equal_those_that_numpy_finds(share, n_values):
    mask = np.random.default_rng(n_values).random(n_values) < share
    padded = np.zeros(-(-n_values // 64) * 64, dtype=np.bool_)
    padded[:n_values] = mask
    octets = np.packbits(padded, bitorder="little")
    expected = np.flatnonzero(mask)

    assert np.array_equal(true_at(mask), expected)
    assert np.array_equal(octets_at(octets), expected)
    assert np.array_equal(bits_at(octets.view("<u8")), expected)
    values = np.arange(n_values, dtype=np.uint32) * 3
    assert np.array_equal(chosen(values, mask), values[mask])
    assert chosen(values, mask).dtype == np.uint32


@pytest.mark.parametrize("share", [0.0, 0.003, 0.05, 0.5, 1.0])
@pytest.mark.parametrize("reach", [0, 3, 64, 500])
def test_next_bits_are_those_that_follow_within_reach(share, reach):
    some = np.random.default_rng(reach)
    mask = some.random(1_024) < share
    words = np.packbits(mask, bitorder="little").view("<u8")
    at = np.sort(some.integers(0, len(mask), 200))
    latest = np.minimum(at + reach, len(mask) - 1)

    found = next_bits(words, at, latest)

    expected = [
        next((p for p in range(first, last + 1) if mask[p]), -1)
        for first, last in zip(at.tolist(), latest.tolist(), strict=True)
    ]
    assert np.where(found <= latest, found, -1).tolist() == expected
