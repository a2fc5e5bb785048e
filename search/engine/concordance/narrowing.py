"""Fewer hits of the same query: by their context, one a text, one for those that overlap.

Input → output: `Hits` → `Hits` on the same base, whose spans are some of the spans before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from search.engine.concordance.sort_columns import SegmentSpans, random_of
from search.engine.index.hits import Hits, SegmentHits, SpanHits, Spans
from search.engine.index.segments.segment import Segment

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]


class ContextTest(Protocol):
    """A condition on one token."""

    @property
    def n_tokens(self) -> int:
        """At most so many positions of all segments meet it."""

    def positions(self, segment: Segment) -> I64:
        """Return all positions that meet it, ascending."""

    def holds(self, segment: Segment, positions: I64) -> Mask:
        """Return which of some positions meet it."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How many tokens left and right of the node are looked at, within its sentence.

    At most 255 on each side.
    """

    left: int = 5
    right: int = 5


def near(hits: Hits, test: ContextTest, reach: Reach, *, wanted: bool = True) -> Hits:
    """Keep the hits that have such a token near the node, or those that have none.

    Left of the node counts what stands in the sentence of its first token, right of it what stands
    in that of its last. The node itself does not count.

    Parameters
    ----------
    wanted : bool
        False keeps the others: both together are all hits.

    Returns
    -------
    Hits
        O(n_hits (left + right)), or O((n_hits + n_tokens) log n_tokens) where the token is rarer.
    """

    def keep(part: SegmentHits) -> Spans:
        found = _has_near(part, test, reach, is_rare=test.n_tokens < hits.total)
        return part.spans.where(found == wanted)

    return _narrowed(hits, keep)


def _has_near(part: SegmentHits, test: ContextTest, reach: Reach, *, is_rare: bool) -> Mask:
    segment, spans = part.view.segment, part.spans
    low = spans.starts - np.minimum(segment.left[spans.starts], reach.left)
    high = spans.ends + np.minimum(segment.right[spans.ends - 1], reach.right)
    if is_rare:
        positions = test.positions(segment)
        left = _lies_between(positions, low, spans.starts)
        return left | _lies_between(positions, spans.ends, high)
    found = np.zeros(len(spans), dtype=np.bool_)
    steps = [(spans.starts - i, low, spans.starts) for i in range(1, reach.left + 1)]
    steps += [(spans.ends + i, spans.ends, high) for i in range(reach.right)]
    for places, begin, end in steps:
        open_ = np.flatnonzero(~found & (places >= begin) & (places < end))
        found[open_] = test.holds(segment, places[open_])
    return found


def _lies_between(positions: I64, low: I64, high: I64) -> Mask:
    """Return for each stretch whether one of the ascending positions lies in it."""
    result: Mask = np.searchsorted(positions, low) < np.searchsorted(positions, high)
    return result


def found_too(hits: Hits, others: Hits, *, wanted: bool = True) -> Hits:
    """Keep the hits that overlap one of another query on the same snapshot, or those that do not.

    Parameters
    ----------
    wanted : bool
        False keeps the others: both together are all hits.

    Returns
    -------
    Hits
        O((n_hits + n_others) log n_others).
    """
    spans_of = {id(part.view): part.spans for part in others.parts}

    def keep(part: SegmentHits) -> Spans:
        spans, there = part.spans, spans_of.get(id(part.view))
        found = np.zeros(len(spans), dtype=np.bool_)
        if there is not None and len(there):
            # Of the others that begin before a hit ends, the farthest end must lie behind its
            # first token.
            reached = np.concatenate([[-1], np.maximum.accumulate(there.ends)])
            found = reached[np.searchsorted(there.starts, spans.ends)] > spans.starts
        return spans.where(found == wanted)

    return _narrowed(hits, keep)


def first_of_each_text(hits: Hits) -> Hits:
    """Keep the first hit of each text."""

    def keep(part: SegmentHits) -> Spans:
        counts = part.document_counts
        first = (np.cumsum(counts) - counts)[counts > 0]
        return Spans(part.spans.starts[first], part.spans.ends[first])

    return _narrowed(hits, keep)


def random_of_each_text(hits: Hits, seed: int) -> Hits:
    """Keep one random hit of each text; equal seeds keep equal hits, in whatever corpus."""

    def keep(part: SegmentHits) -> Spans:
        spans = part.spans
        lines = SegmentSpans(0, part.view.segment, spans, part.document_counts)
        if not len(lines):
            return spans
        counts = part.document_counts[part.document_counts > 0]
        numbers = random_of(lines, seed)
        least = np.minimum.reduceat(numbers, np.cumsum(counts) - counts)
        chosen = np.flatnonzero(numbers == np.repeat(least, counts))
        _, first = np.unique(lines.rows[chosen], return_index=True)  # of those that start together
        return Spans(spans.starts[chosen[first]], spans.ends[chosen[first]])

    return _narrowed(hits, keep)


def join_overlapping(hits: Hits) -> Hits:
    """Take hits that overlap for readings of one.

    Going through a text, the first hit (the longest of those that start together) takes all that
    start before its end for its readings; the next hit after its end goes on in the same way.
    """
    return _narrowed(hits, lambda part: _leaders(part.spans))


def n_readings(part: SegmentHits, row: int, start: int, end: int) -> int:
    """Count the hits of one text that `join_overlapping` took into a span."""
    starts = part.spans_in(row).starts
    low, high = np.searchsorted(starts, [start, end]).tolist()
    return int(high - low)


def _leaders(spans: Spans) -> Spans:
    if not len(spans):
        return spans
    order = np.lexsort((-spans.ends, spans.starts))
    starts, ends = spans.starts[order], spans.ends[order]
    reached = np.maximum.accumulate(ends)
    alone = np.ones(len(starts), dtype=np.bool_)  # begins after everything before it has ended
    alone[1:] = starts[1:] >= reached[:-1]
    keep = alone.copy()
    end = 0
    for i in np.flatnonzero(~alone | np.append(~alone[1:], False)).tolist():
        if starts[i] >= end:
            keep[i] = True
            end = int(ends[i])
    return Spans(starts[keep], ends[keep])


def _narrowed(hits: Hits, keep: Callable[[SegmentHits], Spans]) -> Hits:
    parts = tuple(SpanHits(part.view, keep(part), None) for part in hits.parts)
    return Hits(hits.snapshot, hits.generation, parts, hits.base)
