"""Newest and oldest first: lines from the ends of the segments, no more than a page needs.

Input → output: hits and a stretch of lines → references to those hits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from search.concordance.outermost import first_by_time
from search.index.hits import Hits

I64 = npt.NDArray[np.int64]

MANY_LINES = 2_000  # deeper down, ranking all documents costs less than going through them


class LineReference(NamedTuple):
    """A hit: number of the segment among the hits' parts, row of the document, span."""

    part: int
    row: int
    start: int
    end: int


def lines_by_time(hits: Hits, offset: int, count: int, *, newest: bool) -> list[LineReference]:
    """Return a stretch of the lines in order of time."""
    if count < 1:
        return []
    if offset + count > MANY_LINES:
        return deep_lines(hits, offset, count, newest=newest)
    places = first_by_time(hits, offset + count, newest=newest).take(slice(offset, None))
    columns = (places.part, places.row, places.start, places.end)
    return list(map(LineReference, *(column.tolist() for column in columns)))


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


def deep_lines(hits: Hits, offset: int, count: int, *, newest: bool) -> list[LineReference]:
    """Return a stretch far down: all documents are ranked, few are looked into."""
    documents = hits.documents
    known = _in_time_order(hits, newest=newest)
    order, ends = known.order, known.ends
    first, last = np.searchsorted(ends, [offset, offset + count - 1], side="right").tolist()
    lines: list[LineReference] = []
    for number in range(first, min(last + 1, len(order))):
        at = order[number]
        place = int(documents.part[at]), int(documents.row[at])
        start = int(ends[number] - documents.count[at])
        lines += _lines_in(hits, place, max(0, offset - start), offset + count - start)
    return lines


@dataclass(frozen=True, slots=True)
class _TimeOrder:
    """Documents with hits in order of time, and how many hits there are up to each."""

    order: npt.NDArray[np.intp]
    ends: I64


def _in_time_order(hits: Hits, *, newest: bool) -> _TimeOrder:
    """Order all documents with hits; remembered with the hits."""
    key = ("time order", newest)
    known = hits.caches.get(key)
    if not isinstance(known, _TimeOrder):
        ranks = document_ranks(hits)
        order = np.argsort(ranks if newest else -ranks)
        known = hits.caches[key] = _TimeOrder(order, np.cumsum(hits.documents.count[order]))
    return known


def _lines_in(hits: Hits, place: tuple[int, int], low: int, high: int) -> list[LineReference]:
    i, row = place
    spans = hits.parts[i].spans_in(row)
    starts, ends = spans.starts[low:high].tolist(), spans.ends[low:high].tolist()
    return [LineReference(i, row, a, b) for a, b in zip(starts, ends, strict=True)]


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
