"""Columns of the lexicon read backwards: which types have a form, which forms a lower-case form.

Input → output: a column and some of its values → the numbers of the rows that hold them.
"""

import threading
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from search.engine.arrays import I64, U32
from search.engine.index.lexicon.lexicon import Lexicon, LexiconView

HALF = np.uint64(32)
FEW_SHARE = 32  # with more values than rows divided by this, the column is read through a table
MOST_NEW_SHARE = 16  # when more rows than one in so many are new, the column is inverted again


@dataclass(frozen=True, slots=True)
class _Inverted:
    """The rows of a column by value: ``values`` ascending, ``rows`` ascending for each value."""

    values: U32
    rows: U32

    def find(self, values: I64) -> I64:
        """Return the rows that hold some values, in no particular order."""
        narrow = values.astype(np.uint32)
        starts = np.searchsorted(self.values, narrow)
        lengths = np.searchsorted(self.values, narrow, side="right") - starts
        first = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum())) + np.repeat(starts - first, lengths)
        found: I64 = self.rows[places].astype(np.int64)
        return found


_inverted: "WeakKeyDictionary[Lexicon, dict[str, _Inverted]]" = WeakKeyDictionary()
_lock = threading.Lock()


def indices_of(lexicon: LexiconView, column: str, values: I64) -> I64:
    """Return where a column of the lexicon holds some values.

    Parameters
    ----------
    column : str
        ``words`` or ``lemmas`` (by type), ``lower``, ``plain`` or ``folded`` (by form).
    values : ndarray of shape (n_values,)
        Form numbers, ascending.

    Returns
    -------
    ndarray of shape (n_rows,)
        Type or form numbers, ascending. Few values are looked up, many tested in one pass.
    """
    rows: U32 = getattr(lexicon, column)
    if not len(values):
        return values
    if len(values) * FEW_SHARE > len(rows):
        table = np.zeros(lexicon.size.n_forms, dtype=np.bool_)
        table[values] = True
        return np.flatnonzero(table[rows])
    inverted = _of(lexicon.lexicon, column, rows)
    found = inverted.find(values)
    found = found[found < len(rows)]
    new = rows[len(inverted.rows) :]
    if len(new):
        at = np.minimum(values.searchsorted(new), len(values) - 1)
        found = np.concatenate([found, np.flatnonzero(values[at] == new) + len(inverted.rows)])
    found.sort()
    return found


def _of(lexicon: Lexicon, name: str, column: U32) -> _Inverted:
    """Return a column inverted, perhaps without its last few rows."""
    with _lock:
        known = _inverted.setdefault(lexicon, {})
        inverted = known.get(name)
        n_new = len(column) - (0 if inverted is None else len(inverted.rows))
        if inverted is None or n_new * MOST_NEW_SHARE > len(column):
            inverted = known[name] = _invert(column)
    return inverted


def _invert(column: U32) -> _Inverted:
    packed = (column.astype(np.uint64) << HALF) | np.arange(len(column), dtype=np.uint64)
    packed.sort()
    return _Inverted((packed >> HALF).astype(np.uint32), packed.astype(np.uint32))
