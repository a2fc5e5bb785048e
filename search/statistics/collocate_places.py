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

NOT_CHOSEN = -1
LARGEST_TABLE = 1 << 25  # bytes; above it, what is distinct is found by sorting


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
        Value numbers, each with at least one token in the windows.
    blocks : iterable of WindowBlock
        Of whole documents each.
    window : Window

    Returns
    -------
    list of CollocatePlaces
        In the order of ``chosen``. O(hits * distances + k log k) for k tokens of these values.
    """
    row_of_type = _rows_of_types(values, chosen)
    tokens, distances, n_hits, n_texts = np.zeros((4, len(chosen)))
    for block in blocks:
        row, step, hit = _cells(row_of_type.take(block.types, mode="clip"))
        tokens += np.bincount(row, minlength=len(chosen))
        distances += np.bincount(
            row, weights=np.array(window.distances)[step], minlength=len(chosen)
        )
        n_hits += _distinct_by_row(row, hit, len(chosen))
        n_texts += _distinct_by_row(row, block.document[hit], len(chosen))
    means = distances / np.maximum(tokens, 1)
    return [
        CollocatePlaces(mean, int(hits), int(texts))
        for mean, hits, texts in zip(means.tolist(), n_hits, n_texts, strict=True)
    ]


def _rows_of_types(values: TypeValues, chosen: I64) -> npt.NDArray[np.int32]:
    """Return the row of each type; the last place is for the end of the sentence."""
    rows = np.full(values.n_values, NOT_CHOSEN, dtype=np.int32)
    rows[chosen] = np.arange(len(chosen))
    return np.append(rows[values.numbers], np.int32(NOT_CHOSEN))


def _cells(rows: npt.NDArray[np.int32]) -> tuple[I64, I64, I64]:
    """Return row, number of the distance and number of the hit of each chosen token."""
    flat = rows.reshape(-1)
    cells = np.flatnonzero(flat != NOT_CHOSEN)
    step = cells // rows.shape[1]
    return flat[cells].astype(np.int64), step, cells - step * rows.shape[1]


def _distinct_by_row(row: I64, thing: I64, n_rows: int) -> I64:
    """Count the distinct things of each row; things are numbers close together."""
    first = int(thing.min(initial=thing[0] if len(thing) else 0))
    width = int(thing.max(initial=first)) - first + 1
    packed = row * width + (thing - first)
    if n_rows * width > LARGEST_TABLE:
        return np.bincount(np.unique(packed) // width, minlength=n_rows)
    is_there = np.zeros(n_rows * width, dtype=np.bool_)
    is_there[packed] = True
    counts: I64 = is_there.reshape(n_rows, width).sum(axis=1)
    return counts
