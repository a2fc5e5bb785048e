"""Chooses how to run a pattern and runs it on one segment.

Input → output: a query and a snapshot → ``Plan``; plan, segment and mask → hits.

1. One token that is decided by its type: postings, nothing else is touched.
2. A row of tokens of fixed length: from its rarest token (``sequences``).
3. Meet and union, and tables (``meeting``).
4. Patterns whose labels or edges are not at fixed places: as CQP does it (``simulation``).
5. Whole sentences or texts, longest rows of one token: from their boundaries (``regions``,
   ``repeated_token``).
6. Two tokens with a gap that are to be equal: their values in lists (``equal_tokens``).
7. Everything else: an automaton, from the fewest places where it may begin (``automaton_run``).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from search.engine.index.hits import SegmentHits, SpanHits, Spans, TokenHits
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import (
    NO_TARGET,
    Alternatives,
    Edge,
    Meet,
    Pattern,
    Query,
    Region,
    Repetition,
    Sequence,
    Strategy,
    Token,
    TokenTable,
    Union,
)
from search.engine.query.conditions.comparing import labels_in
from search.engine.query.conditions.token_conditions import CompiledConditions, TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import stays_in_text
from search.engine.query.running.automaton import Automaton, build_automaton
from search.engine.query.running.automaton_run import AutomatonRun
from search.engine.query.running.chosen_way import ChosenWay, Way, token_of
from search.engine.query.running.equal_tokens import EqualTokensRun, equal_tokens
from search.engine.query.running.gaps import GapRun, gap_row
from search.engine.query.running.labels import (
    ConstraintTest,
    find_places,
    has_fixed_places,
    lift_comparisons,
    mark_name,
    marked,
)
from search.engine.query.running.meeting import MeetUnionRun, TableRun
from search.engine.query.running.regions import (
    WholeRegionRun,
    region_around,
)
from search.engine.query.running.repeated_token import LongestRowsRun, repeated_token
from search.engine.query.running.row_scan import RowScanHits
from search.engine.query.running.sequences import TokenRow, find_rows
from search.engine.query.walks import flat_items, length_range, tokens_of


class Plan(Protocol):
    """A query made ready for a snapshot."""

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""


class ExplainedPlan(Plan, Protocol):
    """A plan of one pattern, which says how it runs."""

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""


def make_plan(snapshot: Snapshot, query: Query) -> ExplainedPlan:  # noqa: PLR0911 (one for each way)
    """Choose how to run a query.

    Raises
    ------
    QueryError
        If the pattern cannot be run: bad regular expression, unknown label, too long.
    """
    if (alone := _token_alone(query)) is not None:
        condition = TokenCondition(snapshot, alone.condition)
        if not condition.looks_at_documents:
            return _TokenRun(condition)
    given, query = query, lift_comparisons(query)
    pattern = query.pattern
    if isinstance(pattern, Meet | Union):
        return MeetUnionRun(snapshot, query, pattern)
    if isinstance(pattern, TokenTable):
        return TableRun(snapshot, query, pattern)
    inside = region_around(query)
    if inside is not None and inside.is_anything and not query.across_texts:
        return WholeRegionRun(snapshot, query, inside)
    is_one = len(snapshot.segments) == 1
    if _needs_simulation(query, is_one_segment=is_one):
        # Asked for seldom, and a fortieth of what a new process loads for its first answer.
        from search.engine.query.running.simulation import SimulatedRun  # noqa: PLC0415

        return SimulatedRun(snapshot, given)
    if inside is not None:
        return WholeRegionRun(snapshot, query, inside)
    automaton = build_automaton(pattern, across_texts=query.across_texts)
    known = CompiledConditions(snapshot)
    conditions = [known[token.condition] for token in automaton.elements]
    edges = automaton.linear_edges()
    if edges is None:
        return _of_varying_length(snapshot, query, automaton, known)
    row = TokenRow(tuple(conditions), tuple(edges), query)
    return _RowRun(snapshot, query, row)


def _token_alone(query: Query) -> Token | None:
    """Return the token that a query asks for, None if it asks for more."""
    in_block = query.within is not None and query.within.is_block
    if query.constraint is not None or query.shown is not None or in_block:
        return None
    match flat_items(query.pattern):
        case [Token() as token] | [Repetition(Token() as token, 1, 1)]:
            is_plain = not token.is_ahead and token.target == NO_TARGET
            return token if is_plain and not labels_in(token.condition) else None
        case _:
            return None


def _needs_simulation(query: Query, *, is_one_segment: bool) -> bool:
    """Say whether a query with its comparisons lifted must be simulated as CQP would run it.

    The machine treats all ways through the pattern at once and knows no labels; CQP's evaluator
    keeps one set of labels for each state, so that it matters in which order ways meet. In one
    segment the first matches of a ``cut`` are those that CQP finds first.
    """
    items = flat_items(query.pattern)
    tokens = [token for item in items for token in tokens_of(item)]
    edges = [item for item in items if isinstance(item, Edge)]
    closes = any(not edge.is_start for edge in edges)
    least, most = length_range(query.pattern)
    return (
        any(token.is_ahead or labels_in(token.condition) for token in tokens)
        or not has_fixed_places(query)
        or query.shown is not None
        or any(not isinstance(item, Edge) and _has_edges(item, closes=closes) for item in items)
        or not _are_simple(query, items, edges)
        or _has_wandering_marks(query, tokens)
        or least == 0
        or (query.stops_at_cut and least != most and is_one_segment)
        or (query.strategy is Strategy.TRADITIONAL and _begins_in_several_ways(items))
    )


def _has_wandering_marks(query: Query, tokens: list[Token]) -> bool:
    """Say whether a marked token is at no fixed distance from an end of the match."""
    names = {mark_name(token.target) for token in tokens if token.target != NO_TARGET}
    places = find_places(query.pattern) if names else {}
    return any(places.get(name) is None for name in names)


def _has_edges(pattern: Pattern, *, closes: bool) -> bool:
    """Say whether edges stand in a part of a pattern, but for those that begin some of its ways.

    Where no region `closes`, they say no more than that one begins at the token behind them.
    """
    match pattern:
        case Edge() | Region():
            return True
        case Sequence([Edge(is_start=True), Token(is_ahead=False), *items]) if not closes:
            return any(_has_edges(item, closes=closes) for item in items)
        case Sequence(items) | Alternatives(items):
            return any(_has_edges(item, closes=closes) for item in items)
        case Repetition(item):
            return _has_edges(item, closes=closes)
        case _:
            return False


def _are_simple(query: Query, items: list[Pattern], edges: list[Edge]) -> bool:
    """Say whether regions open and close once, and no start of a region lies at the very end."""
    names = {edge.name or edge.structure for edge in edges}
    for name in names:
        kinds = [edge.is_start for edge in edges if name == (edge.name or edge.structure)]
        after_start = kinds[kinds.index(True) :] if True in kinds else []
        if False in after_start and after_start != [True, False]:
            return False
    begun = next((i for i, item in enumerate(items) if not isinstance(item, Edge)), len(items))
    inner_starts = [item for item in items[begun:] if isinstance(item, Edge) and item.is_start]
    # A closing edge of another name must not be taken for the end of an open region.
    same_structure = {(edge.structure, edge.name or edge.structure) for edge in edges}
    clear = len({structure for structure, _ in same_structure}) == len(same_structure)
    is_bounded = query.within is not None or query.across_texts
    leads = any(not edge.is_start for edge in edges if edge in items[:begun])
    return clear and not (inner_starts and is_bounded) and not (leads and query.across_texts)


def _begins_in_several_ways(items: list[Pattern]) -> bool:
    """Say whether different elements of the pattern can begin a match."""
    for item in items:
        if isinstance(item, Edge):
            continue
        if isinstance(item, Token):
            return False
        if isinstance(item, Repetition) and isinstance(item.inner, Token):
            return item.least == 0
        return True
    return False


def _of_varying_length(
    snapshot: Snapshot,
    query: Query,
    automaton: Automaton,
    known: CompiledConditions,
) -> ExplainedPlan:
    gap = gap_row(query, {token: known[token.condition] for token in automaton.elements})
    has_marks = any(token.target != NO_TARGET for token in automaton.elements)
    stays = not query.across_texts or stays_in_text(query.within)
    if gap is not None and gap.is_worth_it(snapshot.n_tokens) and stays and not has_marks:
        return GapRun(snapshot, query, gap)
    if (equal := equal_tokens(snapshot, query, known)) is not None:
        return EqualTokensRun(snapshot, query, equal)
    if automaton.elements and not automaton.first:
        return _NothingRun()
    run = AutomatonRun(snapshot, query, automaton, known)
    again = repeated_token(query)
    if again is None:
        return run
    return LongestRowsRun(query, known[again.condition], run.run)


class _NothingRun:
    """A pattern that contradicts itself, such as `<s> </s> []`."""

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        del budget
        nothing = np.empty(0, dtype=np.int64)
        return SpanHits(view, Spans(nothing, nothing), mask)

    @property
    def chosen(self) -> ChosenWay:
        return ChosenWay(Way.NOTHING, "no text can have what it asks for.", 0)


@dataclass(frozen=True, slots=True)
class _TokenRun:
    condition: TokenCondition

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        budget.spend(1)
        return TokenHits(view, self.condition, mask)

    @property
    def chosen(self) -> ChosenWay:
        why = "the type of a token decides, so its postings are the hits."
        return ChosenWay(Way.POSTINGS, why, self.condition.n_tokens, token_of(self.condition))


class _RowRun:
    def __init__(self, snapshot: Snapshot, query: Query, row: TokenRow) -> None:
        self._snapshot = snapshot
        self._query = query
        self._row = row
        self._constraint = ConstraintTest(snapshot, query)
        has_marks = any(token.target != NO_TARGET for token in tokens_of(query.pattern))
        can_be_counted = query.constraint is None and row.can_be_counted and not has_marks
        self._is_counted = can_be_counted and row.is_dense(snapshot.n_tokens)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        if self._is_counted:
            budget.scan(view.segment.n_tokens)
            return RowScanHits(view, self._row, mask)
        spans = find_rows(self._snapshot, self._row, view.segment, mask, budget)
        return marked(view, self._constraint.kept(view.segment, spans), mask, self._query)

    @property
    def chosen(self) -> ChosenWay:
        n_tokens, rarest = self._snapshot.n_tokens, self._row.conditions[self._row.rarest]
        if self._row.is_dense(n_tokens):
            why = "its rarest token is so frequent that to compare all tokens costs less."
            way = Way.COUNTED_ROW if self._is_counted else Way.SCANNED_ROW
            return ChosenWay(way, why, n_tokens)
        why = "of a row of fixed length the rarest token is looked up, the others beside it."
        return ChosenWay(Way.RAREST_OF_ROW, why, rarest.n_tokens, token_of(rarest))
