"""Meet and union queries: tokens near others, in any order.

Input → output: ``MU(meet a b -3 3)`` → positions of a that have a b in the window. The result of a
meet is its left side, as in CQP.
"""

import numpy as np
import numpy.typing as npt

from search.index.reader import Snapshot
from search.index.segment import Segment
from search.query.ast import Meet, MeetUnion, Token, Union
from search.query.conditions import TokenCondition
from search.query.limits import Budget
from search.query.reach import sentence_ends, sentence_starts

I64 = npt.NDArray[np.int64]


class MeetUnionPlan:
    """A meet–union query made ready for a snapshot."""

    def __init__(self, snapshot: Snapshot, pattern: MeetUnion) -> None:
        self._pattern = pattern
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
            return np.union1d(left, right)
        return _meet(pattern, segment, left, right)


def _meet(pattern: Meet, segment: Segment, left: I64, right: I64) -> I64:
    """Keep the left positions with a right one in the window or structure around them."""
    rows = segment.document_of(left)
    low, high = segment.bounds[rows], segment.bounds[rows + 1]
    if pattern.structure == "s":
        low, high = sentence_starts(segment, left), sentence_ends(segment, left)
    elif not pattern.structure:
        low = np.maximum(low, left + pattern.low)
        high = np.minimum(high, left + pattern.high + 1)
    near = np.searchsorted(right, low) < np.searchsorted(right, high)
    return left[~near if pattern.negated else near]
