"""Conditions of CQL, on a token or on a whole match: lark's tree → ours.

Input → output: a node of the grammar's ``_condition`` and the labels known so far → ``Condition``.
The names and meanings of the built-in functions are those of CQP's (CQP Interface and Query
Language Manual, version 3.5, section on built-in functions).
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

from search.engine.query.ast import (
    And,
    AttributeMatch,
    AttributeOf,
    Call,
    ColumnOf,
    Compare,
    Condition,
    Exists,
    Not,
    Number,
    Operand,
    Operator,
    Or,
    PositionOf,
    String,
    StructureOf,
    TextMatch,
)
from search.engine.query.attributes import (
    ATTRIBUTES,
    TEXT_COLUMNS,
    attribute_named,
    text_column_named,
)
from search.engine.query.errors import QueryError
from search.engine.query.language.cql_trees import (
    Node,
    children,
    node_of,
    number,
    start_of,
    text_of,
    token_start,
)


class Kind(StrEnum):
    """What sort of value an operand is."""

    NUMBER = "a number"
    STRING = "a string"
    ATTRIBUTE = "an attribute such as lemma"
    STRUCTURE = "s or text"


@dataclass(frozen=True, slots=True)
class Function:
    """Kinds of the arguments and of the result."""

    takes: tuple[Kind, ...]
    gives: Kind


_TWO_NUMBERS = Function((Kind.NUMBER, Kind.NUMBER), Kind.NUMBER)
_TWO_STRINGS = Function((Kind.STRING, Kind.STRING), Kind.STRING)

FUNCTIONS: dict[str, Function] = {
    "f": Function((Kind.ATTRIBUTE,), Kind.NUMBER),
    "distance": _TWO_NUMBERS,
    "dist": _TWO_NUMBERS,
    "distabs": _TWO_NUMBERS,
    "int": Function((Kind.STRING,), Kind.NUMBER),
    "lbound": Function((Kind.STRUCTURE,), Kind.NUMBER),
    "rbound": Function((Kind.STRUCTURE,), Kind.NUMBER),
    "unify": _TWO_STRINGS,
    "ambiguity": Function((Kind.STRING,), Kind.NUMBER),
    "add": _TWO_NUMBERS,
    "sub": _TWO_NUMBERS,
    "mul": _TWO_NUMBERS,
    "prefix": _TWO_STRINGS,
    "is_prefix": Function((Kind.STRING, Kind.STRING), Kind.NUMBER),
    "minus": _TWO_STRINGS,
    "ignore": Function((Kind.NUMBER,), Kind.NUMBER),
    "normalize": _TWO_STRINGS,
    "lbound_of": Function((Kind.STRUCTURE, Kind.NUMBER), Kind.NUMBER),
    "rbound_of": Function((Kind.STRUCTURE, Kind.NUMBER), Kind.NUMBER),
    "strlen": Function((Kind.STRING,), Kind.NUMBER),
}


def kind_of(operand: Operand) -> Kind:
    """Return what sort of value an operand has."""
    match operand:
        case Number() | PositionOf() | StructureOf():
            return Kind.NUMBER
        case Call(name):
            return FUNCTIONS[name].gives
        case _:
            return Kind.STRING


def fits(operand: Operand, wanted: Kind) -> bool:
    """Say whether an operand can stand where a kind of value is wanted."""
    if wanted is Kind.ATTRIBUTE:
        return isinstance(operand, AttributeOf)
    if wanted is Kind.STRUCTURE:
        return isinstance(operand, StructureOf | ColumnOf)
    return kind_of(operand) is wanted


STRUCTURES = ("s", "text")
THIS = "_"
MAX_IMPLICATIONS = 50  # each is one level deeper, and planning recurses
ORDERS = frozenset((Operator.LESS, Operator.GREATER, Operator.AT_MOST, Operator.AT_LEAST))
EQUALITIES = frozenset((Operator.EQUAL, Operator.UNEQUAL))


def feature_pattern(pattern: str, feature: str) -> str:
    r"""Return the regular expression that finds a value in a set such as ``|a|b|``.

    Examples
    --------
    >>> feature_pattern("n.", "contains"), feature_pattern("n.", "matches")
    ('.*\\|(n[^|])\\|.*', '\\|((n[^|])\\|)+')
    """
    inner, at = [], 0
    while at < len(pattern):
        width = 2 if pattern[at] == "\\" else 1
        piece = pattern[at : at + width]
        inner.append("[^|]" if piece == "." else piece)
        at += width
    one = "".join(inner)
    return rf".*\|({one})\|.*" if feature == "contains" else rf"\|(({one})\|)+"


@dataclass(frozen=True, slots=True)
class ConditionReader:
    """Turns conditions of one place in the query into ours.

    Parameters
    ----------
    labels : collection of str
        Labels that are defined here.
    is_global : bool
        After ``::``, where there is no token that an attribute alone could be of.
    """

    labels: Collection[str]
    is_global: bool = False

    def read(self, node: Node) -> Condition:  # noqa: PLR0911 (one case per kind of node)
        """Turn a condition into ours.

        Raises
        ------
        QueryError
        """
        branches = children(node)
        match node.data:
            case "implication":
                if len(branches) > MAX_IMPLICATIONS:
                    message = f"More than {MAX_IMPLICATIONS} conditions joined by ->."
                    raise QueryError(message, start_of(node))
                parts = [self.read(node_of(branch)) for branch in branches]
                return reduce(lambda left, right: Or((Not(left), right)), parts)
            case "disjunction":
                return Or(tuple(self.read(node_of(branch)) for branch in branches))
            case "conjunction":
                conditions = tuple(self.read(node_of(branch)) for branch in branches)
                return conditions[0] if len(conditions) == 1 else And(conditions)
            case "negation":
                return Not(self.read(node_of(branches[0])))
            case "comparison":
                return self._comparison(node)
            case "feature":
                return self._feature(node)
            case _:
                return Exists(self._operand(node_of(branches[0])), start_of(node))

    def _comparison(self, node: Node) -> Condition:
        left_node, sign, right_node = children(node)
        operator = Operator(str(sign))
        left = self._operand(node_of(left_node))
        right = self._operand(node_of(right_node))
        kinds = {kind_of(left), kind_of(right)}
        if len(kinds) > 1:
            raise QueryError("A number and a string cannot be compared.", token_start(sign))
        if operator in ORDERS and Kind.STRING in kinds and not _has_order(left, right):
            message = f"{operator} compares numbers and text_date, text_month, text_year."
            raise QueryError(message, token_start(sign), ("=", "!="))
        if isinstance(right, String):
            return _with_text(left, operator, right, start_of(node))
        return Compare(left, operator, right, start_of(node))

    def _feature(self, node: Node) -> Condition:
        left_node, negation, feature, text_node = children(node)
        left, text = self._operand(node_of(left_node)), _text(node_of(text_node))
        if kind_of(left) is not Kind.STRING:
            raise QueryError(f"“{feature}” needs an attribute before it.", start_of(node))
        if text.literal:
            message = f"%l cannot be used with “{feature}”."
            raise QueryError(message, text.position, ("%c", "%d"))
        pattern = feature_pattern(text.pattern, str(feature))
        wanted = String(pattern, text.ignore_case, text.ignore_accents, position=text.position)
        operator = Operator.EQUAL if negation is None else Operator.UNEQUAL
        return _with_text(left, operator, wanted, start_of(node))

    def _operand(self, node: Node) -> Operand:
        match node.data:
            case "call":
                return self._call(node)
            case "number":
                return Number(number(children(node)[0]))
            case "text":
                return _text(node)
            case _:
                return self._reference(node)

    def _reference(self, node: Node) -> Operand:
        first, second = children(node)
        name, position = str(first), start_of(node)
        if second is None:
            return self._name(name, position)
        is_this = name == THIS and not self.is_global
        label = "" if is_this else self._label(name, position)
        if _is_of_text(str(second)):
            column = text_column_named(str(second), token_start(second))
            return ColumnOf(label, column, position)
        return AttributeOf(label, attribute_named(str(second), token_start(second)), position)

    def _name(self, name: str, position: int) -> Operand:
        """Read a name without a label: an attribute of this token, a label or a structure."""
        if name == THIS or name in self.labels:
            return PositionOf("" if name == THIS else name, position)
        if name in STRUCTURES:
            return StructureOf(name, position)
        if self.is_global:
            known = name in ATTRIBUTES or name in TEXT_COLUMNS
            message = "Say of which token, as in a.lemma or match.text_kind."
            if not known:
                message = f"No token has the label “{name}”."
            raise QueryError(message, position, () if known else tuple(sorted(self.labels)))
        if _is_of_text(name):
            return ColumnOf("", text_column_named(name, position), position)
        return AttributeOf("", attribute_named(name, position), position)

    def _label(self, name: str, position: int) -> str:
        if name not in self.labels:
            where = "" if self.is_global else " before this one"
            message = f"No token{where} has the label “{name}”."
            raise QueryError(message, position, tuple(sorted(self.labels)))
        return name

    def _call(self, node: Node) -> Call:
        first, *rest = children(node)
        name, position = str(first), start_of(node)
        function = FUNCTIONS.get(name)
        if function is None:
            raise QueryError(f"There is no function “{name}”.", position, tuple(FUNCTIONS))
        arguments = tuple(self._operand(node_of(branch)) for branch in rest)
        if len(arguments) != len(function.takes):
            message = f"“{name}” takes {len(function.takes)} values, not {len(arguments)}."
            raise QueryError(message, position, tuple(function.takes))
        for branch, argument, wanted in zip(rest, arguments, function.takes, strict=True):
            if not fits(argument, wanted):
                raise QueryError(f"“{name}” needs {wanted} here.", start_of(node_of(branch)))
        return Call(name, arguments, position)


def _is_of_text(name: str) -> bool:
    return name.startswith("text_")


def _text(node: Node) -> String:
    quoted, flags = children(node)
    return text_of(quoted, [flags])


def _has_order(left: Operand, right: Operand) -> bool:
    dates = ("day", "month", "year")
    return isinstance(left, ColumnOf) and left.column in dates and isinstance(right, String)


def _with_text(left: Operand, operator: Operator, text: String, position: int) -> Condition:
    """Compare with a string; attributes of the token itself have a form of their own."""
    flags = text.ignore_case, text.ignore_accents
    if operator in EQUALITIES:
        negated = operator is Operator.UNEQUAL
        match left:
            case AttributeOf("", attribute):
                return AttributeMatch(
                    attribute, text.pattern, *flags, negated, text.literal, text.position
                )
            case ColumnOf("", column):
                return TextMatch(
                    column, text.pattern, flags[0], negated, flags[1], text.literal, text.position
                )
    return Compare(left, operator, text, position)
