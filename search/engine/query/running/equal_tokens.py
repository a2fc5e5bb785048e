"""Two tokens with a short gap, equal by a constraint: ``a:[] []{1,6} b:[] :: a.word = b.word``.

Input → output: such a pattern → ``EqualTokensRun``. Instead of trying every match, the values of
all first and second tokens are laid out once, and the lists compared shifted against each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from search.engine.arrays import I64
from search.engine.index.hits import SegmentHits, Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.index.set_bits import true_at
from search.engine.query.ast import (
    And,
    Attribute,
    AttributeOf,
    Compare,
    Operator,
    Query,
    Repetition,
    Token,
)
from search.engine.query.conditions.token_conditions import CompiledConditions, TokenCondition
from search.engine.query.conditions.values import type_column
from search.engine.query.limits import Budget
from search.engine.query.reach import right_limits
from search.engine.query.running.chosen_way import ChosenWay, Way
from search.engine.query.running.gaps import is_any_token
from search.engine.query.running.labels import ConstraintTest, find_places, marked
from search.engine.query.running.sequences import masked
from search.engine.query.running.strategies import drop_nested, one_per_start
from search.engine.query.walks import flat_items

MOST_BETWEEN = 30  # tokens; each costs one comparison of the lists
MOST_SHARE = 0.25  # of all tokens: lists of more are no shorter than the text


@dataclass(frozen=True, slots=True)
class EqualTokens:
    """First token, least and greatest number of tokens between, second token, what is equal."""

    first: TokenCondition
    least: int
    most: int
    second: TokenCondition
    attribute: Attribute


def equal_tokens(snapshot: Snapshot, query: Query, known: CompiledConditions) -> EqualTokens | None:
    """Return a query as two tokens that are to be equal, None if it is something else."""
    items = flat_items(query.pattern)
    if len(items) != 3:
        return None
    first, gap, second = items
    if not (isinstance(first, Token) and isinstance(gap, Repetition) and isinstance(second, Token)):
        return None
    attribute = _equal_attribute(query)
    is_short = gap.most is not None and gap.most <= MOST_BETWEEN
    if attribute is None or not is_short or not is_any_token(gap.inner):
        return None
    conditions = [known[token.condition] for token in (first, second)]
    if any(one.n_tokens > MOST_SHARE * snapshot.n_tokens for one in conditions):
        return None
    return EqualTokens(conditions[0], gap.least, gap.most or 0, conditions[1], attribute)


def _equal_attribute(query: Query) -> Attribute | None:
    """Return what the constraint wants to be equal of the first and the last token."""
    constraint = query.constraint
    parts = constraint.conditions if isinstance(constraint, And) else (constraint,)
    places = find_places(query.pattern)
    ends = (places["match"], places["matchend"])
    for part in parts:
        match part:
            case Compare(AttributeOf(left, one), Operator.EQUAL, AttributeOf(right, other)):
                found = (places.get(left), places.get(right))
                if one is other and found in (ends, ends[::-1]):
                    return one
    return None


class EqualTokensRun:
    """Two equal tokens made ready for a snapshot; a ``Plan``."""

    def __init__(self, snapshot: Snapshot, query: Query, tokens: EqualTokens) -> None:
        self._query = query
        self._tokens = tokens
        self._constraint = ConstraintTest(snapshot, query)
        self._values = type_column(snapshot.lexicon, tokens.attribute)

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""
        segment, query = view.segment, self._query
        pairs = list(self._pairs(segment, mask, budget))
        spans = Spans(*(np.concatenate(side) for side in zip(*pairs, strict=True)))
        spans = spans.where(spans.ends <= right_limits(segment, spans.starts, query))
        spans = self._constraint.kept(segment, spans)
        spans = one_per_start(spans.starts, spans.ends, query.strategy)
        return marked(view, drop_nested(spans, query.strategy), None, query)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        tokens = self._tokens
        why = f"the {tokens.attribute.value} of both tokens is compared list by list."
        return ChosenWay(Way.EQUAL_TOKENS, why, tokens.first.n_tokens + tokens.second.n_tokens)

    def _pairs(
        self, segment: Segment, mask: DocumentMask | None, budget: Budget
    ) -> Iterator[tuple[I64, I64]]:
        """Give starts and ends of those whose tokens are equal, for each shift of the lists."""
        tokens = self._tokens
        nearest, farthest = tokens.least + 1, tokens.most + 1
        first = masked(tokens.first.positions(segment), mask)
        budget.spend(len(first) * (1 + farthest // 8))
        is_same = tokens.second is tokens.first and mask is None
        second = first if is_same else tokens.second.positions(segment)
        values = self._values.take(segment.stream.take(first))
        others = values if is_same else self._values.take(segment.stream.take(second))
        behind = None if is_same else np.searchsorted(second, first, side="right")
        yield first[:0], first[:0]
        for shift in range(min(farthest, len(second))):
            if behind is None:  # the next of the same list: no need to look up where
                found = true_at(values[: len(values) - shift - 1] == values[shift + 1 :])
                at = found + shift + 1
            else:
                n = int(np.searchsorted(behind, len(second) - shift))
                at = behind[:n] + shift
                found = true_at(values[:n] == others.take(at))
                at = at.take(found)
            begins, ends = first.take(found), second.take(at)
            distances = ends - begins
            near = true_at((distances >= nearest) & (distances <= farthest))
            yield begins.take(near), ends.take(near) + 1
