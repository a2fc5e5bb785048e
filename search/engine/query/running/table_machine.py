"""Runs a small automaton without edges over a segment: each step is two look-ups in tables.

Input → output: as `Machine`. The elements that could have taken the token just read are the bits of
a small number; one table says which elements accept a tag (or type), another which may follow a set
of elements.

References
----------
G. Navarro and M. Raffinot, Flexible Pattern Matching in Strings (2002), ch. 5 (bit-parallel
Glushkov automata, with the transitions of all sets of states in a table).
"""

import numpy as np

from search.engine.arrays import I64, Array
from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.running.automaton import FREE, Automaton
from search.engine.query.running.machine import Found, Machine, Runner

Sets = Array  # of unsigned integers of 8 or 16 bits

MOST_ELEMENTS = 16  # the table of followers has a row per set of elements: 128 KB
SMALL = 8  # elements that fit a byte
TAG_TABLE_SIZE = 256  # a tag's number is a byte of the stream
MOSTLY_ALIVE = 0.75  # of the starts: to sort the dead ones out costs more than taking them along
STEP_COST = 4  # measured: 50 ns a start and step, where the budget reckons with about 10


def make_machine(
    snapshot: Snapshot,
    automaton: Automaton,
    conditions: list[TokenCondition],
    direction: int = 1,
    *,
    first_holds: bool = False,
) -> Runner:
    """Make an automaton ready to run, in the fastest way it can.

    Parameters
    ----------
    automaton : Automaton
        Already reversed when ``direction`` is -1.
    conditions : list of TokenCondition
        One per element.
    direction : int
        1 reads to the right, -1 to the left.
    first_holds : bool
        All starts are sure to meet the condition of the elements that can begin a match.
    """
    if can_run(automaton, conditions):
        return TableMachine(snapshot, automaton, conditions, direction, first_holds=first_holds)
    return Machine(snapshot, automaton, conditions, direction)


def can_run(automaton: Automaton, conditions: list[TokenCondition]) -> bool:
    """Say whether a pattern is small enough and made of tokens decided by their types alone."""
    steps = [automaton.first, automaton.last, *automaton.follow]
    return (
        len(conditions) <= MOST_ELEMENTS
        and all(ways == FREE for step in steps for ways in step.values())
        and not any(condition.looks_at_documents for condition in conditions)
    )


class TableMachine(Runner):
    """An automaton as tables; see `make_machine` for the parameters."""

    def __init__(
        self,
        snapshot: Snapshot,
        automaton: Automaton,
        conditions: list[TokenCondition],
        direction: int = 1,
        *,
        first_holds: bool = False,
    ) -> None:
        n_elements = len(conditions)
        self._dtype = np.uint8 if n_elements <= SMALL else np.uint16
        self._direction = direction
        self._first_holds = first_holds
        self._first = sum(1 << i for i in automaton.first)
        self._last = sum(1 << i for i in automaton.last)
        self._follow = self._follow_table(automaton)
        read = {target for step in automaton.follow for target in step}
        if not first_holds:
            read |= set(automaton.first)
        tested = [(i, conditions[i]) for i in sorted(read)]
        self._reads_tags = all(c.is_anything or c.tag_mask is not None for _, c in tested)
        self._accept = self._accept_table(snapshot, tested)

    def _follow_table(self, automaton: Automaton) -> Sets:
        """Return for each set of elements which may take the next token."""
        table: Sets = np.zeros(1 << len(automaton.elements), dtype=self._dtype)
        for i, step in enumerate(automaton.follow):
            targets = sum(1 << target for target in step)
            table[1 << i : 2 << i] = table[: 1 << i] | self._dtype(targets)
        return table

    def _accept_table(self, snapshot: Snapshot, tested: list[tuple[int, TokenCondition]]) -> Sets:
        """Return for each tag, or each type, which elements accept it."""
        size = TAG_TABLE_SIZE if self._reads_tags else snapshot.lexicon.size.n_types
        table: Sets = np.zeros(size, dtype=self._dtype)
        for i, condition in tested:
            bit = self._dtype(1 << i)
            if condition.is_anything:
                table |= bit
            elif self._reads_tags and condition.tag_mask is not None:
                table[: len(condition.tag_mask)] |= condition.tag_mask * bit
            else:
                table |= condition.may * bit
        return table

    def _run(
        self, segment: Segment, at: I64, limits: I64 | None, budget: Budget, *, keep_going: bool
    ) -> Found:
        budget.spend(STEP_COST * len(at))
        who = np.arange(len(at))
        waiting: Sets | None = None
        accept = self._accept & self._dtype(self._first)
        if self._first_holds:
            at = at + self._direction
            if self._first & self._last:
                yield who, at
                if not keep_going:
                    return
            accept = self._accept & self._follow[self._first]
        while len(at):
            budget.spend(STEP_COST * len(at))
            active = self._read(segment, accept, at, limits)
            if waiting is not None:
                active &= waiting
            accept = self._accept
            at = at + self._direction
            done = np.flatnonzero((active & self._dtype(self._last)) != 0)
            if len(done):
                yield who.take(done), at.take(done)
                if not keep_going:
                    active[done] = 0
            waiting = self._follow.take(active, mode="clip")
            n_alive = np.count_nonzero(waiting)
            if not n_alive:
                return
            if n_alive < MOSTLY_ALIVE * len(at):  # else they are taken along, and accept nothing
                alive = np.flatnonzero(waiting != 0)
                who, at, waiting = who.take(alive), at.take(alive), waiting.take(alive)
                limits = None if limits is None else limits.take(alive)

    def _read(self, segment: Segment, accept: Sets, at: I64, limits: I64 | None) -> Sets:
        """Return which elements accept the token at each boundary, none beyond the limit."""
        symbols = segment.tags if self._reads_tags else segment.stream
        places = at if self._direction > 0 else at - 1
        active: Sets = accept.take(symbols.take(places, mode="clip"), mode="clip")
        if limits is not None:
            active *= at != limits
        elif int(at.max()) >= segment.n_tokens:
            active *= at < segment.n_tokens
        return active
