"""Chooses how to run a pattern and runs it on one segment.

Input → output: a query and a snapshot → ``Plan``; plan, segment and mask → hits.

1. One token that is decided by its type: postings, nothing else is touched.
2. A row of tokens of fixed length: from its rarest token (``sequences``).
3. Meet and union (``meeting``).
4. Everything else: an automaton (``machine``) run from the positions of the first tokens, or, when
   a token that every match holds is much rarer, from where its occurrences lead back to.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from search.index.hits import SegmentHits, SpanHits, Spans, TokenHits
from search.index.reader import SegmentView, Snapshot
from search.index.segment import Segment
from search.index.selection import DocumentMask
from search.query.ast import Condition, Meet, Pattern, Query, Repetition, Sequence, Token, Union
from search.query.automaton import Automaton, build_automaton
from search.query.conditions import TokenCondition
from search.query.errors import QueryError
from search.query.labels import ConstraintTest, flat_parts, length_range, lift_comparisons
from search.query.limits import Budget
from search.query.machine import Machine
from search.query.meeting import MeetUnionPlan
from search.query.reach import left_limits, right_limits
from search.query.row_scan import RowScanHits
from search.query.sequences import RARE_SHARE, TokenRow, find_rows
from search.query.strategies import drop_nested, one_per_start

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

LONG_MATCH = 8  # tokens; shorter matches are tried at once
MUCH_RARER = 4  # running backwards and then forwards costs about twice as much per position


class Plan(Protocol):
    """A query made ready for a snapshot."""

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""


def make_plan(snapshot: Snapshot, query: Query) -> Plan:
    """Choose how to run a query.

    Raises
    ------
    QueryError
        If the pattern cannot be run: bad regular expression, unknown label, too long.
    """
    query = lift_comparisons(query)
    pattern = query.pattern
    if isinstance(pattern, Meet | Union):
        return _MeetUnionRun(snapshot, query, MeetUnionPlan(snapshot, pattern))
    automaton = build_automaton(pattern)
    known: dict[Condition, TokenCondition] = {}
    conditions = [_compiled(snapshot, token, known) for token in automaton.elements]
    edges = automaton.linear_edges()
    if edges is None:
        return _AutomatonRun(snapshot, query, automaton, known)
    single = len(conditions) == 1 and not any(edges) and query.constraint is None
    if single and not conditions[0].looks_at_documents:
        return _TokenRun(conditions[0])
    return _RowRun(snapshot, query, TokenRow(tuple(conditions), tuple(edges), query.within))


def _compiled(
    snapshot: Snapshot, token: Token, known: dict[Condition, TokenCondition]
) -> TokenCondition:
    condition = known.get(token.condition)
    if condition is None:
        condition = known[token.condition] = TokenCondition(snapshot, token.condition)
    return condition


@dataclass(frozen=True, slots=True)
class _TokenRun:
    condition: TokenCondition

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        budget.spend(1)
        return TokenHits(view, self.condition, mask)


class _RowRun:
    def __init__(self, snapshot: Snapshot, query: Query, row: TokenRow) -> None:
        self._snapshot = snapshot
        self._row = row
        self._constraint = ConstraintTest(snapshot, query)
        can_be_counted = query.constraint is None and row.can_be_counted
        self._is_counted = can_be_counted and row.is_dense(snapshot.n_tokens)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        if self._is_counted:
            budget.spend(view.segment.n_tokens)
            return RowScanHits(view, self._row, mask)
        spans = find_rows(self._snapshot, self._row, view.segment, mask, budget)
        spans = spans.where(self._constraint.holds(view.segment, spans))
        return SpanHits(view, spans, None)


class _MeetUnionRun:
    def __init__(self, snapshot: Snapshot, query: Query, plan: MeetUnionPlan) -> None:
        self._plan = plan
        self._constraint = ConstraintTest(snapshot, query)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        starts = self._plan.positions(view.segment, budget)
        spans = Spans(starts, starts + 1)
        spans = spans.where(self._constraint.holds(view.segment, spans))
        return SpanHits(view, spans, mask)


class _AutomatonRun:
    def __init__(
        self,
        snapshot: Snapshot,
        query: Query,
        automaton: Automaton,
        known: dict[Condition, TokenCondition],
    ) -> None:
        conditions = [_compiled(snapshot, token, known) for token in automaton.elements]
        if not automaton.first:
            raise QueryError("The pattern has no token in it.", 0, ("a word in quotes", "[]"))
        self._query = query
        self._machine = Machine(snapshot, automaton, conditions)
        self._constraint = ConstraintTest(snapshot, query)
        self._first = list(dict.fromkeys(conditions[i] for i in automaton.first))
        self._anchor = _rarest_anchor(snapshot, query.pattern, dict(known))
        self._needed = _needed_token(self._anchor, query.pattern, snapshot)
        if self._anchor is not None:
            first = sum(condition.n_tokens for condition in self._first)
            if self._anchor.condition.n_tokens * MUCH_RARER > first:
                self._anchor = None

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        segment = view.segment
        starts = self._starts(segment, mask, budget)
        limits = right_limits(segment, starts, self._query.within)
        if self._needed is not None:
            reachable = _reach(self._needed, segment, starts, limits)
            starts, limits = starts[reachable], limits[reachable]
        strategy = self._query.strategy
        if self._query.constraint is None:
            longest = strategy is strategy.LONGEST
            ends = self._machine.ends(segment, starts, limits, budget, longest=longest)
            spans = Spans(starts, ends).where(ends >= 0)
        else:
            who, ends = self._machine.all_ends(segment, starts, limits, budget)
            spans = Spans(starts[who], ends)
            spans = spans.where(self._constraint.holds(segment, spans))
            spans = one_per_start(spans.starts, spans.ends, strategy)
        return SpanHits(view, drop_nested(spans, strategy), None)

    def _starts(self, segment: Segment, mask: DocumentMask | None, budget: Budget) -> I64:
        """Return where a match can begin, in the documents of the mask."""
        if self._anchor is not None:
            return self._anchor.starts(segment, mask, self._query, budget)
        found = [condition.positions(segment) for condition in self._first]
        starts = found[0] if len(found) == 1 else np.unique(np.concatenate(found))
        return _masked(starts, mask)


def _needed_token(
    anchor: "_Anchor | None", pattern: Pattern, snapshot: Snapshot
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


def _masked(positions: I64, mask: DocumentMask | None) -> I64:
    return positions if mask is None else positions[mask.holds(positions)]


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A token that every match holds, and a machine that reads back from it to the start."""

    condition: TokenCondition
    backwards: Machine | None
    may_begin: bool

    def starts(
        self, segment: Segment, mask: DocumentMask | None, query: Query, budget: Budget
    ) -> I64:
        positions = _masked(self.condition.positions(segment), mask)
        if self.backwards is None:
            return positions
        limits = left_limits(segment, positions, query.within)
        _, starts = self.backwards.all_ends(segment, positions, limits, budget)
        return np.union1d(starts, positions) if self.may_begin else np.unique(starts)


def _rarest_anchor(
    snapshot: Snapshot, pattern: Pattern, known: dict[Condition, TokenCondition]
) -> _Anchor | None:
    """Find the rarest token that stands in every match, at the top level of the pattern."""
    parts = flat_parts(pattern)
    best: tuple[int, TokenCondition] | None = None
    for i, part in enumerate(parts):
        token = part
        if isinstance(part, Repetition) and part.least > 0:
            token = part.part
        if isinstance(token, Token):
            condition = _compiled(snapshot, token, known)
            if best is None or condition.n_tokens < best[1].n_tokens:
                best = i, condition
    if best is None:
        return None
    before = Sequence(tuple(parts[: best[0]]))
    least, most = length_range(before)
    if most == 0:
        return _Anchor(best[1], None, may_begin=True)
    automaton = build_automaton(before)
    conditions = [_compiled(snapshot, token, known) for token in automaton.elements]
    backwards = Machine(snapshot, automaton.reversed(), conditions, direction=-1)
    return _Anchor(best[1], backwards, may_begin=least == 0)
