"""Confidence intervals of rates: hits in so many tokens → lower and upper end."""

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]

Z_95 = 1.959963984540054  # two-sided 95 % of the normal distribution
MILLION = 1_000_000


def wilson_per_million(hits: npt.ArrayLike, tokens: npt.ArrayLike) -> tuple[F64, F64]:
    r"""Compute 95 % score intervals of rates, as if each token were drawn by itself.

    Parameters
    ----------
    hits : array_like of shape (...)
        Tokens at which a hit begins, at most as many as there are tokens.
    tokens : array_like of shape (...)

    Returns
    -------
    tuple of ndarrays of shape (...)
        Lower and upper end in hits per million tokens; nan without tokens.

    Notes
    -----
    With :math:`p = h / n`: :math:`\frac{1}{1 + z^2/n}\left(p + \frac{z^2}{2n} \pm z
    \sqrt{\frac{p(1-p)}{n} + \frac{z^2}{4n^2}}\right)`. Words come in bursts, so the true
    uncertainty is larger than this.

    References
    ----------
    E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of
    the American Statistical Association 22 (1927).

    Examples
    --------
    >>> low, high = wilson_per_million(3, 1_000_000)
    >>> round(float(low), 2), round(float(high), 2)
    (1.02, 8.82)
    """
    h = np.asarray(hits, dtype=np.float64)
    n = np.asarray(tokens, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.minimum(h / n, 1)
        centre = p + Z_95**2 / (2 * n)
        reach = Z_95 * np.sqrt(p * (1 - p) / n + Z_95**2 / (4 * n**2))
        scale = MILLION / (1 + Z_95**2 / n)
    low, high = np.maximum(0, (centre - reach) * scale), (centre + reach) * scale
    # the ends of nothing and of everything are exact
    low, high = np.where(h == 0, 0, low), np.where(h >= n, MILLION, high)
    return np.where(n > 0, low, np.nan), np.where(n > 0, high, np.nan)
