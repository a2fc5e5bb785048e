"""A slow, obvious evaluator of queries over token lists: the oracle of the engine's tests.

Every way through the pattern is followed, text by text; strategies by their definitions.
"""

import operator
import re
from dataclasses import dataclass, replace

from search.engine.index.documents import IndexDocument
from search.engine.index.lexicon.stems import stem_of
from search.engine.query.ast import (
    Alternatives,
    And,
    Anything,
    Attribute,
    AttributeMatch,
    AttributeOf,
    Call,
    ColumnOf,
    Compare,
    Edge,
    Exists,
    Meet,
    Nesting,
    Not,
    Number,
    Operator,
    Or,
    PositionOf,
    Query,
    Region,
    Relative,
    Repetition,
    Sequence,
    Strategy,
    StructureOf,
    TextMatch,
    Token,
    TokenTable,
    Union,
    Within,
)
from search.engine.query.ast import (
    String as Regex,
)
from search.engine.query.attributes import BLOCKS

Found = set[tuple[int, int, int]]
FIRST = "first element"  # kept with the labels: by which element of the pattern a match begins
HARD_BOUNDARY = 500
UNKNOWN = object()


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

    def sentence_number(self, position: int) -> int:
        return sum(start <= position for start in self.sentences)

    def sentence_start(self, position: int) -> int:
        return max(start for start in self.sentences if start <= position)

    def sentence_end(self, position: int, count: int = 1) -> int:
        starts = [*self.sentences, len(self.tokens)]
        return starts[min(self.sentence_number(position) + count - 1, len(starts) - 1)]


def plain_spans(query: Query, document: IndexDocument) -> list[tuple[int, int]]:
    """Half-open spans of a query in one text, in order."""
    text = Text(document)
    for kind in query.outside:
        rest = replace(query, outside=tuple(other for other in query.outside if other != kind))
        return [
            (start, end) for start, end in plain_spans(rest, document)
            if end > _block_end(text, start, kind)
        ]  # fmt: skip
    for relative in query.relatives:
        rest = replace(query, relatives=tuple(r for r in query.relatives if r is not relative))
        others = plain_matches(Query(relative.pattern, Within("text")), text)
        return [
            span for span in plain_spans(rest, document)
            if any(_related(span, other, relative) for other in others) != relative.negated
        ]  # fmt: skip
    if isinstance(query.pattern, Token | Meet | Union):
        positions = sorted(_meet_union(query.pattern, text))
        return [
            (p, p + 1)
            for p in positions
            if _meets(query.constraint, text, {"match": p, "matchend": p})
            and (query.within is None or not query.within.is_block or _limit(query, text, p) > p)
        ]
    if isinstance(query.pattern, TokenTable):
        return _table(query, text)
    return _apply(query.strategy, plain_matches(query, text))


def _related(span, other, relative: Relative) -> bool:
    """Whether a span lies within (or around) a match of another pattern, however it was made."""
    (start, end), (_, other_start, other_end) = span, other
    if relative.relation is Nesting.WITHIN:
        return other_start <= start and end <= other_end
    return start <= other_start and other_end <= end


def plain_matches(query: Query, text: Text) -> Found:
    """Every way through a pattern, from every token."""
    everything: Found = set()
    pattern = with_pairs(query.pattern)
    for start in range(len(text.tokens)):
        limit = _limit(query, text, start)
        for end, labels in _ends(pattern, text, (start, {"match": start}), limit):
            named = {**labels, "matchend": end - 1}
            if _meets(query.constraint, text, named):
                everything.add((labels[FIRST], start, end))
    return everything


def _meets(constraint, text: Text, labels: dict[str, int]) -> bool:
    return constraint is None or holds(constraint, text, None, labels)


def _apply(strategy: Strategy, found: Found) -> list[tuple[int, int]]:
    """Keep the first match of each start that is found (or the last), even if it is empty.

    Each element that can begin the pattern is tried by itself.
    """
    choose = max if strategy is Strategy.LONGEST else min
    by_start: dict[tuple[int, int], set[int]] = {}
    for first, start, end in found:
        by_start.setdefault((first, start), set()).add(end)
    each = {(start, choose(ends)) for (_, start), ends in by_start.items()}
    each = {(start, end) for start, end in each if end > start}
    if strategy is Strategy.TRADITIONAL:
        return sorted(each)
    kept = {(s, choose(f for r, f in each if r == s)) for s, _ in each}
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
        return min(len(text.tokens), start + HARD_BOUNDARY + 1)
    if within.unit == "s":
        return text.sentence_end(start, within.count)
    if within.unit == "text":
        return len(text.tokens)
    if within.is_block:
        return _block_end(text, start, within.unit)
    return min(len(text.tokens), start + within.count + 1)


def _block_end(text: Text, start: int, name: str) -> int:
    """Where blocks of a kind end that a token stands in; the token itself in another block."""
    end, blocks = start, text.document.blocks
    while end < len(blocks) and blocks[end] == BLOCKS[name]:
        end += 1
    return end


