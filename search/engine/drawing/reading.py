"""A query → its drawing; what no card shows stays in it as CQL, and is named.

Input → output: the syntax tree of a query (of either language) → ``Drawing``. The CQL of the
drawing has the same hits; it may be written otherwise, as ``"a"`` for ``[word="a"]``.
"""

import re
from dataclasses import dataclass, field, replace

from search.engine.drawing.drawing import (
    CLASS_PATTERNS,
    DISTANCE,
    WORD_CLASS,
    Bond,
    Border,
    Comparison,
    Drawing,
    Gap,
    Group,
    Line,
    Pair,
    Part,
    Relation,
    Restriction,
    Side,
    TokenCard,
    TokenTest,
    Undrawn,
    Written,
)
from search.engine.drawing.writing import DISTANCE_FUNCTION
from search.engine.query.ast import (
    NO_TARGET,
    TARGET,
    Alternatives,
    And,
    Anything,
    Attribute,
    AttributeMatch,
    AttributeOf,
    Call,
    ColumnOf,
    Compare,
    Condition,
    Edge,
    Meet,
    Nesting,
    Not,
    Number,
    Operator,
    Or,
    Pattern,
    PositionOf,
    Query,
    Region,
    Relative,
    Repetition,
    Sequence,
    Strategy,
    TextMatch,
    Token,
    TokenTable,
    Union,
)
from search.engine.query.language.to_cql import COLUMN_NAMES, to_cql

MOST_NESTED = 6  # groups inside one another: a card in them is as wide as half a phone
MOST_DRAWN = 80  # cards and tests; the fields of more fill no address that a server reads
_CLASS_OF = {pattern: name for name, pattern in CLASS_PATTERNS.items()}
_LITERAL = r"(?:[^.*+?()\[\]{}|\\^$\n\r]|\\[^\w\s])"
_FORMS = (
    (Relation.IS, re.compile(f"({_LITERAL}+)")),
    (Relation.HAS, re.compile(rf"\.\*({_LITERAL}+)\.\*")),
    (Relation.STARTS, re.compile(rf"({_LITERAL}+)\.\*")),
    (Relation.ENDS, re.compile(rf"\.\*({_LITERAL}+)")),
)
_PIECE = r"(?:[^.*+?()\[\]{}|\\^$\n\r]|\\[^\w\s|])+"  # a literal without the sign that parts them
_ONE_OF = re.compile(rf"{_PIECE}(?:\|{_PIECE})+")
_PIECES = re.compile(_PIECE)
_BACKSLASHED = re.compile(r"\\(.)")
_LINE_ENDS = re.compile(r"[\n\r]")
_NEGATIONS = {
    Relation.IS: Relation.IS_NOT,
    Relation.ONE_OF: Relation.NONE_OF,
    Relation.LIKE: Relation.UNLIKE,
}
_ROOM = {"s": (Bond.SENTENCE_HAS, Bond.SENTENCE_LACKS), "text": (Bond.TEXT_HAS, Bond.TEXT_LACKS)}
_BONDS = {
    (Nesting.CONTAINING, False): Bond.HAS,
    (Nesting.CONTAINING, True): Bond.LACKS,
    (Nesting.WITHIN, False): Bond.INSIDE,
    (Nesting.WITHIN, True): Bond.OUTSIDE,
}
_COMPARISONS = {comparison.value: comparison for comparison in Comparison}


class _UndrawableError(Exception):
    """Raised where a condition has no place on a card; says what it is."""


def read(query: Query) -> Drawing:
    """Draw a query; ``Drawing.undrawn`` names what stayed text, as does all of a very long one."""
    drawing = _drawn(query)
    if size_of(drawing) <= MOST_DRAWN:
        return drawing
    cql = to_cql(query)
    return Drawing((Written(cql),), undrawn=(Undrawn("so long a query", cql),))


def _drawn(query: Query) -> Drawing:
    reader = _Reader()
    drawing = Drawing(
        parts=reader.whole(query.pattern),
        within=query.within.unit if query.within else "",
        count=query.within.count if query.within else 1,
        outside=query.outside,
        restrictions=tuple(reader.restrictions(query.relatives)),
        strategy=query.strategy.value,
        cut=query.cut,
    )
    if query.constraint is not None:
        drawing = replace(drawing, pairs=reader.pairs(query))
    if query.shown is not None:
        reader.leave("which part of the match is shown", Query(_ONE, shown=query.shown))
    if query.expansion is not None:
        reader.leave("what is added to matches", Query(_ONE, expansion=query.expansion))
    return replace(drawing, rest=" ".join(reader.rest), undrawn=tuple(reader.undrawn))


def size_of(drawing: Drawing) -> int:
    """Count the cards of a drawing and their tests."""
    around = sum(1 + sum(map(_size, one.parts)) for one in drawing.restrictions)
    return sum(map(_size, drawing.parts)) + around + len(drawing.pairs)


