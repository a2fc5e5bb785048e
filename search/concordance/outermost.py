"""The newest or oldest hits of all segments, without looking at the others.

Input → output: hits and a number → the documents that hold so many hits, in order of time, with
these hits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from search.index.hits import Hits, SegmentHits, Spans
from search.index.segment import Segment

Index = npt.NDArray[np.intp]

DOCUMENT_COST = 200  # looking into a document costs as much as placing so many hits
TimeKey = tuple[int, int, int]  # published, kind and key: newer is greater


@dataclass(frozen=True, slots=True)
class DocumentSpans:
    """A document (number of the segment among the hits' parts, row) and its hits in text order.

    Of the last document in an order only the hits that are needed are sure to be there.
    """

    time: TimeKey
    part: int
    row: int
    spans: Spans


def documents_by_time(hits: Hits, needed: int, *, newest: bool) -> list[DocumentSpans]:
    """Return the newest (or oldest) documents that together hold so many hits, or all.

    Segments are taken in order of their newest (oldest) document until the rest lie beyond.
    """
    edges = [_edge(part.view.segment, newest=newest) for part in hits.parts]
    found: list[DocumentSpans] = []
    for i in sorted(range(len(edges)), key=edges.__getitem__, reverse=newest):
        if _is_beyond(edges[i], found, needed, newest=newest):
            break
        part = hits.parts[i]
        find = _in_time_order if part.view.segment.in_time_order else _in_any_order
        found += find(part, i, needed, newest)
        found.sort(key=lambda document: document.time, reverse=newest)
    return found


def _in_time_order(
    part: SegmentHits, number: int, needed: int, newest: bool
) -> Iterator[DocumentSpans]:
    """Take the documents of the outermost hits of a segment that stands in order of time."""
    spans = part.outermost(needed, last=newest)
    if not len(spans):
        return
    rows = part.view.segment.document_of(spans.starts)
    begins = np.flatnonzero(np.diff(rows, prepend=-1))
    chosen = rows[begins]
    edges = [*begins.tolist(), len(rows)]
    times = _times(part.view.segment, chosen)
    for i, (time, row) in enumerate(zip(times, chosen.tolist(), strict=True)):
        own = Spans(spans.starts[edges[i] : edges[i + 1]], spans.ends[edges[i] : edges[i + 1]])
        if newest and i == 0:  # of the earliest document only the last hits may be among them
            own = part.spans_in(row)
        yield DocumentSpans(time, number, row, own)


def _in_any_order(
    part: SegmentHits, number: int, needed: int, newest: bool
) -> Iterator[DocumentSpans]:
    """Take documents of a segment that keeps an order of its own."""
    segment = part.view.segment
    rows = segment.rows_in_time[:: -1 if newest else 1]
    n_looked_at = needed * segment.n_documents // max(1, part.total)
    if n_looked_at * DOCUMENT_COST > part.total:
        yield from _by_rank(part, number, needed, rows)
        return
    held = 0
    for row in rows.tolist():
        spans = part.spans_in(row)
        if len(spans):
            yield DocumentSpans(_times(segment, np.array([row]))[0], number, row, spans)
        held += len(spans)
        if held >= needed:
            return


def _by_rank(part: SegmentHits, number: int, needed: int, rows: Index) -> Iterator[DocumentSpans]:
    """Take the first documents that hold enough hits, by placing all hits in their documents."""
    spans = part.spans
    row_of_hit = part.view.segment.document_of(spans.starts)
    rank_of_row = np.empty(len(rows), dtype=np.intp)
    rank_of_row[rows] = np.arange(len(rows))
    ranks = rank_of_row[row_of_hit]
    if len(ranks) > needed:
        ranks = np.partition(ranks, needed - 1)[:needed]
    chosen = rows[np.unique(ranks)]
    begins = np.searchsorted(row_of_hit, chosen).tolist()
    ends = np.searchsorted(row_of_hit, chosen, side="right").tolist()
    times = _times(part.view.segment, chosen)
    for time, row, begin, end in zip(times, chosen.tolist(), begins, ends, strict=True):
        own = Spans(spans.starts[begin:end], spans.ends[begin:end])
        yield DocumentSpans(time, number, row, own)


def _is_beyond(edge: TimeKey, found: list[DocumentSpans], needed: int, *, newest: bool) -> bool:
    """Say whether a segment that begins at an edge cannot change the first documents."""
    held = 0
    for document in found:
        held += len(document.spans)
        if held >= needed:
            return edge < document.time if newest else edge > document.time
    return False


_edges: "WeakKeyDictionary[Segment, tuple[TimeKey, TimeKey]]" = WeakKeyDictionary()


def _edge(segment: Segment, *, newest: bool) -> TimeKey:
    """Return the time of a segment's newest (oldest) document."""
    known = _edges.get(segment)
    if known is None:
        rows = np.array([0, -1])
        if not segment.in_time_order:
            rows = segment.rows_in_time[rows]
        first, last = _times(segment, rows)
        known = _edges[segment] = first, last
    return known[newest]


def _times(segment: Segment, rows: npt.NDArray[np.integer]) -> list[TimeKey]:
    columns = segment.documents
    parts = (columns.published[rows], columns.kind[rows], columns.key[rows])
    return list(zip(*(part.tolist() for part in parts), strict=True))
