"""Runs a pattern as CQP does, for labels and edges that are not at fixed places.

Input → output: a ``Dfa`` and starting positions → matches with the positions of their labels. A
state of the automaton holds one set of labels; where two ways meet, the one visited last stays, as
in CQP. All starts of a block go on together, state by state.

References
----------
CQP Interface and Query Language Manual, version 3.5, on labels, zero-width elements and strict
regions; the observable order of evaluation is that of CQP 3.4.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Spans
from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.query.ast import (
    KEYWORD,
    NO_TARGET,
    TARGET,
    Anchor,
    Condition,
    Edge,
    Query,
    Strategy,
    Token,
)
from search.engine.query.conditions.candidates import UNSET, PositionCandidates
from search.engine.query.conditions.comparing import holds, labels_in
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.conditions.values import region_bounds
from search.engine.query.errors import QueryError
from search.engine.query.limits import Budget
from search.engine.query.running.dfa import Dfa, paired_regions
from search.engine.query.running.edges import edge_lies_at
from search.engine.query.running.regions import n_regions

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

BLOCK = 1 << 15  # starts that run together
VISIT_COST = 12  # measured: 50 to 150 ns a visit and label, where the budget reckons with about 10
IDLE_STEPS = 42  # steps without a token after which CQP gives up
TARGET_NAMES = {number: f"@{number}" for number in range(10)} | {
    TARGET: "target",
    KEYWORD: "keyword",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the matches of some starts may reach.

    Parameters
    ----------
    ends : ndarray of shape (n,)
        Boundary that no token of the match may pass.
    text_ends : ndarray of shape (n,)
        Boundary that nothing may look across.
    text_starts : ndarray of shape (n,)
        Where the text (or the corpus) of each start begins.
    """

    ends: I64
    text_ends: I64
    text_starts: I64

    def take(self, at: slice | I64) -> "Limits":
        """Return the limits of some starts."""
        return Limits(self.ends[at], self.text_ends[at], self.text_starts[at])


@dataclass(frozen=True, slots=True)
class Found:
    """Matches: half-open spans, and a row of positions for each label (``UNSET`` for none)."""

    spans: Spans
    labels: I64

    def take(self, at: I64 | Mask) -> "Found":
        """Return some of the matches."""
        return Found(Spans(self.spans.starts[at], self.spans.ends[at]), self.labels[:, at])


@dataclass(frozen=True, slots=True)
class _Group:
    """Starts that are in the same state: who they are, the boundary they are at, their labels."""

    who: I64
    at: I64
    labels: I64

    def take(self, mask: Mask) -> "_Group":
        return _Group(self.who[mask], self.at[mask], self.labels[:, mask])