def _ends(pattern, text, state, limit):  # noqa: C901 (one case per kind of node)
    """All (end, labels) of a pattern from a state: a boundary and the labels so far."""
    start, labels = state
    if isinstance(pattern, Token | Edge | Region):
        labels = {FIRST: id(pattern), **labels}
    match pattern:
        case Token(condition, label):
            inside = start < len(text.tokens) and (
                start < limit or (pattern.is_ahead and start <= limit)
            )
            if inside and _in_region(labels, start) and holds(condition, text, start, labels):
                named = {**labels, label: start} if label else labels
                yield start if pattern.is_ahead else start + 1, named
        case Edge():
            yield from _over_edge(pattern, text, state[0], labels, limit)
        case Region(structure):
            end = (
                len(text.tokens)
                if structure == "text"
                else text.sentence_end(min(start, len(text.tokens) - 1))
            )
            if _edge(Edge(structure, is_start=True), text, start, limit) and _in_region(
                labels, start
            ):
                named = {**labels, pattern.start_label: start}
                if pattern.is_empty:
                    yield start, named
                elif end <= limit and _in_region(labels, end - 1):
                    yield end, {**named, pattern.end_label: end - 1}
        case Alternatives(choices):
            for choice in choices:
                yield from _ends(choice, text, state, limit)
        case Repetition():
            yield from _repeated(pattern, text, state, limit)
        case Sequence(items):
            yield from _sequence(items, text, state, limit)


def _in_region(labels, position):
    """Whether a position is not behind the regions that are open."""
    return all(position <= last for name, last in labels.items() if str(name).startswith("<"))


def _over_edge(edge, text, boundary, labels, limit):
    """Over an edge: one that is closed later opens a region, which its closing edge must end."""
    position = boundary if edge.is_start else boundary - 1
    if not (_edge(edge, text, boundary, limit) and _in_region(labels, position)):
        return
    name = f"<{edge.name or edge.structure}>"
    if not edge.name.startswith("paired"):
        yield boundary, labels
    elif edge.is_start:
        is_sentence = edge.structure == "s"
        last = (text.sentence_end(boundary) if is_sentence else len(text.tokens)) - 1
        yield boundary, {**labels, name: last}
    elif labels.get(name) == position:
        yield boundary, {key: value for key, value in labels.items() if key != name}


def with_pairs(pattern):
    """Give a new name to edges that are one side of a region, by their order in the text."""
    edges = _edges(pattern)
    opened, closed = set(), set()
    for edge in edges:
        name = edge.name or edge.structure
        if edge.is_start:
            opened.add(name)
        elif name in opened:
            closed.add(name)
    seen, renamed = set(), {}
    for edge in edges:
        name = edge.name or edge.structure
        seen |= {name} if edge.is_start else set()
        if name in closed and name in seen:
            renamed[id(edge)] = replace(edge, name=f"paired {name}")
    return _replaced(pattern, renamed)


def _edges(pattern):
    match pattern:
        case Edge():
            return [pattern]
        case Sequence(items) | Alternatives(items):
            return [edge for item in items for edge in _edges(item)]
        case Repetition(item):
            return _edges(item)
        case _:
            return []


def _replaced(pattern, renamed):
    match pattern:
        case Edge():
            return renamed.get(id(pattern), pattern)
        case Sequence(items) | Alternatives(items):
            return type(pattern)(tuple(_replaced(item, renamed) for item in items))
        case Repetition(item):
            return replace(pattern, inner=_replaced(item, renamed))
        case _:
            return pattern


def _sequence(items, text, state, limit):
    if not items:
        yield state
        return
    for after in _distinct(_ends(items[0], text, state, limit)):
        yield from _sequence(items[1:], text, after, limit)


def _distinct(states):
    seen = {}
    for end, labels in states:
        seen.setdefault((end, frozenset(labels.items())), (end, labels))
    return list(seen.values())


def _repeated(repetition, text, state, limit):
    item, least, most = repetition.inner, repetition.least, repetition.most
    states = [state]
    seen = {(state[0], frozenset(state[1].items()))}
    count = 0
    while states:
        if count >= least:
            yield from states
        if most is not None and count >= most:
            return
        count += 1
        states = _distinct(after for at in states for after in _ends(item, text, at, limit))
        if count > least:
            keys = {(end, frozenset(labels.items())): (end, labels) for end, labels in states}
            states = [value for key, value in keys.items() if key not in seen]
            seen |= set(keys)


def _edge(edge: Edge, text: Text, boundary: int, limit: int) -> bool:
    """Whether an edge of this text lies at a boundary."""
    n = len(text.tokens)
    position = boundary if edge.is_start else boundary - 1
    if not 0 <= position < min(n, limit):
        return False
    if edge.structure == "s":
        return boundary in text.sentences or (not edge.is_start and boundary == n)
    if boundary != (0 if edge.is_start else n):
        return False
    return edge.test is None or holds(edge.test, text, 0, {})


# Conditions


