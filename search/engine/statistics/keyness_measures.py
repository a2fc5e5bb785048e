"""How much more frequent an item is in one stretch of text than in another: the measures.

Input → output: frequencies of items in two corpora and the sizes of these → a score per item. All
functions work on whole arrays. ``a`` and ``b`` are the frequencies here and there, ``n`` and ``m``
the tokens of the two corpora, both positive.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]
Counts = npt.NDArray[np.integer]

PER_MILLION = 1e6
ABSENT_HITS = 0.5  # Hardie (2014): a frequency of zero counts as half an occurrence
ABSENT_RATE = 1e-18  # Gabrielatos and Marchi (2012): stands for a normalized frequency of zero


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Frequencies of items in two corpora.

    Parameters
    ----------
    a, b : ndarray of shape (n_items,)
        Occurrences here and there.
    n, m : int
        Tokens here and there, at least 1.
    """

    a: Counts
    b: Counts
    n: int
    m: int

    def __post_init__(self) -> None:
        if self.n < 1 or self.m < 1:
            raise ValueError("Both corpora need at least one token.")

    @property
    def rate_a(self) -> F64:
        """Occurrences per million tokens here."""
        return self.a.astype(np.float64) * (PER_MILLION / self.n)

    @property
    def rate_b(self) -> F64:
        """Occurrences per million tokens there."""
        return self.b.astype(np.float64) * (PER_MILLION / self.m)


def log_likelihood(items: Frequencies) -> F64:
    r"""Compute the log-likelihood of two cells, as corpus linguists do.

    Returns
    -------
    ndarray of shape (n_items,)
        From 0; 3.84 and more are significant at 5 %, 15.13 at 0.01 %, for one comparison.

    Notes
    -----
    With :math:`E_a = n (a + b) / (n + m)` and :math:`E_b = m (a + b) / (n + m)`,

    .. math:: G^2 = 2 (a \ln (a / E_a) + b \ln (b / E_b)), \quad 0 \ln 0 = 0.

    References
    ----------
    P. Rayson and R. Garside, Comparing corpora using frequency profiling, Workshop on Comparing
    Corpora, ACL 2000.
    """
    pooled = (items.a + items.b) / (items.n + items.m)
    return 2 * (_surprise(items.a, pooled * items.n) + _surprise(items.b, pooled * items.m))


def log_likelihood_ratio(items: Frequencies) -> F64:
    r"""Compute the log-likelihood of all four cells of the contingency table.

    Returns
    -------
    ndarray of shape (n_items,)
        From 0; a little more than `log_likelihood`, much more only for items that make up a good
        share of the tokens.

    Notes
    -----
    :math:`G^2 = 2 \sum O \ln (O / E)` over a, b, n - a and m - b.

    References
    ----------
    T. Dunning, Accurate methods for the statistics of surprise and coincidence, Computational
    Linguistics 19 (1993).
    """
    pooled = (items.a + items.b) / (items.n + items.m)
    others = _surprise(items.n - items.a, (1 - pooled) * items.n)
    others += _surprise(items.m - items.b, (1 - pooled) * items.m)
    return log_likelihood(items) + 2 * others


def _surprise(observed: Counts, expected: F64) -> F64:
    """Return O ln(O / E), 0 where nothing was observed."""
    seen = observed > 0
    ratio = np.divide(observed, expected, out=np.ones(len(observed)), where=seen)
    return observed.astype(np.float64) * np.log(ratio)


def log_ratio(items: Frequencies) -> F64:
    r"""Compute the binary logarithm of the ratio of relative frequencies.

    Returns
    -------
    ndarray of shape (n_items,)
        0 for equal rates; each point is a doubling; negative where the item is rarer here. A
        frequency of zero counts as 0.5.

    Notes
    -----
    :math:`\log_2 ((a / n) / (b / m))`

    References
    ----------
    A. Hardie, Log Ratio: an informal introduction (2014), http://cass.lancs.ac.uk/?p=1133
    """
    here, there = _without_zeros(items)
    return np.log2((here / items.n) / (there / items.m))


