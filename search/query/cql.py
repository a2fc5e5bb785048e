"""CQL text → syntax tree.

Parsing is lark's; this module turns its tree into ours and its errors into ``QueryError``.
"""

from collections.abc import Callable, Iterable
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from search.query.ast import (
    Alternatives,
    And,
    Anything,
    Condition,
    Constraint,
    Edge,
    GlobalAnd,
    GlobalNot,
    GlobalOr,
    LabelEqual,
    LabelMatch,
    Match,
    Meet,
    MeetUnion,
    Not,
    Or,
    Pattern,
    Query,
    Repetition,
    SameAs,
    Sequence,
    TextMatch,
    Union,
    Within,
)
from search.query.ast import Token as TokenPattern
from search.query.attributes import TEXT_COLUMNS, attribute_named, text_column_named
from search.query.cql_grammar import CQL_GRAMMAR, TERMINAL_NAMES
from search.query.errors import QueryError

Node = Tree[Token]
STRUCTURES = ("s", "text")
WITHIN_UNITS = {"s": "s", "text": "text", "token": "token", "tokens": "token", "word": "token"}
WITHIN_UNITS |= {"words": "token"}
MAX_REPETITIONS = 500  # CQP's own hard boundary of a match


def parse_cql(text: str) -> Query:
    """Parse a CQL query.

    Raises
    ------
    QueryError
        With position and what was expected there.
    """
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as error:
        raise _explain(text, error) from error
    pattern, *tails = _children(tree)
    within: Within | None = None
    constraint: Constraint | None = None
    for tail in tails:
        node = _node(tail)
        if node.data == "within":
            if within is not None:
                raise QueryError("There is more than one “within”.", _start(node))
            within = _within(node)
        else:
            if constraint is not None:
                raise QueryError("There is more than one “::”.", _start(node))
            constraint = _constraint(_node(_children(node)[0]))
    return Query(_pattern(_node(pattern)), within, constraint, text=text)


@cache
def _parser() -> Lark:
    return Lark(CQL_GRAMMAR, parser="lalr", propagate_positions=True)


def _explain(text: str, error: UnexpectedInput) -> QueryError:
    """Put lark's error into words."""
    position = error.pos_in_stream if error.pos_in_stream is not None else len(text)
    if isinstance(error, UnexpectedToken):
        expected = _names(error.accepts or error.expected)
        if error.token.type == "$END":
            message = "The query ends too early." if text.strip() else "The query is empty."
            return QueryError(message, len(text.rstrip()), expected)
        return QueryError(f"“{error.token}” cannot stand here.", position, expected)
    if isinstance(error, UnexpectedCharacters):
        if text[position] in "\"'":
            return QueryError("The quote opened here is never closed.", position, ('"',))
        message = f"“{text[position]}” cannot stand here."
        return QueryError(message, position, _names(error.allowed))
    if isinstance(error, UnexpectedEOF):
        return QueryError("The query ends too early.", len(text), _names(error.expected))
    return QueryError("The query cannot be read.", position)


def _names(terminals: object) -> tuple[str, ...]:
    if not isinstance(terminals, set | frozenset | list):
        return ()
    return tuple(sorted(TERMINAL_NAMES.get(str(name), str(name)) for name in terminals))


def _node(child: object) -> Node:
    if not isinstance(child, Tree):
        raise TypeError(f"expected a tree, got {child!r}")
    return child


def _children(node: object) -> list[object]:
    """Return the children, among them None for optional parts that are absent."""
    return list(_node(node).children)


def _start(node: Node) -> int:
    return int(node.meta.start_pos) if not node.meta.empty else 0


def _token_start(token: object) -> int:
    return int(token.start_pos or 0) if isinstance(token, Token) else 0


# Patterns


def _pattern(node: Node) -> Pattern:
    return _PATTERNS[str(node.data)](node)


def _alternatives(node: Node) -> Alternatives:
    return Alternatives(tuple(_pattern(_node(child)) for child in _children(node)))


def _sequence(node: Node) -> Pattern:
    parts = tuple(_pattern(_node(child)) for child in _children(node))
    return parts[0] if len(parts) == 1 else Sequence(parts)


def _first_pattern(node: Node) -> Pattern:
    return _pattern(_node(_children(node)[0]))


def _first_meet_union(node: Node) -> Pattern:
    return _meet_union(_node(_children(node)[0]))


