"""The longest increasing part of a row of numbers: what stayed in order when things were moved."""

from bisect import bisect_left
from collections.abc import Sequence


def longest_increasing(values: Sequence[int]) -> list[int]:
    """Find a longest strictly increasing subsequence.

    Parameters
    ----------
    values
        Any whole numbers.

    Returns
    -------
    list of int
        Positions in `values`, ascending. Of several longest ones that with the smallest values.

    Notes
    -----
    By patience sorting in O(n log n) (Fredman 1975).

    References
    ----------
    Fredman, M. (1975), On computing the length of longest increasing subsequences, Discrete
    Mathematics 11.

    Examples
    --------
    >>> longest_increasing([5, 0, 1, 9, 2])
    [1, 2, 4]
    """
    tops: list[int] = []  # smallest last value of an increasing row of each length
    places: list[int] = []  # and where it stands
    before: list[int] = []  # for each position the one before it in its row, -1 for none
    for at, value in enumerate(values):
        length = bisect_left(tops, value)
        before.append(places[length - 1] if length else -1)
        tops[length : length + 1] = [value]
        places[length : length + 1] = [at]
    found: list[int] = []
    at = places[-1] if places else -1
    while at >= 0:
        found.append(at)
        at = before[at]
    return found[::-1]