def _size(part: Part) -> int:
    match part:
        case TokenCard():
            return 1 + sum(map(len, part.lines))
        case Group(choices):
            return 1 + sum(_size(inner) for choice in choices for inner in choice)
        case _:
            return 1


_ONE = Token(Anything())


@dataclass(slots=True)
class _Reader:
    """Reads a query part by part, and gathers what no card shows."""

    undrawn: list[Undrawn] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    depth: int = 0

    def leave(self, words: str, tail: Query) -> None:
        """Keep something that stands behind a pattern as text."""
        cql = to_cql(tail).removeprefix("[] ")
        self.undrawn.append(Undrawn(words, cql))
        self.rest.append(cql)

    def whole(self, pattern: Pattern) -> tuple[Part, ...]:
        match pattern:
            case Meet() | Union():
                return (self.written("a meet or union of tokens", to_cql(Query(pattern))),)
            case TokenTable():
                return (self.written("a table of tokens", to_cql(Query(pattern))),)
            case _:
                return self.sequence(pattern)

    def written(self, words: str, cql: str) -> Written:
        self.undrawn.append(Undrawn(words, cql))
        return Written(cql)

    def sequence(self, pattern: Pattern) -> tuple[Part, ...]:
        if not isinstance(pattern, Sequence):
            return (self.part(pattern),)
        return tuple(part for item in pattern.items for part in self.sequence(item))

    def part(self, pattern: Pattern) -> Part:
        least: int = 1
        most: int | None = 1
        inner = pattern
        if isinstance(pattern, Repetition):
            least, most, inner = pattern.least, pattern.most, pattern.inner
        match inner:
            case Token():
                return self.token(inner, least, most)
            case Alternatives(choices):
                return self.group(pattern, choices, (least, most))
            case Sequence():
                return self.group(pattern, (inner,), (least, most))
        found = _border(pattern)
        return self.written(found, to_cql(Query(pattern))) if isinstance(found, str) else found

    def group(
        self, pattern: Pattern, choices: tuple[Pattern, ...], times: tuple[int, int | None]
    ) -> Part:
        if self.depth == MOST_NESTED:
            return self.written("groups nested so deep", to_cql(Query(pattern)))
        self.depth += 1
        group = Group(tuple(map(self.sequence, choices)), *times)
        self.depth -= 1
        return group

    def token(self, token: Token, least: int, most: int | None) -> Part:
        pattern = token if (least, most) == (1, 1) else Repetition(token, least, most)
        try:
            is_any, lines = _card(token)
        except _UndrawableError as reason:
            return self.written(str(reason), to_cql(Query(pattern)))
        is_node = token.target == TARGET
        if not (lines or token.label or is_node) and (least, most) != (1, 1):
            return Gap(least, most)
        return TokenCard(lines, is_any, token.label, is_node, least, most)

    def restrictions(self, relatives: tuple[Relative, ...]) -> list[Restriction]:
        found = []
        for relative in relatives:
            one = self.restriction(relative)
            if one is None:
                self.leave("a pattern around another", Query(_ONE, relatives=(relative,)))
            else:
                found.append(one)
        return found

    def restriction(self, relative: Relative) -> Restriction | None:
        if not relative.relatives:
            bond = _BONDS[relative.relation, relative.negated]
            return Restriction(bond, self.sequence(relative.pattern))
        match relative:
            case Relative(
                Nesting.WITHIN,
                Region(structure) as region,
                negated,
                (Relative(Nesting.CONTAINING, inner, False, ()),),
            ) if region == Region(structure):
                return Restriction(_ROOM[structure][negated], self.sequence(inner))
        return None

    def pairs(self, query: Query) -> tuple[Pair, ...]:
        """Read the conditions on labelled tokens; all of them or none."""
        constraint = query.constraint
        conditions = constraint.conditions if isinstance(constraint, And) else (constraint,)
        pairs = [_pair(condition) for condition in conditions]
        if None not in pairs:
            return tuple(pair for pair in pairs if pair is not None)
        self.leave("a condition on labelled tokens", Query(_ONE, constraint=constraint))
        return ()


def _border(pattern: Pattern) -> Border | str:
    """Read a place between tokens; words for what is none that a card has."""
    match pattern:
        case Edge(structure, is_start, None, ""):
            return Border(structure, Side.START if is_start else Side.END)
        case Region(structure) if pattern == Region(structure):
            return Border(structure, Side.WHOLE)
        case Edge():
            return "the edge of a text with a property"
        case Region():
            return "a place or a mark of a sentence or text"
        case _:
            return "a repetition of this"