def _repetition(node: Node) -> Repetition:
    part, quantifier = _node(_children(node)[0]), _node(node.children[1])
    numbers = [int(str(child)) for child in _children(quantifier)]
    least, most = _bounds(str(quantifier.data), numbers)
    position = _start(quantifier) if numbers else _start(node)
    if max(least, most or 0) > MAX_REPETITIONS:
        message = f"More than {MAX_REPETITIONS} repetitions are not possible."
        raise QueryError(message, position)
    if most is not None and most < least:
        raise QueryError(f"{{{least},{most}}} has its numbers in the wrong order.", position)
    inner = _pattern(part)
    if isinstance(inner, Edge):
        raise QueryError("An edge such as <s> cannot be repeated.", _start(part))
    return Repetition(inner, least, most, _start(node))


def _bounds(name: str, numbers: list[int]) -> tuple[int, int | None]:
    fixed: dict[str, tuple[int, int | None]] = {
        "optional": (0, 1),
        "star": (0, None),
        "plus": (1, None),
    }
    if name in fixed:
        return fixed[name]
    if name == "at_most":
        return 0, numbers[0]
    if name == "at_least":
        return numbers[0], None
    return numbers[0], numbers[-1]


def _token(node: Node) -> TokenPattern:
    mark, body = _children(node)
    label = ""
    if isinstance(mark, Token):
        label = "target" if mark == "@" else str(mark).rstrip(":").rstrip()
    inner = _node(body)
    if inner.data == "word":
        pattern, flags = _children(inner)[0], inner.children[1:]
        condition: Condition = _match("word", pattern, flags, negated=False)
    elif any(_children(inner)):
        condition = _condition(_node(_children(inner)[0]))
    else:
        condition = Anything(_start(inner))
    return TokenPattern(condition, label, _start(node))


def _edge(node: Node) -> Edge:
    children = _children(node)
    is_start = not (isinstance(children[0], Token) and children[0].type == "SLASH")
    if not is_start:
        children = children[1:]
    children = [child for child in children if child is not None]
    name, position = str(children[0]), _token_start(children[0])
    if name in STRUCTURES and len(children) == 1:
        return Edge(name, is_start, position=_start(node))
    column = text_column_named(name, position)
    if len(children) == 1:
        return Edge("text", is_start, position=_start(node))
    test = _text_match(column, str(children[1]) == "!=", children[2], children[3:])
    return Edge("text", is_start, test, position=_start(node))


# Conditions on one token


def _condition(node: Node) -> Condition:
    match node.data:
        case "disjunction":
            return Or(tuple(_condition(_node(child)) for child in _children(node)))
        case "conjunction":
            parts = tuple(_condition(_node(child)) for child in _children(node))
            return parts[0] if len(parts) == 1 else And(parts)
        case "negation":
            return Not(_condition(_node(_children(node)[0])))
        case "comparison":
            return _comparison(node)
        case _:
            return _same(node)


def _comparison(node: Node) -> Match | TextMatch:
    reference, operator, pattern, *flags = _children(node)
    first, second = _children(reference)
    negated = str(operator) == "!="
    if second is not None:
        if str(first) != "_":
            raise QueryError("Labels are compared after “::”, not here.", _start(_node(reference)))
        column = text_column_named(str(second), _token_start(second))
        return _text_match(column, negated, pattern, flags)
    if str(first) in TEXT_COLUMNS:
        return _text_match(TEXT_COLUMNS[str(first)], negated, pattern, flags)
    attribute_named(str(first), _token_start(first))
    return _match(str(first), pattern, flags, negated=negated)


def _same(node: Node) -> SameAs:
    left, operator, right = _children(node)
    first, second = _children(left)
    label, attribute = _children(right)
    if second is not None or attribute is None:
        raise QueryError("Compare with a labelled token, as in lemma = a.lemma.", _start(node))
    return SameAs(
        attribute_named(str(first), _token_start(first)),
        str(label),
        attribute_named(str(attribute), _token_start(attribute)),
        str(operator) == "!=",
        _start(node),
    )


def _match(name: str, pattern: object, flags: Iterable[object], *, negated: bool) -> Match:
    position = _token_start(pattern)
    ignore_case, ignore_accents, literal = _flags(flags)
    attribute = attribute_named(name, position)
    text = _unquote(str(pattern))
    return Match(attribute, text, ignore_case, ignore_accents, negated, literal, position)


