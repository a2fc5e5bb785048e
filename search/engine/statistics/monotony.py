"""Does a series rise or fall? Theil–Sen slope and Mann–Kendall test, free of assumptions.

Input → output: values in order of time, gaps as nan → slope per step; S, variance, p.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]

_ROUNDING = 1e-9  # sums of weights are equal up to this
MOST_SHUFFLED = 7  # up to so many weighted values S is compared with that of all their orders
MOST_EXACT = 10  # up to so many values without ties S is compared with its exact distribution


def theil_sen_slope(values: npt.ArrayLike, sizes: npt.ArrayLike | None = None) -> float:
    r"""Compute the median of the slopes between all pairs of values.

    Parameters
    ----------
    values : array_like of shape (n,)
        In order of time, at equal distances; nan where there is none.
    sizes : array_like of shape (n,) or None
        What each value, a rate, rests on: then the median is weighted, see `pair_weights`.

    Returns
    -------
    float
        Units of the values per step; nan with fewer than two values. O(n² log n).

    Notes
    -----
    :math:`\beta = \mathrm{median}_{i<j} \frac{x_j - x_i}{j - i}`. Up to 29 % of the values may be
    outliers without moving it much. Weights of slopes in the median: Sievers, Weighted rank
    statistics for simple linear regression, Journal of the American Statistical Association 73
    (1978).

    References
    ----------
    H. Theil, A rank-invariant method of linear and polynomial regression analysis (1950); P. K.
    Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the American
    Statistical Association 63 (1968).

    Examples
    --------
    >>> theil_sen_slope([1.0, 2.0, 30.0, 4.0, 5.0])
    1.0
    """
    places, there = _there(values)
    if len(there) < 2:
        return math.nan
    first, second = np.triu_indices(len(there), 1)
    slopes = (there[second] - there[first]) / (places[second] - places[first])
    if sizes is None:
        return float(np.median(slopes))
    return weighted_median(slopes, pair_weights(np.asarray(sizes, dtype=np.float64)[places]))


def pair_weights(sizes: F64) -> F64:
    r"""Weigh all pairs of rates by how well their difference is known.

    :math:`w_{ij} = 1 / (1/n_i + 1/n_j)`, the reciprocal of its variance but for a factor, as if
    each token were drawn by itself.

    Returns
    -------
    ndarray of shape (n (n - 1) / 2,)
        In the order of ``np.triu_indices``.
    """
    first, second = np.triu_indices(len(sizes), 1)
    a, b = sizes[first], sizes[second]
    return np.asarray(a * b / np.maximum(a + b, 1))


def weighted_median(values: F64, weights: F64) -> float:
    """Return where half of the weight lies on either side; the middle of two where both fit.

    Examples
    --------
    >>> weighted_median(np.array([1.0, 2.0, 30.0]), np.array([1.0, 1.0, 1.0]))
    2.0
    >>> weighted_median(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    1.5
    >>> weighted_median(np.array([1.0, 2.0, 30.0]), np.array([1.0, 1.0, 5.0]))
    30.0
    """
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    half = sums[-1] / 2
    low = int(np.searchsorted(sums, half * (1 - _ROUNDING)))
    high = int(np.searchsorted(sums, half * (1 + _ROUNDING), side="right"))
    high = min(high, len(order) - 1)
    return float((values[order[low]] + values[order[high]]) / 2)


@dataclass(frozen=True, slots=True)
class MonotonyTest:
    """Result of a Mann–Kendall test.

    Parameters
    ----------
    s : float
        Pairs that rise less pairs that fall, by their weights.
    variance : float
        Of S without trend, corrected for ties.
    z : float
        S less 1 towards zero, in standard deviations; 0 without variance.
    p : float
        Probability of an S at least as far from zero without trend, two-sided.
    n : int
        Values.
    is_exact : bool
        Whether p comes from the exact distribution instead of the normal one.
    """

    s: float
    variance: float
    z: float
    p: float
    n: int
    is_exact: bool


def mann_kendall(values: npt.ArrayLike, sizes: npt.ArrayLike | None = None) -> MonotonyTest | None:
    r"""Test whether a series rises or falls throughout.

    Parameters
    ----------
    values : array_like of shape (n,)
        In order of time; nan where there is none.

    sizes : array_like of shape (n,) or None
        What each value, a rate, rests on: pairs then count by `pair_weights`, 1 in the mean.

    Returns
    -------
    MonotonyTest or None
        None with fewer than three values: they decide nothing. O(n²).

    Notes
    -----
    :math:`S = \sum_{i<j} \mathrm{sgn}(x_j - x_i)`,
    :math:`\mathrm{Var}(S) = \frac{1}{18}\left(n(n-1)(2n+5) - \sum_t t(t-1)(2t+5)\right)` over
    groups of :math:`t` equal values, :math:`z = (S \mp 1) / \sqrt{\mathrm{Var}(S)}`. Values that
    depend on their neighbours make p too small.

    By sizes, :math:`S = \sum_{i<j} w_{ij}\,\mathrm{sgn}(x_j - x_i)`. Where all orders are equally
    likely, two signs that share a value have a covariance of 1/3, or -1/3 where it is the first of
    one pair and the second of the other, so :math:`\mathrm{Var}(S) = \sum w_{ij}^2 + \frac{1}{3}
    \sum_i ((\sum_j a_{ij})^2 - \sum_j a_{ij}^2)` with :math:`a_{ij} = w_{ij}` for :math:`j > i`,
    else :math:`-w_{ij}`; with equal weights that is the variance above. Ties leave it as it is.

    References
    ----------
    H. B. Mann, Nonparametric tests against trend, Econometrica 13 (1945); M. G. Kendall, Rank
    Correlation Methods, 4th ed., London 1975.

    Examples
    --------
    >>> test = mann_kendall([10, 15, 14, 20])
    >>> test.s, round(test.p, 3)
    (4, 0.333)
    """
    places, there = _there(values)
    n = len(there)
    if n < 3:
        return None
    if sizes is not None:
        return _weighted(there, np.asarray(sizes, dtype=np.float64)[places])
    s = int(np.sign(there[None, :] - there[:, None])[np.triu_indices(n, 1)].sum())
    ties = np.unique(there, return_counts=True)[1].astype(np.float64)
    variance = (n * (n - 1) * (2 * n + 5) - float((ties * (ties - 1) * (2 * ties + 5)).sum())) / 18
    z = (s - math.copysign(1, s)) / math.sqrt(variance) if s and variance else 0.0
    if n <= MOST_EXACT and len(ties) == n:
        return MonotonyTest(s, variance, z, _exact_p(n, s), n, is_exact=True)
    return MonotonyTest(s, variance, z, math.erfc(abs(z) / math.sqrt(2)), n, is_exact=False)


def _weighted(there: F64, sizes: F64) -> MonotonyTest:
    """Test rates by what they rest on; of few p is the share of all their orders."""
    n = len(there)
    upper = np.zeros((n, n))
    upper[np.triu_indices(n, 1)] = pair_weights(sizes)
    upper *= n * (n - 1) / 2 / max(float(upper.sum()), 1.0)
    signed = upper - upper.T
    s = float(_weighted_s(there, upper))
    shared = (signed.sum(axis=1) ** 2 - (signed**2).sum(axis=1)).sum() / 3
    variance = float((upper**2).sum() + shared)
    z = s / math.sqrt(variance) if variance > 0 else 0.0
    if n <= MOST_SHUFFLED:
        orders = np.array(list(permutations(there.tolist())))
        extreme = np.abs(_weighted_s(orders, upper)) >= abs(s) * (1 - _ROUNDING)
        return MonotonyTest(s, variance, z, float(extreme.mean()), n, is_exact=True)
    return MonotonyTest(s, variance, z, math.erfc(abs(z) / math.sqrt(2)), n, is_exact=False)


def _weighted_s(series: F64, weights: F64) -> F64:
    """Sum the signs of all pairs of the last axis by their weights."""
    signs = np.sign(series[..., None, :] - series[..., :, None])
    return np.asarray((signs * weights).sum(axis=(-1, -2)), dtype=np.float64)


def _exact_p(n: int, s: int) -> float:
    """Return the share of orders of n values whose S is at least as far from zero.

    S is all pairs less twice the inversions.
    """
    pairs = n * (n - 1) // 2
    counts = _inversions(n)
    extreme = sum(c for k, c in enumerate(counts) if abs(pairs - 2 * k) >= abs(s))
    return extreme / math.factorial(n)


@lru_cache(maxsize=MOST_EXACT)
def _inversions(n: int) -> tuple[int, ...]:
    """Count the orders of n values by their inversions, adding one value after the other."""
    counts = [1]
    for size in range(2, n + 1):
        longer = [0] * (len(counts) + size - 1)
        for k, count in enumerate(counts):
            for more in range(size):
                longer[k + more] += count
        counts = longer
    return tuple(counts)


def _there(values: npt.ArrayLike) -> tuple[npt.NDArray[np.intp], F64]:
    """Leave out gaps: places and values of what is there."""
    series = np.asarray(values, dtype=np.float64)
    places = np.flatnonzero(~np.isnan(series))
    return places, series[places]