def _pair(condition: Condition | None) -> Pair | None:
    match condition:
        case Compare(
            Call(name, (PositionOf(left), PositionOf(right))), operator, Number(apart)
        ) if name == DISTANCE_FUNCTION and left and right and operator in _COMPARISONS:
            return Pair(left, DISTANCE, Comparison(operator.value), right, apart)
        case Compare(AttributeOf(left, one), operator, AttributeOf(right, other)):
            what, is_same = one.value, one is other
        case Compare(ColumnOf(left, column), operator, ColumnOf(right, second)):
            what, is_same = COLUMN_NAMES[column], column == second
        case _:
            return None
    if not is_same or operator not in (Operator.EQUAL, Operator.UNEQUAL):
        return None
    return Pair(left, what, Comparison(operator.value), right) if left and right else None


# Conditions on one token


def _card(token: Token) -> tuple[bool, tuple[Line, ...]]:
    """Read what is asked of a token.

    Raises
    ------
    _UndrawableError
    """
    if token.is_ahead:
        raise _UndrawableError("a look at the next token")
    if token.target not in (TARGET, NO_TARGET):
        raise _UndrawableError("a token with a number as its mark")
    return _lines(token.condition)


def _lines(condition: Condition) -> tuple[bool, tuple[Line, ...]]:
    """Read a condition as lines of tests, with whether one line is enough.

    Raises
    ------
    _UndrawableError
    """
    inner: type[And | Or]
    match condition:
        case Anything():
            return False, ()
        case And(conditions):
            inner, is_any = Or, False
        case Or(conditions):
            inner, is_any = And, True
        case _:
            return False, ((_test(condition),),)
    flat = _flat(conditions, And if is_any is False else Or)
    return is_any, tuple(_line(each, inner) for each in flat)


def _flat(conditions: tuple[Condition, ...], kind: type[And] | type[Or]) -> list[Condition]:
    """Take brackets away that mean nothing: ``(a & b) & c``."""
    found: list[Condition] = []
    for each in conditions:
        found += _flat(each.conditions, kind) if isinstance(each, kind) else [each]
    return found


def _line(condition: Condition, kind: type[And] | type[Or]) -> Line:
    if isinstance(condition, kind):
        return tuple(map(_test, _flat(condition.conditions, kind)))
    return (_test(condition),)


def _test(condition: Condition) -> TokenTest:
    match condition:
        case Not(AttributeMatch() as inner):
            return _test(replace(inner, negated=not inner.negated))
        case AttributeMatch() if (
            condition.attribute is Attribute.TAG
            and condition.pattern in _CLASS_OF
            and not (condition.ignore_case or condition.ignore_accents or condition.literal)
        ):
            relation = Relation.IS_NOT if condition.negated else Relation.IS
            return TokenTest(WORD_CLASS, relation, _CLASS_OF[condition.pattern])
        case AttributeMatch():
            return _match(condition, condition.attribute.value)
        case TextMatch():
            return _match(condition, COLUMN_NAMES[condition.column])
        case Compare(left, operator, right) if operator in (Operator.EQUAL, Operator.UNEQUAL):
            relation = Relation.SAME if operator is Operator.EQUAL else Relation.OTHER
            match left, right:
                case AttributeOf("", one), AttributeOf(label, other) if one is other and label:
                    return TokenTest(one.value, relation, label)
                case ColumnOf("", column), ColumnOf(label, second) if column == second and label:
                    return TokenTest(COLUMN_NAMES[column], relation, label)
    raise _UndrawableError(_words_of(condition))


def _words_of(condition: Condition) -> str:
    match condition:
        case And() | Or():
            return "a token with conditions nested more than twice"
        case Not():
            return "a token with something negated as a whole"
        case _:
            return "a token with a comparison or function"


def _match(condition: AttributeMatch | TextMatch, what: str) -> TokenTest:
    relation, value = _relation(condition.pattern, is_literal=condition.literal)
    if condition.negated:
        if relation not in _NEGATIONS:
            relation, value = Relation.LIKE, condition.pattern
        relation = _NEGATIONS[relation]
    if not value or value != value.strip() or _LINE_ENDS.search(value):
        raise _UndrawableError("a token with an empty value, or one with spaces around it")
    return TokenTest(what, relation, value, condition.ignore_case, condition.ignore_accents)


def _relation(pattern: str, *, is_literal: bool) -> tuple[Relation, str]:
    r"""Say what a regular expression asks for.

    Examples
    --------
    >>> _relation(r"U\.S\..*", is_literal=False), _relation("a.b", is_literal=True)
    ((<Relation.STARTS: 'starts'>, 'U.S.'), (<Relation.IS: 'is'>, 'a.b'))
    """
    if is_literal:
        return Relation.IS, pattern
    for relation, form in _FORMS:
        found = form.fullmatch(pattern)
        if found is not None:
            return relation, _BACKSLASHED.sub(r"\1", found[1])
    if _ONE_OF.fullmatch(pattern):
        values = [_BACKSLASHED.sub(r"\1", one) for one in _PIECES.findall(pattern)]
        if all(one == one.strip() for one in values):
            return Relation.ONE_OF, "|".join(values)
    return Relation.LIKE, pattern


STRATEGIES = tuple(map(str, Strategy))