def _text_match(column: str, negated: bool, pattern: object, flags: Iterable[object]) -> TextMatch:
    ignore_case, ignore_accents, literal = _flags(flags)
    position = _token_start(pattern)
    if ignore_accents or literal:
        raise QueryError("Of the flags only %c works on text attributes.", position, ("%c",))
    return TextMatch(column, _unquote(str(pattern)), ignore_case, negated, position)


def _flags(flags: Iterable[object]) -> tuple[bool, bool, bool]:
    """Return (ignore case, ignore accents, literal) of ``%cdl``."""
    present = [flag for flag in flags if flag is not None]
    letters = str(present[0])[1:] if present else ""
    unknown = set(letters) - set("cdl")
    if unknown:
        position = _token_start(present[0])
        message = f"There is no flag %{min(unknown)}."
        raise QueryError(message, position, ("%c", "%d", "%l"))
    return "c" in letters, "d" in letters, "l" in letters


def _unquote(quoted: str) -> str:
    """Remove the quotes; a quote inside is written twice or after a backslash."""
    mark = quoted[0]
    return quoted[1:-1].replace(mark + mark, mark).replace("\\" + mark, mark)


# Restrictions


def _within(node: Node) -> Within:
    number, name = _children(node)
    count = int(str(number)) if number is not None else 1
    if name is None:
        if number is None:
            raise QueryError("Within what?", _start(node) + len("within"), ("s", "text", "20"))
        return Within("token", count)
    unit = WITHIN_UNITS.get(str(name))
    if unit is None or count < 1 or (unit == "token" and number is None):
        known = ("s", "text", "a number of tokens")
        raise QueryError(f"A match cannot be kept within “{name}”.", _token_start(name), known)
    return Within(unit, count)


def _constraint(node: Node) -> Constraint:
    match node.data:
        case "global_or":
            return GlobalOr(tuple(_constraint(_node(child)) for child in _children(node)))
        case "global_and":
            parts = tuple(_constraint(_node(child)) for child in _children(node))
            return parts[0] if len(parts) == 1 else GlobalAnd(parts)
        case "global_not":
            return GlobalNot(_constraint(_node(_children(node)[0])))
        case "comparison":
            return _label_match(node)
        case _:
            return _label_equal(node)


def _label_match(node: Node) -> LabelMatch:
    reference, operator, pattern, *flags = _children(node)
    label, name = _children(reference)
    if name is None:
        message = "Say of which token, as in a.lemma or match.text_kind."
        raise QueryError(message, _start(_node(reference)))
    negated = str(operator) == "!="
    if str(name) in TEXT_COLUMNS:
        column = TEXT_COLUMNS[str(name)]
        return LabelMatch(str(label), _text_match(column, negated, pattern, flags), _start(node))
    attribute_named(str(name), _token_start(name))
    return LabelMatch(str(label), _match(str(name), pattern, flags, negated=negated), _start(node))


def _label_equal(node: Node) -> LabelEqual:
    left, operator, right = _children(node)
    (label, name), (other, other_name) = _children(left), _children(right)
    if name is None or other_name is None:
        raise QueryError("Compare labelled tokens, as in a.lemma = b.lemma.", _start(node))
    return LabelEqual(
        str(label),
        attribute_named(str(name), _token_start(name)),
        str(other),
        attribute_named(str(other_name), _token_start(other_name)),
        str(operator) == "!=",
        _start(node),
    )


# Meet and union


def _meet_union(node: Node) -> MeetUnion:
    if node.data == "token":
        return _token(node)
    if node.data == "union":
        left, right = (_meet_union(_node(child)) for child in _children(node))
        return Union(left, right)
    keyword, first, second, reach = _children(node)
    left, right = _meet_union(_node(first)), _meet_union(_node(second))
    negated = str(keyword).startswith("not")
    if isinstance(reach, Tree):
        low, high = (int(str(number)) for number in _children(reach))
        if low > high:
            raise QueryError("The window ends before it starts.", _start(reach))
        return Meet(left, right, low, high, "", negated, _start(node))
    if str(reach) not in STRUCTURES:
        message = f"There is no structure “{reach}”."
        raise QueryError(message, _token_start(reach), STRUCTURES)
    return Meet(left, right, 0, 0, str(reach), negated, _start(node))


_PATTERNS: dict[str, Callable[[Node], Pattern]] = {
    "alternatives": _alternatives,
    "sequence": _sequence,
    "group": _first_pattern,
    "repetition": _repetition,
    "token": _token,
    "edge": _edge,
    "mu_query": _first_meet_union,
}
