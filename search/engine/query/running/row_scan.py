"""Rows of frequent tokens: counted as bits, placed only where somebody looks.

Input → output: a token row and a segment → hits. ``DT NN`` has 4.6 million of them in 100 million
tokens: counting costs 5 ms, writing their positions down ten times as much.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from propcache.api import cached_property

from search.engine.arrays import I64, U64, Index, Mask
from search.engine.index.hits import KEPT_HITS, Spans, hits_per_document
from search.engine.index.reader import SegmentView
from search.engine.index.selection import DocumentMask
from search.engine.index.set_bits import LAST_BIT, ONE, WORD_BITS, WORD_SHIFT, bits_at, n_bits
from search.engine.query.conditions.kept_bits import kept_bits, stretch_of
from search.engine.query.running.sequences import TokenRow
from search.engine.query.running.tag_bits import Part, joined

FIRST_STRETCH = 1 << 13  # positions looked at first for the outermost hits


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
        stretches = self._joined(self._parts(), 0, self._last_start)
        return sum(n_bits(words) for _, words in stretches)

    @property
    def spans(self) -> Spans:
        """The matching spans."""
        if self._kept is not None:
            return self._kept
        spans = self._spans(self._starts((0, self._last_start)))
        if len(spans) <= KEPT_HITS:
            self._kept = spans
        return spans

    @cached_property
    def document_counts(self) -> I64:
        """Hits per document."""
        return hits_per_document(self.spans.starts, self.view.segment.bounds)

    def spans_in(self, row: int) -> Spans:
        """Return the spans in one document."""
        return self.spans_of(np.array([row]))[1]

    def spans_of(self, rows: Index) -> tuple[Index, Spans]:
        """Return the spans in several documents and the row of each."""
        bounds = self.view.segment.bounds
        starts = self._starts(*zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True))
        owners = np.searchsorted(bounds, starts, side="right") - 1
        return owners, self._spans(starts)

    def outermost(self, n: int, *, last: bool) -> Spans:
        """Return the last (or first) n spans of the segment."""
        found = [np.empty(0, dtype=np.int64)]
        n_found, done, stretch = 0, 0, FIRST_STRETCH
        while n_found < n and done < self._last_start:
            after = min(done + stretch, self._last_start)
            low, high = (
                (self._last_start - after, self._last_start - done) if last else (done, after)
            )
            found.append(self._starts((low, high)))
            n_found += len(found[-1])
            done, stretch = after, 2 * stretch
        return self._spans(np.concatenate(found[::-1] if last else found)).outermost(n, last=last)

    def _spans(self, starts: I64) -> Spans:
        return Spans(starts, starts + self._row.length)

    def _starts(self, *stretches: tuple[int, int]) -> I64:
        """Return where matches start in some stretches of positions, one after the other."""
        parts, found = self._parts(), [np.empty(0, dtype=np.int64)]
        for low, high in stretches:
            for first, words in self._joined(parts, low, high):
                starts = bits_at(words) + (first << WORD_SHIFT)
                found.append(starts[slice(*np.searchsorted(starts, [low, high]))])
        return np.concatenate(found)

    def _joined(self, parts: list[Part], low: int, high: int) -> Iterator[tuple[int, U64]]:
        """Give the words that hold a stretch of positions; a bit is set where a match starts."""
        for first, words in joined(parts, low >> WORD_SHIFT, -(-high // WORD_BITS)):
            self._stay_in_texts(first, words)
            if self._mask is not None:
                self._mask.cut_bits(words, first)
            yield first, words

    def _parts(self) -> list[Part]:
        """Return what may stand at each distance, and where a sentence goes on long enough."""
        segment, within, more = self.view.segment, self._row.query.within, self._row.length - 1
        parts: list[Part] = [
            (distance, partial(condition.scan_bits, segment))
            if condition.tag_mask is None
            else (distance, partial(stretch_of, condition.bits(segment)))
            for distance, condition in enumerate(self._row.conditions)
            if not condition.is_anything
        ]
        if within is not None and within.unit == "s":

            def stays(low: int, high: int) -> Mask:
                inside: Mask = segment.right[low:high] >= more
                return inside

            parts.append((0, partial(stretch_of, kept_bits(segment, b"right%d" % more, stays))))
        return parts or [(0, partial(self._row.conditions[0].scan_bits, segment))]

    def _stay_in_texts(self, first: int, words: U64) -> None:
        """Take away what would reach into the next text, or behind the last one."""
        bounds, query = self.view.segment.bounds, self._row.query
        if query.within is not None and query.within.unit == "s":
            return
        runs_on = query.across_texts and query.within is None
        ends = bounds[-1:] if runs_on else bounds[1:]
        low, high = first << WORD_SHIFT, (first + len(words)) << WORD_SHIFT
        near = slice(*np.searchsorted(ends, [low + 1, high + self._row.length]))
        at = (ends[near] - low - np.arange(1, self._row.length)[:, np.newaxis]).ravel()
        at = at[(at >= 0) & (at < high - low)]
        np.bitwise_and.at(words, at >> WORD_SHIFT, ~(ONE << (at & LAST_BIT).astype(np.uint64)))
