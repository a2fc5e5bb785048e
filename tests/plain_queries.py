"""A slow, obvious evaluator of queries over token lists: the oracle of the engine's tests.

Every way through the pattern is followed, text by text; strategies by their definitions.
"""

import re
from dataclasses import dataclass

from search.index.documents import IndexDocument
from search.query.ast import (
    Alternatives,
    And,
    Anything,
    Attribute,
    Edge,
    GlobalAnd,
    GlobalNot,
    LabelEqual,
    LabelMatch,
    Match,
    Meet,
    Not,
    Or,
    Query,
    Repetition,
    Sequence,
    Strategy,
    TextMatch,
    Token,
    Union,
)
from search.query.reach import MAX_MATCH_TOKENS

Found = set[tuple[int, int]]


@dataclass(frozen=True)
class Text:
    """A document with the boundaries of its sentences."""

    document: IndexDocument

    @property
    def tokens(self):
        return self.document.tokens

    @property
    def sentences(self) -> list[int]:
        n = len(self.tokens)
        return sorted({0, *(s for s in self.document.sentence_starts if s < n)}) if n else []

    def is_sentence_edge(self, boundary: int) -> bool:
        return boundary in self.sentences or boundary == len(self.tokens)

    def sentence_number(self, position: int) -> int:
        return sum(start <= position for start in self.sentences)

    def sentence_end(self, position: int, count: int = 1) -> int:
        starts = [*self.sentences, len(self.tokens)]
        return starts[min(self.sentence_number(position) + count - 1, len(starts) - 1)]


def plain_spans(query: Query, document: IndexDocument) -> list[tuple[int, int]]:
    """Half-open spans of a query in one text, in order."""
    text = Text(document)
    if isinstance(query.pattern, Meet | Union):
        return [(p, p + 1) for p in sorted(_meet_union(query.pattern, text))]
    everything: Found = set()
    for start in range(len(text.tokens)):
        limit = _limit(query, text, start)
        for end, labels in _ends(query.pattern, text, start, limit):
            named = {**dict(labels), "match": start, "matchend": end - 1}
            if end > start and (query.constraint is None or _global(query.constraint, text, named)):
                everything.add((start, end))
    return _apply(query.strategy, everything)


def _apply(strategy: Strategy, found: Found) -> list[tuple[int, int]]:
    choose = max if strategy is Strategy.LONGEST else min
    by_start: dict[int, set[int]] = {}
    for start, end in found:
        by_start.setdefault(start, set()).add(end)
    kept = {(start, choose(ends)) for start, ends in by_start.items()}
    if strategy is Strategy.STANDARD:
        kept = {(s, e) for s, e in kept if not any(e == f and r < s for r, f in kept)}
    elif strategy is Strategy.LONGEST:
        kept = {(s, e) for s, e in kept if not any(r < s and f >= e for r, f in kept)}
    elif strategy is Strategy.SHORTEST:
        kept = {(s, e) for s, e in kept if not any(r > s and f <= e for r, f in kept)}
    return sorted(kept)


def _limit(query: Query, text: Text, start: int) -> int:
    within = query.within
    if within is None:
        return min(len(text.tokens), start + MAX_MATCH_TOKENS)
    if within.unit == "s":
        return text.sentence_end(start, within.count)
    if within.unit == "text":
        return len(text.tokens)
    return min(len(text.tokens), start + within.count)


def _ends(pattern, text, start, limit):
    """All (end, labels) of a pattern from a start."""
    match pattern:
        case Token(condition, label):
            if start < limit and holds(condition, text, start):
                yield start + 1, ((label, start),) if label else ()
        case Edge():
            if _edge(pattern, text, start):
                yield start, ()
        case Alternatives(choices):
            for choice in choices:
                yield from _ends(choice, text, start, limit)
        case Repetition():
            yield from _repeated(pattern, text, start, limit)
        case Sequence(parts):
            yield from _sequence(parts, text, start, limit, None)


