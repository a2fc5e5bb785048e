"""Cross tables: hits by two keys at once, with margins.

Input → output: hits and two keys → counts of the most frequent rows and columns; the rest is in the
margins.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Hits
from search.engine.index.joined_names import JOINED_COLUMNS
from search.engine.index.selection import Selection
from search.engine.statistics.counting.grouping import Grouping, group_hits
from search.engine.statistics.counting.hit_values import HitColumn, Key, tokens_by_columns
from search.engine.statistics.frequency import largest

I64 = npt.NDArray[np.int64]

TIME_COLUMNS = ("month", "year")


@dataclass(frozen=True, slots=True)
class Margin:
    """One side of a cross table: values shown with all their hits, and how many values there are.

    Values of time stand in order of time, others by hits.
    """

    values: tuple[str, ...]
    totals: tuple[int, ...]
    n_values: int


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Hits by row and column.

    ``counts`` has shape (n_rows, n_columns), as has ``tokens``: what the rate of each cell refers
    to, the tokens of the texts of the same publication, month and so on of row and column, or of
    all texts where neither is a property of texts.
    """

    rows: Margin
    columns: Margin
    counts: I64
    tokens: I64
    n_hits: int

    @property
    def per_million(self) -> npt.NDArray[np.float64]:
        """Hits of each cell per million of its tokens; 0 where there are none."""
        return 1e6 * self.counts / np.maximum(1, self.tokens)


def cross_table(
    hits: Hits,
    keys: tuple[Key, Key],
    limits: tuple[int, int],
    selection: Selection | None = None,
) -> CrossTable:
    """Count hits by rows and columns.

    Parameters
    ----------
    keys : tuple of two Key
        Of the rows and of the columns.
    limits : tuple of two int
        How many rows and columns are shown: those with most hits, of months and years the latest.
    selection : Selection or None
        See `search.engine.statistics.frequency.frequencies`.

    Returns
    -------
    CrossTable
        O(hits), or O(types) for attributes of one-token nodes.
    """
    groups = group_hits(hits, keys, selection)
    if any(isinstance(key, HitColumn) and key.name in JOINED_COLUMNS for key in keys):
        # A hit may stand in several cells of a row, and counts once in its margin.
        sides = [
            _side(group_hits(hits, [keys[place]], selection), 0, keys[place], limits[place])
            for place in (0, 1)
        ]
    else:
        sides = [_side(groups, place, keys[place], limits[place]) for place in (0, 1)]
    counts = np.zeros((len(sides[0][1]), len(sides[1][1])), dtype=np.int64)
    row = _places(groups.numbers[0], sides[0][1])
    column = _places(groups.numbers[1], sides[1][1])
    is_shown = (row >= 0) & (column >= 0)
    counts[row[is_shown], column[is_shown]] = groups.counts[is_shown]
    shown = (sides[0][1], sides[1][1])
    tokens = _tokens(hits, keys, shown, selection)
    return CrossTable(sides[0][0], sides[1][0], counts, tokens, hits.total)


def _tokens(
    hits: Hits, keys: tuple[Key, Key], shown: tuple[I64, I64], selection: Selection | None
) -> I64:
    """Return the tokens that the rate of each cell refers to: shape (n_rows, n_columns)."""
    shape = (len(shown[0]), len(shown[1]))
    places = [i for i, key in enumerate(keys) if isinstance(key, HitColumn)]
    if not places or selection is None:
        return np.full(shape, hits.base.n_tokens)
    bases = tokens_by_columns(selection, [key.name for key in keys if isinstance(key, HitColumn)])
    tokens = np.zeros(shape, dtype=np.int64)
    for cell in np.ndindex(shape):
        tokens[cell] = bases.get(tuple(int(shown[i][cell[i]]) for i in places), 0)
    return tokens


def _side(groups: Grouping, place: int, key: Key, limit: int) -> tuple[Margin, I64]:
    """Return the margin of one key and the value numbers it shows."""
    numbers, inverse = np.unique(groups.numbers[place], return_inverse=True)
    totals = np.bincount(inverse, weights=groups.counts, minlength=len(numbers)).astype(np.int64)
    spell = groups.spellers[place]
    if isinstance(key, HitColumn) and key.name in TIME_COLUMNS:
        shown = np.arange(len(numbers))[-limit:]
    else:
        shown = largest(totals, limit, lambda i: (spell(int(numbers[i])),))
    values = tuple(spell(number) for number in numbers[shown].tolist())
    return Margin(values, tuple(totals[shown].tolist()), len(numbers)), numbers[shown]


def _places(numbers: I64, shown: I64) -> I64:
    """Return the place of each number among those shown, -1 for the others."""
    if not len(shown):
        return np.full(len(numbers), -1)
    order = np.argsort(shown)
    at = np.minimum(np.searchsorted(shown, numbers, sorter=order), len(shown) - 1)
    places = order[at]
    return np.where(shown[places] == numbers, places, -1)
