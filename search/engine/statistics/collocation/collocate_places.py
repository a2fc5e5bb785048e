"""Where chosen collocates stand: mean position, hits that have them, texts, and when.

Input → output: blocks of windows and chosen values → `CollocatePlaces`, one per value.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.statistics.counting.attribute_values import TypeValues
from search.engine.statistics.counting.in_parallel import in_parallel
from search.engine.statistics.counting.windows import Window, WindowBlock

I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]

SET_BITS = 64  # values whose presence in a window is one number
_BITS_OF_OCTET = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder="little"
).astype(np.int64)


@dataclass(frozen=True, slots=True)
class CollocatePlaces:
    """What one collocate has in the windows; see `collocates.Collocate`."""

    mean_position: float
    n_hits: int
    n_texts: int


def collocate_places(
    values: TypeValues, chosen: I64, blocks: Iterable[WindowBlock], window: Window
) -> list[CollocatePlaces]:
    """Look at the windows again for a few values.

    Parameters
    ----------
    chosen : ndarray of shape (n_chosen,)
        Value numbers, at most 65 535.
    blocks : iterable of WindowBlock
        Of whole documents each.

    Returns
    -------
    list of CollocatePlaces
        In the order of ``chosen``. O(hits * distances) for each 64 of them.
    """
    number_of_type = numbers_of_types(values, chosen)
    n_numbers = len(chosen) + 1
    tokens, distances, n_hits, n_texts = np.zeros((4, n_numbers), dtype=np.int64)

    def count(block: WindowBlock) -> tuple[I64, I64, I64]:
        found = number_of_type.take(block.types, mode="clip")
        by_place = [np.bincount(numbers, minlength=n_numbers) for numbers in found.T]
        starts = np.flatnonzero(np.diff(block.document, prepend=-1))
        sets = [sets_held(found, first) for first in range(1, n_numbers, SET_BITS)]
        return (
            np.array(by_place),
            _sizes(sets, n_numbers),
            _sizes([np.bitwise_or.reduceat(held, starts) for held in sets], n_numbers),
        )

    for by_place, hits, texts in in_parallel(count, blocks):
        tokens += by_place.sum(axis=0)
        distances += window.places @ by_place
        n_hits += hits
        n_texts += texts
    means = distances / np.maximum(tokens, 1)
    return [
        CollocatePlaces(*place)
        for place in zip(means[1:].tolist(), n_hits[1:].tolist(), n_texts[1:].tolist(), strict=True)
    ]


def numbers_of_types(values: TypeValues, chosen: I64) -> Numbers:
    """Give each type the number of its value from 1, 0 for the others and the sentence's end.

    Returns
    -------
    ndarray of shape (n_types + 1,)
    """
    narrow = np.uint8 if len(chosen) <= np.iinfo(np.uint8).max else np.uint16
    numbers = np.zeros(values.n_values, dtype=narrow)
    numbers[chosen] = np.arange(1, len(chosen) + 1)
    return np.append(numbers[values.numbers], narrow(0))


def sets_held(found: Numbers, first: int) -> U64:
    """Return which of 64 values each window holds, a bit each from the number ``first``.

    Parameters
    ----------
    found : ndarray of shape (n_hits, n_places)
        Numbers of values, 0 for none.

    Returns
    -------
    ndarray of shape (n_hits,)
    """
    bits = np.zeros(np.iinfo(found.dtype).max + 1, dtype=np.uint64)
    chosen = bits[first : first + SET_BITS]
    chosen[:] = np.uint64(1) << np.arange(len(chosen), dtype=np.uint64)
    held = np.zeros(len(found), dtype=np.uint64)
    for numbers in found.T:
        held |= bits.take(numbers)
    return held


def _sizes(sets: list[U64], n_numbers: int) -> I64:
    """Count the sets that hold each number, eight numbers at a time; none holds 0."""
    sizes = [np.zeros(1, dtype=np.int64)]
    for held in sets:
        octets = held.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
        sizes += [np.bincount(octet, minlength=256) @ _BITS_OF_OCTET for octet in octets.T]
    return np.concatenate(sizes)[:n_numbers]
