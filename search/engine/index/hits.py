"""The hits of a query: matching spans per segment, and what is counted from them.

Input → output: positions found in each segment and the mask of documents that count → totals,
texts, hits per document, spans. Hits of a single token stay postings until somebody needs their
positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.attributes import positions_in_order
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import Base, DocumentMask
from search.engine.index.set_bits import chosen, true_at

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
Mask = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]

HALF = np.uint64(32)
KEPT_HITS = 100_000  # spans of a segment that are kept: 16 bytes each, with each recent result
LENGTH_BITS = 8  # of a span, to sort those of a segment of 16 million tokens in 32 bits
FEW_LISTS = 8  # up to so many posting lists are counted one by one instead of being joined
SOME_LISTS = 64  # up to so many are cut at their ends to find the outermost hits: 0.4 us each
FEW_POSITIONS = 2_000  # joined whole sooner than looked at one by one
SOME_TOKENS = 4_096  # least stretch that is scanned for the outermost hits
SCAN_COST = 10  # scanning a token costs a tenth of joining and sorting a position


@dataclass(frozen=True, slots=True)
class Spans:
    """Half-open spans of positions in one segment; ``starts`` ascending."""

    starts: I64
    ends: I64

    def __len__(self) -> int:
        return len(self.starts)

    def where(self, mask: Mask) -> "Spans":
        """Return some of the spans."""
        return self.take(true_at(mask))

    def take(self, numbers: I64) -> "Spans":
        """Return the spans of some numbers, in the order given."""
        return Spans(self.starts.take(numbers), self.ends.take(numbers))

    def in_order(self) -> "Spans":
        """Return the spans sorted by their starts, then by their ends."""
        lengths = self.ends - self.starts
        is_narrow = len(self) > 0 and int(self.starts.max()) < 1 << (32 - LENGTH_BITS)
        if is_narrow and int(lengths.max()) < 1 << LENGTH_BITS:
            narrow = (self.starts << LENGTH_BITS | lengths).astype(np.uint32)
            narrow.sort()  # in half the time of 64 bits
            starts = (narrow >> LENGTH_BITS).astype(np.int64)
            return Spans(starts, starts + (narrow & ((1 << LENGTH_BITS) - 1)))
        packed = self.starts.astype(np.uint64) << HALF | self.ends.astype(np.uint64)
        packed.sort()
        return Spans((packed >> HALF).astype(np.int64), packed.astype(np.uint32).astype(np.int64))

    def outermost(self, n: int, *, last: bool) -> "Spans":
        """Return the last (or first) n spans."""
        chosen = slice(max(0, len(self) - n), None) if last else slice(n)
        return Spans(self.starts[chosen], self.ends[chosen])


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

    def spans_of(self, rows: Index) -> tuple[Index, Spans]:
        """Return the spans in several documents, in the order given, and the row of each."""

    def outermost(self, n: int, *, last: bool) -> Spans:
        """Return the last (or first) n spans of the segment, or all if there are fewer."""


class SpanHits:
    """Hits whose spans are known."""

    def __init__(self, view: SegmentView, spans: Spans, mask: DocumentMask | None) -> None:
        self.view = view
        self.spans = spans if mask is None else spans.where(mask.holds(spans.starts))

    @cached_property
    def document_counts(self) -> I64:
        """Hits per document."""
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

    def spans_of(self, rows: Index) -> tuple[Index, Spans]:
        """Return the spans in several documents and the row of each."""
        bounds, spans = self.view.segment.bounds, self.spans
        low, high = np.searchsorted(spans.starts, [bounds[rows], bounds[rows + 1]])
        at = positions_in_order(low, high - low)
        return np.repeat(rows, high - low), Spans(spans.starts[at], spans.ends[at])

    def outermost(self, n: int, *, last: bool) -> Spans:
        """Return the last (or first) n spans of the segment."""
        return self.spans.outermost(n, last=last)


class TokenTest(Protocol):
    """A condition on one token that its type decides."""

    @property
    def n_tokens(self) -> int:
        """Positions that meet it in all segments, whatever document they lie in."""

    @property
    def may(self) -> Mask:
        """Types that meet it: shape (n_types,)."""

    def rows(self, segment: Segment) -> Index:
        """Return the rows of a segment's postings whose types meet it."""

    def positions(self, segment: Segment) -> I64:
        """Return all positions of a segment that meet it, ascending."""

    def scan(self, segment: Segment, start: int, stop: int) -> Mask:
        """Return which positions of a stretch meet it."""

    def scan_texts(self, segment: Segment, bounds: list[tuple[int, int]]) -> Mask:
        """Return which positions of several stretches meet it, one stretch after the other."""


