"""What is done with the matches of a query: keep some, keep the first, make them longer.

Input → output: hits and ``within (…)``, ``containing (…)``, ``cut``, ``expand`` → hits.
"""

import numpy as np

from search.engine.arrays import I64, Mask
from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView
from search.engine.index.segments.segment import Segment
from search.engine.query.ast import Expansion, Nesting
from search.engine.query.reach import bounds_around, region_edges, text_ends
from search.engine.query.running.labels import MarkedHits


def related(spans: Spans, others: Spans, relation: Nesting) -> Mask:
    """Return which spans lie within (or contain) one of some others.

    Parameters
    ----------
    spans, others : Spans
        Half-open; starts ascending.
    """
    if not len(others):
        return np.zeros(len(spans), dtype=np.bool_)
    order = np.argsort(others.starts, kind="stable")
    starts, ends = others.starts[order], others.ends[order]
    if relation is Nesting.WITHIN:
        farthest = np.maximum.accumulate(ends)
        before = np.searchsorted(starts, spans.starts, side="right") - 1
        inside: Mask = (before >= 0) & (farthest[np.maximum(before, 0)] >= spans.ends)
        return inside
    nearest = np.append(np.minimum.accumulate(ends[::-1])[::-1], np.iinfo(np.int64).max)
    around: Mask = nearest[np.searchsorted(starts, spans.starts)] <= spans.ends
    return around


def keep(hits: SegmentHits, mask: Mask, view: SegmentView | None = None) -> SegmentHits:
    """Return some of the hits of a segment, perhaps as those of one that begins alike."""
    view, spans = view or hits.view, hits.spans.where(mask)
    if isinstance(hits, MarkedHits):
        marks = {number: positions[mask] for number, positions in hits.marks.items()}
        return MarkedHits(view, spans, None, marks)
    return SpanHits(view, spans, None)


def cut(parts: tuple[SegmentHits, ...], n: int) -> tuple[SegmentHits, ...]:
    """Keep the first hits, in order of the times of their texts."""
    if sum(part.total for part in parts) <= n:
        return parts
    if len(parts) == 1:
        return (keep(parts[0], np.arange(parts[0].total) < n),)
    keys = [_order_keys(part) for part in parts]
    number = np.repeat(np.arange(len(parts)), [len(key[0]) for key in keys])
    times, documents = (np.concatenate([key[i] for key in keys]) for i in (0, 1))
    first = np.lexsort((documents, times))[:n]
    chosen = np.zeros(len(number), dtype=np.bool_)
    chosen[first] = True
    return tuple(keep(part, chosen[number == i]) for i, part in enumerate(parts))


def _order_keys(part: SegmentHits) -> tuple[I64, I64]:
    segment = part.view.segment
    rows = segment.document_of(part.spans.starts)
    return (
        segment.documents.published[rows].astype(np.int64),
        segment.documents.key[rows].astype(np.int64),
    )


def expanded(hits: SegmentHits, expansion: Expansion, *, across_texts: bool) -> SegmentHits:
    """Make hits longer: to whole sentences or texts, or by some tokens; equal ones become one."""
    spans, segment = hits.spans, hits.view.segment
    starts, ends = spans.starts, spans.ends
    if expansion.to_left:
        starts = _first_of(segment, starts, expansion, across_texts=across_texts)
    if expansion.to_right:
        ends = _end_of(segment, ends - 1, expansion, across_texts=across_texts)
    order = np.lexsort((ends, starts))
    starts, ends = starts[order], ends[order]
    different = np.ones(len(order), dtype=np.bool_)
    different[1:] = (starts[1:] != starts[:-1]) | (ends[1:] != ends[:-1])
    return SpanHits(hits.view, Spans(starts[different], ends[different]), None)


def _first_of(segment: Segment, positions: I64, expansion: Expansion, *, across_texts: bool) -> I64:
    """Return the first position of what begins before some tokens."""
    if expansion.is_own_region:
        return bounds_around(segment, expansion.unit, positions)[0]
    least = np.zeros_like(positions)
    if not across_texts:
        least = segment.bounds[segment.document_of(positions)]
    if expansion.unit == "token":
        return np.maximum(least, positions - expansion.count)
    edges = region_edges(segment, expansion.unit)
    at = np.searchsorted(edges, positions, side="right") - expansion.count
    return np.maximum(least, edges[np.maximum(at, 0)])


def _end_of(segment: Segment, positions: I64, expansion: Expansion, *, across_texts: bool) -> I64:
    """Return the boundary after what ends behind some tokens."""
    if expansion.is_own_region:
        return bounds_around(segment, expansion.unit, positions)[1]
    most = text_ends(segment, positions, across_texts=across_texts)
    if expansion.unit == "token":
        return np.minimum(most, positions + expansion.count + 1)
    edges = region_edges(segment, expansion.unit)
    at = np.searchsorted(edges, positions, side="right") - 1 + expansion.count
    return np.minimum(most, edges[np.minimum(at, len(edges) - 1)])
