"""Meet and union queries, and tables: tokens near others.

Input → output: ``MU(meet a b -3 3)`` → positions of a that have a b in the window (the result of a
meet is its left side, as in CQP); ``TAB a {0,2} b`` → spans from an a to the nearest b after it.
"""

import numpy as np

from search.engine.arrays import I64, Mask
from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import Meet, MeetUnion, Query, Token, TokenTable, Union
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import HARD_BOUNDARY, bounds_around, right_limits
from search.engine.query.running.chosen_way import ChosenWay, Way
from search.engine.query.running.labels import ConstraintTest
from search.engine.query.running.machine import merged

# Looking at one place costs about as much as finding two positions of a frequent token and joining
# them by binary search.
GATHER_COST = 2


class MeetUnionRun:
    """A meet–union query made ready for a snapshot; a ``Plan``.

    A meet begins with its rarer side and looks at the few places around each of its tokens, where
    the window is small; else both sides are found and joined.
    """

    def __init__(self, snapshot: Snapshot, query: Query, pattern: MeetUnion) -> None:
        self._query, self._pattern = query, pattern
        self._constraint = ConstraintTest(snapshot, query)
        self._conditions: dict[Token, TokenCondition] = {}
        self._prepare(snapshot, pattern)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""
        starts = self._find(self._pattern, view.segment, budget)
        spans = Spans(starts, starts + 1)
        if self._query.within is not None and self._query.within.is_block:
            spans = spans.where(right_limits(view.segment, starts, self._query) > starts)
        return SpanHits(view, self._constraint.kept(view.segment, spans), mask)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        why = "positions that meet are gathered from the smaller side."
        return ChosenWay(Way.MEET, why, self._most(self._pattern))

    def _prepare(self, snapshot: Snapshot, pattern: MeetUnion) -> None:
        if isinstance(pattern, Token):
            self._conditions[pattern] = TokenCondition(snapshot, pattern.condition)
        else:
            self._prepare(snapshot, pattern.left)
            self._prepare(snapshot, pattern.right)

    def _most(self, pattern: MeetUnion) -> int:
        """Return an upper bound of the positions in all segments."""
        if isinstance(pattern, Token):
            return self._conditions[pattern].n_tokens
        if isinstance(pattern, Union):
            return self._most(pattern.left) + self._most(pattern.right)
        if pattern.negated or pattern.structure:
            return self._most(pattern.left)
        return min(self._most(pattern.left), self._most(pattern.right) * _width(pattern))

    def _find(self, pattern: MeetUnion, segment: Segment, budget: Budget) -> I64:
        if isinstance(pattern, Token):
            positions = self._conditions[pattern].positions(segment)
            budget.spend(len(positions))
            return positions
        if isinstance(pattern, Meet) and not pattern.structure:
            left, right, width = pattern.left, pattern.right, _width(pattern)
            n_left, n_right = self._most(left), self._most(right)
            if isinstance(right, Token) and n_left * width * GATHER_COST < n_right:
                return self._from_left(pattern, right, segment, budget)
            is_right_rare = n_right * width * GATHER_COST < n_left
            if isinstance(left, Token) and is_right_rare and not pattern.negated:
                return self._from_right(pattern, left, segment, budget)
        first = self._find(pattern.left, segment, budget)
        second = self._find(pattern.right, segment, budget)
        if isinstance(pattern, Union):
            return merged([first, second])
        return self._meet(pattern, segment, first, second)

    def _from_left(self, pattern: Meet, right: Token, segment: Segment, budget: Budget) -> I64:
        """Look for the right token at each place of the window around the left positions."""
        left, condition = self._find(pattern.left, segment, budget), self._conditions[right]
        low, high = self._window(pattern, segment, left)
        budget.spend(len(left) * _width(pattern))
        near = np.zeros(len(left), dtype=np.bool_)
        for offset in range(pattern.low, pattern.high + 1):
            asked = np.flatnonzero(~near & (left + offset >= low) & (left + offset < high))
            near[asked] = condition.holds(segment, left[asked] + offset)
        return left[~near if pattern.negated else near]

    def _from_right(self, pattern: Meet, left: Token, segment: Segment, budget: Budget) -> I64:
        """Look for the left token at each place from which a right one is in the window."""
        right, condition = self._find(pattern.right, segment, budget), self._conditions[left]
        low, high = np.zeros_like(right), np.full_like(right, segment.n_tokens)
        if not self._query.across_texts:
            rows = segment.document_of(right)
            low, high = segment.bounds[rows], segment.bounds[rows + 1]
        budget.spend(len(right) * _width(pattern))
        found = [right[:0]]
        for offset in range(pattern.low, pattern.high + 1):
            at = right - offset
            at = at[(at >= low) & (at < high)]
            found.append(at[condition.holds(segment, at)])
        return merged(found)

    def _meet(self, pattern: Meet, segment: Segment, left: I64, right: I64) -> I64:
        """Keep the left positions with a right one in the window or structure around them."""
        near = _has_any(right, *self._window(pattern, segment, left))
        return left[~near if pattern.negated else near]

    def _window(self, pattern: Meet, segment: Segment, left: I64) -> tuple[I64, I64]:
        """Return between which boundaries the right token of each left one may stand."""
        structure = pattern.structure or "text"
        low, high = bounds_around(segment, structure, left)
        if pattern.structure:
            return low, high
        if self._query.across_texts:
            low, high = np.zeros_like(left), np.full_like(left, segment.n_tokens)
        return np.maximum(low, left + pattern.low), np.minimum(high, left + pattern.high + 1)


def _has_any(positions: I64, low: I64, high: I64) -> Mask:
    """Return which half-open stretches hold one of some ascending positions."""
    following = np.append(positions, np.iinfo(np.int64).max)[np.searchsorted(positions, low)]
    found: Mask = following < high
    return found


def _width(meet: Meet) -> int:
    return max(meet.high - meet.low + 1, 0)


class TableRun:
    """A table made ready for a snapshot; a ``Plan``."""

    def __init__(self, snapshot: Snapshot, query: Query, table: TokenTable) -> None:
        self._query, self._gaps = query, table.gaps
        self._constraint = ConstraintTest(snapshot, query)
        self._conditions = [TokenCondition(snapshot, token.condition) for token in table.tokens]

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""
        spans = self._spans(view.segment, budget)
        return SpanHits(view, self._constraint.kept(view.segment, spans), mask)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        n_places = self._conditions[0].n_tokens
        return ChosenWay(Way.TABLE, "each row of a table is a query.", n_places)

    def _spans(self, segment: Segment, budget: Budget) -> Spans:
        """For each first token find the nearest next one, and so on.

        Of those that end together the one that starts first is kept.
        """
        starts = self._conditions[0].positions(segment)
        limits = right_limits(segment, starts, self._query)
        at = starts
        for (least, most), condition in zip(self._gaps, self._conditions[1:], strict=True):
            positions = np.append(condition.positions(segment), segment.n_tokens)
            budget.spend(len(positions) + len(at))
            # The end of the segment stands behind all positions for “there is none”.
            following = positions[
                np.searchsorted(positions, np.minimum(at + least + 1, segment.n_tokens))
            ]
            farthest = HARD_BOUNDARY if most is None else most + 1
            near = (following <= at + farthest) & (following < limits)
            starts, at, limits = starts[near], following[near], limits[near]
        inside = at < limits
        starts, at = starts[inside], at[inside]
        _, first = np.unique(at, return_index=True)
        return Spans(starts[first], at[first] + 1)
