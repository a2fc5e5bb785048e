"""Frequency lists: how often each word, lemma, tag or phrase is the node of a hit.

Input → output: hits → the most frequent values with counts, and how many values there are in all.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.hits import Hits
from search.index.lexicon import LexiconView

I64 = npt.NDArray[np.int64]

PHRASE_TOKENS = 5  # longer nodes are counted by their first five tokens
NOTHING = -1


@dataclass(frozen=True, slots=True)
class FrequencyRow:
    """A value and how often it occurs."""

    value: str
    n_hits: int


@dataclass(frozen=True, slots=True)
class FrequencyList:
    """The most frequent values; ``n_values`` and ``n_hits`` count all of them."""

    rows: tuple[FrequencyRow, ...]
    n_values: int
    n_hits: int


def node_frequencies(
    hits: Hits, attribute: str, limit: int, *, fold_case: bool = False
) -> FrequencyList:
    """Count the first token of each hit by an attribute.

    Parameters
    ----------
    hits : Hits
    attribute : str
        ``word``, ``lemma`` or ``pos``.
    limit : int
        Rows to return.
    fold_case : bool
        Count words and lemmas in lower case.

    Returns
    -------
    FrequencyList
        Most frequent first; equal ones in code-point order. O(hits + types).
    """
    lexicon = hits.snapshot.lexicon
    types, counts = _type_counts(hits)
    values, spell = _values(lexicon, types, attribute, fold_case=fold_case)
    unique, inverse = np.unique(values, return_inverse=True)
    sums = np.bincount(inverse, weights=counts, minlength=len(unique)).astype(np.int64)
    return _most_frequent(unique, sums, limit, spell)


def phrase_frequencies(hits: Hits, limit: int) -> FrequencyList:
    """Count whole nodes of up to five tokens by their words in lower case.

    Returns
    -------
    FrequencyList
        Most frequent first; equal ones in code-point order. O(hits log hits).
    """
    lexicon = hits.snapshot.lexicon
    rows = [np.empty((0, PHRASE_TOKENS), dtype=np.int64)]
    for part in hits.parts:
        segment, spans = part.view.segment, part.spans
        places = spans.starts[:, None] + np.arange(PHRASE_TOKENS)
        inside = places < spans.ends[:, None]
        types = segment.stream[np.where(inside, places, 0)] if len(spans) else places
        forms = lexicon.lower[lexicon.words[types]].astype(np.int64)
        rows.append(np.where(inside, forms, NOTHING))
    unique, counts = np.unique(np.concatenate(rows), axis=0, return_counts=True)

    def spell(number: int) -> str:
        return " ".join(lexicon.form(form) for form in unique[number].tolist() if form != NOTHING)

    return _most_frequent(np.arange(len(unique)), counts, limit, spell)


def _type_counts(hits: Hits) -> tuple[I64, I64]:
    """Return the types of first tokens and how often each occurs."""
    n_types = hits.snapshot.lexicon.size.n_types
    streams = [part.view.segment.stream[part.spans.starts] for part in hits.parts]
    joined = np.concatenate([np.empty(0, dtype=np.uint32), *streams])
    if len(joined) < n_types:
        types, counts = np.unique(joined, return_counts=True)
        return types.astype(np.int64), counts
    table = np.bincount(joined, minlength=n_types)
    present = np.flatnonzero(table)
    return present, table[present]


def _values(
    lexicon: LexiconView, types: I64, attribute: str, *, fold_case: bool
) -> tuple[npt.NDArray[np.uint32], Callable[[int], str]]:
    """Return the value of each type and how values are spelled."""
    if attribute == "pos":
        return lexicon.tags[types], lexicon.tag
    forms = (lexicon.words if attribute == "word" else lexicon.lemmas)[types]
    return lexicon.lower[forms] if fold_case else forms, lexicon.form


def _most_frequent(
    values: npt.NDArray[np.integer], counts: I64, limit: int, spell: Callable[[int], str]
) -> FrequencyList:
    """Return the first rows of the sorted list without spelling the rest."""
    shown = np.arange(len(values))
    if len(values) > limit:
        least = np.partition(counts, len(counts) - limit)[len(counts) - limit]
        shown = np.flatnonzero(counts >= least)  # with all that tie at the end
    rows = [FrequencyRow(spell(int(values[i])), int(counts[i])) for i in shown.tolist()]
    rows.sort(key=lambda row: (-row.n_hits, row.value))
    return FrequencyList(tuple(rows[:limit]), len(values), int(counts.sum()))
