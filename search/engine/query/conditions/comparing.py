"""Conditions on values: comparisons, existence, and what is put together from them.

Input → output: a condition and candidates → which of them meet it. A value that does not exist
(the attribute of a label that is not set) meets no comparison, neither ``=`` nor ``!=``, as in CQP.
"""

from collections.abc import Callable
from functools import reduce
from itertools import compress

import numpy as np

from search.engine.arrays import Array, Mask
from search.engine.index.joined_names import JOINED_COLUMNS, names_in
from search.engine.index.lexicon.folding import strip_accents
from search.engine.index.lexicon.strings import encode_strings, make_chunk
from search.engine.query.ast import (
    And,
    Attribute,
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
    PositionOf,
    String,
    StructureOf,
    TextMatch,
)
from search.engine.query.conditions.candidates import Candidates
from search.engine.query.conditions.patterns import Matcher
from search.engine.query.conditions.values import ValueKind, Values, values_of
from search.engine.query.dialect import escaped, is_plain

_COMPARE: dict[Operator, Callable[[Array, Array], Array]] = {
    Operator.EQUAL: np.equal,
    Operator.UNEQUAL: np.not_equal,
    Operator.LESS: np.less,
    Operator.GREATER: np.greater,
    Operator.AT_MOST: np.less_equal,
    Operator.AT_LEAST: np.greater_equal,
}
_EQUALITIES = (Operator.EQUAL, Operator.UNEQUAL)


def combined(condition: Condition, leaf: Callable[[Condition], Mask]) -> Mask:
    """Put together what each part of a condition says, asked of those that have no parts."""
    match condition:
        case Not(inner):
            return ~combined(inner, leaf)
        case And(conditions):
            return reduce(np.logical_and, [combined(part, leaf) for part in conditions])
        case Or(conditions):
            return reduce(np.logical_or, [combined(part, leaf) for part in conditions])
        case _:
            return leaf(condition)


def leaves(condition: Condition) -> list[Condition]:
    """Return the parts of a condition that have no parts themselves."""
    match condition:
        case Not(inner):
            return leaves(inner)
        case And(conditions) | Or(conditions):
            return [leaf for part in conditions for leaf in leaves(part)]
        case _:
            return [condition]


def compare(condition: Compare | Exists, candidates: Candidates) -> Mask:
    """Return which candidates meet a comparison."""
    if isinstance(condition, Exists):
        return _exists(condition.operand, candidates)
    left = values_of(condition.left, candidates)
    if isinstance(condition.right, String):
        if condition.operator in _EQUALITIES:
            return _matches(condition, condition.right, left, candidates)
        right = Values(
            ValueKind.STRING, np.full(len(candidates), condition.right.pattern, dtype=object)
        )
    else:
        right = values_of(condition.right, candidates)
    if left.kind is right.kind:
        a, b = left.data, right.data
    else:
        a, b = left.strings(candidates.snapshot.lexicon), right.strings(candidates.snapshot.lexicon)
    result: Mask = _COMPARE[condition.operator](a, b).astype(np.bool_)
    if left.kind is ValueKind.STRING and condition.operator not in _EQUALITIES:
        result &= (a != "") & (b != "")  # a text without a date is before and after none
    for known in (left.known, right.known):
        if known is not None:
            result &= known
    return result


def _matches(condition: Compare, text: String, left: Values, candidates: Candidates) -> Mask:
    """Compare with a regular expression, once for each different value."""
    unique, inverse = np.unique(left.strings(candidates.snapshot.lexicon), return_inverse=True)
    is_joined = isinstance(condition.left, ColumnOf) and condition.left.column in JOINED_COLUMNS
    same = (match_names if is_joined else match_strings)(unique.tolist(), text)
    result: Mask = same[inverse]
    negated = condition.operator is Operator.UNEQUAL
    if negated:
        result = ~result
    if left.known is not None:
        result &= left.known
        if negated and _is_listed(condition.left, text):
            result |= ~left.known
    return result


def _is_listed(operand: Operand, text: String) -> bool:
    """Say whether CQP turns the comparison into a list of the attribute's values beforehand.

    It does so with regular expressions for attributes with fewer than 1,000 values. A label that is
    not set is then in no list, so that ``!=`` holds for it.
    """
    is_tag = isinstance(operand, AttributeOf) and operand.attribute is Attribute.TAG
    has_flags = text.ignore_case or text.ignore_accents
    return is_tag and not text.literal and (has_flags or not is_plain(text.pattern))


def string_of(match: AttributeMatch | TextMatch) -> String:
    """Return what an attribute or a property is compared with."""
    flags = match.ignore_case, match.ignore_accents, match.literal
    return String(match.pattern, *flags, match.position)


def match_strings(strings: list[str], text: String) -> Mask:
    """Return which of some strings a regular expression matches whole."""
    if not strings:
        return np.zeros(0, dtype=np.bool_)
    pattern = escaped(text.pattern) if text.literal else text.pattern
    safe = [string.replace("\n", " ") for string in strings]
    if text.ignore_accents:
        pattern, safe = strip_accents(pattern), [strip_accents(string) for string in safe]
    matcher = Matcher(pattern, text.position, ignore_case=text.ignore_case)
    return matcher.match(make_chunk(0, encode_strings(safe)))


def match_names(values: list[str], text: String) -> Mask:
    """Return which values are, or hold among others, a name that a regular expression matches."""
    named = [{value, *names_in(value)} for value in values]
    names = sorted(set().union(*named))
    matching = set(compress(names, match_strings(names, text)))
    return np.array([not matching.isdisjoint(each) for each in named], dtype=np.bool_)


def _exists(operand: Operand, candidates: Candidates) -> Mask:
    values = values_of(operand, candidates)
    result = np.ones(len(candidates), dtype=np.bool_)
    if isinstance(operand, PositionOf):
        result = values.data >= 0
    elif values.kind is ValueKind.NUMBER:
        result = values.data != 0
    return result if values.known is None else result & values.known


def operands_in(condition: Condition) -> list[Operand]:
    """Return all values that a condition compares, those that functions are given among them."""
    found: list[Operand] = []
    for leaf in leaves(condition):
        if isinstance(leaf, Compare):
            found += leaf.left, leaf.right
        elif isinstance(leaf, Exists):
            found.append(leaf.operand)
    for operand in found:  # it grows by what calls hold
        if isinstance(operand, Call):
            found += operand.arguments
    return found


def labels_in(condition: Condition) -> set[str]:
    """Return the labels a condition names, the token itself not among them."""
    named = AttributeOf | ColumnOf | PositionOf
    operands = operands_in(condition)
    return {operand.label for operand in operands if isinstance(operand, named)} - {""}


def looks_at_documents(condition: Condition) -> bool:
    """Say whether the type of the token alone does not decide a condition."""
    return any(isinstance(leaf, TextMatch) or not is_of_type(leaf) for leaf in leaves(condition))


def is_of_type(condition: Condition) -> bool:
    """Say whether the type of the token alone decides a comparison."""
    placed = ColumnOf | PositionOf | StructureOf
    return not any(isinstance(one, placed) for one in operands_in(condition)) and not labels_in(
        condition
    )
