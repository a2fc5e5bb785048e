"""Rows of frequent tokens: counted in blocks of the segment, placed only where somebody looks.

Input → output: a token row and a segment → hits. ``DT NN`` has 4.6 million of them in 100 million
tokens: counting costs 15 ms, writing their positions down ten times as much.
"""

from collections.abc import Iterator

import numpy as np
from propcache.api import cached_property

from search.engine.arrays import I64, Index, Mask
from search.engine.index.hits import KEPT_HITS, Spans, hits_per_document
from search.engine.index.reader import SegmentView
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.index.set_bits import true_at
from search.engine.query.conditions.kept_bits import SCAN_BLOCK, kept_bits
from search.engine.query.running.sequences import TokenRow
from search.engine.query.running.tag_bits import count_joined

FIRST_STRETCH = 1 << 13  # positions looked at first for the outermost hits
MOST_STRETCHES = 300  # of text left out; more of them are not worth scanning one by one: 20 us each


class RowScanHits:
    """Hits of a row in one segment; see `SegmentHits`."""

    def __init__(self, view: SegmentView, row: TokenRow, mask: DocumentMask | None) -> None:
        self.view = view
        self._row = row
        self._mask = mask
        self._last_start = view.segment.n_tokens - row.length + 1
        self._kept: Spans | None = None

    def starting_in(self, mask: DocumentMask) -> "RowScanHits":
        """Return the hits that start in the documents of a further mask."""
        if self._mask is not None:
            mask = DocumentMask(mask.segment, mask.documents & self._mask.documents)
        return RowScanHits(self.view, self._row, mask)

    @cached_property
    def total(self) -> int:
        """Number of hits."""
        if _can_be_joined(self._row):
            known = self._counted_by_bits()
            if known is not None:
                return known
        return self._count(0, self._last_start)

    def _counted_by_bits(self) -> int | None:
        """Count by bits; what is left out by scanning, None if that is too much."""
        if self._mask is None:
            return _count_starts(self.view.segment, self._row)
        edges = [0, *self._mask.edges.tolist(), self.view.segment.n_tokens]
        left_out = list(zip(edges[::2], edges[1::2], strict=True))
        n_left_out = sum(high - low for low, high in left_out)
        if len(left_out) > MOST_STRETCHES or n_left_out * 2 > self.view.segment.n_tokens:
            return None
        others = RowScanHits(self.view, self._row, None)
        total = _count_starts(self.view.segment, self._row)
        return total - sum(others._count(low, high) for low, high in left_out)

    def _count(self, low: int, high: int) -> int:
        blocks = self._blocks(low, min(high, self._last_start))
        return sum(int(np.count_nonzero(self._scan(*block))) for block in blocks)

    @property
    def spans(self) -> Spans:
        """The matching spans."""
        if self._kept is not None:
            return self._kept
        spans = self._spans(self._starts(0, self._last_start))
        if len(spans) <= KEPT_HITS:
            self._kept = spans
        return spans

    @cached_property
    def document_counts(self) -> I64:
        """Hits per document."""
        return hits_per_document(self.spans.starts, self.view.segment.bounds)

    def spans_in(self, row: int) -> Spans:
        """Return the spans in one document."""
        low, high = self.view.segment.bounds[row : row + 2].tolist()
        return self._spans(self._starts(low, min(high, self._last_start)))

    def spans_of(self, rows: Index) -> tuple[Index, Spans]:
        """Return the spans in several documents and the row of each."""
        starts = [self.spans_in(row).starts for row in rows.tolist()]
        owners = np.repeat(rows, list(map(len, starts)))
        return owners, self._spans(np.concatenate([np.empty(0, dtype=np.int64), *starts]))

    def outermost(self, n: int, *, last: bool) -> Spans:
        """Return the last (or first) n spans of the segment."""
        found = [np.empty(0, dtype=np.int64)]
        n_found, done, stretch = 0, 0, FIRST_STRETCH
        while n_found < n and done < self._last_start:
            after = min(done + stretch, self._last_start)
            low, high = (
                (self._last_start - after, self._last_start - done) if last else (done, after)
            )
            found.append(self._starts(low, high))
            n_found += len(found[-1])
            done, stretch = after, 2 * stretch
        return self._spans(np.concatenate(found[::-1] if last else found)).outermost(n, last=last)

    def _spans(self, starts: I64) -> Spans:
        return Spans(starts, starts + self._row.length)

    def _starts(self, low: int, high: int) -> I64:
        found = [np.empty(0, dtype=np.int64)]
        for first, after in self._blocks(low, high):
            found.append(true_at(self._scan(first, after)) + first)
        return np.concatenate(found)

    def _blocks(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        for first in range(low, high, SCAN_BLOCK):
            yield first, min(first + SCAN_BLOCK, high)

    def _scan(self, low: int, high: int) -> Mask:
        """Return at which positions of a stretch a match starts."""
        segment, row = self.view.segment, self._row
        mask: Mask | None = None
        for offset, condition in enumerate(row.conditions):
            if not condition.is_anything:
                holds = condition.scan(segment, low + offset, high + offset)
                mask = holds if mask is None else np.logical_and(mask, holds, out=mask)
        if mask is None:
            mask = np.ones(high - low, dtype=np.bool_)
        within = row.query.within
        if within is not None and within.unit == "s":
            mask &= segment.right[low:high] >= row.length - 1
        if within is not None or not row.query.across_texts:
            self._stay_in_texts(mask, low, high)
        if self._mask is not None:
            self._mask.cut(mask, low)
        return mask

    def _stay_in_texts(self, mask: Mask, low: int, high: int) -> None:
        """Take away what would reach into the next text."""
        bounds = self.view.segment.bounds
        more = self._row.length - 1
        first, after = np.searchsorted(bounds, [low + 1, high + more]).tolist()
        ends = bounds[first:after]
        for distance in range(1, more + 1):
            starts = ends - distance
            mask[starts[(starts >= low) & (starts < high)] - low] = False


def _can_be_joined(row: TokenRow) -> bool:
    """Say whether a row has tag conditions alone, of which bits are kept."""
    conditions = row.conditions
    known = [c.is_anything or c.tag_mask is not None for c in conditions]
    return all(known) and not all(c.is_anything for c in conditions)


def _count_starts(segment: Segment, row: TokenRow) -> int:
    """Count where a row of tags starts in a segment, in the documents of all masks.

    Matches stay in their sentence or text, as the row asks.
    """
    parts = [
        (distance, condition.bits(segment))
        for distance, condition in enumerate(row.conditions)
        if not condition.is_anything
    ]
    within = row.query.within
    if within is not None and within.unit == "s":

        def stays(low: int, high: int) -> Mask:
            inside: Mask = segment.right[low:high] >= row.length - 1
            return inside

        return count_joined([*parts, (0, kept_bits(segment, b"right%d" % row.length, stays))])
    runs_on = within is None and row.query.across_texts
    bounds = segment.bounds[[0, -1]] if runs_on else segment.bounds
    return count_joined(parts) - _count_across(segment, row, bounds)


def _count_across(segment: Segment, row: TokenRow, bounds: I64) -> int:
    """Count the places where the row's tags stand with the end of a stretch between them."""
    first, ends = bounds[:-1], bounds[1:]
    near_end = [ends - distance for distance in range(1, row.length)]
    starts = np.concatenate([ends[:0], *(at[at >= first] for at in near_end)])
    for offset, condition in enumerate(row.conditions):
        if condition.is_anything:
            continue
        at = starts + offset
        inside = at < segment.n_tokens
        starts = starts[inside][condition.holds(segment, at[inside])]
    return len(starts)
