"""Values of operands: attributes, text columns, positions, numbers, functions of these.

Input → output: an operand and the tokens it is about → ``Values``, one per candidate. Words and
lemmas stay numbers of the lexicon as long as they are only compared with one another.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any

import numpy as np

from search.engine.arrays import I64, U32, Array, Index, Mask
from search.engine.index.lexicon.folding import lower, strip_accents
from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.query.ast import (
    Attribute,
    AttributeOf,
    Call,
    ColumnOf,
    Number,
    Operand,
    PositionOf,
    String,
    StructureOf,
)
from search.engine.query.conditions.candidates import Candidates, PositionCandidates
from search.engine.query.conditions.text_columns import column_values
from search.engine.query.errors import QueryError
from search.engine.query.reach import bounds_around

MOST_DIGITS = 30  # more make no difference to a number of 64 bits
IN_REGION, AT_START, AT_END = 4, 1, 2  # what CQP makes of the bare name of a region


class ValueKind(Enum):
    """What the numbers of ``Values`` stand for."""

    NUMBER = auto()
    FORM = auto()
    TAG = auto()
    STEM = auto()
    ASCII = auto()
    STRING = auto()


@dataclass(frozen=True, slots=True)
class Values:
    """One value per candidate.

    Parameters
    ----------
    data : ndarray of shape (n,)
        Numbers, numbers of forms or tags, or strings (dtype object).
    known : ndarray of shape (n,) or None
        Where there is a value; None for everywhere.
    """

    kind: ValueKind
    data: Array
    known: Mask | None = None

    def strings(self, lexicon: LexiconView) -> Array:
        """Return the values as strings."""
        if self.kind is ValueKind.STRING:
            return self.data
        unique, inverse = np.unique(self.data, return_inverse=True)
        if self.kind is ValueKind.FORM:
            spelled = lexicon.forms_of(unique)
        elif self.kind is ValueKind.TAG:
            names = lexicon.tag_names()
            spelled = [names[number] for number in unique.tolist()]
        elif self.kind is ValueKind.STEM:
            spelled = [lexicon.stem(number) for number in unique.tolist()]
        elif self.kind is ValueKind.ASCII:
            spelled = [lexicon.ascii_form(number) for number in unique.tolist()]
        else:
            spelled = [str(number) for number in unique.tolist()]
        return as_objects(spelled)[inverse]


def as_objects(strings: list[str]) -> Array:
    """Return strings as an array of Python objects."""
    result = np.empty(len(strings), dtype=object)
    result[:] = strings
    return result


def values_of(operand: Operand, candidates: Candidates) -> Values:  # noqa: PLR0911 (one case per kind of node)
    """Return the value of an operand for each candidate.

    Raises
    ------
    QueryError
        If the operand has no meaning there.
    """
    match operand:
        case AttributeOf(label, attribute):
            types, known = candidates.types(label)
            return _attribute(candidates.snapshot.lexicon, attribute, types, known)
        case ColumnOf(label, column):
            return _column(_positioned(candidates, operand.position), label, column)
        case PositionOf(label):
            # A label that is not set stands nowhere: a number for it would be counted from the
            # segment's start, and the hits would change with the next merge.
            positions = _positioned(candidates, operand.position).positions(label)
            return Values(ValueKind.NUMBER, positions, positions >= 0)
        case StructureOf(structure):
            return _region(_positioned(candidates, operand.position), structure)
        case Number(value):
            return Values(ValueKind.NUMBER, np.full(len(candidates), value, dtype=np.int64))
        case String(pattern):
            return Values(ValueKind.STRING, np.full(len(candidates), pattern, dtype=object))
        case Call():
            return _FUNCTIONS[operand.name](operand, candidates)


def type_column(lexicon: LexiconView, attribute: Attribute) -> U32:  # noqa: PLR0911 (one case per attribute)
    """Return the number of each type's value under an attribute: shape (n_types,)."""
    match attribute:
        case Attribute.TAG:
            return lexicon.tags
        case Attribute.STEM:
            stems: U32 = lexicon.stems[lexicon.words]
            return stems
        case Attribute.ASCII:
            plain: U32 = lexicon.ascii[lexicon.words]
            return plain
        case Attribute.LEMMA:
            return lexicon.lemmas
        case Attribute.LOWER:
            lowered: U32 = lexicon.lower[lexicon.words]
            return lowered
        case Attribute.FOLDED:
            folded: U32 = lexicon.folded[lexicon.words]
            return folded
        case _:
            return lexicon.words


