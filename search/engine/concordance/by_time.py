"""Newest and oldest first: lines from the ends of the segments, no more than a page needs.

Input → output: hits and a stretch of lines → the places of those hits. Segments are taken from
their newest (or oldest) end, the others are not looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.concordance.places import LineReference, Places
from search.engine.index.hits import Hits, SegmentHits, Spans
from search.engine.index.recent import Remembered

I64 = npt.NDArray[np.int64]

MANY_LINES = 2_000  # deeper down, ranking all documents costs less than going through them
# A text that is looked into costs as much as placing so many hits in their texts.
DOCUMENT_COST = 40
SPARE_SHARE = 4  # one text in so many more is looked into at once, lest a few hits be missing


def lines_by_time(hits: Hits, offset: int, count: int, *, newest: bool) -> Places:
    """Return a stretch of the lines in order of time."""
    if count < 1:
        return Places.of(())
    if offset + count > MANY_LINES:
        return deep_lines(hits, offset, count, newest=newest)
    return first_by_time(hits, offset + count, newest=newest).take(slice(offset, None))


def document_ranks(hits: Hits) -> npt.NDArray[np.intp]:
    """Return the rank of each document with hits (`Hits.documents`), newest first from 0."""
    documents = hits.documents
    columns = [part.view.segment.documents for part in hits.parts]
    published = _gather([c.published for c in columns], documents.part, documents.row)
    kind = _gather([c.kind for c in columns], documents.part, documents.row)
    key = _gather([c.key for c in columns], documents.part, documents.row)
    ranks = np.empty(len(published), dtype=np.intp)
    ranks[np.lexsort((key, kind, published))[::-1]] = np.arange(len(published))
    return ranks


def deep_lines(hits: Hits, offset: int, count: int, *, newest: bool) -> Places:
    """Return a stretch far down: all documents are ranked, few are looked into."""
    documents = hits.documents
    known = _in_time_order(hits, newest=newest)
    order, ends = known.order, known.ends
    first, last = np.searchsorted(ends, [offset, offset + count - 1], side="right").tolist()
    lines: list[Places] = []
    for number in range(first, min(last + 1, len(order))):
        at = order[number]
        place = int(documents.part[at]), int(documents.row[at])
        start = int(ends[number] - documents.count[at])
        lines.append(_lines_in(hits, place, max(0, offset - start), offset + count - start))
    return Places.joined(lines)


@dataclass(frozen=True, slots=True)
class _TimeOrder:
    """Documents with hits in order of time, and how many hits there are up to each."""

    order: npt.NDArray[np.intp]
    ends: I64


_ORDERS: Remembered[bool, _TimeOrder] = Remembered()


def _in_time_order(hits: Hits, *, newest: bool) -> _TimeOrder:
    """Order all documents with hits; remembered with the hits."""
    return _ORDERS.of(hits).get_or(newest, lambda: _put_in_order(hits, newest=newest))


def _put_in_order(hits: Hits, *, newest: bool) -> _TimeOrder:
    ranks = document_ranks(hits)
    order = np.argsort(ranks if newest else -ranks)
    return _TimeOrder(order, np.cumsum(hits.documents.count[order]))


def _lines_in(hits: Hits, place: tuple[int, int], low: int, high: int) -> Places:
    i, row = place
    spans = hits.parts[i].spans_in(row)
    starts, ends = spans.starts[low:high], spans.ends[low:high]
    return Places(np.full(len(starts), i), np.full(len(starts), row), starts, ends)


def number_by_time(hits: Hits, wanted: LineReference, *, newest: bool) -> int | None:
    """Return at which place in order of time a hit stands, None if it is not one of the hits."""
    spans = hits.parts[wanted.part].spans_in(wanted.row)
    within = np.flatnonzero((spans.starts == wanted.start) & (spans.ends == wanted.end))
    if not len(within):
        return None
    ranks, documents = document_ranks(hits), hits.documents
    own = (documents.part == wanted.part) & (documents.row == wanted.row)
    rank = int(ranks[own][0])
    before = ranks < rank if newest else ranks > rank
    return int(documents.count[before].sum()) + int(within[0])


def _gather(
    columns: Sequence[npt.NDArray[np.integer]], parts: I64, rows: I64
) -> npt.NDArray[np.int64]:
    """Return the values of rows of several segments; ``parts`` is ascending."""
    result = np.empty(len(rows), dtype=np.int64)
    for i, column in enumerate(columns):
        low, high = np.searchsorted(parts, [i, i + 1]).tolist()
        result[low:high] = column[rows[low:high]]
    return result


def first_by_time(hits: Hits, needed: int, *, newest: bool) -> Places:
    """Return the newest (or oldest) hits in order of time, so many (from 1 up) or all.

    Segments are taken in order of their newest (oldest) document until the rest lie beyond. Texts
    of the same second come by kind and key; hits of one text in its own order.
    """
    sign = -1 if newest else 1
    if hits.total <= needed:
        every = [_all_of(part, i) for i, part in enumerate(hits.parts)]
        return _joined(hits, every, sign)
    found: list[_Found] = []
    last: int | None = None  # time of the last hit that is needed, as far as is known
    edges = [sign * part.view.segment.published_range[newest] for part in hits.parts]
    for i in sorted(range(len(edges)), key=edges.__getitem__):
        if last is not None and edges[i] > last:
            break
        found.append(_first_of(hits, i, needed, sign))
        last = _last_time(hits, found, needed, sign)
    if len(found) == 1 and found[0].is_in_order:
        return found[0].places().take(slice(needed))
    return _joined(hits, found, sign).take(slice(needed))


@dataclass(frozen=True, slots=True)
class _Found:
    """Hits of one segment that may be among the first."""

    part: int
    rows: I64
    spans: Spans
    is_in_order: bool = False

    def places(self) -> Places:
        part = np.full(len(self.rows), self.part)
        return Places(part, self.rows, self.spans.starts, self.spans.ends)


def _last_time(hits: Hits, found: list[_Found], needed: int, sign: int) -> int | None:
    """Return the time of the last hit that is needed among those found; None if more are."""
    if sum(len(each.rows) for each in found) < needed:
        return None
    published = [hits.parts[f.part].view.segment.documents.published for f in found]
    if len(found) == 1 and found[0].is_in_order:
        return sign * published[0].item(found[0].rows.item(needed - 1))
    times = np.concatenate([p[f.rows] for p, f in zip(published, found, strict=True)])
    return int(np.partition(sign * times, needed - 1)[needed - 1])


def _all_of(part: SegmentHits, number: int) -> _Found:
    spans = part.spans
    rows = part.view.segment.document_of(spans.starts) if len(spans) else spans.starts
    return _Found(number, rows, spans)


def _first_of(hits: Hits, number: int, needed: int, sign: int) -> _Found:
    """Return the first hits of a segment, perhaps with some more.

    In a segment that keeps an order of its own so many texts are looked into as should hold the
    hits, unless placing all of them costs less.
    """
    part = hits.parts[number]
    segment = part.view.segment
    if segment.in_time_order:
        return _Found(number, *_of_ends(part, needed, sign), is_in_order=True)
    n_documents = sum(each.view.segment.n_documents for each in hits.parts)
    n_texts = needed * n_documents // hits.total
    n_texts += n_texts // SPARE_SHARE + 1
    n_hits = hits.total * segment.n_documents // n_documents  # as it should be
    while n_texts * DOCUMENT_COST <= n_hits:
        rows, spans = part.spans_of(segment.rows_in_time[::sign][:n_texts])
        if len(rows) >= needed:
            return _Found(number, rows, spans, is_in_order=True)
        n_texts *= 2
        n_hits = part.total
    return _nearest(_all_of(part, number), segment.documents.published, needed, sign)


def _nearest(found: _Found, published: I64, needed: int, sign: int) -> _Found:
    """Leave out what cannot be among the first."""
    if len(found.rows) <= needed:
        return found
    times = sign * published[found.rows]
    near = np.flatnonzero(times <= np.partition(times, needed - 1)[needed - 1])
    spans = Spans(found.spans.starts[near], found.spans.ends[near])
    return _Found(found.part, found.rows[near], spans)


def _of_ends(part: SegmentHits, needed: int, sign: int) -> tuple[I64, Spans]:
    """Take the hits at the end (beginning) of a segment that stands in order of time."""
    spans = part.outermost(needed, last=sign < 0)
    rows = part.view.segment.document_of(spans.starts)
    if sign > 0 or not len(rows):
        return rows, spans
    first = part.spans_in(int(rows[0]))  # of the earliest text only the last hits may be there
    after = int(np.searchsorted(rows, rows[0], side="right"))
    rows = np.concatenate([np.repeat(rows[:1], len(first)), rows[after:]])
    starts = np.concatenate([first.starts, spans.starts[after:]])
    ends = np.concatenate([first.ends, spans.ends[after:]])
    order = np.argsort(-rows, kind="stable")
    return rows[order], Spans(starts[order], ends[order])


def _joined(hits: Hits, found: list[_Found], sign: int) -> Places:
    """Put the hits of several segments in order."""
    found = [each for each in found if len(each.rows)]
    if not found:
        return Places.of(())
    columns = [(hits.parts[each.part].view.segment.documents, each.rows) for each in found]
    time = sign * np.concatenate([documents.published.take(rows) for documents, rows in columns])
    kind = np.concatenate([documents.kind.take(rows) for documents, rows in columns])
    kind = sign * kind.astype(int)
    key = sign * np.concatenate([documents.key.take(rows) for documents, rows in columns])
    joined = Places(
        np.repeat([each.part for each in found], [len(each.rows) for each in found]),
        np.concatenate([rows for _, rows in columns]),
        np.concatenate([each.spans.starts for each in found]),
        np.concatenate([each.spans.ends for each in found]),
    )
    return joined.take(np.lexsort((key, kind, time)))
