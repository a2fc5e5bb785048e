"""The texts on both sides of the borders between segments, where matches may run across.

Input → output: a snapshot whose texts stand in the order of their corpus, and how far a match
reaches → ``Seams``: a small segment in memory that holds these texts, and which matches are to be
taken from it and which from the segments themselves.

Around each border lie the texts in which a match that crosses it can begin or end (the *zone*), and
beyond them as many again, so that what begins in the zone stands there whole.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from search.engine.arrays import U32, Mask
from search.engine.index.hits import SegmentHits
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.recent import Remembered
from search.engine.index.segments.segment import Segment, SegmentData, concatenate
from search.engine.index.selection import DocumentMask, Selection
from search.engine.query.ast import (
    Alternatives,
    Edge,
    Meet,
    Pattern,
    Query,
    Region,
    Repetition,
    Sequence,
    Token,
    TokenTable,
    Union,
)
from search.engine.query.reach import reach_of, stays_in_text
from search.engine.query.running.afterwards import keep
from search.engine.query.running.row_scan import RowScanHits
from search.engine.query.walks import length_range


class SeamView(SegmentView):
    """Texts from around all borders, one border after the other.

    ``sources`` gives for each stretch of them the view it was taken from, its first position there
    and here, and its rows there.
    """

    def __init__(self, sources: list["SeamSource"], segment: Segment, out: U32) -> None:
        super().__init__(segment, sources[0].view.entry, out)
        self.sources = sources


@dataclass(frozen=True, slots=True)
class SeamSource:
    """Some texts of a segment that stand in a seam: rows there, first positions there and here."""

    view: SegmentView
    rows: slice
    start: int
    at: int


@dataclass(frozen=True, slots=True)
class Seams:
    """Where matches are taken from.

    ``inner`` has the first and the last position (exclusive) of each segment from which its own
    matches are taken, ``zones`` those of the texts in memory from which theirs are.
    """

    view: SeamView
    inner: list[tuple[int, int]]
    zones: list[tuple[int, int]]

    def mask(self, selection: Selection) -> DocumentMask | None:
        """Return which of the texts count."""
        masks = dict(zip(selection.snapshot.segments, selection.masks, strict=True))
        chosen = []
        for source in self.view.sources:
            mask = masks[source.view]
            n_rows = source.rows.stop - source.rows.start
            chosen.append(np.ones(n_rows, dtype=np.bool_) if mask is None else mask[source.rows])
        joined: Mask = np.concatenate(chosen)
        return None if joined.all() else DocumentMask(self.view.segment, joined)

    def own(self, part: SegmentHits, number: int) -> SegmentHits:
        """Keep what is to be taken from a segment itself."""
        return _starting_in(part, [self.inner[number]])

    def across(self, part: SegmentHits) -> SegmentHits:
        """Keep what is to be taken from the texts in memory."""
        return _starting_in(part, self.zones)


def _starting_in(part: SegmentHits, stretches: list[tuple[int, int]]) -> SegmentHits:
    """Keep the hits that start in some stretches of whole texts."""
    bounds = part.view.segment.bounds
    if stretches == [(0, int(bounds[-1]))]:
        return part
    rows = np.zeros(len(bounds) - 1, dtype=np.bool_)
    for low, high in stretches:
        rows[np.searchsorted(bounds, low) : np.searchsorted(bounds, high)] = True
    mask = DocumentMask(part.view.segment, rows)
    if isinstance(part, RowScanHits):
        return part.starting_in(mask)
    return keep(part, mask.holds(part.spans.starts))


# By how many tokens and how many texts a match may have: few queries of a session differ in it.
_SEAMS: Remembered[tuple[int, int], Seams] = Remembered(8)


def can_cross(query: Query) -> bool:
    """Say whether a match may run, or look, from one text into the next where that is allowed."""
    if isinstance(query.pattern, Meet | Union | TokenTable) or _looks_beside(query.pattern):
        return True
    return not stays_in_text(query.within) and length_range(query.pattern)[1] != 1


def _looks_beside(pattern: Pattern) -> bool:
    """Say whether a pattern asks for the token before or behind a place without taking it."""
    match pattern:
        case Edge() | Region() | Token(is_ahead=True):
            return True
        case Sequence(items) | Alternatives(items):
            return any(map(_looks_beside, items))
        case Repetition(item):
            return _looks_beside(item)
        case _:
            return False


def seams_of(snapshot: Snapshot, query: Query) -> Seams | None:
    """Return the seams for a query, None without borders; remembered with the snapshot.

    Where a segment is missing its neighbours' texts do not follow one another: then there are none.
    """
    if len(snapshot.segments) < 2 or snapshot.damaged:
        return None
    reach = reach_across(query)
    return _SEAMS.of(snapshot).get_or(reach, lambda: _Making(reach).seams(snapshot))


def reach_across(query: Query) -> tuple[int, int]:
    """Return how many tokens and how many texts a match may have."""
    within = query.within
    n_tokens = reach_of(within if within is not None and within.unit == "token" else None)
    return n_tokens, within.count if within is not None and within.unit != "token" else 1


def row_before(segment: Segment, row: int, reach: tuple[int, int]) -> int:
    """Return the row from which on the texts before a row are enough for a match."""
    n_tokens, n_texts = reach
    reached = np.searchsorted(segment.bounds, segment.bounds[row] - n_tokens, "right")
    return max(0, min(int(reached) - 1, row - n_texts))


class _Making:
    """Makes seams for matches of so many tokens or texts."""

    def __init__(self, reach: tuple[int, int]) -> None:
        self._reach = reach
        self._n_tokens, self._n_texts = reach

    def seams(self, snapshot: Snapshot) -> Seams:
        """Put the texts around all borders into one segment."""
        views = snapshot.segments
        inner = [[0, view.segment.n_tokens] for view in views]
        sources: list[SeamSource] = []
        zones = []
        at = 0
        for i, (left, right) in enumerate(pairwise(views)):
            before, after = left.segment, right.segment
            zone = row_before(before, before.n_documents, self._reach)
            context = row_before(before, zone, self._reach)
            zone_end = self._row_after(after, 0)
            context_end = self._row_after(after, zone_end)
            first, begin = int(before.bounds[context]), int(before.bounds[zone])
            sources.append(SeamSource(left, slice(context, before.n_documents), first, at))
            border = at + before.n_tokens - first
            sources.append(SeamSource(right, slice(0, context_end), 0, border))
            end = int(after.bounds[zone_end])
            zones.append((at + begin - first, border + end))
            inner[i][1], inner[i + 1][0] = begin, end
            at = border + int(after.bounds[context_end])
        if any(low > high for low, high in inner):  # segments too small to be cut
            lengths = [view.segment.n_tokens for view in views]
            starts = [sum(lengths[:i]) for i in range(len(views))]
            sources = [
                SeamSource(view, slice(0, view.segment.n_documents), 0, start)
                for view, start in zip(views, starts, strict=True)
            ]
            inner, zones = [[0, 0] for _ in views], [(0, sum(lengths))]
        data = concatenate([_texts(source) for source in sources])
        out = np.concatenate([source.view.generation_out[source.rows] for source in sources])
        view = SeamView(sources, Segment.in_memory("seams", data), out)
        return Seams(view, [(low, high) for low, high in inner], zones)

    def _row_after(self, segment: Segment, row: int) -> int:
        """Return the row until which the texts from a row on are enough for a match."""
        reached = np.searchsorted(segment.bounds, segment.bounds[row] + self._n_tokens)
        return min(segment.n_documents, max(int(reached), row + self._n_texts))


def _texts(source: SeamSource) -> SegmentData:
    return source.view.segment.texts(source.rows.start, source.rows.stop)