def _attribute(
    lexicon: LexiconView, attribute: Attribute, types: U32, known: Mask | None
) -> Values:
    kinds = {
        Attribute.TAG: ValueKind.TAG,
        Attribute.STEM: ValueKind.STEM,
        Attribute.ASCII: ValueKind.ASCII,
    }
    kind = kinds.get(attribute, ValueKind.FORM)
    return Values(kind, type_column(lexicon, attribute)[types], known)


def _positioned(candidates: Candidates, position: int) -> PositionCandidates:
    if isinstance(candidates, PositionCandidates):
        return candidates
    raise QueryError("This depends on where the token stands.", position)


def _column(candidates: PositionCandidates, label: str, column: str) -> Values:
    inside, positions = candidates.inside(label)
    rows = candidates.segment.document_of(np.where(positions >= 0, positions, 0))
    rows = np.minimum(rows, candidates.segment.n_documents - 1)
    return Values(
        ValueKind.STRING,
        column_values(candidates.snapshot, candidates.segment, column, rows),
        inside,
    )


def _region(candidates: PositionCandidates, structure: str) -> Values:
    """Return 4, plus 1 at the start of the region and 2 at its end; nothing outside."""
    inside, positions = candidates.inside("")
    starts, ends = region_bounds(candidates, structure, np.where(positions >= 0, positions, 0))
    data = np.full(len(candidates), IN_REGION, dtype=np.int64)
    data += AT_START * (starts == positions) + AT_END * (ends - 1 == positions)
    return Values(ValueKind.NUMBER, data, inside)


def region_bounds(
    candidates: PositionCandidates, structure: str, positions: I64
) -> tuple[I64, I64]:
    """Return the half-open sentence or text around each position."""
    segment = candidates.segment
    positions = np.minimum(positions, max(segment.n_tokens - 1, 0))
    return bounds_around(segment, structure, positions)


# Functions


Function = Callable[[Call, Candidates], Values]


def _both(*values: Values) -> Mask | None:
    """Return where all of some values are known."""
    known = [value.known for value in values if value.known is not None]
    return None if not known else np.logical_and.reduce(known)


def _frequency(call: Call, candidates: Candidates) -> Values:
    """``f``: how often the value of the attribute occurs in the whole corpus; 0 if unset."""
    values = values_of(call.arguments[0], candidates)
    operand = call.arguments[0]
    if not isinstance(operand, AttributeOf):
        raise QueryError("“f” needs an attribute.", call.position)
    column = type_column(candidates.snapshot.lexicon, operand.attribute)
    counts = np.bincount(column, weights=candidates.snapshot.type_counts).astype(np.int64)
    found = counts[values.data]
    return Values(ValueKind.NUMBER, found if values.known is None else found * values.known)


def _arithmetic(operation: Callable[[I64, I64], I64], call: Call, candidates: Candidates) -> Values:
    left, right = (values_of(argument, candidates) for argument in call.arguments)
    return Values(ValueKind.NUMBER, operation(left.data, right.data), _both(left, right))


def _distance(a: I64, b: I64) -> I64:
    return b - a


def _distabs(a: I64, b: I64) -> I64:
    apart: I64 = np.abs(b - a)
    return apart


def _per_string(function: Callable[[str], int | str], call: Call, candidates: Candidates) -> Values:
    """Apply a function of one string, once for each different value."""
    values = values_of(call.arguments[0], candidates)
    unique, inverse = np.unique(values.strings(candidates.snapshot.lexicon), return_inverse=True)
    results = [function(string) for string in unique.tolist()]
    return _collected(results, inverse, values.known)


def _per_pair(
    function: Callable[[str, str], int | str], call: Call, candidates: Candidates
) -> Values:
    """Apply a function of two strings."""
    left, right = (values_of(argument, candidates) for argument in call.arguments)
    lexicon = candidates.snapshot.lexicon
    pairs = zip(left.strings(lexicon).tolist(), right.strings(lexicon).tolist(), strict=True)
    remembered: dict[tuple[str, str], int | str] = {}
    results = []
    for pair in pairs:
        if pair not in remembered:
            remembered[pair] = function(*pair)
        results.append(remembered[pair])
    return _collected(results, np.arange(len(results)), _both(left, right))


