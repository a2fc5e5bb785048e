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

BATCH = 32  # documents whose times are looked up together
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
    if not part.total:
        return
    times = _times_of(segment)
    n_looked_at = needed * segment.n_documents // part.total
    if n_looked_at * DOCUMENT_COST > part.total:
        yield from _by_rank(part, number, needed, times.newest if newest else times.oldest)
        return
    held = 0
    rows = segment.rows_in_time[:: -1 if newest else 1]
    for begin in range(0, len(rows), BATCH):
        batch = rows[begin : begin + BATCH]
        for time, row in zip(_times(segment, batch), batch.tolist(), strict=True):
            spans = part.spans_in(row)
            if len(spans):
                yield DocumentSpans(time, number, row, spans)
            held += len(spans)
            if held >= needed:
                return


def _by_rank(part: SegmentHits, number: int, needed: int, ranks: Index) -> Iterator[DocumentSpans]:
    """Take the first documents that hold enough hits, by placing all hits in their documents.

    ``ranks`` has the place of each row in the order wanted.
    """
    spans = part.spans
    row_of_hit = part.view.segment.document_of(spans.starts)
    rank_of_hit = ranks[row_of_hit]
    if len(spans) > needed:
        last = int(np.partition(rank_of_hit, needed - 1)[needed - 1])
        at = np.flatnonzero(rank_of_hit <= last)
        spans = Spans(spans.starts[at], spans.ends[at])
        row_of_hit = row_of_hit[at]
    begins = np.flatnonzero(np.diff(row_of_hit, prepend=-1))
    chosen = row_of_hit[begins]
    edges = [*begins.tolist(), len(row_of_hit)]
    times = _times(part.view.segment, chosen)
    for i, (time, row) in enumerate(zip(times, chosen.tolist(), strict=True)):
        own = Spans(spans.starts[edges[i] : edges[i + 1]], spans.ends[edges[i] : edges[i + 1]])
        yield DocumentSpans(time, number, row, own)


def _is_beyond(edge: TimeKey, found: list[DocumentSpans], needed: int, *, newest: bool) -> bool:
    """Say whether a segment that begins at an edge cannot change the first documents."""
    held = 0
    for document in found:
        held += len(document.spans)
        if held >= needed:
            return edge < document.time if newest else edge > document.time
    return False


@dataclass(frozen=True, slots=True)
class _Times:
    """A segment's documents in order of time.

    Time of the first and of the last; of each row its place from the oldest and from the newest on.
    """

    edges: tuple[TimeKey, TimeKey]
    oldest: Index
    newest: Index


_known: "WeakKeyDictionary[Segment, _Times]" = WeakKeyDictionary()


def _times_of(segment: Segment) -> _Times:
    known = _known.get(segment)
    if known is None:
        rows = segment.rows_in_time
        first, last = _times(segment, rows[[0, -1]])
        places = np.empty(len(rows), dtype=np.intp)
        places[rows] = np.arange(len(rows))
        known = _known[segment] = _Times((first, last), places, len(rows) - 1 - places)
    return known


def _edge(segment: Segment, *, newest: bool) -> TimeKey:
    """Return the time of a segment's newest (oldest) document."""
    return _times_of(segment).edges[newest]


def _times(segment: Segment, rows: npt.NDArray[np.integer]) -> list[TimeKey]:
    columns = segment.documents
    parts = (columns.published[rows], columns.kind[rows], columns.key[rows])
    return list(zip(*(part.tolist() for part in parts), strict=True))