def holds(condition, text: Text, this: int | None, labels: dict[str, int]) -> bool:  # noqa: PLR0911 (cases)
    """Whether a token (or a match, without one) meets a condition."""
    match condition:
        case Anything():
            return True
        case AttributeMatch(attribute, pattern):
            flags = re.IGNORECASE if condition.ignore_case else 0
            found = re.fullmatch(pattern, value_of(text, this, attribute), flags)
            return bool(found) != condition.negated
        case TextMatch(column, pattern):
            return bool(re.fullmatch(pattern, column_of(text, column))) != condition.negated
        case Not(inner):
            return not holds(inner, text, this, labels)
        case And(items):
            return all(holds(item, text, this, labels) for item in items)
        case Or(items):
            return any(holds(item, text, this, labels) for item in items)
        case Exists(operand):
            found = _operand(operand, text, this, labels)
            if isinstance(operand, PositionOf):
                return found is not UNKNOWN
            return found is not UNKNOWN and found != 0
        case Compare():
            return _compare(condition, text, this, labels)
    raise TypeError(condition)


_OPERATORS = {
    Operator.EQUAL: operator.eq,
    Operator.UNEQUAL: operator.ne,
    Operator.LESS: operator.lt,
    Operator.GREATER: operator.gt,
    Operator.AT_MOST: operator.le,
    Operator.AT_LEAST: operator.ge,
}


def _compare(condition: Compare, text: Text, this, labels) -> bool:
    left = _operand(condition.left, text, this, labels)
    negated = condition.operator is Operator.UNEQUAL
    if isinstance(condition.right, Regex):
        if left is UNKNOWN:
            is_tag = getattr(condition.left, "attribute", None) is Attribute.TAG
            is_regex = set(condition.right.pattern) & set("[](){}.*+|?\\")
            return negated and is_tag and bool(is_regex)
        return bool(re.fullmatch(condition.right.pattern, left)) != negated
    right = _operand(condition.right, text, this, labels)
    if UNKNOWN in (left, right):
        return False
    return _OPERATORS[condition.operator](left, right)


def _operand(operand, text: Text, this, labels):  # noqa: PLR0911 (one case per kind)
    match operand:
        case AttributeOf(label, attribute):
            position = labels.get(label, -1) if label else this
            return (
                UNKNOWN if position is None or position < 0 else value_of(text, position, attribute)
            )
        case ColumnOf(label, column):
            position = labels.get(label, -1) if label else this
            return UNKNOWN if position is None or position < 0 else column_of(text, column)
        case PositionOf(label):
            position = labels.get(label, -1) if label else this
            return UNKNOWN if position is None or position < 0 else position
        case StructureOf(structure):
            if this is None:
                return UNKNOWN
            start = text.sentence_start(this) if structure == "s" else 0
            end = text.sentence_end(this) if structure == "s" else len(text.tokens)
            return 4 + (this == start) + 2 * (this == end - 1)
        case Number(value):
            return value
        case Regex(pattern):
            return pattern
        case Call(name, arguments):
            return _call(name, [_operand(argument, text, this, labels) for argument in arguments])
    raise TypeError(operand)


def _call(name: str, values: list):  # noqa: PLR0911 (one case per function)
    if UNKNOWN in values:
        return UNKNOWN
    first, second = values[0], values[-1]
    match name:
        case "distance" | "dist":
            return second - first
        case "distabs":
            return abs(second - first)
        case "add":
            return first + second
        case "strlen":
            return len(first)
        case "is_prefix":
            return int(second.startswith(first))
        case "lbound":
            return first & 1
        case "rbound":
            return first >> 1 & 1
    raise TypeError(name)


def value_of(text: Text, position: int, attribute: Attribute) -> str:
    word, lemma, tag = text.tokens[position]
    values = {Attribute.WORD: word, Attribute.LEMMA: lemma, Attribute.TAG: tag}
    if attribute is Attribute.STEM:
        return stem_of(word)
    if attribute is Attribute.ASCII:
        return word.lower()  # its texts are in ASCII
    return values.get(attribute, word.lower())


def column_of(text: Text, column: str) -> str:
    return str({
        "publication": text.document.publication,
        "kind": text.document.kind.label,
        "key": text.document.key,
    }[column])  # fmt: skip


# Meet, union and tables


def _meet_union(pattern, text: Text) -> set[int]:
    match pattern:
        case Token(condition):
            return {p for p in range(len(text.tokens)) if holds(condition, text, p, {})}
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


def _table(query: Query, text: Text) -> list[tuple[int, int]]:
    """The nearest next token each time; of spans that end together the first one."""
    columns = [sorted(_meet_union(token, text)) for token in query.pattern.tokens]
    found: dict[int, int] = {}
    for start in columns[0]:
        at = start
        for (least, most), column in zip(query.pattern.gaps, columns[1:], strict=True):
            following = [q for q in column if q > at + least]
            farthest = at + (HARD_BOUNDARY if most is None else most + 1)
            if not following or following[0] > farthest:
                break
            at = following[0]
        else:
            if at < _limit(query, text, start):
                found.setdefault(at, start)
    return sorted((start, end + 1) for end, start in found.items())
