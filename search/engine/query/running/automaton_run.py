"""Runs a pattern as an automaton over a segment, from the fewest places where a match may begin.

Input → output: a query and its automaton → a ``Plan``. Matches are tried from the positions of the
first tokens; from where sentences or texts begin, if the pattern begins there and they are fewer;
from where the occurrences of a much rarer token that every match holds lead back to; or from where
given positions lead back to that the matches are to hold.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from propcache.api import cached_property

from search.engine.arrays import I64
from search.engine.index.hits import SegmentHits, Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.index.set_bits import WORD_BITS, chosen, true_at
from search.engine.query.ast import Edge, Pattern, Query, Repetition, Strategy, Token
from search.engine.query.conditions.token_conditions import CompiledConditions, TokenCondition
from search.engine.query.errors import QueryError
from search.engine.query.limits import Budget
from search.engine.query.reach import (
    HARD_BOUNDARY,
    left_limits,
    n_regions,
    region_starts,
    right_limits,
)
from search.engine.query.running.automaton import FREE, Automaton
from search.engine.query.running.chosen_way import ChosenWay, Way, token_of
from search.engine.query.running.edges import edge_lies_at
from search.engine.query.running.labels import ConstraintTest, marked
from search.engine.query.running.machine import Runner, merged
from search.engine.query.running.sequences import masked
from search.engine.query.running.strategies import drop_nested, one_per_start
from search.engine.query.running.table_machine import TableMachine, make_machine
from search.engine.query.running.tag_bits import starts_of
from search.engine.query.walks import flat_items, length_range

# Starts whose ends are tried together: up to 500 each, which take 140 MB while they are compared.
ALL_ENDS_BLOCK = 1 << 12
RARE_SHARE = 0.05  # of all tokens: what a match needs and is rarer than this is looked for first
FREQUENT_SHARE = 4  # a token met by one in so many, or more, is frequent
MOST_LEVELS = 4  # first tokens whose tags are looked at before a match is tried
LONG_MATCH = 8  # tokens; shorter matches are tried at once
CONSTRAINT_COST = 5  # measured: 50 ns a match tried, where the budget reckons with about 10
AROUND_COST = 8  # reading back from a token that is held, and then on, against one start
MUCH_RARER = 4  # running backwards and then forwards costs about twice as much per position


class AutomatonRun:
    """A pattern made ready to run as an automaton; a ``Plan``."""

    def __init__(
        self,
        snapshot: Snapshot,
        query: Query,
        automaton: Automaton,
        known: CompiledConditions,
    ) -> None:
        conditions = [known[token.condition] for token in automaton.elements]
        if not automaton.first:
            raise QueryError("The pattern has no token in it.", 0, ("a word in quotes", "[]"))
        self._query = query
        self._constraint = ConstraintTest(snapshot, query)
        self._first = list(dict.fromkeys(conditions[i] for i in automaton.first))
        self._anchor = _rarest_token(query.pattern, known)
        self._goes_far = _goes_far(automaton, conditions, snapshot.n_tokens)
        self._needed = _needed_token(self._anchor, query.pattern, snapshot)
        if not self._goes_far or (self._needed is not None and self._needed in self._first):
            self._needed = None
        self._n_first = sum(condition.n_tokens for condition in self._first)
        self._opening = _opening(snapshot, automaton, self._n_first)
        if self._opening is not None:
            self._n_first = n_regions(snapshot, self._opening.structure)
        if self._anchor is not None:
            if self._anchor.n_tokens * MUCH_RARER > self._n_first:
                self._anchor = None
            else:
                self._opening = None
        is_from_first = self._anchor is None and self._opening is None
        self._levels = _tag_levels(automaton, conditions, query) if is_from_first else []
        self._snapshot, self._automaton, self._conditions = snapshot, automaton, conditions
        if self._opening is not None:  # the starts are sure to lie there
            automaton = replace(automaton, first=dict.fromkeys(automaton.first, FREE))
        first_holds = self._anchor is None and len(self._first) == 1
        self._machine = make_machine(snapshot, automaton, conditions, first_holds=first_holds)
        is_first_enough = query.strategy is not Strategy.LONGEST and query.constraint is None
        # Matches then die out by themselves: how far they may reach is asked of the few found.
        self._is_checked_late = is_first_enough and not self._goes_far

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""
        return self._from(self._starts(view.segment, mask, budget), view, mask, budget)

    def run_around(
        self, view: SegmentView, mask: DocumentMask | None, budget: Budget, held: I64
    ) -> SegmentHits:
        """Find at least the hits that hold one of some ascending positions.

        What `strategy` drops for another match it drops for one that holds the position too, but
        for ``SHORTEST``; that, and where the positions are many, runs as always.
        """
        segment = view.segment
        n_first = self._n_first * segment.n_tokens / max(self._snapshot.n_tokens, 1)
        is_worth_it = len(held) * AROUND_COST < n_first and not self._goes_far
        if not is_worth_it or self._query.strategy is Strategy.SHORTEST:
            return self.run(view, mask, budget)
        starts = self._begins(self._back_from_any, segment, held, mask, budget)
        return self._from(starts, view, mask, budget)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        if self._anchor is not None:
            why = f"every match holds it, and {self._n_first:,} places could begin one."
            token = token_of(self._anchor)
            return ChosenWay(Way.BACK_FROM_RARER, why, self._anchor.n_tokens, token)
        if self._opening is not None:
            structure = self._opening.structure
            why = f"every match begins where a <{structure}> does, which is rarer than its tokens."
            return ChosenWay(Way.OPENINGS, why, self._n_first)
        if self._levels:
            why = f"tags decide its first {len(self._levels)} tokens: joined as bits, few are left."
            return ChosenWay(Way.FIRST_TAGS, why, self._n_first)
        token = token_of(self._first[0]) if len(self._first) == 1 else ""
        return ChosenWay(
            Way.FIRST_TOKENS, "no token that is much rarer is in every match.", self._n_first, token
        )

    @cached_property
    def _back_from_any(self) -> Runner:
        """Read from any token of a match back to its start."""
        return self._backwards(range(len(self._conditions)), first_holds=False)

    @cached_property
    def _back_from_anchor(self) -> Runner:
        """Read from the rarest token of a match back to its start."""
        anchors = [i for i, one in enumerate(self._conditions) if one is self._anchor]
        return self._backwards(anchors, first_holds=True)

    def _backwards(self, elements: Iterable[int], *, first_holds: bool) -> Runner:
        back = self._automaton.reversed()
        back.first = dict.fromkeys(elements, FREE)
        return make_machine(self._snapshot, back, self._conditions, -1, first_holds=first_holds)

    def _begins(
        self, back: Runner, segment: Segment, held: I64, mask: DocumentMask | None, budget: Budget
    ) -> I64:
        """Return where matches that hold one of some positions may begin, ascending."""
        held = masked(held, None if self._query.across_texts else mask)
        limits = left_limits(segment, held, self._query)
        blocks = [held[:0]]
        for low in range(0, len(held), ALL_ENDS_BLOCK):
            part = slice(low, low + ALL_ENDS_BLOCK)
            _, begins = back.all_ends(segment, held[part] + 1, limits[part], budget)
            blocks.append(merged([begins]))
        return merged(blocks)

    def _from(
        self, starts: I64, view: SegmentView, mask: DocumentMask | None, budget: Budget
    ) -> SegmentHits:
        """Find the hits that begin at some of the starts."""
        segment = view.segment
        if self._is_checked_late and isinstance(self._machine, TableMachine):
            who, ends = self._machine.all_ends(segment, starts, None, budget, keep_going=False)
            spans = Spans(starts.take(who), ends).in_order()
            spans = spans.where(spans.ends <= right_limits(segment, spans.starts, self._query))
            return self._hits(spans, view, mask)
        limits = right_limits(segment, starts, self._query)
        within = self._query.within
        if within is not None and within.is_block:  # where it does not begin in such a block
            begins = true_at(limits > starts)
            starts, limits = starts.take(begins), limits.take(begins)
        if self._needed is not None:  # the next one is to stand before the limit
            places = np.append(self._needed.positions(segment), segment.n_tokens)
            reachable = true_at(places[np.searchsorted(places, starts)] < limits)
            starts, limits = starts.take(reachable), limits.take(reachable)
        if self._query.constraint is None:
            longest = self._query.strategy is Strategy.LONGEST
            ends = self._machine.ends(segment, starts, limits, budget, longest=longest)
            spans = Spans(starts, ends).where(ends >= 0)
        else:
            spans = self._constrained(segment, starts, limits, budget)
        return self._hits(spans, view, mask)

    def _hits(self, spans: Spans, view: SegmentView, mask: DocumentMask | None) -> SegmentHits:
        return marked(view, drop_nested(spans, self._query.strategy), mask, self._query)

    def _constrained(self, segment: Segment, starts: I64, limits: I64, budget: Budget) -> Spans:
        """Try all ends of each start, for a block of starts at a time."""
        found = [Spans(starts[:0], starts[:0])]
        _, most = length_range(self._query.pattern)
        n_ends = min(HARD_BOUNDARY, most or HARD_BOUNDARY)
        n_starts = ALL_ENDS_BLOCK * HARD_BOUNDARY // n_ends
        for low in range(0, len(starts), n_starts):
            block = starts[low : low + n_starts]
            ends_of_block = limits[low : low + n_starts]
            who, ends = self._machine.all_ends(segment, block, ends_of_block, budget)
            budget.spend(CONSTRAINT_COST * len(ends))
            spans = Spans(block[who], ends)
            spans = self._constraint.kept(segment, spans)
            found.append(one_per_start(spans.starts, spans.ends, self._query.strategy))
        return Spans(
            np.concatenate([spans.starts for spans in found]),
            np.concatenate([spans.ends for spans in found]),
        )

    def _starts(self, segment: Segment, mask: DocumentMask | None, budget: Budget) -> I64:
        """Return where a match can begin, in the documents of the mask."""
        if self._anchor is not None:
            held = self._anchor.positions(segment)
            return self._begins(self._back_from_anchor, segment, held, mask, budget)
        if self._opening is not None:
            starts = masked(region_starts(segment, self._opening.structure), mask)
            if self._opening.test is not None:
                holds = edge_lies_at(self._snapshot, segment, self._opening, starts)
                starts = chosen(starts, holds)
            first = [condition.holds(segment, starts) for condition in self._first]
            return chosen(starts, np.logical_or.reduce(first))
        if self._levels:
            budget.spend(len(self._levels) * segment.n_tokens // WORD_BITS)
            return masked(starts_of(segment, self._levels), mask)
        found = [condition.positions(segment) for condition in self._first]
        starts = found[0] if len(found) == 1 else merged(found)
        return masked(starts, mask)


def _rarest_token(pattern: Pattern, known: CompiledConditions) -> TokenCondition | None:
    """Find the rarest token that stands in every match, at the top level of the pattern."""
    needed = [
        item.inner if isinstance(item, Repetition) and item.least > 0 else item
        for item in flat_items(pattern)
    ]
    conditions = [known[token.condition] for token in needed if isinstance(token, Token)]
    return min(conditions, key=lambda condition: condition.n_tokens, default=None)


def _tag_levels(
    automaton: Automaton, conditions: list[TokenCondition], query: Query
) -> list[list[TokenCondition]]:
    """Return which conditions on tags the first tokens of any match meet, at least two levels.

    Nothing where the first may also be chosen otherwise, or fewer than two are: then most matches
    that begin end soon, and the machine finds out as quickly.
    """
    least, _ = length_range(query.pattern)
    at, levels = set(automaton.first), []
    for _ in range(min(least, MOST_LEVELS)):
        level = list(dict.fromkeys(conditions[i] for i in sorted(at)))
        if any(condition.tag_mask is None for condition in level):
            break
        levels.append(level)
        at = {target for i in at for target in automaton.follow[i]}
    return levels if len(levels) > 1 else []


def _opening(snapshot: Snapshot, automaton: Automaton, n_first: int) -> Edge | None:
    """Return the edge at which all matches begin, if it lies at fewer places than their tokens."""
    ways = set(automaton.first.values())
    edges = next(iter(ways)) if len(ways) == 1 else frozenset[frozenset[Edge]]()
    if len(edges) != 1 or len(next(iter(edges))) != 1:
        return None
    (edge,) = next(iter(edges))
    is_begin = edge.is_start and not edge.is_absent
    return edge if is_begin and n_regions(snapshot, edge.structure) < n_first else None


def _goes_far(automaton: Automaton, conditions: list[TokenCondition], n_tokens: int) -> bool:
    """Say whether a match can go on and on through frequent tokens alone."""
    frequent = {i for i, c in enumerate(conditions) if c.n_tokens * FREQUENT_SHARE > n_tokens}
    n_next = {i: len(frequent & automaton.follow[i].keys()) for i in frequent}
    back = automaton.reversed().follow
    ended = [i for i in frequent if not n_next[i]]
    while ended:
        last = ended.pop()
        frequent.remove(last)
        for i in frequent & back[last].keys():
            n_next[i] -= 1
            if not n_next[i]:
                ended.append(i)
    return bool(frequent)  # what is left goes round in a circle


def _needed_token(
    anchor: TokenCondition | None, pattern: Pattern, snapshot: Snapshot
) -> TokenCondition | None:
    """Return a rare token that a match holds, if matches are long enough to look for it first."""
    _, most = length_range(pattern)
    is_rare = anchor is not None and anchor.n_tokens < RARE_SHARE * snapshot.n_tokens
    if anchor is None or not is_rare or (most is not None and most < LONG_MATCH):
        return None
    return anchor
