"""Two rows of tokens with a gap of any tokens between them: ``[lemma="go"] []* [pos="MD"]``.

Input → output: such a pattern → ``GapRow``; a segment → spans. The next match of the second row is
found by binary search instead of going from token to token, or among the bits of a token that its
tag decides.
"""

from dataclasses import dataclass, replace

import numpy as np

from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.selection import DocumentMask
from search.engine.index.set_bits import next_bits
from search.engine.query.ast import Anything, Pattern, Query, Repetition, Sequence, Strategy, Token
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import right_limits
from search.engine.query.running.automaton import Edges
from search.engine.query.running.chosen_way import ChosenWay, Way, token_of
from search.engine.query.running.sequences import TokenRow, find_rows
from search.engine.query.running.strategies import drop_nested
from search.engine.query.walks import flat_items

SHORT_GAP = 8  # tokens; a shorter gap is gone through token by token
MANY_SHARE = 0.08  # of all tokens: a second row so frequent is met soon by going on
FREQUENT_SHARE = 200  # to make bits that are not kept costs as much as to go on from one in so many
MUCH_RARER = 4  # so many times rarer than the first row, the second is the better place to start


@dataclass(frozen=True, slots=True)
class GapRow:
    """First row, least and greatest number of tokens between (None for no limit), second row."""

    first: TokenRow
    least: int
    most: int | None
    second: TokenRow

    def is_worth_it(self, n_tokens: int) -> bool:
        """Say whether this is the faster way."""
        n_first, n_second = _n_at_most(self.first), _n_at_most(self.second)
        is_long = self.most is None or self.most > SHORT_GAP
        is_seldom = is_long and n_second < MANY_SHARE * n_tokens
        by_bits = self.by_tag is not None and n_first * FREQUENT_SHARE > n_tokens
        return (is_seldom or by_bits) and n_first < MUCH_RARER * n_second

    @property
    def by_tag(self) -> TokenCondition | None:
        """The token that the second row is, if it is frequent, decided by its tag, and the next."""
        is_next = self.second.query.strategy is not Strategy.LONGEST
        (last, *more) = self.second.conditions
        is_by_tag = last.tag_mask is not None and last.is_scanned
        return last if is_next and not more and is_by_tag else None


def gap_row(query: Query, conditions: dict[Token, TokenCondition]) -> GapRow | None:
    """Return a query as two rows with a gap, None if it is something else.

    Parameters
    ----------
    conditions : dict of Token to TokenCondition
        The compiled condition of each of its tokens.
    """
    items = flat_items(query.pattern)
    gaps = [i for i, item in enumerate(items) if isinstance(item, Repetition)]
    if len(gaps) != 1 or query.constraint is not None:
        return None
    first, second = items[: gaps[0]], items[gaps[0] + 1 :]
    gap = items[gaps[0]]
    if not (isinstance(gap, Repetition) and is_any_token(gap.inner) and first and second):
        return None
    rows = [_row(side, replace(query, within=None), conditions) for side in (first, second)]
    if rows[0] is None or rows[1] is None:
        return None
    return GapRow(rows[0], gap.least, gap.most, rows[1])


def is_any_token(pattern: Pattern) -> bool:
    """Say whether a pattern is ``[]``."""
    if isinstance(pattern, Sequence) and len(pattern.items) == 1:
        return is_any_token(pattern.items[0])
    return isinstance(pattern, Token) and isinstance(pattern.condition, Anything)


def _row(
    items: list[Pattern], query: Query, conditions: dict[Token, TokenCondition]
) -> TokenRow | None:
    tokens = [item for item in items if isinstance(item, Token)]
    if len(tokens) < len(items):
        return None
    no_edges: list[Edges] = [frozenset()] * (len(tokens) + 1)
    return TokenRow(tuple(conditions[token] for token in tokens), tuple(no_edges), query)


def _n_at_most(row: TokenRow) -> int:
    return min(condition.n_tokens for condition in row.conditions)


@dataclass(frozen=True, slots=True)
class GapRun:
    """Two rows made ready for a snapshot; a ``Plan``.

    It finds one match per start: the shortest, or by ``LONGEST`` the longest.
    """

    snapshot: Snapshot
    query: Query
    gap: GapRow

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""
        gap, segment = self.gap, view.segment
        left = find_rows(self.snapshot, gap.first, segment, mask, budget)
        earliest = left.ends + gap.least
        latest = right_limits(segment, left.starts, self.query) - gap.second.length
        if gap.most is not None:
            latest = np.minimum(latest, left.ends + gap.most)
        if gap.by_tag is not None:
            found = next_bits(gap.by_tag.bits(segment), earliest, latest)
        else:
            right = find_rows(self.snapshot, gap.second, segment, mask, budget).starts
            if self.query.strategy is Strategy.LONGEST:
                found = np.append(right, -1)[right.searchsorted(latest, side="right") - 1]
            else:
                found = np.append(right, segment.n_tokens)[right.searchsorted(earliest)]
        spans = Spans(left.starts, found + gap.second.length)
        spans = spans.where((found >= earliest) & (found <= latest))
        return SpanHits(view, drop_nested(spans, self.query.strategy), None)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        first = self.gap.first.conditions[self.gap.first.rarest]
        why = "the next match of the second row is searched for behind each of the first."
        return ChosenWay(Way.TWO_ROWS, why, first.n_tokens, token_of(first))
