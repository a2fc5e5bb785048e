"""Runs a pattern as CQP does, for labels and edges that are not at fixed places.

Input → output: a query and a snapshot → a ``Plan``, which finds the positions of marks as well. A
state of the automaton holds one set of labels; where two ways meet, the one visited last stays, as
in CQP. All starts of a block go on together, state by state.

References
----------
CQP Interface and Query Language Manual, version 3.5, on labels, zero-width elements and strict
regions; the observable order of evaluation is that of CQP 3.4.
"""

from dataclasses import dataclass, field

import numpy as np

from search.engine.arrays import I64, Mask
from search.engine.index.hits import Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import (
    NO_TARGET,
    Anchor,
    Edge,
    Query,
    Strategy,
    Token,
)
from search.engine.query.conditions.candidates import UNSET, PositionCandidates
from search.engine.query.conditions.comparing import labels_in
from search.engine.query.conditions.token_conditions import CompiledConditions
from search.engine.query.conditions.values import region_bounds
from search.engine.query.errors import QueryError
from search.engine.query.limits import Budget
from search.engine.query.reach import n_regions, region_starts, right_limits, text_ends
from search.engine.query.running.chosen_way import ChosenWay, Way
from search.engine.query.running.dfa import build_dfa, paired_regions
from search.engine.query.running.edges import edge_lies_at
from search.engine.query.running.labels import MarkedHits, mark_name, names_of
from search.engine.query.running.sequences import masked
from search.engine.query.running.strategies import choose
from search.engine.query.walks import length_range

BLOCK = 1 << 15  # starts that run together
VISIT_COST = 12  # measured: 50 to 150 ns a visit and label, where the budget reckons with about 10
IDLE_STEPS = 42  # steps without a token after which CQP gives up


@dataclass(frozen=True, slots=True)
class _Limits:
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


@dataclass(frozen=True, slots=True)
class _Found:
    """Matches: half-open spans, and a row of positions for each label (``UNSET`` for none)."""

    spans: Spans
    labels: I64

    def first(self, n: int) -> "_Found":
        """Return the first matches."""
        return _Found(Spans(self.spans.starts[:n], self.spans.ends[:n]), self.labels[:, :n])


@dataclass(frozen=True, slots=True)
class _Group:
    """Starts that are in the same state: who they are, the boundary they are at, their labels."""

    who: I64
    at: I64
    labels: I64

    def take(self, mask: Mask) -> "_Group":
        return _Group(self.who[mask], self.at[mask], self.labels[:, mask])