class Simulation:
    """A pattern made ready to run.

    Attributes
    ----------
    names : list of str
        Labels, in the order of the rows of ``Found.labels``.
    """

    def __init__(self, snapshot: Snapshot, query: Query, dfa: Dfa) -> None:
        self._snapshot = snapshot
        self._dfa = dfa
        self._constraint = query.constraint
        self._keeps_going = query.strategy is Strategy.LONGEST
        self._shown = query.shown
        self._regions = paired_regions(dfa)
        self.names = ["match", "matchend"]
        for element in dfa.elements:
            if isinstance(element, Token):
                self._add_names(element)
        self.names += [f"<{name}>" for name in sorted(set(self._regions.values()))]
        self._row = {name: i for i, name in enumerate(self.names)}
        self._compiled: dict[Condition, TokenCondition] = {}

    def _add_names(self, token: Token) -> None:
        names = [token.label] if token.label else []
        if token.target != NO_TARGET:
            names.append(TARGET_NAMES[token.target])
        self.names += [name for name in names if name not in self.names]

    @property
    def initial(self) -> list[int]:
        """Elements that can begin a match, in the order of the text."""
        return list(self._dfa.steps[0])

    @property
    def n_starts(self) -> int:
        """Places in all segments where a match can begin, at most."""
        elements = [self._dfa.elements[symbol] for symbol in self.initial]
        return sum(
            self.compiled(element.condition).n_tokens
            if isinstance(element, Token)
            else n_regions(self._snapshot, element.structure)
            for element in elements
        )

    def compiled(self, condition: Condition) -> TokenCondition:
        """Return a condition compiled for the snapshot (relaxed where it names labels)."""
        known = self._compiled.get(condition)
        if known is None:
            known = self._compiled[condition] = TokenCondition(self._snapshot, condition)
        return known

    def starts(self, symbol: int, segment: Segment) -> I64:
        """Return where an element that begins a match can stand: boundaries, ascending."""
        element = self._dfa.elements[symbol]
        if isinstance(element, Token):
            found = self.compiled(element.condition).positions(segment)
            if labels_in(element.condition):
                candidates = PositionCandidates(self._snapshot, segment, len(found), found)
                found = found[self._token_holds(element.condition, candidates)]
            return found
        is_sentence = element.structure == "s"
        starts = segment.sentence_starts if is_sentence else np.unique(segment.bounds)
        if not element.is_start:
            starts = np.append(starts, segment.n_tokens)
        starts = starts[starts < segment.n_tokens]
        return starts[edge_lies_at(self._snapshot, segment, element, starts)]

    def run(
        self, segment: Segment, symbol: int, starts: I64, limits: Limits, budget: Budget
    ) -> Found:
        """Return the match of each start that has one, for matches that begin with one element."""
        parts = [
            self._run_block(
                segment, symbol, starts[low : low + BLOCK], limits.take(slice(low, low + BLOCK)),
                budget,
            )
            for low in range(0, len(starts), BLOCK)
        ]  # fmt: skip
        if not parts:
            none = np.empty(0, dtype=np.int64)
            return Found(Spans(none, none), np.empty((len(self.names), 0), dtype=np.int64))
        return Found(
            Spans(
                np.concatenate([part.spans.starts for part in parts]),
                np.concatenate([part.spans.ends for part in parts]),
            ),
            np.concatenate([part.labels for part in parts], axis=1),
        )

    def _run_block(
        self, segment: Segment, symbol: int, starts: I64, limits: Limits, budget: Budget
    ) -> Found:
        block = _Block(segment, starts, limits, len(self.names))
        arrived = _Arrivals()
        self._take(block, self._first(block, symbol), symbol, self._dfa.steps[0][symbol], arrived)
        active = arrived.joined()
        idle = 0
        before: dict[int, bytes] = {}
        while active:
            n_visits = sum(len(group.who) for group in active.values())
            budget.spend(VISIT_COST * n_visits * (1 + len(self.names)))
            arrived = _Arrivals()
            for state, group in sorted(active.items()):
                for number, target in self._dfa.steps[state].items():
                    running = group if self._keeps_going else group.take(~block.won[group.who])
                    if len(running.who):
                        passed = self._passing(block, running, number)
                        self._take(block, passed, number, target, arrived)
            active = arrived.joined()
            if not self._keeps_going:
                active = _living(active, block.won)
            now = {state: group.at.tobytes() for state, group in active.items()}
            idle = idle + 1 if now == before else 0
            before = now
            if idle > IDLE_STEPS:
                message = "A part that takes no token, such as <s>, is repeated without end."
                raise QueryError(message, 0)
        return block.found()

    def _first(self, block: "_Block", symbol: int) -> _Group:
        """Return all starts before their first element, which is known to be there."""
        labels = np.full((len(self.names), len(block.starts)), UNSET, dtype=np.int64)
        labels[self._row["match"]] = block.starts
        group = _Group(np.arange(len(block.starts)), block.starts, labels)
        element = self._dfa.elements[symbol]
        if isinstance(element, Edge) and not element.is_start:
            return group.take(block.starts > block.limits.text_starts)
        return group

    def _passing(self, block: "_Block", group: _Group, number: int) -> _Group:
        """Return the part of a group that an element lets through."""
        element = self._dfa.elements[number]
        is_closing = isinstance(element, Edge) and not element.is_start
        place = group.at - 1 if is_closing else group.at
        is_ahead = isinstance(element, Token) and element.is_ahead
        ends = block.limits.ends[group.who]
        inside = place < ends + 1 if is_ahead else place < ends
        inside &= place < block.limits.text_ends[group.who]
        inside &= place >= block.limits.text_starts[group.who]
        for name in set(self._regions.values()):
            last = group.labels[self._row[f"<{name}>"]]
            inside &= (last == UNSET) | (place <= last)
        group = group.take(inside)
        if isinstance(element, Token):
            return group.take(self._token_passes(block.segment, element, group))
        lies = edge_lies_at(self._snapshot, block.segment, element, group.at)
        region = self._regions.get(number)
        if is_closing and region is not None:
            lies &= group.labels[self._row[f"<{region}>"]] == group.at - 1
        return group.take(lies)

    def _token_passes(self, segment: Segment, token: Token, group: _Group) -> Mask:
        if not labels_in(token.condition):
            return self.compiled(token.condition).holds(segment, group.at)
        return self._token_holds(
            token.condition, self._candidates(segment, group.at, group.labels, len(group.at))
        )

    def _candidates(
        self, segment: Segment, this: I64 | None, labels: I64, size: int
    ) -> PositionCandidates:
        named = dict(zip(self.names, labels, strict=True))
        return PositionCandidates(self._snapshot, segment, size, this, named)

    def _take(
        self, block: "_Block", group: _Group, number: int, target: int, arrived: "_Arrivals"
    ) -> None:
        """Move a group over an element: set labels, note matches, enter the next state."""
        if not len(group.who):
            return
        element = self._dfa.elements[number]
        labels = group.labels.copy()
        takes_token = isinstance(element, Token) and not element.is_ahead
        if isinstance(element, Token):
            if element.label:
                labels[self._row[element.label]] = group.at
            if element.target != NO_TARGET:
                labels[self._row[TARGET_NAMES[element.target]]] = group.at
        elif number in self._regions:
            row = self._row[f"<{self._regions[number]}>"]
            labels[row] = self._region_ends(block.segment, element, group.at)
        moved = _Group(group.who, group.at + takes_token, labels)
        if target in self._dfa.final:
            moved = self._finish(block, moved)
        arrived.add(target, moved)

    def _region_ends(self, segment: Segment, element: Edge, at: I64) -> I64 | int:
        """Return the last position of the region an edge opens; none where it closes one."""
        if not element.is_start:
            return UNSET
        candidates = PositionCandidates(self._snapshot, segment, len(at), at)
        return region_bounds(candidates, element.structure, at)[1] - 1

    def _finish(self, block: "_Block", group: _Group) -> _Group:
        """Note matches; return those that go on: all of them, or those that are no match."""
        group.labels[self._row["matchend"]] = group.at - 1
        won = np.ones(len(group.who), dtype=np.bool_)
        if self._constraint is not None:
            candidates = self._candidates(block.segment, None, group.labels, len(group.who))
            won = self._token_holds(self._constraint, candidates)
        winners = group.take(won)
        begins, ends = self._selected(block, winners)
        block.note(winners, begins, ends)
        group.labels[self._row["matchend"]] = UNSET
        return group if self._keeps_going else group.take(~won)

    def _selected(self, block: "_Block", group: _Group) -> tuple[I64, I64]:
        """Return the spans of matches, or what ``show`` makes of them; (0, 0) for none."""
        if self._shown is None:
            return block.starts[group.who], group.at
        first, last = (self._anchored(anchor, group) for anchor in self._shown)
        n_tokens = block.segment.n_tokens
        valid = (first >= 0) & (last >= first) & (last < n_tokens)
        valid &= first >= block.limits.text_starts[group.who]
        valid &= last < block.limits.text_ends[group.who]
        return np.where(valid, first, 0), np.where(valid, last + 1, 0)

    def _anchored(self, anchor: Anchor, group: _Group) -> I64:
        positions = group.labels[self._row[anchor.label]]
        return np.where(positions == UNSET, UNSET, positions + anchor.offset)

    def _token_holds(self, condition: Condition, candidates: PositionCandidates) -> Mask:
        return holds(condition, candidates, self._simple_holds)

    def _simple_holds(self, condition: Condition, candidates: PositionCandidates) -> Mask:
        return self.compiled(condition).holds(candidates.segment, candidates.positions(""))


