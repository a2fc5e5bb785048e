"""Patterns of CQL: lark's tree → ours.

Input → output: the grammar's sequences, tokens, edges, MU and TAB → ``Pattern``, and the labels
they define, in the order of the text.
"""

from lark import Token as Terminal
from lark import Tree

from search.engine.query.ast import (
    KEYWORD,
    NO_TARGET,
    TARGET,
    Alternatives,
    Anything,
    AttributeMatch,
    Condition,
    Edge,
    Meet,
    MeetUnion,
    Pattern,
    Region,
    Repetition,
    Sequence,
    TextMatch,
    Token,
    TokenTable,
    Union,
)
from search.engine.query.attributes import TEXT_COLUMNS, attribute_named, text_column_named
from search.engine.query.errors import QueryError
from search.engine.query.language.cql_conditions import STRUCTURES, THIS, ConditionReader
from search.engine.query.language.cql_trees import (
    Node,
    children,
    node_of,
    number,
    start_of,
    text_of,
    token_start,
    whole_number,
)

MAX_REPETITIONS = 500  # CQP's own hard boundary of a match
ALWAYS_SET = ("match",)
OWN_LABELS = frozenset((THIS, "match", "matchend", "target", "keyword", "collocate"))
TARGET_LABELS = {TARGET: "target", KEYWORD: "keyword"}


class PatternReader:
    """Turns patterns into ours and collects their labels.

    Attributes
    ----------
    labels : set of str
        Labels defined so far, ``match`` among them.
    """

    def __init__(self) -> None:
        self.labels: set[str] = set(ALWAYS_SET)

    def read(self, node: Node) -> Pattern:  # noqa: PLR0911 (one case per kind of node)
        """Turn a pattern into ours.

        Raises
        ------
        QueryError
        """
        branches = children(node)
        match str(node.data):
            case "alternatives":
                return Alternatives(tuple(self.read(node_of(branch)) for branch in branches))
            case "sequence":
                patterns = tuple(self.read(node_of(branch)) for branch in branches)
                return patterns[0] if len(patterns) == 1 else Sequence(patterns)
            case "group":
                return self.read(node_of(branches[0]))
            case "repetition":
                return self._repetition(node)
            case "token":
                return self._token(node)
            case "mu_query":
                return self._meet_union(node_of(branches[0]))
            case "tab_query":
                return self._table(node)
            case "region" | "structure":
                return self._region(node)
            case _:
                return _edge(node)

    def _repetition(self, node: Node) -> Repetition:
        branch, quantifier = node_of(children(node)[0]), node_of(children(node)[1])
        least, most = _bounds(quantifier)
        inner = self.read(branch)
        if isinstance(inner, Edge):
            raise QueryError("An edge such as <s> cannot be repeated.", start_of(branch))
        return Repetition(inner, least, most, start_of(node))

    def _token(self, node: Node) -> Token:
        mark, name, body = children(node)
        target = _target(mark)
        inner = node_of(body)
        is_ahead = inner.data == "ahead"
        condition = self._body(inner)
        label = self._defined(name, target)
        return Token(condition, label, target, is_ahead, start_of(node))

    def _body(self, node: Node) -> Condition:
        branches = children(node)
        if node.data == "word":
            text = text_of(branches[0], branches[1:])
            flags = text.ignore_case, text.ignore_accents
            attribute = attribute_named("word", text.position)
            return AttributeMatch(
                attribute, text.pattern, *flags, literal=text.literal, position=text.position
            )
        if branches and branches[0] is not None:
            return ConditionReader(self.labels).read(node_of(branches[0]))
        return Anything(start_of(node))

    def _defined(self, name: object, target: int) -> str:
        """Take note of a label and a mark, from here on."""
        if target in TARGET_LABELS:
            self.labels.add(TARGET_LABELS[target])
        if name is None:
            return ""
        label = str(name).rstrip(":").rstrip()
        if label in OWN_LABELS:
            raise QueryError(f"“{label}” has a meaning of its own.", token_start(name))
        self.labels.add(label)
        return label

    def _region(self, node: Node) -> Region:
        if node.data == "structure":
            name = children(node)[0]
            return Region(_structure(name), position=start_of(node))
        start_mark, start_name, name, end_mark, end_name, slash = children(node)
        is_empty = slash is not None
        if is_empty and (end_mark is not None or end_name is not None):
            raise QueryError("<<s/>> has no end to be marked.", start_of(node))
        start_target, end_target = _target(start_mark), _target(end_mark)
        return Region(
            _structure(name),
            is_empty,
            self._defined(start_name, start_target),
            start_target,
            self._defined(end_name, end_target),
            end_target,
            start_of(node),
        )

    def _meet_union(self, node: Node) -> MeetUnion:
        branches = children(node)
        if node.data == "mu_token":
            return Token(self._body(node_of(branches[0])), position=start_of(node))
        if node.data == "union":
            left, right = (self._meet_union(node_of(child)) for child in branches)
            return Union(left, right, start_of(node))
        first, negation, second, reach = branches
        left, right = self._meet_union(node_of(first)), self._meet_union(node_of(second))
        low, high, structure = _window(reach)
        return Meet(left, right, low, high, structure, negation is not None, start_of(node))

    def _table(self, node: Node) -> TokenTable:
        first, *rest = children(node)
        tokens = [self._meet_union(node_of(first))]
        gaps: list[tuple[int, int | None]] = []
        for gap, token in zip(rest[::2], rest[1::2], strict=True):
            gaps.append((0, 0) if gap is None else _bounds(node_of(gap)))
            tokens.append(self._meet_union(node_of(token)))
        plain = tuple(token for token in tokens if isinstance(token, Token))
        for token in plain:
            if isinstance(token.condition, Anything):
                raise QueryError("[] cannot stand in TAB; write {1} instead.", token.position)
        return TokenTable(plain, tuple(gaps), start_of(node))


