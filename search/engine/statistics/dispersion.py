"""Dispersion: how evenly hits are spread over the parts of a corpus.

Input → output: hits and tokens of each part (texts, publications, months) → range, Juilland's D,
Carroll's D2, Rosengren's S, Gries' DP; positions of the hits → average reduced frequency.

All measures by parts take one word, counts of shape (n_parts,), or many, (n_words, n_parts), and
return a number or (n_words,). Parts without tokens are left out, as nothing can occur there.
Words without hits, and measures that need two parts where there is one, give nan.
"""

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
Counts = npt.ArrayLike


def part_range(counts: Counts) -> I64:
    """Count the parts in which a word occurs.

    Parameters
    ----------
    counts : array_like of shape (..., n_parts)
        Hits in each part.

    Returns
    -------
    ndarray of shape (...)
        0 to n_parts.

    References
    ----------
    H. Keniston, Common words in Spanish, Hispania 3 (1920).

    Examples
    --------
    >>> int(part_range([2, 0, 1, 1]))
    3
    """
    return np.asarray(np.count_nonzero(np.asarray(counts), axis=-1), dtype=np.int64)


def juilland_d(counts: Counts, sizes: Counts) -> F64:
    r"""Compute Juilland's D, from the variation of the relative frequencies.

    Parameters
    ----------
    counts : array_like of shape (..., n_parts)
        Hits in each part.
    sizes : array_like of shape (n_parts,)
        Tokens in each part.

    Returns
    -------
    ndarray of shape (...)
        1 if the word is equally frequent in all parts, 0 if it occurs in one of equally large
        parts; nan without hits or with fewer than two parts.

    Notes
    -----
    :math:`D = 1 - \frac{V}{\sqrt{n - 1}}`, :math:`V = \sigma(p) / \bar{p}` with the population's
    standard deviation of the relative frequencies :math:`p_i`. The book has parts of equal size
    and takes frequencies; relative ones are the usual reading for unequal parts (Gries 2008).
    With many parts D nears 1 for almost every word (Biber et al. 2016).

    References
    ----------
    A. Juilland and E. Chang-Rodríguez, Frequency Dictionary of Spanish Words, The Hague 1964.

    Examples
    --------
    >>> round(float(juilland_d([1, 2, 3, 4, 5], [9, 10, 10, 10, 11])), 3)
    0.785
    """
    hits, tokens = _parts(counts, sizes)
    if len(tokens) < 2:
        return _nothing(hits)
    rates = hits / tokens
    with np.errstate(invalid="ignore", divide="ignore"):
        variation = rates.std(axis=-1) / rates.mean(axis=-1)
    return np.asarray(1 - variation / np.sqrt(len(tokens) - 1))


def carroll_d2(counts: Counts, sizes: Counts) -> F64:
    r"""Compute Carroll's D2, the entropy of the relative frequencies.

    Parameters
    ----------
    counts : array_like of shape (..., n_parts)
    sizes : array_like of shape (n_parts,)

    Returns
    -------
    ndarray of shape (...)
        0 if the word occurs in one part, 1 if it is equally frequent in all; nan without hits or
        with fewer than two parts.

    Notes
    -----
    :math:`D_2 = -\sum_i q_i \log q_i / \log n` with :math:`q_i = p_i / \sum_j p_j`.

    References
    ----------
    J. B. Carroll, An alternative to Juilland's usage coefficient for lexical frequencies, Computer
    Studies in the Humanities and Verbal Behaviour 3 (1970).

    Examples
    --------
    >>> round(float(carroll_d2([1, 2, 3, 4, 5], [9, 10, 10, 10, 11])), 3)
    0.938
    """
    hits, tokens = _parts(counts, sizes)
    if len(tokens) < 2:
        return _nothing(hits)
    rates = hits / tokens
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = rates / rates.sum(axis=-1, keepdims=True)
        terms = np.where(shares == 0, 0, shares * np.log(shares))
    return np.asarray(-terms.sum(axis=-1) / np.log(len(tokens)))


def rosengren_s(counts: Counts, sizes: Counts) -> F64:
    r"""Compute Rosengren's S.

    Parameters
    ----------
    counts : array_like of shape (..., n_parts)
    sizes : array_like of shape (n_parts,)

    Returns
    -------
    ndarray of shape (...)
        1 if the hits are spread as the tokens are; at least the share of the smallest part; nan
        without hits.

    Notes
    -----
    :math:`S = \left(\sum_i \sqrt{s_i v_i}\right)^2 / f` with the parts' shares of the tokens
    :math:`s_i`, their hits :math:`v_i` and all hits :math:`f`.

    References
    ----------
    I. Rosengren, The quantitative concept of language and its relation to the structure of
    frequency dictionaries, Études de linguistique appliquée 1 (1971).

    Examples
    --------
    >>> round(float(rosengren_s([1, 2, 3, 4, 5], [9, 10, 10, 10, 11])), 3)
    0.95
    """
    hits, tokens = _parts(counts, sizes)
    if not len(tokens):
        return _nothing(hits)
    shares = tokens / tokens.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.sqrt(hits * shares).sum(axis=-1) ** 2 / hits.sum(axis=-1))


