"""Chooses how to run a pattern and runs it on one segment.

Input → output: a query and a snapshot → ``Plan``; plan, segment and mask → hits.

1. One token that is decided by its type: postings, nothing else is touched.
2. A row of tokens of fixed length: from its rarest token (``sequences``).
3. Meet and union, and tables (``meeting``).
4. Patterns whose labels or edges are not at fixed places: as CQP does it (``simulation``).
5. A sentence or a text alone: its boundaries (``regions``).
6. Everything else: an automaton (``machine``) run from the positions of the first tokens, or, when
   a token that every match holds is much rarer, from where its occurrences lead back to
   (``rarest_token``).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import SegmentHits, SpanHits, Spans, TokenHits
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import (
    NO_TARGET,
    Condition,
    Meet,
    Pattern,
    Query,
    Strategy,
    TokenTable,
    Union,
)
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.errors import QueryError
from search.engine.query.limits import Budget
from search.engine.query.reach import right_limits, stays_in_text
from search.engine.query.running.automaton import Automaton, build_automaton
from search.engine.query.running.gaps import GapRow, find_gap_rows, gap_row
from search.engine.query.running.labels import (
    ConstraintTest,
    find_places,
    lift_comparisons,
    mark_name,
)
from search.engine.query.running.machine import merged
from search.engine.query.running.meeting import MeetUnionPlan, TablePlan
from search.engine.query.running.rarest_token import (
    ALL_ENDS_BLOCK,
    RarestToken,
    compiled,
    masked,
    rarest_token,
)
from search.engine.query.running.regions import RegionRun, region_alone
from search.engine.query.running.routing import needs_simulation
from search.engine.query.running.row_scan import RowScanHits
from search.engine.query.running.sequences import TokenRow, find_rows
from search.engine.query.running.simulation_plan import MarkedHits, SimulatedRun
from search.engine.query.running.strategies import drop_nested, one_per_start
from search.engine.query.running.table_machine import TableMachine, make_machine
from search.engine.query.walks import length_range, tokens_of

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

RARE_SHARE = 0.05  # of all tokens: what a match needs and is rarer than this is looked for first
FREQUENT_SHARE = 4  # a token met by one in so many, or more, is frequent
LONG_MATCH = 8  # tokens; shorter matches are tried at once
CONSTRAINT_COST = 5  # measured: 50 ns a match tried, where the budget reckons with about 10
MUCH_RARER = 4  # running backwards and then forwards costs about twice as much per position


class Plan(Protocol):
    """A query made ready for a snapshot."""

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""


def make_plan(  # noqa: PLR0911 (one for each way of running)
    snapshot: Snapshot, query: Query, *, across_texts: bool = False
) -> Plan:
    """Choose how to run a query.

    Parameters
    ----------
    across_texts : bool
        Whether matches may run from one text into the next.

    Raises
    ------
    QueryError
        If the pattern cannot be run: bad regular expression, unknown label, too long.
    """
    given, query = query, lift_comparisons(query)
    pattern = query.pattern
    if isinstance(pattern, Meet | Union):
        plan = MeetUnionPlan(snapshot, pattern, across_texts=across_texts)
        return _MeetUnionRun(snapshot, query, plan)
    if isinstance(pattern, TokenTable):
        table = TablePlan(snapshot, pattern, query.within, across_texts=across_texts)
        return _TableRun(snapshot, query, table)
    if (structure := region_alone(query)) and not across_texts:
        return RegionRun(structure, query.within)
    if needs_simulation(query, across_texts=across_texts):
        return SimulatedRun(snapshot, given, across_texts=across_texts)
    automaton = build_automaton(pattern)
    known: dict[Condition, TokenCondition] = {}
    conditions = [compiled(snapshot, token, known) for token in automaton.elements]
    edges = automaton.linear_edges()
    if edges is None:
        stays = not across_texts or stays_in_text(query.within)
        by_token = dict(zip(automaton.elements, conditions, strict=True))
        gap = gap_row(query, by_token)
        has_marks = any(token.target != NO_TARGET for token in automaton.elements)
        if gap is not None and gap.is_worth_it(snapshot.n_tokens) and stays and not has_marks:
            return _GapRun(snapshot, query, gap)
        if automaton.elements and not automaton.first:
            return _NothingRun()
        return _AutomatonRun(snapshot, query, automaton, known, across_texts=across_texts)
    single = len(conditions) == 1 and not any(edges) and query.constraint is None
    has_marks = any(token.target != NO_TARGET for token in automaton.elements)
    in_block = query.within is not None and query.within.is_block
    if single and not (conditions[0].looks_at_documents or has_marks or in_block):
        return _TokenRun(conditions[0])
    row = TokenRow(tuple(conditions), tuple(edges), query.within, across_texts)
    return _RowRun(snapshot, query, row)


class _NothingRun:
    """A pattern that contradicts itself, such as `<s> </s> []`."""

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        del budget
        nothing = np.empty(0, dtype=np.int64)
        return SpanHits(view, Spans(nothing, nothing), mask)


@dataclass(frozen=True, slots=True)
class _TokenRun:
    condition: TokenCondition

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        budget.spend(1)
        return TokenHits(view, self.condition, mask)


class _RowRun:
    def __init__(self, snapshot: Snapshot, query: Query, row: TokenRow) -> None:
        self._snapshot = snapshot
        self._query = query
        self._row = row
        self._constraint = ConstraintTest(snapshot, query)
        has_marks = any(token.target != NO_TARGET for token in tokens_of(query.pattern))
        can_be_counted = query.constraint is None and row.can_be_counted and not has_marks
        self._is_counted = can_be_counted and row.is_dense(snapshot.n_tokens)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        if self._is_counted:
            budget.spend(view.segment.n_tokens)
            return RowScanHits(view, self._row, mask)
        spans = find_rows(self._snapshot, self._row, view.segment, mask, budget)
        if self._query.constraint is not None:
            spans = spans.where(self._constraint.holds(view.segment, spans))
        return _marked(view, spans, mask if self._row.across_texts else None, self._query)


@dataclass(frozen=True, slots=True)
class _GapRun:
    snapshot: Snapshot
    query: Query
    gap: GapRow

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        place = view.segment, mask
        spans = find_gap_rows(self.snapshot, self.gap, place, self.query, budget)
        return SpanHits(view, drop_nested(spans, self.query.strategy), None)


class _MeetUnionRun:
    def __init__(self, snapshot: Snapshot, query: Query, plan: MeetUnionPlan) -> None:
        self._plan = plan
        self._within = query.within
        self._constraint = ConstraintTest(snapshot, query)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        starts = self._plan.positions(view.segment, budget)
        spans = Spans(starts, starts + 1)
        if self._within is not None and self._within.is_block:
            spans = spans.where(right_limits(view.segment, starts, self._within) > starts)
        spans = spans.where(self._constraint.holds(view.segment, spans))
        return SpanHits(view, spans, mask)


class _TableRun:
    def __init__(self, snapshot: Snapshot, query: Query, plan: TablePlan) -> None:
        self._plan = plan
        self._constraint = ConstraintTest(snapshot, query)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        spans = self._plan.spans(view.segment, budget)
        spans = spans.where(self._constraint.holds(view.segment, spans))
        return SpanHits(view, spans, mask)


class _AutomatonRun:
    def __init__(
        self,
        snapshot: Snapshot,
        query: Query,
        automaton: Automaton,
        known: dict[Condition, TokenCondition],
        *,
        across_texts: bool,
    ) -> None:
        self._across_texts = across_texts
        conditions = [compiled(snapshot, token, known) for token in automaton.elements]
        if not automaton.first:
            raise QueryError("The pattern has no token in it.", 0, ("a word in quotes", "[]"))
        self._query = query
        self._constraint = ConstraintTest(snapshot, query)
        self._first = list(dict.fromkeys(conditions[i] for i in automaton.first))
        self._anchor = rarest_token(snapshot, query.pattern, dict(known), across_texts=across_texts)
        self._goes_far = _goes_far(automaton, conditions, snapshot.n_tokens)
        self._needed = _needed_token(self._anchor, query.pattern, snapshot)
        if not self._goes_far or (self._needed is not None and self._needed in self._first):
            self._needed = None
        if self._anchor is not None:
            first = sum(condition.n_tokens for condition in self._first)
            if self._anchor.condition.n_tokens * MUCH_RARER > first:
                self._anchor = None
        first_holds = self._anchor is None and len(self._first) == 1
        self._machine = make_machine(
            snapshot, automaton, conditions, first_holds=first_holds, across_texts=across_texts
        )
        in_sentence = query.within is not None and query.within.unit == "s"
        self._in_order = not (first_holds and in_sentence and query.constraint is None)
        is_first_enough = query.strategy is not Strategy.LONGEST and query.constraint is None
        # Matches then die out by themselves: how far they may reach is asked of the few found.
        self._is_checked_late = is_first_enough and not self._goes_far

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        segment = view.segment
        starts = self._starts(segment, mask, budget)
        if self._is_checked_late and isinstance(self._machine, TableMachine):
            spans = self._machine.first_ends(segment, starts, budget)
            spans = self._within_reach(segment, spans)
            return _marked(view, spans, mask if self._across_texts else None, self._query)
        limits = right_limits(segment, starts, self._query.within, across_texts=self._across_texts)
        within = self._query.within
        if within is not None and within.is_block:  # where it does not begin in such a block
            starts, limits = starts[limits > starts], limits[limits > starts]
        if self._needed is not None:
            reachable = _reach(self._needed, segment, starts, limits)
            starts, limits = starts[reachable], limits[reachable]
        strategy = self._query.strategy
        if self._query.constraint is None:
            longest = strategy is strategy.LONGEST
            ends = self._machine.ends(segment, starts, limits, budget, longest=longest)
            spans = Spans(starts, ends).where(ends >= 0)
            spans = spans if self._in_order else spans.in_order()
        else:
            spans = self._constrained(segment, starts, limits, budget)
        spans = drop_nested(spans, strategy)
        return _marked(view, spans, mask if self._across_texts else None, self._query)

    def _constrained(self, segment: Segment, starts: I64, limits: I64, budget: Budget) -> Spans:
        """Try all ends of each start, for a block of starts at a time."""
        found = [Spans(starts[:0], starts[:0])]
        for low in range(0, len(starts), ALL_ENDS_BLOCK):
            block = starts[low : low + ALL_ENDS_BLOCK]
            ends_of_block = limits[low : low + ALL_ENDS_BLOCK]
            who, ends = self._machine.all_ends(segment, block, ends_of_block, budget)
            budget.spend(CONSTRAINT_COST * len(ends))
            spans = Spans(block[who], ends)
            spans = spans.where(self._constraint.holds(segment, spans))
            found.append(one_per_start(spans.starts, spans.ends, self._query.strategy))
        return Spans(
            np.concatenate([spans.starts for spans in found]),
            np.concatenate([spans.ends for spans in found]),
        )

    def _within_reach(self, segment: Segment, spans: Spans) -> Spans:
        """Put matches in order; drop those that reach too far or lie in others."""
        is_in_sentence = self._query.within is not None and self._query.within.unit == "s"
        spans = spans if is_in_sentence else spans.in_order()
        limits = right_limits(
            segment, spans.starts, self._query.within, across_texts=self._across_texts
        )
        spans = spans.where(spans.ends <= limits)
        spans = spans.in_order() if is_in_sentence else spans
        return drop_nested(spans, self._query.strategy)

    def _starts(self, segment: Segment, mask: DocumentMask | None, budget: Budget) -> I64:
        """Return where a match can begin, in the documents of the mask."""
        if self._anchor is not None:
            return self._anchor.starts(
                segment, None if self._across_texts else mask, self._query, budget
            )
        if not self._in_order:
            return masked(self._first[0].positions_by_type(segment), mask)
        found = [condition.positions(segment) for condition in self._first]
        starts = found[0] if len(found) == 1 else merged(found)
        return masked(starts, mask)


def _goes_far(automaton: Automaton, conditions: list[TokenCondition], n_tokens: int) -> bool:
    """Say whether a match can go on and on through frequent tokens alone."""
    frequent = {i for i, c in enumerate(conditions) if c.n_tokens * FREQUENT_SHARE > n_tokens}
    n_next = {i: len(frequent & automaton.follow[i].keys()) for i in frequent}
    back = automaton.reversed().follow
    ended = [i for i in frequent if not n_next[i]]
    while ended:
        last = ended.pop()
        frequent.remove(last)
        for i in frequent & back[last].keys():
            n_next[i] -= 1
            if not n_next[i]:
                ended.append(i)
    return bool(frequent)  # what is left goes round in a circle


def _needed_token(
    anchor: "RarestToken | None", pattern: Pattern, snapshot: Snapshot
) -> TokenCondition | None:
    """Return a rare token that a match holds, if matches are long enough to look for it first."""
    _, most = length_range(pattern)
    is_rare = anchor is not None and anchor.condition.n_tokens < RARE_SHARE * snapshot.n_tokens
    if anchor is None or not is_rare or (most is not None and most < LONG_MATCH):
        return None
    return anchor.condition


def _reach(needed: TokenCondition, segment: Segment, starts: I64, limits: I64) -> Mask:
    """Return which starts have a token that their match needs before their limit."""
    positions = np.append(needed.positions(segment), segment.n_tokens)
    reachable: Mask = positions[np.searchsorted(positions, starts)] < limits
    return reachable


def _marked(
    view: SegmentView, spans: Spans, mask: DocumentMask | None, query: Query
) -> SegmentHits:
    """Return hits, with the places of marked tokens if there are any."""
    marked = [token for token in tokens_of(query.pattern) if token.target != NO_TARGET]
    if not marked:
        return SpanHits(view, spans, mask)
    places = find_places(query.pattern)
    marks = {}
    for token in marked:
        place = places.get(mark_name(token.target))
        if place is not None:
            marks[token.target] = place.positions(spans)
    return MarkedHits(view, spans, mask, marks) if marks else SpanHits(view, spans, mask)
