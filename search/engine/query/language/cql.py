"""CQL text → syntax tree.

Parsing is lark's; this module and the ones beside it turn its tree into ours and its errors into
``QueryError``.
"""

import re
from contextlib import suppress

from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from search.engine.query.ast import (
    Anchor,
    Condition,
    Expansion,
    Nesting,
    Query,
    Relative,
    Strategy,
    Within,
)
from search.engine.query.attributes import BLOCKS, TEXT_COLUMNS
from search.engine.query.errors import QueryError
from search.engine.query.language.cql_conditions import STRUCTURES, ConditionReader
from search.engine.query.language.cql_grammar import TERMINAL_NAMES
from search.engine.query.language.cql_patterns import PatternReader
from search.engine.query.language.cql_tables import cql_parser
from search.engine.query.language.cql_trees import (
    Node,
    children,
    node_of,
    number,
    start_of,
    token_start,
    whole_number,
)
from search.engine.query.language.word_lists import WordLists, put_in_lists

UNITS = {"s": "s", "text": "text", "token": "token", "tokens": "token", "word": "token"}
UNITS |= {"words": "token"} | dict.fromkeys(TEXT_COLUMNS, "text")
RELATIONS = {
    "within_pattern": (Nesting.WITHIN, False),
    "containing_pattern": (Nesting.CONTAINING, False),
    "not_within_pattern": (Nesting.WITHIN, True),
    "not_containing_pattern": (Nesting.CONTAINING, True),
}
# What may stand behind “within”, for messages.
REGIONS = (*STRUCTURES, "a number of tokens", *BLOCKS, "a pattern")
# Several patterns may be named; of everything else a query has one.
_MACRO = re.compile(r"/[A-Za-z_]\w*")
NAMES = {"constraint": "::", "within": "within", "cut": "cut", "show": "show", "expand": "expand"}


def parse_cql(text: str, lists: WordLists = ()) -> Query:
    """Parse a CQL query; `lists` are the word lists that it may name.

    Raises
    ------
    QueryError
        With position and what was expected there.
    """
    try:
        tree = cql_parser().parse(text)
    except UnexpectedInput as error:
        raise _explain(text, error) from error
    put_in_lists(tree, lists)
    return _Restrictions(text).read(tree)


