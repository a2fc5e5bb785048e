"""Association measures: how much more often two things stand together than chance would have it.

Input → output: ``Contingency`` (joint frequency, both marginals, size of the sample) → one score
per pair. All functions work on whole arrays. Observed and expected frequencies are written as in
Evert, S. 2005. *The Statistics of Word Cooccurrences*. Dissertation, Stuttgart::

                  collocate   other      sum
    near node     O11         O12        R1
    elsewhere     O21         O22        R2
    sum           C1          C2         N          E11 = R1 C1 / N, and so on

Where nothing can be expected (E11 = 0) the measures that divide by it are NaN; a pair that never
occurs (O11 = 0) though it is expected has -inf in those that take its logarithm.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

F64 = npt.NDArray[np.float64]

LOG_DICE_TOP = 14.0  # Rychlý's choice, so that scores are "usually less than 10"
IN_PLACE_OF_ZERO = 0.5  # Hardie's choice, so that no ratio is infinite


@dataclass(frozen=True)
class Contingency:
    """Observed frequencies of pairs.

    Parameters
    ----------
    joint : ndarray of shape (n_pairs,)
        O11, how often both occur together.
    first : ndarray of shape (n_pairs,) or (1,)
        R1, how often the first occurs; for collocates, the tokens in the node's windows.
    second : ndarray of shape (n_pairs,)
        C1, how often the second occurs.
    size : ndarray of shape (n_pairs,) or (1,)
        N, the size of the sample, at least ``first + second - joint``.
    """

    joint: F64
    first: F64
    second: F64
    size: F64

    @cached_property
    def observed(self) -> tuple[F64, F64, F64, F64]:
        """O11, O12, O21, O22."""
        only_first, only_second = self.first - self.joint, self.second - self.joint
        neither = self.size - self.first - only_second
        return self.joint, only_first, only_second, neither

    @cached_property
    def expected(self) -> tuple[F64, F64, F64, F64]:
        """E11, E12, E21, E22 if both were independent; NaN for an empty sample."""
        with np.errstate(all="ignore"):
            share, rest = self.first / self.size, 1 - self.first / self.size
            others = self.size - self.second
            return share * self.second, share * others, rest * self.second, rest * others


def contingency(
    joint: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, size: npt.ArrayLike
) -> Contingency:
    """Make a table from numbers or arrays of any numeric type."""
    columns = (np.atleast_1d(np.asarray(c, dtype=np.float64)) for c in (joint, first, second, size))
    return Contingency(*columns)


def log_likelihood(table: Contingency) -> F64:
    r"""Log-likelihood ratio, :math:`G^2 = 2 \sum_{ij} O_{ij} \ln (O_{ij} / E_{ij})`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        From 0 up, without unit; chi-squared with one degree of freedom if the two are independent
        (3.84: p = 0.05, 10.83: p = 0.001). Large for attraction and for repulsion alike: compare
        O11 with E11.

    References
    ----------
    Dunning, T. 1993. Accurate methods for the statistics of surprise and coincidence.
    Computational Linguistics 19, 61-74.

    Examples
    --------
    >>> log_likelihood(contingency(110, 2552, 221, 31777)).round(2)  # "the swiss", his table 1
    array([270.72])
    """
    total = np.zeros(np.broadcast(table.joint, table.first, table.second, table.size).shape)
    with np.errstate(all="ignore"):
        for observed, expected in zip(table.observed, table.expected, strict=True):
            total = total + np.where(observed > 0, observed * np.log(observed / expected), 0.0)
    return np.maximum(2 * total, 0.0)  # rounding may leave a trace below 0


def mutual_information(table: Contingency) -> F64:
    r"""Pointwise mutual information, :math:`\log_2 (O_{11} / E_{11})`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        In bits, any real number; 0 for independence. Favours rare words.

    References
    ----------
    Church, K. W. & Hanks, P. 1990. Word association norms, mutual information, and lexicography.
    Computational Linguistics 16, 22-29.
    """
    with np.errstate(all="ignore"):
        return np.log2(table.joint / table.expected[0])


def mi3(table: Contingency) -> F64:
    r"""Cubic association ratio, :math:`\log_2 (O_{11}^3 / E_{11})`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        In bits; gives frequent pairs the weight that mutual information denies them.

    References
    ----------
    Daille, B. 1994. Approche mixte pour l'extraction automatique de terminologie. Thèse, Paris 7.
    """
    with np.errstate(all="ignore"):
        return np.log2(table.joint**3 / table.expected[0])


def t_score(table: Contingency) -> F64:
    r"""t-score, :math:`(O_{11} - E_{11}) / \sqrt{O_{11}}`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        In standard deviations; favours frequent pairs. Its assumption of normal distribution does
        not hold, so it ranks and does not test.

    References
    ----------
    Church, K. W., Gale, W., Hanks, P. & Hindle, D. 1991. Using statistics in lexical analysis. In
    U. Zernik (ed.), *Lexical Acquisition*. Erlbaum. 115-164.
    """
    with np.errstate(all="ignore"):
        return (table.joint - table.expected[0]) / np.sqrt(table.joint)


def z_score(table: Contingency) -> F64:
    r"""z-score, :math:`(O_{11} - E_{11}) / \sqrt{E_{11}}`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        In standard deviations; favours rare pairs.

    References
    ----------
    Dennis, S. F. 1965. The construction of a thesaurus automatically from a sample of text. In
    M. E. Stevens et al. (eds.), *Proceedings of the Symposium on Statistical Association Methods
    for Mechanized Documentation*. 61-148; in this form Evert 2005.
    """
    with np.errstate(all="ignore"):
        return (table.joint - table.expected[0]) / np.sqrt(table.expected[0])


def dice(table: Contingency) -> F64:
    r"""Dice coefficient, :math:`2 O_{11} / (R_1 + C_1)`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        From 0 to 1 if no occurrence is counted twice.

    References
    ----------
    Smadja, F., McKeown, K. R. & Hatzivassiloglou, V. 1996. Translating collocations for bilingual
    lexicons. Computational Linguistics 22, 1-38 (after Dice 1945).
    """
    with np.errstate(all="ignore"):
        return 2 * table.joint / (table.first + table.second)


def log_dice(table: Contingency) -> F64:
    r"""Return logDice, :math:`14 + \log_2 \mathrm{Dice}`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        At most 14 (the two only ever occur together); one more is twice as often. Does not depend
        on the size of the corpus.

    References
    ----------
    Rychlý, P. 2008. A lexicographer-friendly association score. In *Proceedings of Recent Advances
    in Slavonic Natural Language Processing, RASLAN 2008*. 6-9.

    Examples
    --------
    >>> log_dice(contingency([8, 4], 8, [8, 8], 1000))
    array([14., 13.])
    """
    with np.errstate(all="ignore"):
        return LOG_DICE_TOP + np.log2(dice(table))


def log_ratio(table: Contingency) -> F64:
    r"""Log ratio, :math:`\log_2 ((O_{11} / R_1) / (O_{21} / R_2))`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        In doublings: 3 means eight times as frequent near the node as elsewhere. Half an occurrence
        stands for none.

    References
    ----------
    Hardie, A. 2014. Log ratio: an informal introduction. ESRC Centre for Corpus Approaches to
    Social Science, Lancaster.
    """
    with np.errstate(all="ignore"):
        near = np.where(table.joint > 0, table.joint, IN_PLACE_OF_ZERO) / table.first
        only_second = table.observed[2]
        elsewhere = np.where(only_second > 0, only_second, IN_PLACE_OF_ZERO)
        ratio = np.log2(near / (elsewhere / (table.size - table.first)))
        return np.where((table.first > 0) & (table.first < table.size), ratio, np.nan)


def delta_p_forward(table: Contingency) -> F64:
    r"""Return ΔP of the second given the first, :math:`O_{11} / R_1 - O_{21} / R_2`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        From -1 to 1: how much more likely the collocate is near the node than elsewhere.

    References
    ----------
    Gries, S. Th. 2013. 50-something years of work on collocations: what is or should be next.
    International Journal of Corpus Linguistics 18, 137-166.
    """
    with np.errstate(all="ignore"):
        return table.joint / table.first - table.observed[2] / (table.size - table.first)


def delta_p_backward(table: Contingency) -> F64:
    r"""Return ΔP of the first given the second, :math:`O_{11} / C_1 - O_{12} / C_2`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        From -1 to 1: how much more likely the node is near the collocate than near other words.

    References
    ----------
    Gries 2013, see `delta_p_forward`.
    """
    with np.errstate(all="ignore"):
        return table.joint / table.second - table.observed[1] / (table.size - table.second)


def minimum_sensitivity(table: Contingency) -> F64:
    r"""Minimum sensitivity, :math:`\min (O_{11} / R_1, O_{11} / C_1)`.

    Returns
    -------
    ndarray of shape (n_pairs,)
        From 0 to 1: the smaller of the two conditional probabilities.

    References
    ----------
    Pedersen, T. 1998. Dependent bigram identification. In *Proceedings of the Fifteenth National
    Conference on Artificial Intelligence*. 1197.
    """
    with np.errstate(all="ignore"):
        return np.minimum(table.joint / table.first, table.joint / table.second)


MEASURES: dict[str, Callable[[Contingency], F64]] = {
    "logdice": log_dice,
    "ll": log_likelihood,
    "mi": mutual_information,
    "mi3": mi3,
    "t": t_score,
    "z": z_score,
    "dice": dice,
    "minsens": minimum_sensitivity,
    "dp": delta_p_forward,
    "dpback": delta_p_backward,
    "logratio": log_ratio,
}
