"""Labels: where in a match the labelled tokens stand, and constraints between them.

Input → output: a pattern → place of each label, counted from the start or end of the match; a
global constraint, matches and places → which matches meet it; matches → hits that know their marks.
"""

from dataclasses import dataclass, replace
from typing import Self

from search.engine.arrays import I64
from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import (
    NO_TARGET,
    And,
    Anything,
    AttributeMatch,
    AttributeOf,
    Call,
    ColumnOf,
    Compare,
    Condition,
    Exists,
    Not,
    Operand,
    Operator,
    Or,
    Pattern,
    PositionOf,
    Query,
    Region,
    Sequence,
    StructureOf,
    TextMatch,
    Token,
)
from search.engine.query.conditions.candidates import PositionCandidates
from search.engine.query.conditions.comparing import labels_in, operands_in, string_of
from search.engine.query.conditions.token_conditions import CompiledConditions
from search.engine.query.language.cql_patterns import TARGET_LABELS
from search.engine.query.walks import Lengths, flat_items, length_range, tokens_of

HIDDEN = "·"  # starts labels that the program gives itself; no user can write one


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """A token of a match: ``offset`` tokens after its start, or before its end (1 is the last)."""

    from_start: bool
    offset: int

    @classmethod
    def between(cls, n_before: int | None, n_after: int | None) -> Self | None:
        """Return the place of a token by how many stand around it; None if both numbers vary."""
        if n_before is not None:
            return cls(from_start=True, offset=n_before)
        if n_after is not None:
            return cls(from_start=False, offset=n_after + 1)
        return None

    def positions(self, spans: Spans) -> I64:
        """Return the position of the token in each match."""
        return spans.starts + self.offset if self.from_start else spans.ends - self.offset


BUILT_IN: dict[str, LabelPlace] = {
    "match": LabelPlace(from_start=True, offset=0),
    "matchend": LabelPlace(from_start=False, offset=1),
}


def _tokens_before(lengths: list[Lengths]) -> list[int | None]:
    """Count the tokens before each item; None behind the first that may be of several lengths."""
    counts: list[int | None] = []
    n_tokens: int | None = 0
    for low, high in lengths:
        counts.append(n_tokens)
        n_tokens = n_tokens + low if n_tokens is not None and low == high else None
    return counts


def find_places(pattern: Pattern) -> dict[str, LabelPlace | None]:
    """Return the place of each label and mark; None where its distance from both ends varies."""
    places: dict[str, LabelPlace | None] = dict(BUILT_IN)
    items = flat_items(pattern)
    lengths = [length_range(item) for item in items]
    n_after = reversed(_tokens_before(lengths[::-1]))
    for item, before, after in zip(items, _tokens_before(lengths), n_after, strict=True):
        place = LabelPlace.between(before, after)
        for token in tokens_of(item):
            for name in names_of(token.label, token.target):
                is_fixed = token is item and not token.is_ahead and name not in places
                places[name] = place if is_fixed else None
        if isinstance(item, Region):
            places |= dict.fromkeys(names_of(item.start_label, item.start_target))
            places |= dict.fromkeys(names_of(item.end_label, item.end_target))
    return places


def names_of(label: str, target: int) -> list[str]:
    """Return what constraints call a token by: its label, and the name of its mark."""
    marked = [] if target == NO_TARGET else [mark_name(target)]
    return [label, *marked] if label else marked


def mark_name(target: int) -> str:
    """Return what constraints call the tokens of a mark ``@0`` to ``@9``."""
    return TARGET_LABELS.get(target, f"@{target}")


def lift_comparisons(query: Query) -> Query:
    """Turn ``[lemma = a.lemma & …]`` into a hidden label and a global constraint.

    Only for tokens that stand in every match; others keep what they have.
    """
    lifted: list[Condition] = []
    items: list[Pattern] = []
    for i, item in enumerate(flat_items(query.pattern)):
        if isinstance(item, Token) and not item.is_ahead and labels_in(item.condition):
            token, conditions = _lift(item, f"{HIDDEN}{i}")
            lifted.extend(conditions)
            items.append(token)
        else:
            items.append(item)
    if not lifted:
        return query
    given = [query.constraint] if query.constraint is not None else []
    constraints = (*given, *lifted)
    constraint = constraints[0] if len(constraints) == 1 else And(constraints)
    pattern = items[0] if len(items) == 1 else Sequence(tuple(items))
    return replace(query, pattern=pattern, constraint=constraint)


