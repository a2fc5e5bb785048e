"""Tokens around anchors: around the hits of a word, or around every token of a stretch.

Input → output: a segment and anchors → `walking.Field`. What is asked of a place is tested once and
kept while the field is.
"""

import numpy as np
import numpy.typing as npt

from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.query.ast import Condition, Pattern
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.sketches.walking import Index, Reached

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
U8 = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Walked = dict[tuple[Condition, tuple[Pattern, ...]], Reached]


class Conditions:
    """Conditions of a grammar compiled against a snapshot, each once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._compiled: dict[Condition, TokenCondition] = {}

    def __getitem__(self, condition: Condition) -> TokenCondition:
        found = self._compiled.get(condition)
        if found is None:
            found = self._compiled[condition] = TokenCondition(self._snapshot, condition)
        return found


class WindowField:
    """The tokens around some positions of a segment, ascending."""

    def __init__(self, segment: Segment, positions: I64, conditions: Conditions) -> None:
        self._segment = segment
        self._positions = positions
        self._conditions = conditions
        self._right: U8 = segment.right[positions]
        self._left: U8 = segment.left[positions]
        self._held: dict[tuple[Condition, int], Mask] = {}
        self.walked: Walked = {}
        self._tags: dict[int, U8] = {}
        self._types: dict[int, U32] = {}

    def __len__(self) -> int:
        return len(self._positions)

    def meeting(self, condition: Condition, offset: int, chosen: Index) -> Index:
        """Return those anchors whose token at an offset is in the sentence and meets it."""
        held = self._held.get((condition, offset))
        if held is None:
            held = self._test(self._conditions[condition], offset)
            held &= self._right >= offset if offset >= 0 else self._left >= -offset
            self._held[condition, offset] = held
        if len(chosen) == len(self):
            return np.flatnonzero(held)
        return chosen[held[chosen]]

    def at_edge(self, boundary: int, chosen: Index, *, is_start: bool) -> Index:
        """Return those anchors whose sentence starts (or ends) at a boundary."""
        distances, wanted = (self._left, -boundary) if is_start else (self._right, boundary - 1)
        return chosen[distances[chosen] == wanted] if wanted >= 0 else chosen[:0]

    def positions(self, chosen: Index) -> I64:
        """Return where some anchors stand."""
        return self._positions[chosen]

    def types(self, offset: int, chosen: Index) -> U32:
        """Return the types at an offset of some anchors."""
        types: U32 = self._segment.stream[self._positions[chosen] + offset]
        return types

    def _test(self, condition: TokenCondition, offset: int) -> Mask:
        if condition.is_anything:
            return np.ones(len(self), dtype=np.bool_)
        tags = condition.tag_mask
        if tags is not None:
            if offset not in self._tags:
                self._tags[offset] = self._segment.tags[self._at(offset)]
            by_tag: Mask = tags[self._tags[offset]]
            return by_tag
        if offset not in self._types:
            self._types[offset] = self._segment.stream[self._at(offset)]
        return condition.holds_types(self._types[offset])

    def _at(self, offset: int) -> I64:
        return np.clip(self._positions + offset, 0, self._segment.n_tokens - 1)


class StretchField:
    """Every token of a stretch of a segment is an anchor; conditions are tested by scanning.

    Parameters
    ----------
    low, high : int
        The anchors; no sentence crosses an edge of the stretch.
    reach : int
        The farthest offset that is asked for.
    """

    def __init__(
        self, segment: Segment, low: int, high: int, reach: int, conditions: Conditions
    ) -> None:
        self._segment = segment
        self._low, self._high, self._reach = low, high, reach
        self._conditions = conditions
        self._right: U8 = segment.right[low:high]
        self._left: U8 | None = None
        self._held: dict[Condition, Mask] = {}
        self.walked: Walked = {}

    def __len__(self) -> int:
        return self._high - self._low

    def meeting(self, condition: Condition, offset: int, chosen: Index) -> Index:
        """Return those anchors whose token at an offset is in the sentence and meets it."""
        held = self._held.get(condition)
        if held is None:
            held = np.zeros(len(self) + 2 * self._reach, dtype=np.bool_)
            inside = held[self._reach : self._reach + len(self)]
            inside[:] = self._conditions[condition].scan(self._segment, self._low, self._high)
            self._held[condition] = held
        if not offset and len(chosen) == len(self):
            return np.flatnonzero(held[self._reach : self._reach + len(self)])
        passed = chosen[held[self._reach + offset :][chosen]]
        if offset > 0:
            return passed[self._right[passed] >= offset]
        return passed[self._lefts[passed] >= -offset] if offset else passed

    def at_edge(self, boundary: int, chosen: Index, *, is_start: bool) -> Index:
        """Return those anchors whose sentence starts (or ends) at a boundary."""
        wanted = -boundary if is_start else boundary - 1
        distances = self._lefts if is_start else self._right
        return chosen[distances[chosen] == wanted] if wanted >= 0 else chosen[:0]

    def positions(self, chosen: Index) -> I64:
        """Return where some anchors stand."""
        return chosen + self._low

    def types(self, offset: int, chosen: Index) -> U32:
        """Return the types at an offset of some anchors."""
        types: U32 = self._segment.stream[chosen + (self._low + offset)]
        return types

    @property
    def _lefts(self) -> U8:
        if self._left is None:
            self._left = self._segment.left[self._low : self._high]
        return self._left