def _sequence(parts, text, start, limit, opened):
    if not parts:
        yield start, ()
        return
    part, rest = parts[0], parts[1:]
    for end, labels in set(_ends(part, text, start, limit)):
        inner = opened
        if isinstance(part, Edge) and part.is_start:
            inner = {**(opened or {}), part.structure: end}
        elif isinstance(part, Edge) and part.structure in (opened or {}):
            begin = opened[part.structure]
            crossed = range(begin + 1, end)
            if part.structure == "s" and any(b in text.sentences for b in crossed):
                continue
            inner = {k: v for k, v in opened.items() if k != part.structure}
        for last, more in _sequence(rest, text, end, limit, inner):
            yield last, labels + more


def _repeated(repetition, text, start, limit):
    part, least, most = repetition.part, repetition.least, repetition.most
    states = {(start, ())}
    seen = set(states)
    count = 0
    while states:
        if count >= least:
            yield from states
        if most is not None and count >= most:
            return
        count += 1
        states = {
            (end, labels + more)
            for at, labels in states
            for end, more in _ends(part, text, at, limit)
        }
        if count > least:
            states -= seen
            seen |= states


def _edge(edge: Edge, text: Text, boundary: int) -> bool:
    """Whether an edge of this text lies at a boundary."""
    n = len(text.tokens)
    if edge.structure == "s":
        return (
            boundary in text.sentences
            if edge.is_start
            else boundary > 0 and (text.is_sentence_edge(boundary))
        )
    if boundary != (0 if edge.is_start else n):
        return False
    return edge.test is None or holds(edge.test, text, 0)


def holds(condition, text: Text, position: int) -> bool:
    """Whether a token meets a condition."""
    match condition:
        case Anything():
            return True
        case Match(attribute, pattern):
            value = value_of(text, position, attribute)
            flags = re.IGNORECASE if condition.ignore_case else 0
            return bool(re.fullmatch(pattern, value, flags)) != condition.negated
        case TextMatch(column, pattern):
            value = str({
                "publication": text.document.publication,
                "kind": text.document.kind.label,
                "key": text.document.key,
            }[column])  # fmt: skip
            return bool(re.fullmatch(pattern, value)) != condition.negated
        case Not(inner):
            return not holds(inner, text, position)
        case And(parts):
            return all(holds(part, text, position) for part in parts)
        case Or(parts):
            return any(holds(part, text, position) for part in parts)
    raise TypeError(condition)


def value_of(text: Text, position: int, attribute: Attribute) -> str:
    return text.tokens[position][list(Attribute).index(attribute)]


def _global(constraint, text: Text, labels: dict[str, int]) -> bool:
    match constraint:
        case LabelEqual(left, left_attribute, right, right_attribute, negated):
            same = value_of(text, labels[left], left_attribute) == value_of(
                text, labels[right], right_attribute
            )
            return same != negated
        case LabelMatch(label, condition):
            return holds(condition, text, labels[label])
        case GlobalNot(inner):
            return not _global(inner, text, labels)
        case GlobalAnd(parts):
            return all(_global(part, text, labels) for part in parts)
        case _:
            return any(_global(part, text, labels) for part in constraint.constraints)


def _meet_union(pattern, text: Text) -> set[int]:
    match pattern:
        case Token(condition):
            return {p for p in range(len(text.tokens)) if holds(condition, text, p)}
        case Union(left, right):
            return _meet_union(left, text) | _meet_union(right, text)
    left, right = _meet_union(pattern.left, text), _meet_union(pattern.right, text)
    return {p for p in left if any(_near(pattern, text, p, q) for q in right) != pattern.negated}


def _near(meet: Meet, text: Text, p: int, q: int) -> bool:
    if meet.structure == "text":
        return True
    if meet.structure == "s":
        return text.sentence_number(p) == text.sentence_number(q)
    return meet.low <= q - p <= meet.high