def log_ratio_margin(items: Frequencies, alpha: float) -> F64:
    r"""Compute half the width of the confidence interval around `log_ratio`.

    Parameters
    ----------
    alpha : float
        Error allowed, between 0 and 1: 0.05 gives the 95 % interval.

    Returns
    -------
    ndarray of shape (n_items,)
        In points of `log_ratio`, above 0.

    Notes
    -----
    The interval of a relative risk, on the binary logarithm:
    :math:`z_{1 - \alpha / 2} \sqrt{1/a - 1/n + 1/b - 1/m} / \ln 2`.

    References
    ----------
    D. Katz, J. Baptista, S. P. Azen and M. C. Pike, Obtaining confidence intervals for the risk
    ratio in cohort studies, Biometrics 34 (1978); used so by Hardie (2014).
    """
    here, there = _without_zeros(items)
    variance = 1 / here - 1 / items.n + 1 / there - 1 / items.m
    return np.asarray(_quantile(alpha) * np.sqrt(np.maximum(variance, 0)) / math.log(2))


def _without_zeros(items: Frequencies) -> tuple[F64, F64]:
    return np.maximum(items.a, ABSENT_HITS), np.maximum(items.b, ABSENT_HITS)


def simple_maths(items: Frequencies, smoothing: float = 1.0) -> F64:
    r"""Compute how many times more frequent an item is, after adding N to both rates.

    Parameters
    ----------
    smoothing : float
        N, per million, above 0: 1 brings up rare items, 100 or 1 000 common ones.

    Returns
    -------
    ndarray of shape (n_items,)
        1 for equal rates, above 1 where the item is more frequent here, always above 0.

    Notes
    -----
    :math:`(10^6 a / n + N) / (10^6 b / m + N)`

    References
    ----------
    A. Kilgarriff, Simple maths for keywords, Corpus Linguistics Conference (2009).
    """
    if smoothing <= 0:
        raise ValueError("The number to add must be above 0.")
    return (items.rate_a + smoothing) / (items.rate_b + smoothing)


def percent_difference(items: Frequencies) -> F64:
    r"""Compute by how many percent the rate here differs from the rate there (%DIFF).

    Returns
    -------
    ndarray of shape (n_items,)
        0 for equal rates, 100 for twice the rate, -100 where the item is absent here. A rate of
        zero there counts as 1e-18, which gives astronomical values, as the authors intend.

    Notes
    -----
    :math:`100 (r_a - r_b) / r_b` with rates per million tokens

    References
    ----------
    C. Gabrielatos and A. Marchi, Keyness: appropriate metrics and practical issues, CADS
    Conference, Bologna (2012).
    """
    there = np.where(items.b > 0, items.rate_b, ABSENT_RATE)
    return 100 * (items.rate_a - there) / there


def odds_ratio(items: Frequencies) -> F64:
    r"""Compute the ratio of the odds here and there.

    Returns
    -------
    ndarray of shape (n_items,)
        1 for equal rates. A frequency of zero counts as 0.5, as for `log_ratio`.

    Notes
    -----
    :math:`(a / (n - a)) / (b / (m - b))`

    References
    ----------
    P. Pojanapunya and R. Watson Todd, Log-likelihood and odds ratio: keyness statistics for
    different purposes of keyword analysis, Corpus Linguistics and Linguistic Theory 14 (2018).
    """
    here, there = _without_zeros(items)
    others_here = np.maximum(items.n - here, ABSENT_HITS)
    others_there = np.maximum(items.m - there, ABSENT_HITS)
    return (here / others_here) / (there / others_there)


def critical_value(alpha: float) -> float:
    """Return the log-likelihood from which a difference is significant, for one comparison.

    Parameters
    ----------
    alpha : float
        Error allowed, between 0 and 1.

    Returns
    -------
    float
        Quantile of chi-squared with one degree of freedom.

    Examples
    --------
    >>> [round(critical_value(alpha), 2) for alpha in (0.05, 0.01, 0.001, 0.0001)]
    [3.84, 6.63, 10.83, 15.14]
    """
    return _quantile(alpha) ** 2


def corrected_alpha(alpha: float, n_comparisons: int) -> float:
    r"""Return the error to allow per item so that ``alpha`` holds for all items together.

    Returns
    -------
    float
        Šidák's :math:`1 - (1 - \alpha)^{1 / k}`, a hair above Bonferroni's :math:`\alpha / k`.

    References
    ----------
    Z. Šidák, Rectangular confidence regions for the means of multivariate normal distributions,
    Journal of the American Statistical Association 62 (1967).
    """
    return -math.expm1(math.log1p(-alpha) / max(1, n_comparisons))


def _quantile(alpha: float) -> float:
    """Return the two-sided normal quantile; from the lower tail, which keeps its precision."""
    return -NormalDist().inv_cdf(alpha / 2)
