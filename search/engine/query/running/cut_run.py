"""Runs a query with ``cut N``: no farther than to the first N hits, in order of time.

Input → output: a plan and a segment, the oldest first → at least its first hits. Frequent matches
are looked for in the first texts of a segment before the whole of it: a small segment in memory,
kept with the snapshot. What can't hold first hits any more is not searched.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.recent import Remembered
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import Query
from search.engine.query.limits import Budget
from search.engine.query.running.afterwards import keep
from search.engine.query.running.planner import Plan
from search.engine.query.running.seams import can_cross, reach_across, row_before

# Tokens of the first texts: 1.4 and 11 MB in memory, made in 6 and 60 ms, then kept.
STRETCHES = (1 << 17, 1 << 20)
# They end where the time of the texts changes; many texts of one time are not worth it.
LONGEST = 2
KEPT = 4


@dataclass(frozen=True, slots=True)
class FirstTexts:
    """Some texts that come before all others of their segment, as a segment; None for none."""

    view: SegmentView | None


_FIRST: Remembered[tuple[int, int], FirstTexts] = Remembered(KEPT)


@dataclass(frozen=True, slots=True)
class CutRun:
    """A query with ``cut``, made ready for a snapshot; `n_places` is where matches may begin."""

    snapshot: Snapshot
    query: Query
    plan: Plan
    n_places: int

    def run(
        self,
        number: int,
        mask: DocumentMask | None,
        budget: Budget,
        found: Mapping[int, SegmentHits],
    ) -> SegmentHits:
        """Find at least those hits in a segment that are of the first, given all older segments'.

        Raises
        ------
        QueryTooExpensiveError
        """
        view = self.snapshot.segments[number]
        if _has_first(found.values(), self.query.cut or 0, view.entry.first_day):
            nothing = np.empty(0, dtype=np.int64)
            return SpanHits(view, Spans(nothing, nothing), None)
        hits = None if found else self.first_hits(number, mask, budget)
        return hits or self.plan.run(view, mask, budget)

    def first_hits(
        self, number: int, mask: DocumentMask | None, budget: Budget
    ) -> SegmentHits | None:
        """Find at least the first hits of a segment in its first texts, or None."""
        view, wanted = self.snapshot.segments[number], self.query.cut or 0
        n_expected = self.n_places / max(self.snapshot.n_tokens, 1)  # a token, at most
        for n_tokens in STRETCHES:
            if n_expected * n_tokens < wanted or LONGEST * n_tokens > view.segment.n_tokens:
                continue
            texts = _FIRST.of(self.snapshot).get_or(
                (number, n_tokens),
                lambda n=n_tokens: self._texts(view, n),  # type: ignore[misc]
            )
            if texts.view is None:
                continue
            hits = self._hits(view, texts.view, mask, budget)
            if hits.total >= wanted:
                return hits
            n_expected = hits.total / texts.view.segment.n_tokens
        return None

    def _texts(self, view: SegmentView, n_tokens: int) -> FirstTexts:
        segment = view.segment
        stop = int(np.searchsorted(segment.bounds, n_tokens))
        if len(self.snapshot.segments) > 1:  # then the first hits are those of the oldest texts
            stop = _end_of_time(segment, stop)
        if not stop or segment.bounds[stop] > LONGEST * n_tokens:
            return FirstTexts(None)
        short = Segment.in_memory("first texts", segment.texts(0, stop))
        return FirstTexts(SegmentView(short, view.entry, view.generation_out[:stop]))

    def _hits(
        self, view: SegmentView, short: SegmentView, mask: DocumentMask | None, budget: Budget
    ) -> SegmentHits:
        """Find the hits of the first texts that are hits of the whole segment, positions alike."""
        n_rows = short.segment.n_documents
        chosen = None if mask is None else DocumentMask(short.segment, mask.documents[:n_rows])
        hits = self.plan.run(short, chosen, budget)
        spans = hits.spans
        if self.query.across_texts and can_cross(self.query):
            end = row_before(short.segment, n_rows, reach_across(self.query))
            kept = spans.starts < short.segment.bounds[end]
        else:
            kept = np.ones(len(spans), dtype=np.bool_)
        return keep(hits, kept, view)


def _has_first(found: Iterable[SegmentHits], n: int, next_day: int) -> bool:
    """Whether the first hits were found by now: in texts of days before those that come next."""
    n_before = 0
    for part in found:
        if part.view.entry.last_day < next_day:
            n_before += part.total
        else:
            segment = part.view.segment
            rows = segment.document_of(part.outermost(n, last=False).starts)
            n_before += int(np.count_nonzero(segment.documents.day[rows] < next_day))
    return n_before >= n


def _end_of_time(segment: Segment, row: int) -> int:
    """Return after which row, from this one on, only later texts stand; 0 if there is none."""
    published = segment.documents.published.astype(np.int64)
    if not row or (published[1:] < published[:-1]).any():
        return 0
    return int(np.searchsorted(published, published[row - 1], side="right"))
