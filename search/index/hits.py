"""The hits of a query: matching spans per segment, and what is counted from them.

Input → output: positions found in each segment and the mask of documents that count → totals,
texts, hits per document, spans. Hits of a single token stay postings until somebody needs their
positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from search.index.reader import SegmentView, Snapshot
from search.index.selection import Base

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
Mask = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]

FEW_LISTS = 8  # up to so many posting lists are counted one by one instead of being joined


@dataclass(frozen=True, slots=True)
class Spans:
    """Half-open spans of positions in one segment; ``starts`` ascending."""

    starts: I64
    ends: I64

    def __len__(self) -> int:
        return len(self.starts)

    def where(self, mask: Mask) -> "Spans":
        """Return some of the spans."""
        return Spans(self.starts[mask], self.ends[mask])


def hits_per_document(starts: npt.NDArray[np.integer], bounds: I64) -> I64:
    """Count ascending positions between the bounds of documents.

    Parameters
    ----------
    starts : ndarray of shape (n_hits,)
    bounds : ndarray of shape (n_documents + 1,)

    Returns
    -------
    ndarray of shape (n_documents,)
        O(min(n_hits, n_documents) log max(n_hits, n_documents)).
    """
    if len(starts) < len(bounds) // 4:
        rows = np.searchsorted(bounds, starts, side="right") - 1
        return np.bincount(rows, minlength=len(bounds) - 1)
    edges = np.searchsorted(starts, bounds.astype(starts.dtype))
    return edges[1:] - edges[:-1]


class SegmentHits(Protocol):
    """What a query found in one segment, restricted to the documents that count."""

    view: SegmentView

    @property
    def document_counts(self) -> I64:
        """Hits per document: shape (n_documents,)."""

    @property
    def spans(self) -> Spans:
        """The matching spans."""

    @property
    def total(self) -> int:
        """Number of hits."""

    def spans_in(self, row: int) -> Spans:
        """Return the spans in one document."""


class SpanHits:
    """Hits whose spans are known."""

    def __init__(self, view: SegmentView, spans: Spans, mask: Mask | None) -> None:
        self.view = view
        counts = None
        if mask is not None and len(spans):
            counts = hits_per_document(spans.starts, view.segment.bounds)
            spans = spans.where(np.repeat(mask, counts))
            counts = np.where(mask, counts, 0)
        self.spans = spans
        self._counts = counts

    @cached_property
    def document_counts(self) -> I64:
        """Hits per document."""
        if self._counts is not None:
            return self._counts
        return hits_per_document(self.spans.starts, self.view.segment.bounds)

    @property
    def total(self) -> int:
        """Number of hits."""
        return len(self.spans)

    def spans_in(self, row: int) -> Spans:
        """Return the spans in one document."""
        bounds = self.view.segment.bounds
        low, high = np.searchsorted(self.spans.starts, bounds[row : row + 2]).tolist()
        return Spans(self.spans.starts[low:high], self.spans.ends[low:high])


class TokenHits:
    """Hits of one token, known as rows of the postings."""

    def __init__(self, view: SegmentView, rows: Index, mask: Mask | None) -> None:
        self.view = view
        self.mask = mask
        self._rows = rows

    @property
    def types(self) -> U32:
        """The types every token of which is a hit, in the documents of ``mask`` (None for all)."""
        return self.view.segment.postings.types[self._rows]

    @cached_property
    def _positions(self) -> U32:
        return self.view.segment.postings.of_rows(self._rows)

    @cached_property
    def _all_counts(self) -> I64:
        segment = self.view.segment
        if len(self._rows) > FEW_LISTS:
            return hits_per_document(self._positions, segment.bounds)
        counts = np.zeros(segment.n_documents, dtype=np.int64)
        for row in self._rows.tolist():
            counts += hits_per_document(segment.postings.of_row(row), segment.bounds)
        return counts

    @cached_property
    def document_counts(self) -> I64:
        """Hits per document."""
        return self._all_counts if self.mask is None else np.where(self.mask, self._all_counts, 0)

    @cached_property
    def spans(self) -> Spans:
        """The matching spans, one token long."""
        starts = self._positions
        if self.mask is not None:
            starts = starts[np.repeat(self.mask, self._all_counts)]
        wide = starts.astype(np.int64)
        return Spans(wide, wide + 1)

    @cached_property
    def total(self) -> int:
        """Number of hits."""
        if self.mask is None:
            starts = self.view.segment.postings.starts
            return int((starts[self._rows + 1] - starts[self._rows]).sum(dtype=np.int64))
        return int(self.document_counts.sum())

    def spans_in(self, row: int) -> Spans:
        """Return the spans in one document, without joining long lists of positions."""
        segment = self.view.segment
        few = len(self._rows) <= FEW_LISTS
        lists = map(segment.postings.of_row, self._rows.tolist()) if few else [self._positions]
        edges = segment.bounds[row : row + 2].astype(np.uint32)
        found = [self.view.segment.stream[:0]]
        for positions in lists:
            low, high = np.searchsorted(positions, edges).tolist()
            found.append(positions[low:high])
        starts = np.sort(np.concatenate(found)).astype(np.int64)
        return Spans(starts, starts + 1)


@dataclass(frozen=True, slots=True)
class DocumentHits:
    """Documents of all segments that have hits, one entry each, in no particular order.

    ``part`` is the number of the segment among the hits' parts, ``row`` the document's row in it.
    """

    part: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]
    count: I64


@dataclass(frozen=True)
class Hits:
    """The result of a query on a snapshot.

    ``generation`` is the one that was asked for, at or before the snapshot's own.
    """

    snapshot: Snapshot
    generation: int
    parts: tuple[SegmentHits, ...]
    base: Base
    caches: dict[object, object] = field(default_factory=dict, compare=False)

    @cached_property
    def total(self) -> int:
        """Exact number of hits."""
        return sum(part.total for part in self.parts)

    @cached_property
    def n_texts(self) -> int:
        """Number of documents with hits."""
        return sum(int(np.count_nonzero(part.document_counts)) for part in self.parts)

    @property
    def per_million(self) -> float:
        """Hits per million tokens of the base; 0 for an empty base."""
        return 1e6 * self.total / self.base.n_tokens if self.base.n_tokens else 0.0

    @cached_property
    def documents(self) -> DocumentHits:
        """Documents with hits."""
        rows = [np.flatnonzero(part.document_counts) for part in self.parts]
        counts = [part.document_counts[row] for part, row in zip(self.parts, rows, strict=True)]
        lengths = [len(row) for row in rows]
        return DocumentHits(
            np.repeat(np.arange(len(rows)), lengths),
            _joined(rows),
            _joined(counts),
        )


def _joined(arrays: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=np.int64)
