"""The newest or oldest hits of all segments, without looking at the others.

Input → output: hits and a number → so many hits in order of time, as columns.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.hits import Hits, SegmentHits, Spans

I64 = npt.NDArray[np.int64]

# A text that is looked into costs as much as placing so many hits in their texts.
DOCUMENT_COST = 40
SPARE_SHARE = 4  # one text in so many more is looked into at once, lest a few hits be missing


@dataclass(frozen=True, slots=True)
class Places:
    """Hits, an entry each: segment among the hits' parts, row of the document, span."""

    part: I64
    row: I64
    start: I64
    end: I64

    def take(self, chosen: npt.NDArray[np.integer] | slice) -> "Places":
        """Return some of the hits, in the order given."""
        columns = (self.part, self.row, self.start, self.end)
        return Places(*(column[chosen] for column in columns))


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
        nothing = np.empty(0, dtype=np.int64)
        return Places(nothing, nothing, nothing, nothing)
    columns = [(hits.parts[each.part].view.segment.documents, each.rows) for each in found]
    time = sign * np.concatenate([documents.published[rows] for documents, rows in columns])
    kind = sign * np.concatenate([documents.kind[rows] for documents, rows in columns]).astype(int)
    key = sign * np.concatenate([documents.key[rows] for documents, rows in columns])
    joined = Places(
        np.repeat([each.part for each in found], [len(each.rows) for each in found]),
        np.concatenate([rows for _, rows in columns]),
        np.concatenate([each.spans.starts for each in found]),
        np.concatenate([each.spans.ends for each in found]),
    )
    return joined.take(np.lexsort((key, kind, time)))
