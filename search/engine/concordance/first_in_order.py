"""The first lines of a long list in order, without sorting the list.

Input → output: keys of n lines, made on demand → the numbers of the first k. Whole columns are only
cut at their k-th smallest value (introselect, on average linear); the other keys are made for the
lines that tie there alone.

References
----------
C. A. R. Hoare, Algorithm 65: Find, Communications of the ACM 4 (1961); numpy.partition.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Index = npt.NDArray[np.intp]
U64 = npt.NDArray[np.uint64]
Keys = Callable[[Index | None], U64]


def first_in_order(keys: Sequence[Keys], n: int, k: int) -> Index:
    """Return which lines come first, ascending by number.

    Parameters
    ----------
    keys : sequence of callable
        Each gives its values for some lines by number, or for all if asked with None; the first
        decides first. Lines equal in all of them come in the order of their numbers.
    n, k : int
        How many lines there are, and how many are wanted.

    Returns
    -------
    ndarray of shape (min(n, k),)
        On average O(n), where few lines tie at the edge.

    Examples
    --------
    >>> values = np.array([5, 3, 9, 3], dtype=np.uint64)
    >>> first_in_order([lambda some: values if some is None else values[some]], 4, 2)
    array([1, 3])
    """
    taken = [np.empty(0, dtype=np.intp)]
    tied: Index | None = None
    n_tied = n
    for key in keys:
        if n_tied <= k or k <= 0:
            break
        values = key(tied)
        edge = np.partition(values, k - 1)[k - 1]
        before, same = np.flatnonzero(values < edge), np.flatnonzero(values == edge)
        taken.append(before if tied is None else tied[before])
        tied = same if tied is None else tied[same]
        k, n_tied = k - len(before), len(tied)
    rest = np.arange(n_tied) if tied is None else tied
    taken.append(rest[: max(k, 0)])
    return np.sort(np.concatenate(taken))


def n_before(keys: Sequence[Keys], n: int, own: Sequence[np.uint64]) -> tuple[int, Index]:
    """Return how many lines come before one with given values, and which are equal to it."""
    before = 0
    tied: Index | None = None
    for key, value in zip(keys, own, strict=True):
        values = key(tied)
        before += int(np.count_nonzero(values < value))
        same = np.flatnonzero(values == value)
        tied = same if tied is None else tied[same]
    return before, np.arange(n) if tied is None else tied
