"""A drawing → its CQL, and where in that each card stands.

``read(write(drawing).cql)`` is the same drawing again, if nothing in it was left blank.
"""

from dataclasses import dataclass, field

from search.engine.drawing.drawing import (
    CLASS_PATTERNS,
    DISTANCE,
    OF_LABELS,
    WORD_CLASS,
    Bond,
    Border,
    Drawing,
    Gap,
    Group,
    Pair,
    Part,
    Relation,
    Restriction,
    Side,
    TokenCard,
    TokenTest,
    Written,
    asks_nothing,
)
from search.engine.query.ast import (
    NO_TARGET,
    TARGET,
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
    Number,
    Operator,
    Or,
    Pattern,
    PositionOf,
    Query,
    Region,
    Repetition,
    TextMatch,
    Token,
)
from search.engine.query.attributes import TEXT_COLUMNS
from search.engine.query.dialect import escaped, is_plain
from search.engine.query.language.to_cql import to_cql

NEGATED = frozenset({Relation.IS_NOT, Relation.NONE_OF, Relation.UNLIKE, Relation.OTHER})
DISTANCE_FUNCTION = "distabs"
_ANY = "[]"
_NESTED = {
    Bond.HAS: "containing ({})",
    Bond.LACKS: "!containing ({})",
    Bond.INSIDE: "within ({})",
    Bond.OUTSIDE: "!within ({})",
    Bond.SENTENCE_HAS: "within (<s/> containing ({}))",
    Bond.SENTENCE_LACKS: "!within (<s/> containing ({}))",
    Bond.TEXT_HAS: "within (<text/> containing ({}))",
    Bond.TEXT_LACKS: "!within (<text/> containing ({}))",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Characters ``start`` to ``stop`` of the CQL come from the part at a path of the drawing."""

    start: int
    stop: int
    path: str


@dataclass(frozen=True, slots=True)
class DrawnQuery:
    """CQL with the places of its parts, outer ones before inner ones."""

    cql: str
    places: tuple[Place, ...]

    def path_at(self, position: int) -> str:
        """Return the path of the innermost part that a character of the CQL belongs to."""
        around = [one.path for one in self.places if one.start <= position <= one.stop]
        return around[-1] if around else ""


def write(drawing: Drawing) -> DrawnQuery:
    """Write a drawing as CQL; what is blank is left out."""
    writer = _Writer()
    if drawing.strategy != "standard":
        writer.add(f"(?{drawing.strategy})")
    writer.sequence(drawing.parts, "m", is_whole=True)
    pairs = [_pair(pair) for pair in drawing.pairs if pair.left and pair.right]
    if pairs:
        writer.add(":: " + " & ".join(pairs))
    if drawing.within:
        writer.add(_within(drawing))
    for kind in drawing.outside:
        writer.add(f"!within {kind}")
    for number, restriction in enumerate(drawing.restrictions):
        writer.restriction(restriction, f"r.{number}")
    if drawing.cut is not None:
        writer.add(f"cut {drawing.cut}")
    if drawing.rest:
        writer.placed(drawing.rest, "rest")
    return DrawnQuery("".join(writer.text), tuple(writer.places))


@dataclass(slots=True)
class _Writer:
    """Text as it grows; words are parted by one space."""

    text: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, *, is_joined: bool = False) -> None:
        """Append text, behind a space unless it belongs to what stands before."""
        is_parted = self.text and not is_joined and not self.text[-1].endswith("(")
        piece = f" {text}" if is_parted else text
        self.text.append(piece)
        self.length += len(piece)

    def placed(self, text: str, path: str) -> None:
        """Append text that is one part of the drawing."""
        self.add(text)
        self.places.append(Place(self.length - len(text), self.length, path))

    def sequence(self, parts: tuple[Part, ...], path: str, *, is_whole: bool = False) -> None:
        for number, part in enumerate(parts):
            self.part(part, f"{path}.{number}", is_alone=is_whole and len(parts) == 1)

    def part(self, part: Part, path: str, *, is_alone: bool = False) -> None:
        match part:
            case Group():
                self.group(part, path)
            case Written(cql):
                if cql:
                    self.placed(cql if is_alone else f"({cql})", path)
            case _:
                self.placed(to_cql(Query(_pattern(part))), path)

    def group(self, group: Group, path: str) -> None:
        choices = [(i, choice) for i, choice in enumerate(group.choices) if choice]
        if not choices:
            return
        start, at = self.length + bool(self.text), len(self.places)
        self.add("(")
        for i, choice in choices:
            if (i, choice) != choices[0]:
                self.add("|")
            self.sequence(choice, f"{path}.{i}")
        self.add(")", is_joined=True)
        if (group.least, group.most) != (1, 1):
            self.add(quantifier(group.least, group.most), is_joined=True)
        self.places.insert(at, Place(start, self.length, path))

    def restriction(self, restriction: Restriction, path: str) -> None:
        if asks_nothing(restriction.parts):
            return
        before, _, after = _NESTED[restriction.bond].partition("{}")
        start, at = self.length + 1, len(self.places)
        self.add(before)
        self.sequence(restriction.parts, path)
        self.add(after, is_joined=True)
        self.places.insert(at, Place(start, self.length, path))


def quantifier(least: int, most: int | None) -> str:
    """Write how often something stands there: ``?``, ``{2,5}``."""
    return to_cql(Query(Repetition(Token(Anything()), least, most))).removeprefix(_ANY)


def _pattern(part: TokenCard | Gap | Border) -> Pattern:
    match part:
        case Border(structure, Side.WHOLE):
            return Region(structure)
        case Border(structure, side):
            return Edge(structure, side is Side.START)
        case Gap(least, most):
            return _repeated(Token(Anything()), least, most)
        case TokenCard():
            target = TARGET if part.is_node else NO_TARGET
            token = Token(condition_of(part), part.label, target)
            return _repeated(token, part.least, part.most)


def _repeated(token: Token, least: int, most: int | None) -> Pattern:
    return token if (least, most) == (1, 1) else Repetition(token, least, most)


def condition_of(card: TokenCard) -> Condition:
    """Put the tests of a card together."""
    inner, outer = (And, Or) if card.is_any else (Or, And)
    lines = [asked for line in card.lines if (asked := [_test(t) for t in line if t.value])]
    if not lines:
        return Anything()
    joined = [line[0] if len(line) == 1 else inner(tuple(line)) for line in lines]
    return joined[0] if len(joined) == 1 else outer(tuple(joined))


def _test(test: TokenTest) -> Condition:
    negated = test.relation in NEGATED
    if test.what == WORD_CLASS:
        return AttributeMatch(Attribute.TAG, CLASS_PATTERNS[test.value], negated=negated)
    column = TEXT_COLUMNS.get(test.what)
    if test.relation in OF_LABELS:
        operator = Operator.UNEQUAL if negated else Operator.EQUAL
        if column is not None:
            return Compare(ColumnOf("", column), operator, ColumnOf(test.value, column))
        attribute = Attribute(test.what)
        return Compare(AttributeOf("", attribute), operator, AttributeOf(test.value, attribute))
    flags = test.ignore_case, test.ignore_accents
    pattern = pattern_of(test)
    if column is not None:
        return TextMatch(column, pattern, flags[0], negated, flags[1])
    return AttributeMatch(Attribute(test.what), pattern, *flags, negated)


def pattern_of(test: TokenTest) -> str:
    r"""Return the regular expression that a test asks for.

    Examples
    --------
    >>> pattern_of(TokenTest(relation=Relation.STARTS, value="U.S."))
    'U\\.S\\..*'
    """
    match test.relation:
        case Relation.LIKE | Relation.UNLIKE:
            return test.value
        case Relation.ONE_OF | Relation.NONE_OF:
            return "|".join(escaped(one) for each in test.value.split("|") if (one := each.strip()))
        case Relation.STARTS:
            return f"{escaped(test.value)}.*"
        case Relation.ENDS:
            return f".*{escaped(test.value)}"
        case Relation.HAS:
            return f".*{escaped(test.value)}.*"
        case _:
            has_flags = test.ignore_case or test.ignore_accents
            as_it_is = is_plain(test.value) and not has_flags
            return test.value if as_it_is else escaped(test.value)


def _within(drawing: Drawing) -> str:
    if drawing.within == "token":
        return f"within {drawing.count}"
    return (
        f"within {drawing.count} {drawing.within}"
        if drawing.count > 1
        else (f"within {drawing.within}")
    )


def comparison_of(pair: Pair) -> Compare:
    """Return what a pair asks of two labelled tokens."""
    operator = Operator(pair.comparison.value)
    if pair.what == DISTANCE:
        apart = Call(DISTANCE_FUNCTION, (PositionOf(pair.left), PositionOf(pair.right)))
        return Compare(apart, operator, Number(pair.apart))
    column = TEXT_COLUMNS.get(pair.what)
    if column is not None:
        return Compare(ColumnOf(pair.left, column), operator, ColumnOf(pair.right, column))
    attribute = Attribute(pair.what)
    return Compare(AttributeOf(pair.left, attribute), operator, AttributeOf(pair.right, attribute))


def _pair(pair: Pair) -> str:
    whole = Query(Token(Anything()), constraint=comparison_of(pair))
    return to_cql(whole).removeprefix(f"{_ANY} :: ")
