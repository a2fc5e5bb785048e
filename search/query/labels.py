"""Labels: where in a match the labelled tokens stand, and constraints between them.

Input → output: a pattern → place of each label, counted from the start or end of the match; a
global constraint, matches and places → which matches meet it.
"""

from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
import numpy.typing as npt

from search.index.hits import Spans
from search.index.reader import Snapshot
from search.index.segment import Segment
from search.query.ast import (
    Alternatives,
    And,
    Anything,
    Attribute,
    Condition,
    Constraint,
    Edge,
    GlobalAnd,
    GlobalNot,
    GlobalOr,
    LabelEqual,
    LabelMatch,
    Pattern,
    Query,
    Repetition,
    SameAs,
    Sequence,
    Token,
)
from search.query.conditions import TokenCondition
from search.query.errors import QueryError

Mask = npt.NDArray[np.bool_]
I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]

HIDDEN = "·"  # starts labels that the program gives itself; no user can write one


@dataclass(frozen=True, slots=True)
class Place:
    """A token of a match: ``offset`` tokens after its start, or before its end (1 is the last)."""

    from_start: bool
    offset: int

    def positions(self, spans: Spans) -> I64:
        """Return the position of the token in each match."""
        return spans.starts + self.offset if self.from_start else spans.ends - self.offset


BUILT_IN: dict[str, Place] = {
    "match": Place(from_start=True, offset=0),
    "matchend": Place(from_start=False, offset=1),
}


def length_range(pattern: Pattern) -> tuple[int, int | None]:
    """Return the least and the greatest number of tokens of a match; None for no limit."""
    match pattern:
        case Edge():
            return 0, 0
        case Sequence(parts):
            ranges = [length_range(part) for part in parts]
            most = [high for _, high in ranges if high is not None]
            total = sum(most) if len(most) == len(ranges) else None
            return sum(low for low, _ in ranges), total
        case Alternatives(choices):
            ranges = [length_range(choice) for choice in choices]
            most = [high for _, high in ranges if high is not None]
            return min(low for low, _ in ranges), max(most) if len(most) == len(ranges) else None
        case Repetition():
            low, high = length_range(pattern.part)
            if high != 0:
                high = None if high is None or pattern.most is None else high * pattern.most
            return low * pattern.least, high
        case _:
            return 1, 1


def find_places(pattern: Pattern) -> dict[str, Place | None]:
    """Return the place of each label; None where its distance from both ends varies."""
    places: dict[str, Place | None] = dict(BUILT_IN)
    parts = flat_parts(pattern)
    lengths = [length_range(part) for part in parts]
    for i, part in enumerate(parts):
        for token in _tokens(part):
            if token.label:
                places[token.label] = None
        if isinstance(part, Token) and part.label:
            places[part.label] = _place(lengths[:i], lengths[i + 1 :])
    return places


def _place(
    before: list[tuple[int, int | None]], after: list[tuple[int, int | None]]
) -> Place | None:
    if all(low == high for low, high in before):
        return Place(from_start=True, offset=sum(low for low, _ in before))
    if all(low == high for low, high in after):
        return Place(from_start=False, offset=sum(low for low, _ in after) + 1)
    return None


def flat_parts(pattern: Pattern) -> list[Pattern]:
    """Return the parts of a sequence, with sequences inside it opened up."""
    if not isinstance(pattern, Sequence):
        return [pattern]
    return [inner for part in pattern.parts for inner in flat_parts(part)]


def _tokens(pattern: Pattern) -> list[Token]:
    match pattern:
        case Token():
            return [pattern]
        case Sequence(parts) | Alternatives(parts):
            return [token for part in parts for token in _tokens(part)]
        case Repetition():
            return _tokens(pattern.part)
        case _:
            return []


def lift_comparisons(query: Query) -> Query:
    """Turn ``[lemma = a.lemma & …]`` into a hidden label and a global constraint."""
    constraints: list[Constraint] = [query.constraint] if query.constraint is not None else []
    parts = []
    for i, part in enumerate(flat_parts(query.pattern)):
        if isinstance(part, Token):
            lifted, same = _lift(part, f"{HIDDEN}{i}")
            constraints.extend(same)
            parts.append(lifted)
        else:
            parts.append(part)
    if len(constraints) == (query.constraint is not None):
        return query
    constraint = constraints[0] if len(constraints) == 1 else GlobalAnd(tuple(constraints))
    pattern = parts[0] if len(parts) == 1 else Sequence(tuple(parts))
    return replace(query, pattern=pattern, constraint=constraint)


