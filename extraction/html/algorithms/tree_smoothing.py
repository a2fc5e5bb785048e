"""Isotonic smoothing of scores on a tree: no element scores higher than what it contains.

Scores of elements → the nearest scores (least sum of absolute changes) that never fall from parent
to child, with a penalty c for each edge on which they differ, or without one.

References
----------
D. Chakrabarti, R. Kumar, K. Punera: Page-level template detection via isotonic smoothing. WWW 2007.
K. Punera, J. Ghosh: Enhanced hierarchical classification via isotonic smoothing. WWW 2008.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def smooth(scores: Sequence[float], parents: Sequence[int], penalty: float = 0.0) -> list[float]:
    """Smooth the scores of a tree.

    Parameters
    ----------
    scores
        One a node. The answer takes its values from them.
    parents
        Position of each node's parent, which comes before it; -1 for a root (there may be several).
    penalty
        c: cost of each edge whose ends get different values; 0 is plain isotonic regression.

    Returns
    -------
    list of float
        y with y[parent] <= y[child] that minimises sum |score - y| + penalty x changed edges. Of
        equally good answers the one with the smallest value at the root, and a child like its
        parent.

    Notes
    -----
    With s the sorted distinct scores and val(i, j) the least cost below i when y(i) = s(j):
    val(i, j) = |x(i) - s(j)| + sum over children k of min(val(k, j), c + min over j' > j of
    val(k, j')). Suffix minima make it O(nodes x distinct scores) in time and memory, so callers
    round scores where trees are large.

    Examples
    --------
    >>> smooth([0.9, 0.2, 0.4], [-1, 0, 0])
    [0.2, 0.2, 0.4]
    """
    if not len(scores):
        return []
    own = np.asarray(scores, dtype=np.float64)
    values = np.unique(own)
    cost = np.abs(own[:, None] - values[None, :])
    better = np.zeros(cost.shape, dtype=bool)  # a larger value than the parent's is cheaper
    above = np.zeros(cost.shape, dtype=np.int64)  # which larger one
    for node in range(len(own) - 1, -1, -1):
        changed, above[node] = _best_above(cost[node])
        better[node] = changed + penalty < cost[node]
        parent = parents[node]
        if parent >= 0:
            cost[parent] += np.where(better[node], changed + penalty, cost[node])
    chosen = np.zeros(len(own), dtype=np.int64)
    for node, parent in enumerate(parents):
        if parent < 0:
            chosen[node] = int(cost[node].argmin())
        else:
            level = chosen[parent]
            chosen[node] = above[node, level] if better[node, level] else level
    return [float(values[level]) for level in chosen]


def _best_above(
    cost: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Least cost among larger values, and which one it is; infinite for the largest."""
    least = np.full(len(cost), np.inf)
    where = np.zeros(len(cost), dtype=np.int64)
    if len(cost) > 1:
        reversed_least = np.minimum.accumulate(cost[:0:-1])
        least[:-1] = reversed_least[::-1]
        positions = np.arange(len(cost) - 1, 0, -1)
        is_new = np.concatenate([[True], cost[:0:-1][1:] <= reversed_least[:-1]])
        where[:-1] = np.maximum.accumulate(np.where(is_new, np.arange(len(positions)), 0))[::-1]
        where[:-1] = positions[where[:-1]]
    return least, where