@dataclass(slots=True)
class _Block:
    """Some starts that run together, and what was found for each."""

    segment: Segment
    starts: I64
    limits: Limits
    n_labels: int
    won: Mask = field(init=False)
    begins: I64 = field(init=False)
    ends: I64 = field(init=False)
    labels: I64 = field(init=False)

    def __post_init__(self) -> None:
        self.won = np.zeros(len(self.starts), dtype=np.bool_)
        self.begins = np.zeros(len(self.starts), dtype=np.int64)
        self.ends = np.zeros(len(self.starts), dtype=np.int64)
        self.labels = np.full((self.n_labels, len(self.starts)), UNSET, dtype=np.int64)

    def note(self, winners: _Group, begins: I64, ends: I64) -> None:
        """Note matches; later ones replace earlier ones."""
        self.won[winners.who] = True
        self.begins[winners.who] = begins
        self.ends[winners.who] = ends
        self.labels[:, winners.who] = winners.labels

    def found(self) -> Found:
        """Return the matches that are not empty."""
        kept = np.flatnonzero(self.won & (self.ends > self.begins))
        return Found(Spans(self.begins[kept], self.ends[kept]), self.labels[:, kept])


class _Arrivals:
    """Groups that have come to states in one step; of the same start the last one stays."""

    def __init__(self) -> None:
        self._groups: dict[int, list[_Group]] = {}

    def add(self, state: int, group: _Group) -> None:
        if len(group.who):
            self._groups.setdefault(state, []).append(group)

    def joined(self) -> dict[int, _Group]:
        """Return one group for each state."""
        return {state: _join(groups) for state, groups in self._groups.items()}


def _join(groups: list[_Group]) -> _Group:
    if len(groups) == 1:
        return groups[0]
    who = np.concatenate([group.who for group in groups])
    at = np.concatenate([group.at for group in groups])
    labels = np.concatenate([group.labels for group in groups], axis=1)
    _, last = np.unique(who[::-1], return_index=True)
    kept = len(who) - 1 - last
    return _Group(who[kept], at[kept], labels[:, kept])


def _living(active: dict[int, _Group], won: Mask) -> dict[int, _Group]:
    """Leave out starts that have their match."""
    living = {state: group.take(~won[group.who]) for state, group in active.items()}
    return {state: group for state, group in living.items() if len(group.who)}