def deviation_of_proportions(counts: Counts, sizes: Counts) -> F64:
    r"""Compute Gries' DP, how far the spread of the hits is from that of the tokens.

    Parameters
    ----------
    counts : array_like of shape (..., n_parts)
        Hits in each part; one row for each word.
    sizes : array_like of shape (n_parts,)
        Tokens in each part.

    Returns
    -------
    ndarray of shape (...)
        0 if the hits are spread as the tokens are; nears 1 if all are in one small part: at most
        one less the share of the smallest part. nan without hits.

    Notes
    -----
    :math:`DP = \frac{1}{2} \sum_i |v_i / f - s_i|`, where :math:`v_i / f` is the share of the hits
    and :math:`s_i` the share of the tokens of part :math:`i`.

    References
    ----------
    S. Th. Gries, Dispersions and adjusted frequencies in corpora, International Journal of Corpus
    Linguistics 13 (2008).

    Examples
    --------
    >>> round(float(deviation_of_proportions([1, 2, 3, 4, 5], [9, 10, 10, 10, 11])), 3)
    0.18
    """
    hits, tokens = _parts(counts, sizes)
    if not len(tokens):
        return _nothing(hits)
    shares = tokens / tokens.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = hits / hits.sum(axis=-1, keepdims=True)
    return np.asarray(np.abs(parts - shares).sum(axis=-1) / 2)


def normalized_deviation(deviation: npt.ArrayLike, sizes: Counts) -> F64:
    r"""Stretch DP so that it reaches 1 whatever the size of the parts (DPnorm).

    Parameters
    ----------
    deviation : array_like of shape (...)
        DP of each word.
    sizes : array_like of shape (n_parts,)
        Tokens in each part.

    Returns
    -------
    ndarray of shape (...)
        0 to 1; nan with fewer than two parts.

    Notes
    -----
    :math:`DP_{norm} = DP / (1 - \min_i s_i)`.

    References
    ----------
    J. Lijffijt and S. Th. Gries, Correction to Stefan Th. Gries' “Dispersions and adjusted
    frequencies in corpora”, International Journal of Corpus Linguistics 17 (2012).

    Examples
    --------
    >>> round(float(normalized_deviation(0.18, [9, 10, 10, 10, 11])), 3)
    0.22
    """
    tokens = np.asarray(sizes, dtype=np.float64)
    tokens = tokens[tokens > 0]
    values = np.asarray(deviation, dtype=np.float64)
    if len(tokens) < 2:
        return np.full(values.shape, np.nan)
    return np.asarray(values / (1 - tokens.min() / tokens.sum()))


def average_reduced_frequency(positions: npt.ArrayLike, n_tokens: int) -> float:
    r"""Compute the average reduced frequency (ARF): hits, those close together counted as fewer.

    Parameters
    ----------
    positions : array_like of shape (n_hits,)
        Places of the hits in all texts put in a row, ascending, from 0 to below ``n_tokens``.
    n_tokens : int
        Length of the row.

    Returns
    -------
    float
        The number of hits if they are at equal distances, near 1 if all stand together; 0 without
        hits.

    Notes
    -----
    :math:`ARF = \frac{1}{v} \sum_i \min(d_i, v)` with :math:`v = N / f` and the distances
    :math:`d_i` of each hit from the one before, the first from the last around the end.

    References
    ----------
    P. Savický and J. Hlaváčová, Measures of word commonness, Journal of Quantitative Linguistics 9
    (2002).

    Examples
    --------
    >>> average_reduced_frequency([0, 5, 10, 15], 20), average_reduced_frequency([0, 1], 20)
    (4.0, 1.1)
    """
    places = np.asarray(positions, dtype=np.int64)
    if not len(places):
        return 0.0
    mean_distance = n_tokens / len(places)
    distances = np.diff(places, append=places[0] + n_tokens)
    return float(np.minimum(distances, mean_distance).sum() / mean_distance)


def _parts(counts: Counts, sizes: Counts) -> tuple[F64, F64]:
    """Leave out the parts without tokens.

    Raises
    ------
    ValueError
        If there is not one count for each size, or hits in a part without tokens.
    """
    hits = np.asarray(counts, dtype=np.float64)
    tokens = np.asarray(sizes, dtype=np.float64)
    if hits.shape[-1:] != tokens.shape:
        raise ValueError(f"{hits.shape[-1]} counts for {len(tokens)} parts")
    has_tokens = tokens > 0
    if bool((hits[..., ~has_tokens] > 0).any()):
        raise ValueError("hits in a part without tokens")
    return hits[..., has_tokens], tokens[has_tokens]


def _nothing(hits: F64) -> F64:
    return np.full(hits.shape[:-1], np.nan)
