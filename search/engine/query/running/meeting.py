"""Meet and union queries, and tables: tokens near others.

Input → output: ``MU(meet a b -3 3)`` → positions of a that have a b in the window (the result of a
meet is its left side, as in CQP); ``TAB a {0,2} b`` → spans from an a to the nearest b after it.
"""

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Spans
from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.query.ast import Meet, MeetUnion, Token, TokenTable, Union, Within
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import HARD_BOUNDARY, right_limits, sentence_ends, sentence_starts
from search.engine.query.running.machine import merged

I64 = npt.NDArray[np.int64]


class MeetUnionPlan:
    """A meet–union query made ready for a snapshot."""

    def __init__(self, snapshot: Snapshot, pattern: MeetUnion, *, across_texts: bool) -> None:
        self._pattern = pattern
        self._across_texts = across_texts
        self._conditions: dict[Token, TokenCondition] = {}
        self._prepare(snapshot, pattern)

    def positions(self, segment: Segment, budget: Budget) -> I64:
        """Return the matching positions of a segment, ascending."""
        return self._find(self._pattern, segment, budget)

    def _prepare(self, snapshot: Snapshot, pattern: MeetUnion) -> None:
        if isinstance(pattern, Token):
            self._conditions[pattern] = TokenCondition(snapshot, pattern.condition)
        else:
            self._prepare(snapshot, pattern.left)
            self._prepare(snapshot, pattern.right)

    def _find(self, pattern: MeetUnion, segment: Segment, budget: Budget) -> I64:
        if isinstance(pattern, Token):
            positions = self._conditions[pattern].positions(segment)
            budget.spend(len(positions))
            return positions
        left = self._find(pattern.left, segment, budget)
        right = self._find(pattern.right, segment, budget)
        if isinstance(pattern, Union):
            return merged([left, right])
        return self._meet(pattern, segment, left, right)

    def _meet(self, pattern: Meet, segment: Segment, left: I64, right: I64) -> I64:
        """Keep the left positions with a right one in the window or structure around them."""
        rows = segment.document_of(left)
        low, high = segment.bounds[rows], segment.bounds[rows + 1]
        if pattern.structure == "s":
            low, high = sentence_starts(segment, left), sentence_ends(segment, left)
        elif not pattern.structure:
            if self._across_texts:
                low, high = np.zeros_like(left), np.full_like(left, segment.n_tokens)
            low = np.maximum(low, left + pattern.low)
            high = np.minimum(high, left + pattern.high + 1)
        near = np.searchsorted(right, low) < np.searchsorted(right, high)
        return left[~near if pattern.negated else near]


class TablePlan:
    """A table made ready for a snapshot."""

    def __init__(
        self, snapshot: Snapshot, table: TokenTable, within: Within | None, *, across_texts: bool
    ) -> None:
        self._gaps = table.gaps
        self._within = within
        self._across_texts = across_texts
        self._conditions = [TokenCondition(snapshot, token.condition) for token in table.tokens]

    def spans(self, segment: Segment, budget: Budget) -> Spans:
        """Return the spans: for each first token the nearest next one, and so on.

        Of those that end together the one that starts first is kept.
        """
        starts = self._conditions[0].positions(segment)
        limits = right_limits(segment, starts, self._within, across_texts=self._across_texts)
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
