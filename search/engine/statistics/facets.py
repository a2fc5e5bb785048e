"""Hits by document column: publications, months, kinds, the counts beside a concordance.

Input → output: hits → how many of them fall on each value of a column, most first.
"""

from dataclasses import dataclass

import numpy as np

from search.engine.index.hits import Hits
from search.engine.statistics.counting.hit_values import column_speller, column_values


@dataclass(frozen=True, slots=True)
class FacetCount:
    """A value of a column with its hits and texts."""

    value: str
    n_hits: int
    n_texts: int


def count_by_column(hits: Hits, column: str) -> list[FacetCount]:
    """Count hits by ``publication``, ``section``, ``kind``, ``rights`` … or ``month``.

    Months are written ``2026-11``, that of texts without a date as `NO_VALUE`.

    Returns
    -------
    list of FacetCount
        Most hits first, then by value; months in order of time.
    """
    hit_counts: dict[int, int] = {}
    text_counts: dict[int, int] = {}
    for part in hits.parts:
        documents = part.view.segment.documents
        counts = part.document_counts
        rows = np.flatnonzero(counts)
        values = column_values(documents, column)[rows]
        unique, inverse = np.unique(values, return_inverse=True)
        n_hits = np.bincount(inverse, weights=counts[rows]).astype(np.int64)
        n_texts = np.bincount(inverse)
        for value, h, t in zip(unique.tolist(), n_hits.tolist(), n_texts.tolist(), strict=True):
            hit_counts[value] = hit_counts.get(value, 0) + h
            text_counts[value] = text_counts.get(value, 0) + t
    spell = column_speller(hits.snapshot.lexicon, column)
    found = [FacetCount(spell(v), n, text_counts[v]) for v, n in hit_counts.items()]
    if column == "month":
        return sorted(found, key=lambda count: count.value)
    return sorted(found, key=lambda count: (-count.n_hits, count.value))
