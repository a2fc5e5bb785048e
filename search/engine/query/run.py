"""Runs a query on an index.

Input → output: a parsed query, a filter and a reader (or one of its snapshots) → ``Hits``.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from propcache.api import cached_property

from search.engine.arrays import I64
from search.engine.index.hits import Hits, SegmentHits, SpanHits, Spans
from search.engine.index.reader import IndexReader, SegmentView, Snapshot
from search.engine.index.selection import DocumentMask, Selection
from search.engine.query.ast import Nesting, Query, Relative, Strategy, Within
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.limits import Budget
from search.engine.query.reach import block_ends
from search.engine.query.running.afterwards import cut, expanded, keep, related
from search.engine.query.running.automaton_run import AutomatonRun
from search.engine.query.running.chosen_way import ChosenWay
from search.engine.query.running.cut_run import CutRun
from search.engine.query.running.labels import MarkedHits
from search.engine.query.running.planner import make_plan
from search.engine.query.running.seams import can_cross, seams_of


def run(
    index: IndexReader | Snapshot,
    query: Query,
    wanted: DocumentFilter | None = None,
    budget: Budget | None = None,
    *,
    across_texts: bool = False,
) -> Hits:
    """Find the hits of a query.

    Parameters
    ----------
    index : IndexReader or Snapshot
        A reader gives its newest snapshot.
    wanted : DocumentFilter or None
        Which documents count; None for all current ones.
    budget : Budget or None
        How much the query may cost.
    across_texts : bool
        Whether matches may run from one text into the next, as in CQP where nothing keeps them
        within ``s`` or ``text``. Only for indexes whose texts stand in the order of the corpus.

    Returns
    -------
    Hits
        Totals are exact. Hits of a single token are not turned into positions yet.

    Raises
    ------
    QueryError
        If the pattern cannot be run.
    QueryTooExpensiveError, QueryCancelledError
        If the budget is used up, or its owner wants no result any more.
    """
    snapshot = index.snapshot if isinstance(index, IndexReader) else index
    budget = budget or Budget()
    selection = select(snapshot, wanted or DocumentFilter())
    plan = WholePlan(snapshot, query, across_texts=across_texts)
    query = plan.query
    seams = seams_of(snapshot, query) if across_texts and can_cross(query) else None
    found: dict[int, SegmentHits] = {}
    for number, _, mask in in_turn(selection, query):
        part = plan.run_next(number, mask, budget, found)
        found[number] = part if seams is None else seams.own(part, number)
    if seams is not None:
        part = seams.across(plan.run(seams.view, seams.mask(selection), budget))
        found[len(snapshot.segments)] = part
    parts = tuple(found[number] for number in sorted(found))
    parts = finished(parts, query)
    return Hits(snapshot, selection.generation, parts, selection.base)


def explain(
    snapshot: Snapshot, query: Query, *, across_texts: bool = False
) -> tuple[ChosenWay, ...]:
    """Say how a query is run, without running it: its pattern, then those it lies in or around.

    Raises
    ------
    QueryError
        If the pattern cannot be run.
    """
    return WholePlan(snapshot, query, across_texts=across_texts).ways


def in_turn(
    selection: Selection, query: Query
) -> list[tuple[int, SegmentView, DocumentMask | None]]:
    """Return the segments with selected documents: the newest first, for a ``cut`` the oldest."""
    segments = enumerate(zip(selection.snapshot.segments, selection.document_masks, strict=True))
    chosen = [
        (number, view, mask)
        for number, (view, mask) in segments
        if not selection.is_empty_in[number]
    ]
    if query.cut is not None:
        return sorted(chosen, key=lambda item: item[1].entry.first_day)
    return sorted(chosen, key=lambda item: item[1].entry.last_day, reverse=True)


def finished(parts: tuple[SegmentHits, ...], query: Query) -> tuple[SegmentHits, ...]:
    """Do with the hits of all segments what the query says is done in the end."""
    if query.cut is not None:
        parts = cut(parts, query.cut)
    if query.expansion is not None:
        across = query.across_texts
        parts = tuple(expanded(part, query.expansion, across_texts=across) for part in parts)
    return parts


class WholePlan:
    """A query with the patterns its matches must lie in or around; a ``Plan``."""

    def __init__(self, snapshot: Snapshot, query: Query, *, across_texts: bool) -> None:
        self.query = replace(query, across_texts=across_texts)
        self._snapshot = snapshot
        self._plan = make_plan(snapshot, self.query)
        self._outside = query.outside
        self._others = [
            (relative, WholePlan(snapshot, _other(relative), across_texts=across_texts))
            for relative in query.relatives
        ]

    @property
    def ways(self) -> tuple[ChosenWay, ...]:
        """How each of its patterns runs."""
        others = (way for _, plan in self._others for way in plan.ways)
        return (self._plan.chosen, *others)

    @cached_property
    def cut_run(self) -> CutRun | None:
        """How it runs as far as its ``cut`` asks; None without one."""
        if self.query.cut is None:
            return None
        n_places = self._plan.chosen.n_places
        return CutRun(self._snapshot, self.query, self, n_places)

    def run_next(
        self,
        number: int,
        mask: DocumentMask | None,
        budget: Budget,
        found: Mapping[int, SegmentHits],
    ) -> SegmentHits:
        """Find the hits in a segment, given those of the segments before in turn."""
        if self.cut_run is not None:
            return self.cut_run.run(number, mask, budget, found)
        return self.run(self._snapshot.segments[number], mask, budget)

    def run(
        self,
        view: SegmentView,
        mask: DocumentMask | None,
        budget: Budget,
        held: I64 | None = None,
    ) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask.

        Where ``held`` gives ascending positions, hits that hold none of them may be left out.
        """
        around: dict[int, Spans] = {}
        for number, (relative, plan) in enumerate(self._others):
            if held is None and not relative.negated and relative.relation is Nesting.CONTAINING:
                around[number] = plan.run(view, mask, budget).spans
                held = np.unique(around[number].starts)
        if held is not None and isinstance(self._plan, AutomatonRun):
            hits = self._plan.run_around(view, mask, budget, held)
        else:
            hits = self._plan.run(view, mask, budget)
        for number, (relative, plan) in enumerate(self._others):
            if number in around:
                others = around[number]
            else:
                is_within = not relative.negated and relative.relation is Nesting.WITHIN
                starts = hits.spans.starts if is_within else None
                others = plan.run(view, mask, budget, starts).spans
            found = related(hits.spans, others, relative.relation)
            hits = keep(hits, ~found if relative.negated else found)
        if isinstance(hits, SpanHits):
            budget.hold(hits.total)
        for kind in self._outside:
            spans = hits.spans
            hits = keep(hits, spans.ends > block_ends(view.segment, spans.starts, kind))
        return hits


def _other(relative: Relative) -> Query:
    """Return the query of the other pattern: its longest matches, or its shortest inside ours."""
    is_around = relative.relation is Nesting.WITHIN
    strategy = Strategy.LONGEST if is_around else Strategy.TRADITIONAL
    within = Within("text") if is_around else None
    return Query(relative.pattern, within, strategy=strategy, relatives=relative.relatives)


def targets(hits: Hits) -> tuple[dict[int, I64], ...]:
    """Return for each part of the hits the positions of the marks ``@0`` to ``@9``.

    By number of the mark (``@`` is 0, CQP's target; 9 is its keyword), one position in the segment
    for each of the part's spans, -1 where no token of the match is marked.
    """
    return tuple(part.marks if isinstance(part, MarkedHits) else {} for part in hits.parts)