class SimulatedRun:
    """A query made ready to be simulated on a snapshot; a ``Plan``."""

    def __init__(self, snapshot: Snapshot, query: Query) -> None:
        if length_range(query.pattern)[1] == 0 and query.shown is None:
            raise QueryError("The pattern has no token in it.", 0, ("a word in quotes", "[]"))
        self._snapshot, self._query = snapshot, query
        self._dfa = build_dfa(query.pattern)
        self._keeps_going = query.strategy is Strategy.LONGEST
        stops = query.stops_at_cut and len(snapshot.segments) == 1
        self._cut_each = query.cut if stops else None
        self._regions = paired_regions(self._dfa)
        tokens = [element for element in self._dfa.elements if isinstance(element, Token)]
        self._marks = sorted({token.target for token in tokens} - {NO_TARGET})
        names = ["match", "matchend"]
        names += [name for token in tokens for name in names_of(token.label, token.target)]
        names += [f"<{name}>" for name in sorted(set(self._regions.values()))]
        self._names = list(dict.fromkeys(names))  # of the rows of ``_Found.labels``
        self._row = {name: i for i, name in enumerate(self._names)}
        self._compiled = CompiledConditions(snapshot)  # relaxed where they name labels

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> MarkedHits:
        """Find the hits in one segment, in the documents of a mask."""
        parts: list[_Found] = []
        for symbol in self._dfa.steps[0]:
            blocks = self._from(symbol, view.segment, mask, budget)
            parts += [self._joined(blocks).first(self._cut_each)] if self._cut_each else blocks
        found = self._joined(parts)
        starts, ends = found.spans.starts, found.spans.ends
        kept = choose(starts, ends, self._query.strategy)
        rows = {number: self._row[mark_name(number)] for number in self._marks}
        marks = {number: found.labels[row, kept] for number, row in rows.items()}
        return MarkedHits(view, Spans(starts[kept], ends[kept]), None, marks)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        elements = [self._dfa.elements[symbol] for symbol in self._dfa.steps[0]]
        n_starts = sum(
            self._compiled[element.condition].n_tokens
            if isinstance(element, Token)
            else n_regions(self._snapshot, element.structure)
            for element in elements
        )
        why = "its labels, marks or edges stand at no fixed place, so it is done as CQP does it."
        return ChosenWay(Way.STEP_BY_STEP, why, n_starts)

    def _from(
        self, symbol: int, segment: Segment, mask: DocumentMask | None, budget: Budget
    ) -> list[_Found]:
        """Find the match of each start that has one, of those that begin with one element."""
        query = self._query
        starts = masked(self._starts(symbol, segment), mask)
        ends = right_limits(segment, starts, query)
        if query.within is not None and query.within.is_block:
            starts, ends = starts[ends > starts], ends[ends > starts]
        rows = segment.document_of(starts)
        firsts = np.zeros_like(starts) if query.across_texts else segment.bounds[rows]
        lasts = text_ends(segment, starts, across_texts=query.across_texts)
        blocks = []
        for low in range(0, len(starts), BLOCK):
            part = slice(low, low + BLOCK)
            limits = _Limits(ends[part], lasts[part], firsts[part])
            blocks.append(self._run_block(segment, symbol, starts[part], limits, budget))
        return blocks

    def _joined(self, parts: list[_Found]) -> _Found:
        none = np.empty((len(self._names), 0), dtype=np.int64)
        return _Found(
            Spans(
                np.concatenate([none[0], *(part.spans.starts for part in parts)]),
                np.concatenate([none[0], *(part.spans.ends for part in parts)]),
            ),
            np.concatenate([none, *(part.labels for part in parts)], axis=1),
        )

    def _starts(self, symbol: int, segment: Segment) -> I64:
        """Return where an element that begins a match can stand: boundaries, ascending."""
        element = self._dfa.elements[symbol]
        if isinstance(element, Token):
            found = self._compiled[element.condition].positions(segment)
            if labels_in(element.condition):
                candidates = PositionCandidates(self._snapshot, segment, len(found), found)
                found = found[self._compiled.hold(element.condition, candidates)]
            return found
        starts = region_starts(segment, element.structure)
        return starts[edge_lies_at(self._snapshot, segment, element, starts)]

    def _run_block(
        self, segment: Segment, symbol: int, starts: I64, limits: _Limits, budget: Budget
    ) -> _Found:
        block = _Block(segment, starts, limits, len(self._names))
        arrived = _Arrivals()
        self._take(block, self._first(block, symbol), symbol, self._dfa.steps[0][symbol], arrived)
        active = arrived.joined()
        idle = 0
        before: dict[int, bytes] = {}
        while active:
            n_visits = sum(len(group.who) for group in active.values())
            budget.spend(VISIT_COST * n_visits * (1 + len(self._names)))
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
        labels = np.full((len(self._names), len(block.starts)), UNSET, dtype=np.int64)
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
            if not labels_in(element.condition):
                known = self._compiled[element.condition]
                return group.take(known.holds(block.segment, group.at))
            candidates = self._candidates(block.segment, group.at, group.labels, len(group.at))
            return group.take(self._compiled.hold(element.condition, candidates))
        lies = edge_lies_at(self._snapshot, block.segment, element, group.at)
        region = self._regions.get(number)
        if is_closing and region is not None:
            lies &= group.labels[self._row[f"<{region}>"]] == group.at - 1
        return group.take(lies)

    def _candidates(
        self, segment: Segment, this: I64 | None, labels: I64, size: int
    ) -> PositionCandidates:
        named = dict(zip(self._names, labels, strict=True))
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
                labels[self._row[mark_name(element.target)]] = group.at
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
        if self._query.constraint is not None:
            candidates = self._candidates(block.segment, None, group.labels, len(group.who))
            won = self._compiled.hold(self._query.constraint, candidates)
        winners = group.take(won)
        begins, ends = self._selected(block, winners)
        block.note(winners, begins, ends)
        group.labels[self._row["matchend"]] = UNSET
        return group if self._keeps_going else group.take(~won)

    def _selected(self, block: "_Block", group: _Group) -> tuple[I64, I64]:
        """Return the spans of matches, or what ``show`` makes of them; (0, 0) for none."""
        if self._query.shown is None:
            return block.starts[group.who], group.at
        first, last = (self._anchored(anchor, group) for anchor in self._query.shown)
        n_tokens = block.segment.n_tokens
        valid = (first >= 0) & (last >= first) & (last < n_tokens)
        valid &= first >= block.limits.text_starts[group.who]
        valid &= last < block.limits.text_ends[group.who]
        return np.where(valid, first, 0), np.where(valid, last + 1, 0)

    def _anchored(self, anchor: Anchor, group: _Group) -> I64:
        positions = group.labels[self._row[anchor.label]]
        return np.where(positions == UNSET, UNSET, positions + anchor.offset)


@dataclass(slots=True)
class _Block:
    """Some starts that run together, and what was found for each."""

    segment: Segment
    starts: I64
    limits: _Limits
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

    def found(self) -> _Found:
        """Return the matches that are not empty."""
        kept = np.flatnonzero(self.won & (self.ends > self.begins))
        return _Found(Spans(self.begins[kept], self.ends[kept]), self.labels[:, kept])


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
