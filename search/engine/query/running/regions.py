"""Whole sentences or texts as matches: ``<s/>``, ``<text> []* </text>``, ``<s> [pos="N.*"]+ </s>``.

Input → output: a segment's boundaries → spans. CQP's hard boundary of a match (`reach`) is a guard
of patterns that go on and on; a region ends by itself, and one that is cut would be left out of
every count.
"""

from dataclasses import dataclass

import numpy as np

from search.engine.arrays import I64, Mask
from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import (
    NO_TARGET,
    Anything,
    Edge,
    Pattern,
    Query,
    Region,
    Repetition,
    Sequence,
    Token,
)
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import (
    bounds_around,
    n_regions,
    region_edges,
    right_limits,
    sentence_starts,
    text_starts,
)
from search.engine.query.running.automaton import build_automaton
from search.engine.query.running.chosen_way import ChosenWay, Way
from search.engine.query.running.machine import merged
from search.engine.query.running.repeated_token import filled_ends
from search.engine.query.running.table_machine import make_machine
from search.engine.query.walks import flat_items, tokens_of


@dataclass(frozen=True, slots=True)
class Inside:
    """What stands between the begin and the end of a region, from the one to the other."""

    structure: str
    pattern: Pattern

    @property
    def is_anything(self) -> bool:
        """Whether it fills all regions."""
        match flat_items(self.pattern):
            case [Repetition(inner, least=least, most=None)]:
                return inner == Token(Anything()) and least <= 1
            case _:
                return False


def region_around(query: Query) -> Inside | None:
    """Return what fills whole regions, of a query such as ``<s> [pos="N.*"]+ </s>``; else None.

    Examples
    --------
    >>> from search.engine.query.language.cql import parse_cql
    >>> found = [region_around(parse_cql(text)) for text in ("<text/>", "<s> []* </s>", "<s> []")]
    >>> [inside and (inside.structure, inside.is_anything) for inside in found]
    [('text', True), ('s', True), None]
    """
    if query.constraint is not None or query.shown is not None:
        return None
    match flat_items(query.pattern):
        case [Region(is_empty=False) as region]:
            is_marked = {region.start_target, region.end_target} != {NO_TARGET}
            is_plain = not (is_marked or region.start_label or region.end_label)
            pattern: Pattern = Repetition(Token(Anything()), 0, None)
        case [Edge() as region, _, *_, Edge() as last] as items:
            pattern = Sequence(tuple(items[1:-1]))
            is_plain = region == Edge(region.structure, is_start=True, name=region.name)
            is_plain &= last == Edge(region.structure, is_start=False, name=region.name)
            is_plain &= not any(isinstance(item, Edge) for item in items[1:-1])
            is_plain &= all(token.target == NO_TARGET for token in tokens_of(pattern))
        case _:
            return None
    return Inside(region.structure, pattern) if is_plain else None


class WholeRegionRun:
    """Sentences or texts that a pattern fills from begin to end; a ``Plan``.

    Where that may be anything they are told by their edges; but across texts matches end at CQP's
    hard boundary. One token again and again is looked for in all tokens at once. Other patterns are
    run from the begins of the regions whose first and last tokens are such as a match begins and
    ends with: the rarer ones are looked up, or all regions gone through where neither is rarer than
    they are.
    """

    def __init__(self, snapshot: Snapshot, query: Query, inside: Inside) -> None:
        self._snapshot, self._query = snapshot, query
        self._structure = inside.structure
        automaton = build_automaton(inside.pattern)
        conditions = [TokenCondition(snapshot, token.condition) for token in automaton.elements]
        self._first = list(dict.fromkeys(conditions[i] for i in automaton.first))
        self._last = list(dict.fromkeys(conditions[i] for i in automaton.last))
        self._machine = make_machine(snapshot, automaton, conditions)
        self._is_alone = inside.is_anything and not query.across_texts
        self._all = conditions[0] if _is_one_again(inside.pattern) else None
        self._n_first = sum(condition.n_tokens for condition in self._first)
        self._n_last = sum(condition.n_tokens for condition in self._last)
        self._n_regions = n_regions(snapshot, inside.structure)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        if self._is_alone:
            return ChosenWay(Way.REGIONS, "nothing is asked of what they hold.", self._n_regions)
        if self._all is not None:
            why = "one token again and again is compared with all tokens at once."
            return ChosenWay(Way.FILLED_REGIONS, why, self._n_regions)
        why = "those are tried whose first and last tokens are such as begin and end a match."
        n_places = min(self._n_regions, self._n_first, self._n_last)
        return ChosenWay(Way.FILLED_REGIONS, why, n_places)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""
        segment = view.segment
        if self._is_alone:
            return SpanHits(view, self._every_one(segment, budget), mask)
        if self._all is not None:
            return SpanHits(view, self._filled_by_one(self._all, segment, budget), mask)
        spans = self._regions(segment)
        budget.spend(len(spans))
        if mask is not None:
            spans = spans.where(mask.holds(spans.starts))
        spans = spans.where(right_limits(segment, spans.starts, self._query) >= spans.ends)
        spans = spans.where(_any_holds(self._first, segment, spans.starts))
        spans = spans.where(_any_holds(self._last, segment, spans.ends - 1))
        found = self._machine.ends(segment, spans.starts, spans.ends, budget, longest=True)
        return SpanHits(view, spans.where(found == spans.ends), None)

    def _regions(self, segment: Segment) -> Spans:
        """Return at least the regions that may be filled."""
        is_from_last = self._n_last < self._n_first
        if min(self._n_first, self._n_last) < self._n_regions:
            tokens = self._last if is_from_last else self._first
            at = merged([condition.positions(segment) for condition in tokens])
            starts, ends = bounds_around(segment, self._structure, at)
            return Spans(starts, ends).where(ends == at + 1 if is_from_last else starts == at)
        return _spans_of(segment, self._structure)

    def _every_one(self, segment: Segment, budget: Budget) -> Spans:
        """Return all regions that lie within what the query says."""
        spans = _spans_of(segment, self._structure)
        budget.spend(len(spans))
        if self._query.within is None:
            return spans
        return spans.where(spans.ends <= right_limits(segment, spans.starts, self._query))

    def _filled_by_one(self, condition: TokenCondition, segment: Segment, budget: Budget) -> Spans:
        """Find the regions that hold nothing but tokens of a condition."""
        budget.scan(segment.n_tokens)
        ends = filled_ends(segment, condition, self._structure)
        starts_of = text_starts if self._structure == "text" else sentence_starts
        starts = starts_of(segment, ends - 1)
        return Spans(starts, ends).where(ends <= right_limits(segment, starts, self._query))


def _is_one_again(pattern: Pattern) -> bool:
    """Say whether a pattern is one token, once or any number of times."""
    match flat_items(pattern):
        case [Repetition(Token(), least=least, most=None)]:
            return least <= 1
        case _:
            return False


def _any_holds(conditions: list[TokenCondition], segment: Segment, positions: I64) -> Mask:
    """Return which positions meet one of some conditions."""
    holds: Mask = np.logical_or.reduce([one.holds(segment, positions) for one in conditions])
    return holds


def _spans_of(segment: Segment, structure: str) -> Spans:
    edges = region_edges(segment, structure)
    return Spans(edges[:-1], edges[1:])
