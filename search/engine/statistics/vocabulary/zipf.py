"""Zipf's law: rank against frequency, the score c, the exponent, and words of templates.

Input → output: frequencies in order of rank → scores, points for a plot, the fitted exponent;
spread of frequent words → those that one publication's template repeats.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.selection import Selection
from search.engine.statistics.counting.spread import Spread

I64 = npt.NDArray[np.int64]

ENGLISH_C = 0.1  # what the law expects of English: the most frequent word is a tenth of all
MAX_POINTS = 400  # more are not told apart in a plot
FIT_RANKS = 10_000  # the exponent describes the head and the middle; the tail falls off faster
# The exponent is looked for between these by halving, until it is known so exactly.
_EXPONENTS = (0.01, 5.0)
_PRECISION = 1e-9
_FIT_STEPS = 60  # at most; 33 halvings get there

# A word looks like a template's when four fifths of its hits are in one publication, and that is
# three times this publication's share of all tokens.
TEMPLATE_HITS = 0.8
TEMPLATE_TIMES = 3.0


def zipf_score(rank: int, frequency: int, n_words: int) -> float:
    r"""Compute c = rank × frequency ÷ words.

    Parameters
    ----------
    rank : int
        From 1.
    n_words : int
        Words in all; 0 gives 0.

    Returns
    -------
    float
        About 0.1 for English.

    Examples
    --------
    >>> round(zipf_score(1, 2008, 47_493), 5)
    0.04228

    References
    ----------
    G. K. Zipf, Human Behavior and the Principle of Least Effort (1949).
    """
    return rank * frequency / n_words if n_words else 0.0


def log_spaced_ranks(n_ranks: int, most: int = MAX_POINTS) -> list[int]:
    """Return at most so many ranks, evenly spaced on a logarithmic axis, the first and last kept.

    Examples
    --------
    >>> log_spaced_ranks(5), log_spaced_ranks(1000, 4)
    ([1, 2, 3, 4, 5], [1, 10, 100, 1000])
    """
    if n_ranks <= most:
        return list(range(1, n_ranks + 1))
    ranks = np.rint(np.geomspace(1, n_ranks, most)).astype(np.int64)
    return [int(rank) for rank in np.unique(ranks)]


def fit_exponent(frequencies: npt.NDArray[np.integer], n_ranks: int = FIT_RANKS) -> float:
    r"""Fit the exponent s of frequency ∝ 1 / rank ** s by maximum likelihood.

    Parameters
    ----------
    frequencies : ndarray of shape (n_types,)
        In order of rank.
    n_ranks : int
        How many ranks to look at.

    Returns
    -------
    float
        1 where the law holds exactly; between 0.01 and 5; nan for fewer than two types.

    Notes
    -----
    The likelihood of the sample has its maximum where the mean logarithm of the rank under the law,
    :math:`\sum r^{-s} \ln r / \sum r^{-s}`, equals that of the observed tokens. The first falls as
    s grows, so the place is found by halving. Unlike a line through the points of the plot this
    gives each token, not each rank, the same weight. As ranks and frequencies come from the same
    sample, the fit flatters the law (Piantadosi 2014).

    References
    ----------
    M. L. Goldstein, S. A. Morris and G. G. Yen, Problems with fitting to the power-law
    distribution, European Physical Journal B 41 (2004).
    """
    kept = frequencies[:n_ranks].astype(np.float64)
    if len(kept) < 2 or kept.sum() <= 0:
        return math.nan
    logs = np.log(np.arange(1, len(kept) + 1))
    observed = float(kept @ logs / kept.sum())
    low, high = _EXPONENTS
    for _ in range(_FIT_STEPS):
        middle = (low + high) / 2
        weights = np.exp(-middle * logs)
        low, high = (middle, high) if weights @ logs / weights.sum() > observed else (low, middle)
        if high - low < _PRECISION:
            break
    return (low + high) / 2


@dataclass(frozen=True, slots=True)
class TemplateSign:
    """Why a word looks like part of a template: most of its hits are in one publication.

    ``publication`` is a value number of the lexicon; both shares are from 0 to 1.
    """

    publication: int
    share_of_hits: float
    share_of_tokens: float


def template_signs(selection: Selection, spread: Spread) -> list[TemplateSign | None]:
    """Tell which words come from the template of one publication.

    Returns
    -------
    list of TemplateSign or None
        One for each value of the spread.
    """
    tokens = tokens_by_publication(selection, spread.publications)
    return [_sign(hits, tokens, spread.publications) for hits in spread.by_publication]


def _sign(hits: I64, tokens: I64, publications: I64) -> TemplateSign | None:
    if not hits.sum():
        return None
    top = int(np.argmax(hits))
    share, expected = float(hits[top] / hits.sum()), float(tokens[top] / tokens.sum())
    if share < TEMPLATE_HITS or share < TEMPLATE_TIMES * expected:
        return None
    return TemplateSign(int(publications[top]), share, expected)


def tokens_by_publication(selection: Selection, publications: I64) -> I64:
    """Return the selected tokens of each publication: shape (n_publications,)."""
    sums = np.zeros(len(publications), dtype=np.int64)
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        documents = view.segment.documents
        lengths = documents.n_tokens if mask is None else np.where(mask, documents.n_tokens, 0)
        places = np.searchsorted(publications, documents.publication)
        found = np.bincount(places, weights=lengths, minlength=len(publications))
        sums += found.astype(np.int64)
    return sums
