"""Runs an automaton over a segment from many starts at once, bit-parallel.

Input → output: an automaton and starting positions → where matches end. Each start keeps one bit
per element of the pattern that could have taken the token just read; all starts go on by one token
per step. Works backwards too, to find starts from an element in the middle.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from search.engine.allowance import go_on
from search.engine.arrays import I64, U64, Mask
from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.running.automaton import Automaton, Edges, Ways
from search.engine.query.running.edges import all_hold

WORD_BITS = 64
ONE = np.uint64(1)
TOP = np.uint64(WORD_BITS - 1)  # how far the highest bit of a word is to be shifted
BLOCK = 1 << 16  # starts that run together; their state stays in the second-level cache
Found = Iterator[tuple[I64, I64]]  # numbers of starts, and the boundaries at which they accept


class Runner(ABC):
    """What finds the ends of matches, in one direction."""

    def ends(
        self, segment: Segment, starts: I64, limits: I64, budget: Budget, *, longest: bool
    ) -> I64:
        """Return where the match of each start ends, -1 where there is none.

        Parameters
        ----------
        starts : ndarray of shape (n,)
            Boundaries at which matches begin.
        limits : ndarray of shape (n,)
            Boundaries they must not pass.
        longest : bool
            Take the last end instead of the first.
        """
        result = np.full(len(starts), -1, dtype=np.int64)
        for who, end in self._found(segment, starts, limits, budget, keep_going=longest):
            result[who] = end
        return result

    def all_ends(
        self,
        segment: Segment,
        starts: I64,
        limits: I64 | None,
        budget: Budget,
        *,
        keep_going: bool = True,
    ) -> tuple[I64, I64]:
        """Return all pairs of (number of the start, end), or the first of each start."""
        pairs = [(starts[:0], starts[:0])]
        pairs += self._found(segment, starts, limits, budget, keep_going=keep_going)
        whos, ends = (np.concatenate(side) for side in zip(*pairs, strict=True))
        return whos, ends

    def _found(
        self, segment: Segment, starts: I64, limits: I64 | None, budget: Budget, *, keep_going: bool
    ) -> Found:
        """Run block by block; without limits as far as the segment goes."""
        for low in range(0, len(starts), BLOCK):
            part = slice(low, low + BLOCK)
            block = None if limits is None else limits[part]
            for who, end in self._run(segment, starts[part], block, budget, keep_going=keep_going):
                yield low + who, end

    @abstractmethod
    def _run(
        self, segment: Segment, at: I64, limits: I64 | None, budget: Budget, *, keep_going: bool
    ) -> Found:
        """Step all starts until none is alive; give (who, boundary) at each accepting step."""


@dataclass(frozen=True, slots=True)
class _Step:
    """Transitions under the same edges.

    ``chain`` marks elements that may be followed by the next higher one, done by one shift;
    ``jumps`` holds (elements, targets) for all others.
    """

    edges: Edges
    chain: U64
    jumps: tuple[tuple[U64, U64], ...]


class Machine(Runner):
    """An automaton made ready to run in one direction.

    Parameters
    ----------
    automaton : Automaton
        Already reversed when ``direction`` is -1.
    conditions : list of TokenCondition
        One per element.
    direction : int
        1 reads to the right, -1 to the left.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        automaton: Automaton,
        conditions: list[TokenCondition],
        direction: int = 1,
    ) -> None:
        self._across_texts = automaton.across_texts
        self._snapshot = snapshot
        self._direction = direction
        self._n_words = (len(automaton.elements) + WORD_BITS - 1) // WORD_BITS
        self._first = self._by_edges([(-1, automaton.first)])
        self._steps = self._by_edges(list(enumerate(automaton.follow)))
        self._last = [
            (edges, self._bits([i for i, ways in automaton.last.items() if edges in ways]))
            for edges in _all_edges([automaton.last])
        ]
        groups: dict[TokenCondition, list[int]] = {}
        for i, condition in enumerate(conditions):
            groups.setdefault(condition, []).append(i)
        self._accepts = [(condition, self._bits(group)) for condition, group in groups.items()]
        n_jumps = sum(len(step.jumps) + 2 * bool(step.edges) for step in self._steps)
        self._visit_cost = self._n_words * (1 + n_jumps + len(self._accepts))

    def _run(
        self, segment: Segment, at: I64, limits: I64 | None, budget: Budget, *, keep_going: bool
    ) -> Found:
        who = np.arange(len(at))
        limits = np.full_like(at, segment.n_tokens) if limits is None else limits
        waiting = self._advance(segment, self._first, None, at)
        while len(who):
            budget.spend(len(who) * self._visit_cost)
            room = at != limits
            active = self._read(segment, waiting, at, room)
            alive = _any(active)
            who, at, limits, active = who[alive], at[alive], limits[alive], active[:, alive]
            at = at + self._direction
            accepted = self._accepted(segment, active, at)
            if accepted.any():
                yield who[accepted], at[accepted]
                if not keep_going:
                    who, at, limits = who[~accepted], at[~accepted], limits[~accepted]
                    active = active[:, ~accepted]
            waiting = self._advance(segment, self._steps, active, at)

    def _read(self, segment: Segment, waiting: U64, at: I64, room: Mask) -> U64:
        """Return which of the waiting elements take the token at the boundary."""
        position = at if self._direction > 0 else at - 1
        position = np.where(room, position, 0)
        active = np.zeros_like(waiting)
        for condition, bits in self._accepts:
            wanted = waiting & bits[:, None]
            if wanted.any():
                go_on()  # one by one: hundreds of words may stand here
                active |= wanted * condition.holds(segment, position).astype(np.uint64)
        active *= room.astype(np.uint64)
        return active

    def _advance(self, segment: Segment, steps: list[_Step], active: U64 | None, at: I64) -> U64:
        """Return which elements could take the next token."""
        waiting = np.zeros((self._n_words, len(at)), dtype=np.uint64)
        for step in steps:
            targets = np.zeros_like(waiting)
            if active is None:
                for _, bits in step.jumps:
                    targets |= bits[:, None]
            else:
                self._follow(step, active, targets)
            if step.edges:
                begin = active is None and self._direction > 0
                holds = self._edges_hold(segment, step.edges, at, at_begin=begin)
                targets *= holds.astype(np.uint64)
            waiting |= targets
        return waiting

    def _follow(self, step: _Step, active: U64, targets: U64) -> None:
        if step.chain.any():
            moving = active & step.chain[:, None]
            targets |= moving << ONE
            targets[1:] |= moving[:-1] >> TOP
        for elements, bits in step.jumps:
            leaving = _any(active & elements[:, None])
            targets |= bits[:, None] * leaving.astype(np.uint64)

    def _accepted(self, segment: Segment, active: U64, at: I64) -> Mask:
        result = np.zeros(len(at), dtype=np.bool_)
        for edges, bits in self._last:
            done = _any(active & bits[:, None])
            if edges and done.any():
                begin = self._direction < 0
                done &= self._edges_hold(segment, edges, at, at_begin=begin)
            result |= done
        return result

    def _edges_hold(self, segment: Segment, edges: Edges, at: I64, *, at_begin: bool) -> Mask:
        return all_hold(
            self._snapshot, segment, edges, at, at_begin=at_begin, across_texts=self._across_texts
        )

    def _bits(self, elements: list[int]) -> U64:
        """Return a set of elements as bits: shape (n_words,)."""
        numbers = [0] * self._n_words
        for i in elements:
            numbers[i // WORD_BITS] |= 1 << (i % WORD_BITS)
        return np.array(numbers, dtype=np.uint64)

    def _by_edges(self, sources: list[tuple[int, dict[int, Ways]]]) -> list[_Step]:
        """Group transitions by their edges, and elements by equal targets."""
        steps = []
        for edges in _all_edges([targets for _, targets in sources]):
            chain: list[int] = []
            groups: dict[tuple[int, ...], list[int]] = {}
            for i, targets in sources:
                reached = {j for j, ways in targets.items() if edges in ways}
                if i >= 0 and i + 1 in reached:
                    chain.append(i)
                    reached.discard(i + 1)
                if reached:
                    groups.setdefault(tuple(sorted(reached)), []).append(max(i, 0))
            jumps = tuple((self._bits(f), self._bits(list(t))) for t, f in groups.items())
            steps.append(_Step(edges, self._bits(chain), jumps))
        return steps


def _any(bits: U64) -> Mask:
    """Return which columns hold any bit."""
    if len(bits) == 1:
        some: Mask = bits[0] != 0
        return some
    several: Mask = np.logical_or.reduce(bits != 0, axis=0)
    return several


def _all_edges(tables: list[dict[int, Ways]]) -> list[Edges]:
    """Return the distinct sets of edges, in a fixed order."""
    found = {edges for table in tables for ways in table.values() for edges in ways}
    return sorted(found, key=lambda edges: (len(edges), sorted(map(repr, edges))))


def merged(arrays: Sequence[I64]) -> I64:
    """Return the positions of all arrays, ascending, each once.

    Sorting stably merges what is in order already: 0.03 s for 10 million positions, where
    ``np.unique`` and its hash table take 9 s.

    Parameters
    ----------
    arrays : sequence of ndarray of shape (n_i,)
        At least one; quickest where each is ascending.
    """
    joined = np.concatenate(arrays)
    joined.sort(kind="stable")
    is_new = np.ones(len(joined), dtype=np.bool_)
    np.not_equal(joined[1:], joined[:-1], out=is_new[1:])
    return joined[is_new]
