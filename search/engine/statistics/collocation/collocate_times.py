"""When collocates stand near the hits: the share of the hits of each quarter that have them.

Input → output: hits, a window, chosen values → hits with each of them by quarter of publication;
those in texts without a date are left out.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Hits
from search.engine.statistics.collocation.collocate_places import (
    SET_BITS,
    numbers_of_types,
    sets_held,
)
from search.engine.statistics.counting.attribute_values import TypeValues
from search.engine.statistics.counting.hit_values import NOTHING, column_values
from search.engine.statistics.counting.windows import Window, window_blocks

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

MONTHS_IN_QUARTER = 3
_NO_QUARTER = -1  # of texts without a date, which are left out


@dataclass(frozen=True, slots=True)
class CollocateTimes:
    """Quarters from the first with hits to the last.

    ``names`` are ``2026 Q1`` and so on; ``hits`` has shape (n_quarters,), ``with_value`` shape
    (n_values, n_quarters).
    """

    names: tuple[str, ...]
    hits: I64
    with_value: I64

    @property
    def shares(self) -> F64:
        """Share of the hits of each quarter that have each value; 0 in a quarter without hits."""
        shares: F64 = self.with_value / np.maximum(1, self.hits)
        return shares


def collocate_times(hits: Hits, values: TypeValues, chosen: I64, window: Window) -> CollocateTimes:
    """Count hits by quarter and by the values in their windows.

    Parameters
    ----------
    chosen : ndarray of shape (n_values,)
        Value numbers, at most 65 535.

    Returns
    -------
    CollocateTimes
        O(hits * distances) for each 64 values. Empty without hits.
    """
    quarters = _quarters(hits)
    has_quarter = quarters != _NO_QUARTER
    counts = np.bincount(
        quarters[has_quarter], weights=_hits_by_document(hits)[has_quarter]
    ).astype(np.int64)
    outer = np.flatnonzero(counts)
    if not len(outer):
        return CollocateTimes((), counts[:0], np.zeros((len(chosen), 0), dtype=np.int64))
    first, stop = int(outer[0]), int(outer[-1]) + 1
    with_value = np.zeros((len(chosen), stop - first), dtype=np.int64)
    number_of_type = numbers_of_types(values, chosen)
    for block in window_blocks(hits, window):
        found = number_of_type.take(block.types, mode="clip")
        quarter = quarters[block.document] - first
        for start in range(0, len(chosen), SET_BITS):
            held = sets_held(found, start + 1)
            for row in range(start, min(start + SET_BITS, len(chosen))):
                has_value = (held >> np.uint64(row - start)) & np.uint64(1) != 0
                has_value &= has_quarter[block.document]
                with_value[row] += np.bincount(quarter[has_value], minlength=stop - first)
    names = tuple(f"{number // 4} Q{number % 4 + 1}" for number in range(first, stop))
    return CollocateTimes(names, counts[first:stop], with_value)


def _quarters(hits: Hits) -> I64:
    """Return the quarter of each document of the segments with hits, counted since the year 0.

    Texts without a date have `_NO_QUARTER`.
    """
    months = [column_values(part.view.segment.documents, "month") for part in hits.parts]
    number = np.concatenate([np.empty(0, dtype=np.int64), *months])
    return np.where(number == NOTHING, _NO_QUARTER, number // MONTHS_IN_QUARTER)


def _hits_by_document(hits: Hits) -> I64:
    counts = [part.document_counts for part in hits.parts]
    return np.concatenate([np.empty(0, dtype=np.int64), *counts])