def _target(mark: object) -> int:
    if mark is None:
        return NO_TARGET
    digits = str(mark).strip("@:")
    return int(digits) if digits else TARGET


def _bounds(quantifier: Node) -> tuple[int, int | None]:
    branches, position = children(quantifier), start_of(quantifier)
    numbers = [whole_number(child) for child in branches]
    least, most = _read_bounds(str(quantifier.data), numbers)
    if max(least, most or 0) > MAX_REPETITIONS:
        message = f"More than {MAX_REPETITIONS} repetitions are not possible."
        raise QueryError(message, position)
    if most is not None and most < least:
        raise QueryError(f"{{{least},{most}}} has its numbers in the wrong order.", position)
    return least, most


def _read_bounds(name: str, numbers: list[int]) -> tuple[int, int | None]:
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


def _edge(node: Node) -> Edge:
    branches = children(node)
    name, position = str(branches[0]), token_start(branches[0])
    is_start = node.data != "end_edge"
    if name in STRUCTURES and node.data != "tested_edge":
        return Edge(name, is_start, position=start_of(node))
    column = text_column_named(name, position)
    if node.data != "tested_edge":
        return Edge("text", is_start, None, name, position=start_of(node))
    _, equality, quoted, flags = branches
    text = text_of(quoted, [flags])
    negated = equality is not None and str(equality) == "!="
    test = TextMatch(
        column, text.pattern, text.ignore_case, negated, text.ignore_accents, text.literal,
        text.position,
    )  # fmt: skip
    return Edge("text", is_start, test, name, position=start_of(node))


def _structure(name: object) -> str:
    """Return which structure a name stands for; text attributes stand for the text."""
    if str(name) in STRUCTURES:
        return str(name)
    if str(name) in TEXT_COLUMNS:
        return "text"
    raise QueryError(f"There is no structure “{name}”.", token_start(name), STRUCTURES)


def _window(reach: object) -> tuple[int, int, str]:
    """Return first and last place of a window, or a structure; by default the next token."""
    if not isinstance(reach, Tree):
        return 1, 1, ""
    branches = children(reach)
    if len(branches) == 1 and isinstance(branches[0], Terminal):
        return 0, 0, _structure(branches[0])
    low, high = (number(branch) for branch in branches)
    if low > high:
        raise QueryError("The window ends before it starts.", start_of(reach))
    return low, high, ""
