"""Newest and oldest first: lines from the ends of the segments, no more than a page needs.

Input → output: hits and a stretch of lines → references to those hits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.hits import Hits

I64 = npt.NDArray[np.int64]

MANY_LINES = 2_000  # deeper down, ranking all documents costs less than going through them


@dataclass(frozen=True, slots=True)
class LineReference:
    """A hit: number of the segment among the hits' parts, row of the document, span."""

    part: int
    row: int
    start: int
    end: int


def lines_by_time(hits: Hits, offset: int, count: int, *, newest: bool) -> list[LineReference]:
    """Return a stretch of the lines in order of time."""
    needed = offset + count
    if needed > MANY_LINES:
        return deep_lines(hits, offset, count, newest=newest)
    lines: list[LineReference] = []
    passed = 0
    for i, row in _documents_by_time(hits, needed, newest=newest):
        here = int(hits.parts[i].document_counts[row])
        if passed + here > offset:
            lines += _lines_in(hits, (i, row), max(0, offset - passed), needed - passed)
        passed += here
        if passed >= needed:
            break
    return lines


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
    ranks = hits.caches.get("document ranks")
    if not isinstance(ranks, np.ndarray):
        ranks = hits.caches["document ranks"] = document_ranks(hits)
    order = np.argsort(ranks if newest else -ranks)
    ends = np.cumsum(documents.count[order])
    first, last = np.searchsorted(ends, [offset, offset + count - 1], side="right").tolist()
    lines: list[LineReference] = []
    for number in range(first, min(last + 1, len(order))):
        at = order[number]
        place = int(documents.part[at]), int(documents.row[at])
        start = int(ends[number] - documents.count[at])
        lines += _lines_in(hits, place, max(0, offset - start), offset + count - start)
    return lines


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


def _documents_by_time(hits: Hits, needed: int, *, newest: bool) -> list[tuple[int, int]]:
    """Return (part, row) of the first documents that together hold so many hits.

    Segments are taken in order of their newest (oldest) document until the rest lie beyond.
    """
    at = -1 if newest else 0
    edges = [_time_key(hits, i, at) for i in range(len(hits.parts))]
    found: list[tuple[tuple[int, int, int], int, int, int]] = []
    for i in sorted(range(len(edges)), key=edges.__getitem__, reverse=newest):
        if _is_beyond(edges[i], found, needed, newest=newest):
            break
        part = hits.parts[i]
        counts = part.document_counts
        rows = np.flatnonzero(counts)
        rows = rows[::-1] if newest else rows
        enough = int(np.searchsorted(np.cumsum(counts[rows]), needed)) + 1
        found += [
            (_time_key(hits, i, row), i, row, int(counts[row])) for row in rows[:enough].tolist()
        ]
        found.sort(reverse=newest)
    return [(i, row) for _, i, row, _ in found]


def _is_beyond(
    edge: tuple[int, int, int],
    found: list[tuple[tuple[int, int, int], int, int, int]],
    needed: int,
    *,
    newest: bool,
) -> bool:
    """Say whether a segment that begins at an edge cannot change the first documents."""
    held = 0
    for key, _, _, count in found:
        held += count
        if held >= needed:
            return edge < key if newest else edge > key
    return False


def _time_key(hits: Hits, part: int, row: int) -> tuple[int, int, int]:
    columns = hits.parts[part].view.segment.documents
    return int(columns.published[row]), int(columns.kind[row]), int(columns.key[row])
