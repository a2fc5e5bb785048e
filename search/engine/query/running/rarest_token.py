"""The rarest token that every match of a pattern holds, and the way back from it to the start.

Input → output: a pattern and a snapshot → ``RarestToken``; that and a segment → where matches may
begin.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.index.set_bits import chosen
from search.engine.query.ast import Condition, Pattern, Query, Repetition, Sequence, Token
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import left_limits
from search.engine.query.running.automaton import build_automaton
from search.engine.query.running.machine import merged
from search.engine.query.running.table_machine import Runner, make_machine
from search.engine.query.walks import flat_items, length_range

I64 = npt.NDArray[np.int64]

# Starts whose ends are tried together: up to 500 each, which take 140 MB while they are compared.
ALL_ENDS_BLOCK = 1 << 12


@dataclass(frozen=True, slots=True)
class RarestToken:
    """A token that every match holds, and a machine that reads back from it to the start."""

    condition: TokenCondition
    backwards: Runner | None
    may_begin: bool
    across_texts: bool

    def starts(
        self, segment: Segment, mask: DocumentMask | None, query: Query, budget: Budget
    ) -> I64:
        positions = masked(self.condition.positions(segment), mask)
        if self.backwards is None:
            return positions
        limits = left_limits(segment, positions, query.within, across_texts=self.across_texts)
        blocks = [positions[:0]]
        for low in range(0, len(positions), ALL_ENDS_BLOCK):
            part = slice(low, low + ALL_ENDS_BLOCK)
            _, begins = self.backwards.all_ends(segment, positions[part], limits[part], budget)
            blocks.append(merged([begins]))
        return merged([*blocks, positions]) if self.may_begin else merged(blocks)


def rarest_token(
    snapshot: Snapshot,
    pattern: Pattern,
    known: dict[Condition, TokenCondition],
    *,
    across_texts: bool,
) -> RarestToken | None:
    """Find the rarest token that stands in every match, at the top level of the pattern."""
    items = flat_items(pattern)
    best: tuple[int, TokenCondition] | None = None
    for i, item in enumerate(items):
        token = item
        if isinstance(item, Repetition) and item.least > 0:
            token = item.inner
        if isinstance(token, Token):
            condition = compiled(snapshot, token, known)
            if best is None or condition.n_tokens < best[1].n_tokens:
                best = i, condition
    if best is None:
        return None
    before = Sequence(tuple(items[: best[0]]))
    least, most = length_range(before)
    if most == 0:
        return RarestToken(best[1], None, may_begin=True, across_texts=across_texts)
    automaton = build_automaton(before)
    conditions = [compiled(snapshot, token, known) for token in automaton.elements]
    backwards = make_machine(
        snapshot, automaton.reversed(), conditions, direction=-1, across_texts=across_texts
    )
    return RarestToken(best[1], backwards, may_begin=least == 0, across_texts=across_texts)


def compiled(
    snapshot: Snapshot, token: Token, known: dict[Condition, TokenCondition]
) -> TokenCondition:
    condition = known.get(token.condition)
    if condition is None:
        condition = known[token.condition] = TokenCondition(snapshot, token.condition)
    return condition


def masked(positions: I64, mask: DocumentMask | None) -> I64:
    return positions if mask is None else chosen(positions, mask.holds(positions))
