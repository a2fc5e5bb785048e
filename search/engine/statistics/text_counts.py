"""Hits of each text: one row a text, those without hits too, for models with random effects.

Input → output: hits and the documents they were looked for in → rows in an order, each with the
columns of its document.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from search.engine.index.documents import DocumentInfo
from search.engine.index.hits import Hits
from search.engine.index.selection import Selection

I64 = npt.NDArray[np.int64]


class TextOrder(StrEnum):
    """What rows are sorted by; those with the same value stand in order of time."""

    HITS = "hits"
    RATE = "rate"
    OLD = "old"
    NEW = "new"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class TextCount:
    """One text and its hits."""

    info: DocumentInfo
    n_hits: int


class TextCounts:
    """Hits by text.

    Parameters
    ----------
    selection : Selection
        The documents the hits were looked for in: each is a row.
    with_zeros : bool
        Whether texts without hits are rows.
    """

    def __init__(self, hits: Hits, selection: Selection, *, with_zeros: bool) -> None:
        self._snapshot = selection.snapshot
        counts = {id(part.view): part.document_counts for part in hits.parts}
        numbers, rows, found = [], [], []
        for number, view in enumerate(selection.snapshot.segments):
            mask = selection.masks[number]
            n_documents = len(view.segment.documents)
            chosen = np.arange(n_documents) if mask is None else np.flatnonzero(mask)
            of_view = counts.get(id(view), np.zeros(n_documents, dtype=np.int64))[chosen]
            if not with_zeros:
                chosen, of_view = chosen[of_view > 0], of_view[of_view > 0]
            numbers.append(np.full(len(chosen), number))
            rows.append(chosen)
            found.append(of_view)
        none = [np.empty(0, dtype=np.int64)]
        self._segment: I64 = np.concatenate(none + numbers)
        self._row: I64 = np.concatenate(none + rows)
        self._hits: I64 = np.concatenate(none + found)

    def __len__(self) -> int:
        return len(self._hits)

    def rows(self, order: TextOrder, limit: int) -> Iterator[TextCount]:
        """Give the first rows of an order; O(texts log texts)."""
        for place in self._ordered(order)[:limit].tolist():
            view = self._snapshot.segments[int(self._segment[place])]
            info = self._snapshot.document_info(view, int(self._row[place]))
            yield TextCount(info, int(self._hits[place]))

    def _ordered(self, order: TextOrder) -> I64:
        published, lengths = self._column("published"), self._column("n_tokens")
        first = {
            TextOrder.HITS: -self._hits,
            TextOrder.RATE: -self._hits / np.maximum(lengths, 1),
            TextOrder.OLD: published,
            TextOrder.NEW: -published,
            TextOrder.LONG: -lengths,
        }[order]
        return np.lexsort((self._column("key"), self._column("kind"), published, first))

    def _column(self, name: str) -> I64:
        values = np.empty(len(self), dtype=np.int64)
        edges = np.searchsorted(self._segment, np.arange(len(self._snapshot.segments) + 1))
        for view, low, high in zip(
            self._snapshot.segments, edges[:-1].tolist(), edges[1:].tolist(), strict=True
        ):
            values[low:high] = getattr(view.segment.documents, name)[self._row[low:high]]
        return values
