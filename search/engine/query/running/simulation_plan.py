"""Runs a query by simulation on a segment.

Input → output: a query and a snapshot → plan; plan, segment and mask → ``MarkedHits``.
"""

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import NO_TARGET, Query, Token
from search.engine.query.errors import QueryError
from search.engine.query.limits import Budget
from search.engine.query.reach import right_limits, text_ends
from search.engine.query.running.chosen_way import ChosenWay, Way
from search.engine.query.running.dfa import build_dfa
from search.engine.query.running.labels import mark_name
from search.engine.query.running.marked_hits import MarkedHits
from search.engine.query.running.simulation import Found, Limits, Simulation
from search.engine.query.running.strategies import choose
from search.engine.query.walks import length_range

I64 = npt.NDArray[np.int64]


class SimulatedRun:
    """A query made ready to be simulated on a snapshot."""

    def __init__(self, snapshot: Snapshot, query: Query, *, across_texts: bool) -> None:
        if length_range(query.pattern)[1] == 0 and query.shown is None:
            raise QueryError("The pattern has no token in it.", 0, ("a word in quotes", "[]"))
        dfa = build_dfa(query.pattern)
        self._query = query
        self._across_texts = across_texts
        self._simulation = Simulation(snapshot, query, dfa)
        self._cuts_each = len(snapshot.segments) == 1 and query.cut is not None
        self._marks = sorted(
            {
                element.target
                for element in dfa.elements
                if isinstance(element, Token) and element.target != NO_TARGET
            }
        )

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> MarkedHits:
        """Find the hits in one segment, in the documents of a mask."""
        found = [
            self._from(symbol, view.segment, mask, budget) for symbol in self._simulation.initial
        ]
        starts = np.concatenate([part.spans.starts for part in found])
        ends = np.concatenate([part.spans.ends for part in found])
        labels = np.concatenate([part.labels for part in found], axis=1)
        kept = choose(starts, ends, self._query.strategy)
        marks = {number: labels[self._row(number), kept] for number in self._marks}
        return MarkedHits(view, Spans(starts[kept], ends[kept]), None, marks)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        why = "its labels, marks or edges stand at no fixed place, so it is done as CQP does it."
        return ChosenWay(Way.STEP_BY_STEP, why, self._simulation.n_starts)

    def _from(
        self, symbol: int, segment: Segment, mask: DocumentMask | None, budget: Budget
    ) -> Found:
        """Find the matches that begin with one element of the pattern."""
        starts = self._simulation.starts(symbol, segment)
        if mask is not None:
            starts = starts[mask.holds(starts)]
        if self._query.within is not None and self._query.within.is_block:
            starts = starts[right_limits(segment, starts, self._query.within) > starts]
        rows = segment.document_of(starts)
        firsts = np.zeros_like(starts) if self._across_texts else segment.bounds[rows]
        limits = Limits(
            right_limits(segment, starts, self._query.within, across_texts=self._across_texts),
            text_ends(segment, starts, across_texts=self._across_texts),
            firsts,
        )
        found = self._simulation.run(segment, symbol, starts, limits, budget)
        if self._cuts_each and self._query.cut is not None:
            found = found.take(np.arange(len(found.spans))[: self._query.cut])
        return found

    def _row(self, number: int) -> int:
        return self._simulation.names.index(mark_name(number))