def _lift(token: Token, hidden: str) -> tuple[Token, list[Condition]]:
    condition = token.condition
    conditions = condition.conditions if isinstance(condition, And) else (condition,)
    label = token.label or hidden
    rest = tuple(item for item in conditions if not labels_in(item))
    remaining: Condition = Anything(token.position) if not rest else And(rest)
    if len(rest) == 1:  # as another token may say it
        remaining = rest[0]
    moved = [item for item in conditions if labels_in(item)]
    if any(isinstance(operand, StructureOf) for item in moved for operand in operands_in(item)):
        return token, []
    return replace(token, condition=remaining, label=label), [_about(item, label) for item in moved]


def _about(condition: Condition, label: str) -> Condition:
    """Say of a labelled token what a condition says of the token itself."""
    match condition:
        case Not(inner):
            return Not(_about(inner, label))
        case And(conditions) | Or(conditions):
            return type(condition)(tuple(_about(item, label) for item in conditions))
        case AttributeMatch() | TextMatch():
            value: Operand = (
                AttributeOf(label, condition.attribute)
                if isinstance(condition, AttributeMatch)
                else ColumnOf(label, condition.column)
            )
            sign = Operator.UNEQUAL if condition.negated else Operator.EQUAL
            return Compare(value, sign, string_of(condition))
        case Exists(operand):
            return replace(condition, operand=_moved(operand, label))
        case Compare(left, _, right):
            return replace(condition, left=_moved(left, label), right=_moved(right, label))
        case Anything():
            return condition


def _moved(operand: Operand, label: str) -> Operand:
    match operand:
        case AttributeOf("") | ColumnOf("") | PositionOf(""):
            return replace(operand, label=label)
        case Call(_, arguments):
            return replace(operand, arguments=tuple(_moved(item, label) for item in arguments))
        case _:
            return operand


def has_fixed_places(query: Query) -> bool:
    """Say whether each label a query needs stands at a fixed distance from an end of the match."""
    needed: set[str] = set()
    if query.constraint is not None:
        needed |= labels_in(query.constraint)
    if query.shown is not None:
        needed |= {anchor.label for anchor in query.shown}
    places = find_places(query.pattern) if needed else {}
    return all(places.get(label) is not None for label in needed)


class ConstraintTest:
    """A global constraint made ready for a snapshot; its labels stand at fixed places."""

    def __init__(self, snapshot: Snapshot, query: Query) -> None:
        self._snapshot = snapshot
        self._constraint = query.constraint
        self._compiled = CompiledConditions(snapshot)
        self._places = {
            label: place for label, place in find_places(query.pattern).items() if place is not None
        }

    def kept(self, segment: Segment, spans: Spans) -> Spans:
        """Return the matches that meet the constraint."""
        if self._constraint is None:
            return spans
        labels = {label: place.positions(spans) for label, place in self._places.items()}
        candidates = PositionCandidates(self._snapshot, segment, len(spans), None, labels)
        return spans.where(self._compiled.hold(self._constraint, candidates))


class MarkedHits(SpanHits):
    """Hits with the positions of marked tokens.

    Attributes
    ----------
    marks : dict
        By number of the mark (0 is CQP's target, 9 its keyword) a position for each span, -1 where
        no token is marked.
    """

    def __init__(
        self,
        view: SegmentView,
        spans: Spans,
        mask: DocumentMask | None,
        marks: dict[int, I64],
    ) -> None:
        super().__init__(view, spans, mask)
        kept = slice(None) if mask is None else mask.holds(spans.starts)
        self.marks = {number: positions[kept] for number, positions in marks.items()}


def marked(view: SegmentView, spans: Spans, mask: DocumentMask | None, query: Query) -> SegmentHits:
    """Return hits, with the places of marked tokens if there are any.

    They lie in the documents of the mask; where matches run across texts it is asked once more.
    """
    mask = mask if query.across_texts else None
    marked = [token for token in tokens_of(query.pattern) if token.target != NO_TARGET]
    if not marked:
        return SpanHits(view, spans, mask)
    places = find_places(query.pattern)
    marks = {}
    for token in marked:
        place = places.get(mark_name(token.target))
        if place is not None:
            marks[token.target] = place.positions(spans)
    return MarkedHits(view, spans, mask, marks) if marks else SpanHits(view, spans, mask)