class TokenHits:
    """Hits of one token: postings, until somebody needs all their positions."""

    def __init__(self, view: SegmentView, test: TokenTest, mask: DocumentMask | None) -> None:
        self.view = view
        self.test = test
        self.document_mask = mask
        self._kept: Spans | None = None

    @property
    def mask(self) -> Mask | None:
        """Which documents count: shape (n_documents,); None for all."""
        return None if self.document_mask is None else self.document_mask.documents

    @cached_property
    def rows(self) -> Index:
        """Rows of the postings whose every token is a hit, in the documents of ``mask``."""
        return self.test.rows(self.view.segment)

    @cached_property
    def _positions(self) -> U32:
        """Positions in all documents, ascending."""
        segment = self.view.segment
        if len(self.rows) <= FEW_LISTS:
            return segment.postings.of_rows(self.rows)
        return self.test.positions(segment).astype(np.uint32)

    @cached_property
    def _n_everywhere(self) -> int:
        return self.view.segment.postings.n_tokens_of(self.rows)

    @cached_property
    def document_counts(self) -> I64:
        """Hits per document."""
        segment = self.view.segment
        if len(self.rows) > FEW_LISTS:
            counts = hits_per_document(self._positions, segment.bounds)
        else:
            counts = np.zeros(segment.n_documents, dtype=np.int64)
            for row in self.rows.tolist():
                counts += hits_per_document(segment.postings.of_row(row), segment.bounds)
        return counts if self.mask is None else np.where(self.mask, counts, 0)

    @property
    def spans(self) -> Spans:
        """The matching spans, one token long; many are made again when asked for again."""
        if self._kept is None:
            spans = self._as_spans(self._positions)
            if len(spans) > KEPT_HITS:
                return spans
            self._kept = spans
        return self._kept

    @cached_property
    def total(self) -> int:
        """Number of hits."""
        if self.document_mask is None:
            return self._n_everywhere
        postings = self.view.segment.postings
        return self.document_mask.count(*map(postings.of_row, self.rows.tolist()))

    def spans_in(self, row: int) -> Spans:
        """Return the spans in one document, without joining long lists of positions."""
        return self.spans_of(np.array([row]))[1]

    def spans_of(self, rows: Index) -> tuple[Index, Spans]:
        """Return the spans in several documents and the row of each, by looking at their tokens."""
        if self.mask is not None:
            rows = rows[self.mask[rows]]
        segment = self.view.segment
        begins, ends = segment.bounds[rows], segment.bounds[rows + 1]
        bounds = list(zip(begins.tolist(), ends.tolist(), strict=True))
        found = np.flatnonzero(self.test.scan_texts(segment, bounds))
        stops = np.cumsum(ends - begins)
        owners = stops.searchsorted(found, side="right")
        starts = found + (ends - stops)[owners]
        return rows[owners], Spans(starts, starts + 1)

    def outermost(self, n: int, *, last: bool) -> Spans:
        """Return the last (or first) n spans of the segment; looks at little more than those."""
        wanted = n
        while True:
            positions = self._outermost_everywhere(wanted, last=last)
            spans = self._as_spans(positions)
            if len(spans) >= n or len(positions) == self._n_everywhere:
                return spans.outermost(n, last=last)
            wanted = max(2 * wanted, 4 * len(positions))

    def _as_spans(self, positions: U32) -> Spans:
        if self.document_mask is not None:
            positions = chosen(positions, self.document_mask.holds(positions))
        wide = positions.astype(np.int64)
        return Spans(wide, wide + 1)

    def _outermost_everywhere(self, n: int, *, last: bool) -> U32:
        """Return at least the last (or first) n positions in all documents, ascending."""
        segment = self.view.segment
        if self._n_everywhere <= max(n, FEW_POSITIONS):
            return self._positions
        if len(self.rows) <= SOME_LISTS:
            return self._ends_of_lists(n, last=last)
        stretch = min(segment.n_tokens, n * segment.n_tokens // self._n_everywhere + SOME_TOKENS)
        if stretch > SCAN_COST * self._n_everywhere:
            return self._positions
        while True:
            start = segment.n_tokens - stretch if last else 0
            found = np.flatnonzero(self.test.scan(segment, start, start + stretch)) + start
            if len(found) >= n or stretch == segment.n_tokens:
                return found.astype(np.uint32)
            stretch = min(segment.n_tokens, 2 * stretch)

    def _ends_of_lists(self, n: int, *, last: bool) -> U32:
        """Join the ends of all lists; what lies beyond the end of a cut list is left out."""
        postings = self.view.segment.postings
        lists = [postings.of_row(row) for row in self.rows.tolist()]
        ends = [positions[-n:] if last else positions[:n] for positions in lists]
        joined = np.concatenate(ends)
        joined.sort()
        cut = [end for end, whole in zip(ends, lists, strict=True) if len(end) < len(whole)]
        if not cut:
            return joined
        if last:
            return joined[np.searchsorted(joined, max(int(end[0]) for end in cut)) :]
        return joined[: np.searchsorted(joined, min(int(end[-1]) for end in cut), side="right")]


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

    ``generation`` is the one that was asked for, at or before the snapshot's own. What has been
    worked out of the hits is in ``memories``, see `recent.Remembered`.
    """

    snapshot: Snapshot
    generation: int
    parts: tuple[SegmentHits, ...]
    base: Base
    memories: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def total(self) -> int:
        """Exact number of hits."""
        test = self.token_test
        return sum(part.total for part in self.parts) if test is None else test.n_tokens

    @property
    def token_test(self) -> TokenTest | None:
        """The condition whose every token is a hit, None unless there is one.

        There is when the query is a single token decided by its type and all documents count.
        """
        parts = [part for part in self.parts if isinstance(part, TokenHits)]
        if not parts or len(parts) < len(self.snapshot.segments):
            return None
        return parts[0].test if all(part.document_mask is None for part in parts) else None

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
