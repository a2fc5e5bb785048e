"""The built-in functions of CQL: what they take and give.

The names and their meanings are those of CQP's (CQP Interface and Query Language Manual, version
3.5, section on built-in functions).
"""

from dataclasses import dataclass
from enum import StrEnum

from search.query.ast import (
    AttributeOf,
    Call,
    ColumnOf,
    Number,
    Operand,
    PositionOf,
    StructureOf,
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