def _collected(results: list[Any], inverse: Index, known: Mask | None) -> Values:
    if results and isinstance(results[0], str):
        return Values(ValueKind.STRING, as_objects(results)[inverse], known)
    return Values(ValueKind.NUMBER, np.array(results, dtype=np.int64)[inverse], known)


def _bound(flag: int, call: Call, candidates: Candidates) -> Values:
    """``lbound(s)``, ``rbound(s)``: 1 at the first (last) token of a region."""
    region = _region(_positioned(candidates, call.position), _structure_of(call.arguments[0]))
    return Values(ValueKind.NUMBER, (region.data & flag != 0).astype(np.int64), region.known)


def _bound_of(side: int, call: Call, candidates: Candidates) -> Values:
    """``lbound_of(s, a)``, ``rbound_of(s, a)``: first (last) position of a region."""
    placed = _positioned(candidates, call.position)
    positions = values_of(call.arguments[1], candidates).data
    bounds = region_bounds(placed, _structure_of(call.arguments[0]), np.maximum(positions, 0))
    inside: Mask = (positions >= 0) & (positions < placed.segment.n_tokens)
    return Values(ValueKind.NUMBER, bounds[side] - side, inside)


def _structure_of(operand: Operand) -> str:
    return operand.structure if isinstance(operand, StructureOf) else "text"


def _always(_call: Call, candidates: Candidates) -> Values:
    """``ignore(a)``: 1 whatever it is given."""
    return Values(ValueKind.NUMBER, np.ones(len(candidates), dtype=np.int64))


def whole_number(string: str) -> int:
    """Read the number a string begins with, as C's ``atoi`` does; 0 if there is none.

    Examples
    --------
    >>> whole_number("1990s"), whole_number("-3"), whole_number("x"), whole_number("9" * 30)
    (1990, -3, 0, -1)
    """
    string = string.lstrip()
    sign, digits = (string[0], string[1:]) if string[:1] in ("+", "-") else ("", string)
    stop = 0
    while stop < len(digits) and digits[stop].isascii() and digits[stop].isdigit():
        stop += 1
    number = int(f"{sign}{digits[:stop][:MOST_DIGITS]}") if stop else 0
    number = min(max(number, -(1 << 63)), (1 << 63) - 1)
    return ((number + (1 << 31)) % (1 << 32)) - (1 << 31)


def _common_prefix(a: str, b: str) -> str:
    stop = 0
    while stop < min(len(a), len(b)) and a[stop] == b[stop]:
        stop += 1
    return a[:stop]


def _is_prefix(a: str, b: str) -> int:
    return int(b.startswith(a))


def _minus(a: str, b: str) -> str:
    return a[len(_common_prefix(a, b)) :]


def _normalize(string: str, flags: str) -> str:
    if "c" in flags.lower():
        string = lower(string)
    return strip_accents(string) if "d" in flags.lower() else string


def _features(string: str) -> set[str]:
    """Return the members of a feature set such as ``|n|v|``."""
    return {member for member in string.split("|") if member}


def _ambiguity(string: str) -> int:
    return len(_features(string))


def _unify(a: str, b: str) -> str:
    common = sorted(_features(a) & _features(b))
    return f"|{'|'.join(common)}|" if common else "|"


_FUNCTIONS: dict[str, Function] = {
    "f": _frequency,
    "distance": partial(_arithmetic, _distance),
    "dist": partial(_arithmetic, _distance),
    "distabs": partial(_arithmetic, _distabs),
    "int": partial(_per_string, whole_number),
    "lbound": partial(_bound, AT_START),
    "rbound": partial(_bound, AT_END),
    "unify": partial(_per_pair, _unify),
    "ambiguity": partial(_per_string, _ambiguity),
    "add": partial(_arithmetic, np.add),
    "sub": partial(_arithmetic, np.subtract),
    "mul": partial(_arithmetic, np.multiply),
    "prefix": partial(_per_pair, _common_prefix),
    "is_prefix": partial(_per_pair, _is_prefix),
    "minus": partial(_per_pair, _minus),
    "ignore": _always,
    "normalize": partial(_per_pair, _normalize),
    "lbound_of": partial(_bound_of, 0),
    "rbound_of": partial(_bound_of, 1),
    "strlen": partial(_per_string, len),
}
