"""How far people who sorted the same things into categories agree beyond chance.

Input → output: what each said of each thing → observed and expected agreement, and kappa.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on ``n`` things: shares from 0 to 1, and kappa.

    ``kappa`` is None where nothing was sorted, or chance alone would make all agree.
    """

    n: int
    observed: float
    expected: float

    @property
    def kappa(self) -> float | None:
        """Agreement beyond chance, 1 for perfect and 0 for none."""
        if not self.n or self.expected >= 1:
            return None
        return (self.observed - self.expected) / (1 - self.expected)


def cohen(pairs: Sequence[tuple[Hashable, Hashable]]) -> Agreement:
    r"""Compare two people.

    Parameters
    ----------
    pairs : sequence of (value, value)
        What the first and the second said of each thing that both sorted.

    Notes
    -----
    :math:`\kappa = (p_o - p_e) / (1 - p_e)`, where :math:`p_e = \sum_k p_{1k} p_{2k}` is expected
    of two who choose by chance, each as often as they do.

    References
    ----------
    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological
    Measurement 20 (1960).

    Examples
    --------
    >>> found = cohen([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")])
    >>> found.observed, found.expected, found.kappa
    (0.75, 0.5, 0.5)
    """
    n = len(pairs)
    if not n:
        return Agreement(0, 0.0, 0.0)
    first, second = Counter(pair[0] for pair in pairs), Counter(pair[1] for pair in pairs)
    same = sum(one == other for one, other in pairs)
    by_chance = sum(first[value] * second[value] for value in first)
    return Agreement(n, same / n, by_chance / n**2)


def fleiss(counts: npt.NDArray[np.int64]) -> Agreement:
    r"""Compare two or more people at once.

    Parameters
    ----------
    counts : ndarray of shape (n_things, n_categories)
        How many people put each thing into each category; each row adds up to the same number of
        people, 2 or more.

    Raises
    ------
    ValueError
        If not as many people sorted each thing.

    Notes
    -----
    :math:`\bar P` is the share of pairs of people that agree on a thing, averaged over things, and
    :math:`\bar P_e = \sum_j p_j^2` with :math:`p_j` the share of category j among all choices.

    References
    ----------
    J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76
    (1971).

    Examples
    --------
    >>> round(fleiss(np.array([[2, 0], [0, 2], [1, 1]])).kappa, 9)
    0.333333333
    """
    if not len(counts):
        return Agreement(0, 0.0, 0.0)
    people = counts.sum(axis=1)
    n = int(people[0])
    if n < 2 or (people != n).any():
        raise ValueError("each thing is sorted by the same number of people, at least two")
    agreeing = (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))
    shares = counts.sum(axis=0) / counts.sum()
    return Agreement(len(counts), float(agreeing.mean()), float((shares**2).sum()))
