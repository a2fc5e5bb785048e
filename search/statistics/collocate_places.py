"""Where chosen collocates stand: mean position, hits that have them, texts, and when.

Input → output: blocks of windows and chosen values → `CollocatePlaces`, one per value.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.statistics.attribute_values import TypeValues
from search.statistics.windows import Window, WindowBlock

I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]

SET_BITS = 64  # values whose presence in a window is one number


@dataclass(frozen=True, slots=True)
class CollocatePlaces:
    """What one collocate has in the windows; see `search.statistics.collocates.Collocate`."""

    mean_position: float
    n_hits: int
    n_texts: int


def collocate_places(
    values: TypeValues, chosen: I64, blocks: Iterable[WindowBlock], window: Window
) -> list[CollocatePlaces]:
    """Look at the windows again for a few values.

    Parameters
    ----------
    values : TypeValues
    chosen : ndarray of shape (n_chosen,)
        Value numbers, at most 65 535.
    blocks : iterable of WindowBlock
        Of whole documents each.
    window : Window

    Returns
    -------
    list of CollocatePlaces
        In the order of ``chosen``. O(hits * distances) for each 64 of them.
    """
    number_of_type = numbers_of_types(values, chosen)
    n_numbers = len(chosen) + 1
    tokens, distances, n_hits, n_texts = np.zeros((4, n_numbers), dtype=np.int64)
    for block in blocks:
        found = number_of_type.take(block.types, mode="clip")
        for distance, numbers in zip(window.distances, found, strict=True):
            counts = np.bincount(numbers, minlength=n_numbers)
            tokens += counts
            distances += distance * counts
        starts = np.flatnonzero(np.diff(block.document, prepend=-1))
        for first in range(1, n_numbers, SET_BITS):
            held = sets_held(found, first)
            stop = min(first + SET_BITS, n_numbers)
            n_hits[first:stop] += _sizes(held, stop - first)
            n_texts[first:stop] += _sizes(np.bitwise_or.reduceat(held, starts), stop - first)
    means = distances / np.maximum(tokens, 1)
    return [
        CollocatePlaces(*place)
        for place in zip(means[1:].tolist(), n_hits[1:].tolist(), n_texts[1:].tolist(), strict=True)
    ]


def numbers_of_types(values: TypeValues, chosen: I64) -> npt.NDArray[np.uint16]:
    """Give each type the number of its value from 1, 0 for the others and the sentence's end.

    Returns
    -------
    ndarray of shape (n_types + 1,)
    """
    numbers = np.zeros(values.n_values, dtype=np.uint16)
    numbers[chosen] = np.arange(1, len(chosen) + 1)
    return np.append(numbers[values.numbers], np.uint16(0))


def sets_held(found: npt.NDArray[np.uint16], first: int) -> U64:
    """Return which of 64 values each window holds, a bit each from the number ``first``.

    Parameters
    ----------
    found : ndarray of shape (n_distances, n_hits)
        Numbers of values, 0 for none.
    first : int

    Returns
    -------
    ndarray of shape (n_hits,)
    """
    bits = np.zeros(np.iinfo(np.uint16).max + 1, dtype=np.uint64)
    bits[first : first + SET_BITS] = np.uint64(1) << np.arange(SET_BITS, dtype=np.uint64)
    held: U64 = bits.take(found[0])
    for numbers in found[1:]:
        held |= bits.take(numbers)
    return held


def _sizes(held: U64, n_values: int) -> I64:
    """Count the sets that hold each value."""
    bits = np.uint64(1) << np.arange(n_values, dtype=np.uint64)
    return np.array([np.count_nonzero(held & bit) for bit in bits], dtype=np.int64)