def _lift(token: Token, hidden: str) -> tuple[Pattern, list[LabelEqual]]:
    condition = token.condition
    conditions: tuple[Condition, ...] = (
        condition.conditions if isinstance(condition, And) else (condition,)
    )
    same = [part for part in conditions if isinstance(part, SameAs)]
    if not same:
        return token, []
    label = token.label or hidden
    rest = tuple(part for part in conditions if not isinstance(part, SameAs))
    remaining: Condition = Anything(token.position) if not rest else And(rest)
    equal = [
        LabelEqual(label, s.attribute, s.label, s.label_attribute, s.negated, s.position)
        for s in same
    ]
    return Token(remaining, label, token.position), equal


class ConstraintTest:
    """A global constraint made ready for a snapshot.

    Raises
    ------
    QueryError
        If it names a label that is missing or whose place in the match varies.
    """

    def __init__(self, snapshot: Snapshot, query: Query) -> None:
        self._snapshot = snapshot
        self._constraint = query.constraint
        self._places = find_places(query.pattern)
        self._conditions: dict[LabelMatch, TokenCondition] = {}
        if query.constraint is not None:
            self._prepare(query.constraint)

    def holds(self, segment: Segment, spans: Spans) -> Mask:
        """Return which matches meet the constraint."""
        if self._constraint is None:
            return np.ones(len(spans), dtype=np.bool_)
        return self._evaluate(self._constraint, segment, spans)

    def _prepare(self, constraint: Constraint) -> None:
        match constraint:
            case LabelMatch(label, condition, position):
                self._place(label, position)
                self._conditions[constraint] = TokenCondition(self._snapshot, condition)
            case LabelEqual():
                self._place(constraint.left, constraint.position)
                self._place(constraint.right, constraint.position)
            case GlobalNot(inner):
                self._prepare(inner)
            case GlobalAnd(parts) | GlobalOr(parts):
                for part in parts:
                    self._prepare(part)

    def _place(self, label: str, position: int) -> Place:
        if label not in self._places:
            known = tuple(name for name in self._places if not name.startswith(HIDDEN))
            raise QueryError(f"No token has the label “{label}”.", position, known)
        place = self._places[label]
        if place is None:
            message = f"The place of “{label}” in the match varies; a fixed place is needed."
            raise QueryError(message, position)
        return place

    def _evaluate(self, constraint: Constraint, segment: Segment, spans: Spans) -> Mask:
        match constraint:
            case LabelMatch(label, _, position):
                positions = self._place(label, position).positions(spans)
                return self._conditions[constraint].holds(segment, positions)
            case LabelEqual():
                return self._equal(constraint, segment, spans)
            case GlobalNot(inner):
                return ~self._evaluate(inner, segment, spans)
            case GlobalAnd(parts):
                return reduce(
                    np.logical_and, [self._evaluate(part, segment, spans) for part in parts]
                )
            case GlobalOr(parts):
                return reduce(
                    np.logical_or, [self._evaluate(part, segment, spans) for part in parts]
                )

    def _equal(self, constraint: LabelEqual, segment: Segment, spans: Spans) -> Mask:
        left = self._place(constraint.left, constraint.position).positions(spans)
        right = self._place(constraint.right, constraint.position).positions(spans)
        attributes = constraint.left_attribute, constraint.right_attribute
        if len({attribute is Attribute.TAG for attribute in attributes}) > 1:
            raise QueryError("A tag is compared with a tag only.", constraint.position)
        a = self._column(attributes[0])[segment.stream[left]]
        b = self._column(attributes[1])[segment.stream[right]]
        same: Mask = a == b
        return ~same if constraint.negated else same

    def _column(self, attribute: Attribute) -> U32:
        lexicon = self._snapshot.lexicon
        if attribute is Attribute.WORD:
            return lexicon.words
        return lexicon.lemmas if attribute is Attribute.LEMMA else lexicon.tags
