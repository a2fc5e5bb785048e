"""Syntax tree → CQL text: what a simple query means, to be read, edited and learnt from.

``parse_cql(to_cql(query))`` is the same query again.
"""

import re

from search.engine.query.ast import (
    NO_TARGET,
    TARGET,
    Alternatives,
    Anchor,
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
    Exists,
    Expansion,
    Meet,
    MeetUnion,
    Not,
    Number,
    Operand,
    Or,
    Pattern,
    PositionOf,
    Query,
    Region,
    Relative,
    Repetition,
    Sequence,
    Strategy,
    String,
    StructureOf,
    TextMatch,
    Token,
    TokenTable,
    Union,
    Within,
)
from search.engine.query.attributes import TEXT_COLUMNS

COLUMN_NAMES = {column: name for name, column in reversed(TEXT_COLUMNS.items())}
SIGNS = {(0, 1): "?", (0, None): "*", (1, None): "+"}
THIS = "_"
_QUOTE = re.compile(r"\\.|\"", re.DOTALL)


def to_cql(query: Query) -> str:
    """Write a query as CQL."""
    parts = []
    if query.strategy is not Strategy.STANDARD:
        parts.append(f"(?{query.strategy.value})")
    parts.append(_top(query.pattern))
    if query.constraint is not None:
        parts.append(f":: {_condition(query.constraint, is_global=True)}")
    if query.within is not None:
        parts.append(_within(query.within))
    parts += [f"!within {kind}" for kind in query.outside]
    parts += map(_relative, query.relatives)
    if query.shown is not None:
        parts.append(f"show {_anchor(query.shown[0])} .. {_anchor(query.shown[1])}")
    if query.cut is not None:
        parts.append(f"cut {query.cut}")
    if query.expansion is not None:
        parts.append(_expansion(query.expansion))
    return " ".join(parts)


# Patterns


def _top(pattern: Pattern) -> str:
    match pattern:
        case Alternatives(choices):
            return " | ".join(_choice(choice) for choice in choices)
        case Meet() | Union():
            return f"MU{_meet_union(pattern)}"
        case TokenTable():
            return _table(pattern)
        case _:
            return _pattern(pattern)


def _choice(pattern: Pattern) -> str:
    if isinstance(pattern, Alternatives):
        return f"({_top(pattern)})"
    return _pattern(pattern)


def _pattern(pattern: Pattern) -> str:
    match pattern:
        case Token():
            return token_to_cql(pattern)
        case Sequence(items):
            return " ".join(_inner(item) for item in items)
        case Repetition(item, least, most):
            inner = f"({_pattern(item)})" if isinstance(item, Repetition) else _inner(item)
            return f"{inner}{_quantifier(least, most)}"
        case Edge():
            return _edge(pattern)
        case Region():
            return _region(pattern)
        case _:
            return f"({_top(pattern)})"


def _inner(pattern: Pattern) -> str:
    """Write an item of a sequence or what is repeated."""
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
    name = edge.name or edge.structure
    if edge.test is None:
        return f"<{slash}{name}>"
    test = edge.test
    sign = "!=" if test.negated else "="
    name = edge.name or COLUMN_NAMES[test.column]
    return f"<{slash}{name}{sign}{_quoted(test.pattern)}{_flags(test)}>"


def _region(region: Region) -> str:
    start = _marks(region.start_label, region.start_target)
    end = _marks(region.end_label, region.end_target)
    slash = "/" if region.is_empty else ""
    return f"<<{start}{region.structure}{' ' if end else ''}{end.strip()}{slash}>>"


def _marks(label: str, target: int) -> str:
    mark = "" if target == NO_TARGET else "@:" if target == TARGET else f"@{target}:"
    return f"{mark}{label}:" if label else mark


def token_to_cql(token: Token) -> str:
    """Write one token.

    Examples
    --------
    >>> token_to_cql(Token(AttributeMatch(Attribute.LEMMA, "go")))
    '[lemma="go"]'
    """
    marks = _marks(token.label, token.target)
    if marks == "@:":
        marks = "@"
    condition = token.condition
    if token.is_ahead:
        return (
            f"{marks}[:{'' if isinstance(condition, Anything) else f' {_condition(condition)} '}:]"
        )
    if isinstance(condition, Anything):
        return f"{marks}[]"
    if (
        isinstance(condition, AttributeMatch)
        and condition.attribute is Attribute.WORD
        and not condition.negated
    ):
        return f"{marks}{_quoted(condition.pattern)}{_flags(condition)}"
    return f"{marks}[{_condition(condition)}]"