class _Restrictions:
    """Reads a whole query: the pattern and what stands behind it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._patterns = PatternReader()
        self._seen: set[str] = set()

    def read(self, tree: Node) -> Query:
        modifier, pattern_node, *tails = children(tree)
        pattern = self._patterns.read(node_of(pattern_node))
        within: Within | None = None
        constraint: Condition | None = None
        relatives: list[Relative] = []
        cut: int | None = None
        shown: tuple[Anchor, Anchor] | None = None
        expansion: Expansion | None = None
        outside: list[str] = []
        for tail in tails:
            node = node_of(tail)
            self._once(node)
            match str(node.data):
                case "within":
                    within = _within(node)
                case "constraint":
                    constraint = self._constraint(node)
                case "cut":
                    cut = whole_number(children(node)[0], 1)
                case "show":
                    shown = self._shown(node)
                case "expand":
                    expansion = _expansion(node)
                case "outside":
                    outside.append(_block(node))
                case _:
                    relatives.append(_relative(node))
        return Query(
            pattern, within, constraint, _strategy(modifier), tuple(relatives), shown, cut,
            expansion, tuple(outside), text=self._text,
        )  # fmt: skip

    def _once(self, node: Node) -> None:
        name = NAMES.get(str(node.data))
        if name in self._seen:
            raise QueryError(f"There is more than one “{name}”.", start_of(node))
        if name is not None:
            self._seen.add(name)

    def _constraint(self, node: Node) -> Condition:
        labels = self._patterns.labels | {"matchend"}
        return ConditionReader(labels, is_global=True).read(node_of(children(node)[0]))

    def _shown(self, node: Node) -> tuple[Anchor, Anchor]:
        first, last = (self._anchor(node_of(child)) for child in children(node))
        for anchor, forbidden in ((first, "matchend"), (last, "match")):
            if anchor.label == forbidden:
                message = f"“{forbidden}” cannot stand on this side of “..”."
                raise QueryError(message, start_of(node))
        return first, last

    def _anchor(self, node: Node) -> Anchor:
        name, offset = children(node)
        if str(name) not in self._patterns.labels | {"matchend"}:
            known = tuple(sorted(self._patterns.labels | {"matchend"}))
            raise QueryError(f"No token has the label “{name}”.", token_start(name), known)
        return Anchor(str(name), number(offset) if offset is not None else 0)


def _strategy(modifier: object) -> Strategy:
    """Read an embedded modifier such as ``(?longest)``."""
    if modifier is None:
        return Strategy.STANDARD
    name = str(modifier)[2:-1].strip()
    try:
        return Strategy(name)
    except ValueError:
        known = tuple(f"(?{strategy})" for strategy in Strategy)
        message = f"There is no matching strategy “{name}”."
        raise QueryError(message, token_start(modifier), known) from None


def _within(node: Node) -> Within:
    number, name = children(node)
    count = whole_number(number) if number is not None else 1
    if name is None:
        if number is None:
            raise QueryError("Within what?", start_of(node) + len("within"), REGIONS)
        return Within("token", count)
    if str(name) in BLOCKS and number is None:
        return Within(str(name))
    return Within(*_unit(name, number, count))


def _block(node: Node) -> str:
    """Read which kind of block a match must not lie in."""
    (name,) = children(node)
    if str(name) not in BLOCKS:
        message = f"There is no kind of block “{name}”."
        raise QueryError(message, token_start(name), (*BLOCKS, "a pattern"))
    return str(name)


def _expansion(node: Node) -> Expansion:
    side, number, name = children(node)
    count = whole_number(number) if number is not None else 1
    if name is None and number is None:
        raise QueryError("Expand to what?", start_of(node), ("s", "text", "5"))
    unit = "token" if name is None else _unit(name, number, count)[0]
    sides = {"left": (True, False), "right": (False, True)}.get(str(side), (True, True))
    return Expansion(unit, count, *sides)


def _unit(name: object, number: object, count: int) -> tuple[str, int]:
    unit = UNITS.get(str(name))
    least = 0 if unit == "token" else 1
    if unit is None or count < least or (unit == "token" and number is None):
        known = REGIONS
        message = f"A match cannot be kept within “{name}”."
        if str(name) in BLOCKS:
            message = f"“{name}” can stand behind “within” alone, without a number."
        raise QueryError(message, token_start(name), known)
    return unit, count


def _relative(node: Node) -> Relative:
    relation, negated = RELATIONS[str(node.data)]
    other = node_of(children(node)[-1])
    first, *rest = children(other) if other.data == "nested" else [other]
    pattern = PatternReader().read(node_of(first))
    relatives = tuple(_relative(node_of(relative)) for relative in rest)
    return Relative(relation, pattern, negated, relatives, start_of(node))


# Errors


def _explain(text: str, error: UnexpectedInput) -> QueryError:
    """Put lark's error into words."""
    position = error.pos_in_stream if error.pos_in_stream is not None else len(text)
    if macro := _MACRO.match(text, position):
        return _explain_macro(text, macro)
    if isinstance(error, UnexpectedToken):
        expected = _expected_at(text, len(text) if error.token.type == "$END" else position)
        if error.token.type == "$END":
            message = "The query ends too early." if text.strip() else "The query is empty."
            return QueryError(message, len(text.rstrip()), expected)
        return QueryError(f"“{error.token}” cannot stand here.", position, expected)
    if isinstance(error, UnexpectedCharacters):
        return _explain_character(text, position)
    if isinstance(error, UnexpectedEOF):
        return QueryError("The query ends too early.", len(text), _names(error.expected))
    return QueryError("The query cannot be read.", position)


def _explain_macro(text: str, macro: re.Match[str]) -> QueryError:
    rest = text[macro.end() :]
    if rest.lstrip().startswith("["):
        known = ("one that is kept beside the word lists",)
        return QueryError(f"There is no macro “{macro[0]}”.", macro.start(), known)
    message = f"Brackets are missing behind the macro “{macro[0]}”."
    error = QueryError(message, macro.start(), (f"{macro[0]}[]", f'{macro[0]}["word"]'))
    error.suggestion = f"{text[: macro.end()]}[]{rest}"
    return error


def _explain_character(text: str, position: int) -> QueryError:
    if text[position] in "\"'":
        return QueryError("The quote opened here is never closed.", position, ('"',))
    message = f"“{text[position]}” cannot stand here."
    return QueryError(message, position, _expected_at(text, position))


def _expected_at(text: str, position: int) -> tuple[str, ...]:
    """Return what could stand at a character, before the parser has drawn conclusions from it."""
    parser = cql_parser().parse_interactive(text)
    with suppress(UnexpectedInput):  # the mistake itself, which is already known
        state = parser.parser_state
        for token in parser.lexer_thread.lex(state):  # type: ignore[no-untyped-call]  # lark's
            if token_start(token) >= position:
                break
            parser.feed_token(token)
    return _names(parser.accepts())  # type: ignore[no-untyped-call]  # lark's


def _names(terminals: object) -> tuple[str, ...]:
    if not isinstance(terminals, set | frozenset | list):
        return ()
    spelled = {terminal.name: terminal.pattern.value for terminal in cql_parser().terminals}
    spelled |= TERMINAL_NAMES
    return tuple(sorted({spelled.get(str(name), str(name)) for name in terminals}))
