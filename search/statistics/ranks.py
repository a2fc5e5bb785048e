"""Numbers replaced by their ranks among the distinct ones.

Input → output: numbers from 0 up → the distinct ones and the place of each number among them.
"""

import numpy as np
import numpy.typing as npt

I64 = npt.NDArray[np.int64]

# Up to so many possible numbers a table is faster than sorting, even for few of them.
TABLE_SIZE = 1 << 22


def ranked(numbers: I64) -> tuple[I64, I64]:
    """Return the distinct numbers and the rank of each number among them.

    Parameters
    ----------
    numbers : ndarray of shape (n,)
        Not negative.

    Returns
    -------
    tuple of ndarrays of shape (n_distinct,) and (n,)
        As ``np.unique`` with ``return_inverse`` gives them; O(n + largest number) where that is
        not much larger than n, else O(n log n).

    Examples
    --------
    >>> ranked(np.array([7, 3, 7]))
    (array([3, 7]), array([1, 0, 1]))
    """
    size = int(numbers.max(initial=-1)) + 1
    if size > max(TABLE_SIZE, len(numbers)):
        distinct, ranks = np.unique(numbers, return_inverse=True)
        return distinct, ranks.astype(np.int64)
    is_present = np.zeros(size, dtype=np.bool_)
    is_present[numbers] = True
    return np.flatnonzero(is_present), (np.cumsum(is_present) - 1)[numbers]