def _table(table: TokenTable) -> str:
    parts = [token_to_cql(table.tokens[0])]
    for gap, token in zip(table.gaps, table.tokens[1:], strict=True):
        parts += [] if gap == (0, 0) else [_quantifier(*gap)]
        parts.append(token_to_cql(token))
    return f"TAB {' '.join(parts)}"


def _meet_union(pattern: MeetUnion) -> str:
    match pattern:
        case Token():
            return token_to_cql(pattern)
        case Union(left, right):
            return f"(union {_meet_union(left)} {_meet_union(right)})"
        case Meet(left, right):
            reach = pattern.structure or f"{pattern.low} {pattern.high}"
            negation = "not " if pattern.negated else ""
            return f"(meet {_meet_union(left)} {negation}{_meet_union(right)} {reach})"


# Conditions


def _condition(  # noqa: PLR0911 (one case per kind of node)
    condition: Condition, *, is_global: bool = False
) -> str:
    match condition:
        case AttributeMatch() | TextMatch():
            return _simple(condition)
        case Compare(left, operator, right):
            sides = map(_operand, (left, right))
            return f" {operator.value} ".join(sides) if is_global else operator.value.join(sides)
        case Exists(operand):
            return _operand(operand)
        case Not(inner):
            return f"!({_condition(inner, is_global=is_global)})"
        case And(conditions):
            return " & ".join(_bracketed(item, is_global=is_global) for item in conditions)
        case Or(conditions):
            return " | ".join(_bracketed(item, is_global=is_global) for item in conditions)
        case Anything():
            return 'word=".*"'


def _bracketed(condition: Condition, *, is_global: bool) -> str:
    written = _condition(condition, is_global=is_global)
    return f"({written})" if isinstance(condition, And | Or) else written


def _simple(condition: AttributeMatch | TextMatch) -> str:
    sign = "!=" if condition.negated else "="
    if isinstance(condition, AttributeMatch):
        name = condition.attribute.value
    else:
        name = f"{THIS}.{COLUMN_NAMES[condition.column]}"
    return f"{name}{sign}{_quoted(condition.pattern)}{_flags(condition)}"


def _operand(operand: Operand) -> str:  # noqa: PLR0911 (one case per kind of node)
    match operand:
        case AttributeOf(label, attribute):
            return f"{label}.{attribute.value}" if label else attribute.value
        case ColumnOf(label, column):
            return f"{label or THIS}.{COLUMN_NAMES[column]}"
        case PositionOf(label):
            return label or THIS
        case StructureOf(structure):
            return structure
        case Number(value):
            return str(value)
        case String(pattern):
            return f"{_quoted(pattern)}{_flags(operand)}"
        case Call(name, arguments):
            return f"{name}({', '.join(map(_operand, arguments))})"


def _flags(match: AttributeMatch | TextMatch | String) -> str:
    letters = "c" * match.ignore_case + "d" * match.ignore_accents + "l" * match.literal
    return f"%{letters}" if letters else ""


def _quoted(pattern: str) -> str:
    """Write a string in quotes; those inside are doubled unless a backslash keeps them."""
    doubled = _QUOTE.sub(lambda found: '""' if found[0] == '"' else found[0], pattern)
    return f'"{doubled}"'


# Restrictions


def _relative(relative: Relative) -> str:
    sign = "!" if relative.negated else ""
    inner = " ".join([_top(relative.pattern), *map(_relative, relative.relatives)])
    return f"{sign}{relative.relation.value} ({inner})"


def _within(within: Within) -> str:
    if within.unit == "token":
        return f"within {within.count}"
    return f"within {_count(within.count)}{within.unit}"


def _expansion(expansion: Expansion) -> str:
    sides = {(True, False): "left ", (False, True): "right "}
    side = sides.get((expansion.to_left, expansion.to_right), "")
    if expansion.unit == "token":
        return f"expand {side}to {expansion.count}"
    return f"expand {side}to {_count(expansion.count)}{expansion.unit}"


def _count(count: int) -> str:
    return f"{count} " if count != 1 else ""


def _anchor(anchor: Anchor) -> str:
    return f"{anchor.label}[{anchor.offset}]" if anchor.offset else anchor.label
