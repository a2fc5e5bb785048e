"""Frequency lists: how often each word, lemma or tag begins a hit.

Input → output: hits → values with counts.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.hits import Hits
from search.index.lexicon import LexiconView

I64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FrequencyRow:
    """A value and how often it occurs."""

    value: str
    n_hits: int


def node_frequencies(
    hits: Hits, attribute: str, limit: int, *, fold_case: bool = False
) -> list[FrequencyRow]:
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
    list of FrequencyRow
        Most frequent first; equal ones in code-point order.
    """
    types = np.zeros(hits.snapshot.lexicon.size.n_types, dtype=np.int64)
    for part in hits.parts:
        types += np.bincount(part.view.segment.stream[part.spans.starts], minlength=len(types))
    return _rows(hits.snapshot.lexicon, types, attribute, limit, fold_case=fold_case)


def _rows(
    lexicon: LexiconView, types: I64, attribute: str, limit: int, *, fold_case: bool
) -> list[FrequencyRow]:
    """Add the counts of types up by an attribute."""
    present = np.flatnonzero(types)
    if attribute == "pos":
        values, spell = lexicon.tags[present], lexicon.tag
    else:
        column = lexicon.words if attribute == "word" else lexicon.lemmas
        values, spell = column[present], lexicon.form
        values = lexicon.lower[values] if fold_case else values
    counts = np.bincount(values, weights=types[present]).astype(np.int64)
    numbers = np.flatnonzero(counts)
    top = numbers[np.argsort(-counts[numbers], kind="stable")]
    if len(top) > limit:
        top = numbers[counts[numbers] >= counts[top[limit - 1]]]  # with all that tie at the end
    rows = [FrequencyRow(spell(number), int(counts[number])) for number in top.tolist()]
    return sorted(rows, key=lambda row: (-row.n_hits, row.value))[:limit]
