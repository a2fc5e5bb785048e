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
    Condition,
    Meet,
    Query,
    TokenTable,
    Union,
)
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import stays_in_text
from search.engine.query.running.automaton import Automaton, build_automaton
from search.engine.query.running.automaton_run import AutomatonRun
from search.engine.query.running.chosen_way import ChosenWay, Way, token_of
from search.engine.query.running.equal_tokens import EqualTokensRun, equal_tokens
from search.engine.query.running.gaps import GapRun, gap_row
from search.engine.query.running.labels import ConstraintTest, lift_comparisons
from search.engine.query.running.marked_hits import marked
from search.engine.query.running.meeting import MeetUnionRun, TableRun
from search.engine.query.running.rarest_token import compiled
from search.engine.query.running.regions import (
    RegionRun,
    WholeRegionRun,
    region_alone,
    region_around,
)
from search.engine.query.running.repeated_token import LongestRowsRun, repeated_token
from search.engine.query.running.routing import needs_simulation
from search.engine.query.running.row_scan import RowScanHits
from search.engine.query.running.sequences import TokenRow, find_rows
from search.engine.query.walks import tokens_of


class Plan(Protocol):
    """A query made ready for a snapshot."""

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""


class ExplainedPlan(Plan, Protocol):
    """A plan of one pattern, which says how it runs."""

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""


def make_plan(  # noqa: PLR0911 (one for each way of running)
    snapshot: Snapshot, query: Query, *, across_texts: bool = False
) -> ExplainedPlan:
    """Choose how to run a query.

    Parameters
    ----------
    across_texts : bool
        Whether matches may run from one text into the next.

    Raises
    ------
    QueryError
        If the pattern cannot be run: bad regular expression, unknown label, too long.
    """
    given, query = query, lift_comparisons(query)
    pattern = query.pattern
    if isinstance(pattern, Meet | Union):
        return MeetUnionRun(snapshot, query, pattern, across_texts=across_texts)
    if isinstance(pattern, TokenTable):
        return TableRun(snapshot, query, pattern, across_texts=across_texts)
    if (structure := region_alone(query)) and not across_texts:
        return RegionRun(snapshot, structure, query.within)
    is_one = len(snapshot.segments) == 1
    if needs_simulation(query, across_texts=across_texts, is_one_segment=is_one):
        # Asked for seldom, and a fortieth of what a new process loads for its first answer.
        from search.engine.query.running.simulation_plan import SimulatedRun  # noqa: PLC0415

        return SimulatedRun(snapshot, given, across_texts=across_texts)
    if (inside := region_around(query)) is not None:
        return WholeRegionRun(snapshot, inside)
    automaton = build_automaton(pattern)
    known: dict[Condition, TokenCondition] = {}
    conditions = [compiled(snapshot, token, known) for token in automaton.elements]
    edges = automaton.linear_edges()
    if edges is None:
        return _of_varying_length(snapshot, query, automaton, known, across_texts=across_texts)
    single = len(conditions) == 1 and not any(edges) and query.constraint is None
    has_marks = any(token.target != NO_TARGET for token in automaton.elements)
    in_block = query.within is not None and query.within.is_block
    if single and not (conditions[0].looks_at_documents or has_marks or in_block):
        return _TokenRun(conditions[0])
    row = TokenRow(tuple(conditions), tuple(edges), query.within, across_texts)
    return _RowRun(snapshot, query, row)


def _of_varying_length(
    snapshot: Snapshot,
    query: Query,
    automaton: Automaton,
    known: dict[Condition, TokenCondition],
    *,
    across_texts: bool,
) -> ExplainedPlan:
    gap = gap_row(query, {token: known[token.condition] for token in automaton.elements})
    has_marks = any(token.target != NO_TARGET for token in automaton.elements)
    stays = not across_texts or stays_in_text(query.within)
    if gap is not None and gap.is_worth_it(snapshot.n_tokens) and stays and not has_marks:
        return GapRun(snapshot, query, gap)
    if (equal := equal_tokens(snapshot, query, known)) is not None:
        return EqualTokensRun(snapshot, query, equal, across_texts=across_texts)
    if automaton.elements and not automaton.first:
        return _NothingRun()
    run = AutomatonRun(snapshot, query, automaton, known, across_texts=across_texts)
    again = repeated_token(query)
    if again is None:
        return run
    return LongestRowsRun(query, known[again.condition], run.run, across_texts=across_texts)


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
        if self._query.constraint is not None:
            spans = spans.where(self._constraint.holds(view.segment, spans))
        return marked(view, spans, mask if self._row.across_texts else None, self._query)

    @property
    def chosen(self) -> ChosenWay:
        n_tokens, rarest = self._snapshot.n_tokens, self._row.conditions[self._row.rarest]
        if self._row.is_dense(n_tokens):
            why = "its rarest token is so frequent that to compare all tokens costs less."
            way = Way.COUNTED_ROW if self._is_counted else Way.SCANNED_ROW
            return ChosenWay(way, why, n_tokens)
        why = "of a row of fixed length the rarest token is looked up, the others beside it."
        return ChosenWay(Way.RAREST_OF_ROW, why, rarest.n_tokens, token_of(rarest))
