"""Syntax tree → CQL text: what a simple query means, to be read, edited and learnt from.

``parse_cql(to_cql(query))`` is the same query again.
"""

from search.query.ast import (
    Alternatives,
    And,
    Anything,
    Attribute,
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
    Token,
    Union,
    Within,
)
from search.query.attributes import TEXT_COLUMNS

COLUMN_NAMES = {column: name for name, column in TEXT_COLUMNS.items()}
SIGNS = {(0, 1): "?", (0, None): "*", (1, None): "+"}


def to_cql(query: Query) -> str:
    """Write a query as CQL."""
    parts = [_top(query.pattern)]
    if query.constraint is not None:
        parts.append(f":: {_constraint(query.constraint)}")
    if query.within is not None:
        parts.append(_within(query.within))
    return " ".join(parts)


def _top(pattern: Pattern) -> str:
    match pattern:
        case Alternatives(choices):
            return " | ".join(_choice(choice) for choice in choices)
        case Meet() | Union():
            return f"MU{_meet_union(pattern)}"
        case _:
            return _pattern(pattern)


def _choice(pattern: Pattern) -> str:
    if isinstance(pattern, Alternatives):
        return f"({_top(pattern)})"
    return _pattern(pattern)


def _pattern(pattern: Pattern) -> str:
    match pattern:
        case Token():
            return _token(pattern)
        case Sequence(parts):
            return " ".join(_inner(part) for part in parts)
        case Repetition(part, least, most):
            inner = f"({_pattern(part)})" if isinstance(part, Repetition) else _inner(part)
            return f"{inner}{_quantifier(least, most)}"
        case Edge():
            return _edge(pattern)
        case _:
            return f"({_top(pattern)})"


def _inner(pattern: Pattern) -> str:
    """Write a part of a sequence or what is repeated."""
    return f"({_pattern(pattern)})" if isinstance(pattern, Sequence) else _pattern(pattern)


def _quantifier(least: int, most: int | None) -> str:
    sign = SIGNS.get((least, most))
    if sign is not None:
        return sign
    if least == most:
        return f"{{{least}}}"
    return f"{{{least},{'' if most is None else most}}}"


def _edge(edge: Edge) -> str:
    slash = "" if edge.is_start else "/"
    if edge.test is None:
        return f"<{slash}{edge.structure}>"
    test = edge.test
    sign = "!=" if test.negated else "="
    name = COLUMN_NAMES[test.column]
    return f"<{slash}{name}{sign}{_quoted(test.pattern)}{_flags(test)}>"


def _token(token: Token) -> str:
    label = "" if not token.label else "@" if token.label == "target" else f"{token.label}:"
    condition = token.condition
    if isinstance(condition, Anything):
        return f"{label}[]"
    if isinstance(condition, Match) and condition.attribute is Attribute.WORD:
        plain = f"{label}{_quoted(condition.pattern)}{_flags(condition)}"
        return plain if not condition.negated else f"{label}[{_condition(condition)}]"
    return f"{label}[{_condition(condition)}]"


def _condition(condition: Condition) -> str:
    match condition:
        case Match() | TextMatch() | SameAs():
            return _comparison(condition)
        case Not(inner):
            return f"!({_condition(inner)})"
        case And(conditions):
            return " & ".join(_bracketed(part) for part in conditions)
        case Or(conditions):
            return " | ".join(_bracketed(part) for part in conditions)
        case Anything():
            return 'word=".*"'


def _comparison(condition: Match | TextMatch | SameAs) -> str:
    sign = "!=" if condition.negated else "="
    if isinstance(condition, SameAs):
        other = f"{condition.label}.{condition.label_attribute.value}"
        return f"{condition.attribute.value}{sign}{other}"
    name = (
        condition.attribute.value
        if isinstance(condition, Match)
        else f"_.{COLUMN_NAMES[condition.column]}"
    )
    return f"{name}{sign}{_quoted(condition.pattern)}{_flags(condition)}"


def _bracketed(condition: Condition) -> str:
    written = _condition(condition)
    return f"({written})" if isinstance(condition, And | Or) else written


def _flags(match: Match | TextMatch) -> str:
    letters = "c" * match.ignore_case
    if isinstance(match, Match):
        letters += "d" * match.ignore_accents + "l" * match.literal
    return f"%{letters}" if letters else ""


def _quoted(pattern: str) -> str:
    doubled = pattern.replace('"', '""')
    return f'"{doubled}"'


def _within(within: Within) -> str:
    if within.unit == "token":
        return f"within {within.count}"
    count = f"{within.count} " if within.count != 1 else ""
    return f"within {count}{within.unit}"


def _meet_union(pattern: MeetUnion) -> str:
    match pattern:
        case Token():
            return _token(pattern)
        case Union(left, right):
            return f"(union {_meet_union(left)} {_meet_union(right)})"
        case Meet(left, right):
            verb = "not meet" if pattern.negated else "meet"
            reach = pattern.structure or f"{pattern.low} {pattern.high}"
            return f"({verb} {_meet_union(left)} {_meet_union(right)} {reach})"


def _constraint(constraint: Constraint) -> str:
    match constraint:
        case LabelEqual():
            sign = "!=" if constraint.negated else "="
            left = f"{constraint.left}.{constraint.left_attribute.value}"
            return f"{left} {sign} {constraint.right}.{constraint.right_attribute.value}"
        case LabelMatch(label, condition):
            name = (
                condition.attribute.value
                if isinstance(condition, Match)
                else COLUMN_NAMES[condition.column]
            )
            sign = "!=" if condition.negated else "="
            flags = _flags(condition)
            return f"{label}.{name} {sign} {_quoted(condition.pattern)}{flags}"
        case GlobalNot(inner):
            return f"!({_constraint(inner)})"
        case GlobalAnd(parts):
            return " & ".join(_global_bracketed(part) for part in parts)
        case GlobalOr(parts):
            return " | ".join(_global_bracketed(part) for part in parts)


def _global_bracketed(constraint: Constraint) -> str:
    written = _constraint(constraint)
    return f"({written})" if isinstance(constraint, GlobalAnd | GlobalOr) else written
