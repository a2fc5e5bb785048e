"""What an XPath costs on a long page: expression → nodes that are looked at, counted, not timed.

The page is imagined: `N_ELEMENTS` elements side by side in one element, each with a little text.
An expression is read into a tree and walked once with the number of nodes it starts from at each
step; a condition is counted for every node it is asked about. So a fast computer and a slow one
judge alike, and nothing runs. Where libxml2 may stop early (a condition that needs only one node)
the count goes on: the worst page is meant.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from lark import Lark, Token, Tree

# XPath 1.0. Which tokens may follow decides whether `*` and `div` are names or operators; function
# names are told from names of elements by their bracket.
_GRAMMAR = r"""
    start: _expression
    _expression: every
    every: comparison (BOTH comparison)*
    comparison: _SIGN* operand (OPERATOR _SIGN* operand)*
    operand: path | filtered
    path: relative | ROOT relative? | ANYWHERE relative
    filtered: primary predicate* (join relative)?
    relative: step (join step)*
    join: ROOT | ANYWHERE
    primary: NUMBER | STRING | VARIABLE | "(" _expression ")" | call
    call: FUNCTION "(" (_expression ("," _expression)*)? ")"
    step: DOTS | (AXIS "::" | AT)? test predicate*
    test: STAR | NAME | NODE_TYPE "(" STRING? ")"
    predicate: "[" _expression "]"

    BOTH: "and" | "or"
    _SIGN: "-"
    OPERATOR: "|" | "=" | "!=" | "<=" | "<" | ">=" | ">" | "+" | "-" | "*" | "div" | "mod"
    ROOT: "/"
    ANYWHERE: "//"
    DOTS: ".." | "."
    AT: "@"
    STAR: "*"
    NUMBER: /\d+(\.\d*)?|\.\d+/
    STRING: /"[^"]*"|'[^']*'/
    VARIABLE: /\$\s*[^\W\d][\w.\-]*(:[^\W\d][\w.\-]*)?/
    AXIS.2: /[a-z-]+(?=\s*::)/
    NODE_TYPE.2: /(comment|text|processing-instruction|node)(?=\s*\()/
    FUNCTION.1: /[^\W\d][\w.\-]*(:[^\W\d][\w.\-]*)?(?=\s*\()/
    NAME: /[^\W\d][\w.\-]*(:(?!:)([^\W\d][\w.\-]*|\*))?/
    %ignore /\s+/
"""
N_ELEMENTS = 1_000
# Of the elements, those with one name: what names none looks at all of them.
_SHARE_OF_NAME = 0.2
# Elements above one, and on average inside one.
_DEPTH = 5
# Reading the text of one element, in looks at a node: 1,700 characters and their copy.
_TEXT = 100
# libxml2 compares what a step finds from one node with all it has found from others before, to
# leave doubles out; thirty comparisons take as long as one look.
_COMPARISONS_A_LOOK = 30
_WITHOUT_DOUBLES = frozenset(["attribute", "child", "namespace", "self"])
_READS_NO_TEXT = frozenset(["boolean", "count", "last", "local-name", "name", "not", "position"])
# A condition on the position that one node meets, written without its brackets and spaces.
_IS_ONE = re.compile(r"last|(position=)?\d+")


@dataclass(frozen=True, slots=True)
class _Nodes:
    """Nodes that stand for each other: how many, and how many elements each has inside."""

    count: float
    n_inside: float


_NO_NODES = _Nodes(0, 0)
# What an axis leads to from one node.
_AXES = {
    "ancestor": _Nodes(_DEPTH, N_ELEMENTS),
    "ancestor-or-self": _Nodes(_DEPTH, N_ELEMENTS),
    "attribute": _Nodes(1, 1 / _TEXT),
    "following": _Nodes(N_ELEMENTS, _DEPTH),
    "following-sibling": _Nodes(N_ELEMENTS, _DEPTH),
    "namespace": _Nodes(1, 1 / _TEXT),
    "parent": _Nodes(1, N_ELEMENTS),
    "preceding": _Nodes(N_ELEMENTS, _DEPTH),
    "preceding-sibling": _Nodes(N_ELEMENTS, _DEPTH),
}
# Nodes that an axis into a node leads to from all nodes together, at most.
_MOST_INSIDE = {
    "child": N_ELEMENTS,
    "descendant": N_ELEMENTS * _DEPTH,
    "descendant-or-self": N_ELEMENTS * _DEPTH,
}


def path_cost(expression: str) -> float:
    """Count the nodes an expression looks at on the imagined page.

    Raises
    ------
    lark.exceptions.LarkError
        When it is not an XPath.

    Examples
    --------
    >>> path_cost("//p") < path_cost("//p[preceding-sibling::p]") < path_cost("//*/following::*")
    True
    """
    (every,) = _trees(_parser().parse(expression))
    return _every(every, _Nodes(1, N_ELEMENTS), 0)[0]


@lru_cache(maxsize=1)
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr")


def _trees(tree: Tree[Token], data: str = "") -> list[Tree[Token]]:
    """Give the parts of a tree, or those of one kind; what is left out are tokens."""
    trees = [child for child in tree.children if isinstance(child, Tree)]
    return [child for child in trees if child.data == data] if data else trees


def _every(tree: Tree[Token], start: _Nodes, n_read: float) -> tuple[float, _Nodes]:
    """Count an expression from one node, of whose finds the texts of up to `n_read` are read."""
    found = [_comparison(each, start, n_read) for each in _trees(tree)]
    return sum(cost for cost, _ in found), found[0][1] if len(found) == 1 else _NO_NODES


def _comparison(tree: Tree[Token], start: _Nodes, n_read: float) -> tuple[float, _Nodes]:
    is_union = all(child == "|" for child in tree.children if isinstance(child, Token))
    found = [_operand(each, start, n_read if is_union else inf) for each in _trees(tree)]
    cost = sum(cost for cost, _ in found)
    if not is_union:
        return cost, _NO_NODES
    count = sum(nodes.count for _, nodes in found)
    return cost, _Nodes(min(count, N_ELEMENTS), max(nodes.n_inside for _, nodes in found))


def _operand(tree: Tree[Token], start: _Nodes, n_read: float) -> tuple[float, _Nodes]:
    (operand,) = _trees(tree)
    cost, found = (_path if operand.data == "path" else _filtered)(operand, start)
    n_texts = min(found.count, n_read)
    return cost + (n_texts * _text(found) if n_texts else 0), found


def _text(nodes: _Nodes) -> float:
    return _TEXT * nodes.n_inside


def _path(tree: Tree[Token], start: _Nodes) -> tuple[float, _Nodes]:
    first = tree.children[0]
    if not isinstance(first, Token):
        return _relative(first, start)
    root = _Nodes(1, N_ELEMENTS)
    steps = _trees(tree)
    return _relative(steps[0], root, is_deep=first == "//") if steps else (1, root)


def _filtered(tree: Tree[Token], start: _Nodes) -> tuple[float, _Nodes]:
    """Count a call, a group or a literal with its conditions and the steps that follow."""
    (primary,) = _trees(tree, "primary")
    cost, found = _primary(primary, start)
    conditions, found = _conditions(tree, found, 1)
    further = _trees(tree, "relative")
    if not further:
        return cost + conditions, found
    is_deep = _trees(tree, "join")[0].children[0] == "//"
    steps, found = _relative(further[0], found, is_deep=is_deep)
    return cost + conditions + steps, found


def _primary(tree: Tree[Token], start: _Nodes) -> tuple[float, _Nodes]:
    (first,) = tree.children
    if isinstance(first, Token):
        return 1, _NO_NODES
    if first.data == "every":
        return _every(first, start, 0)
    n_read = 0 if first.children[0] in _READS_NO_TEXT else 1
    arguments = _trees(first)
    own = 1 if arguments else 1 + n_read * _text(start)
    found = _Nodes(1, N_ELEMENTS) if first.children[0] == "id" else _NO_NODES
    return own + sum(_every(each, start, n_read)[0] for each in arguments), found


def _relative(tree: Tree[Token], start: _Nodes, *, is_deep: bool = False) -> tuple[float, _Nodes]:
    """Count steps one after the other, each from all nodes that the one before found."""
    cost, nodes = 0.0, start
    for child in _trees(tree):
        if child.data == "join":
            is_deep = child.children[0] == "//"
            continue
        axis = _axis(child)
        if is_deep and axis == "child":  # as libxml2 reads it
            axis = "descendant"
        elif is_deep:
            anywhere, nodes = _looked_at("descendant-or-self", nodes)
            cost += anywhere
        further, nodes = _step(child, axis, nodes)
        cost, is_deep = cost + further, False
    return cost, nodes


def _axis(step: Tree[Token]) -> str:
    first = step.children[0]
    if not isinstance(first, Token):
        return "child"
    return {"@": "attribute", ".": "self", "..": "parent"}.get(first, str(first))


def _step(step: Tree[Token], axis: str, start: _Nodes) -> tuple[float, _Nodes]:
    """Count a step: what its axis leads to, its conditions, and the leaving out of doubles."""
    looked_at, nodes = _looked_at(axis, start)
    is_named = any(
        isinstance(token, Token) and token.type == "NAME"
        for test in _trees(step, "test")
        for token in test.children
    )
    share = _SHARE_OF_NAME if is_named else 1
    conditions, nodes = _conditions(
        step, _Nodes(nodes.count * share, nodes.n_inside), max(start.count, 1)
    )
    found = _Nodes(min(nodes.count, N_ELEMENTS * share), nodes.n_inside)
    has_doubles = start.count > 1 and axis not in _WITHOUT_DOUBLES
    comparisons = nodes.count * found.count if has_doubles else 0
    return looked_at + conditions + comparisons / _COMPARISONS_A_LOOK, found


def _looked_at(axis: str, start: _Nodes) -> tuple[float, _Nodes]:
    if axis == "self":
        return start.count, start
    if axis in _MOST_INSIDE:
        count = min(start.count * start.n_inside, _MOST_INSIDE[axis])
        return count, _Nodes(count, _DEPTH)
    reach = _AXES[axis]
    return start.count * reach.count, _Nodes(start.count * reach.count, reach.n_inside)


def _conditions(tree: Tree[Token], nodes: _Nodes, n_starts: float) -> tuple[float, _Nodes]:
    """Count the conditions of a step; one that asks for a position leaves a node a start."""
    cost = 0.0
    for condition in _trees(tree, "predicate"):
        (asked,) = _trees(condition)
        cost += nodes.count * (1 + _every(asked, _Nodes(1, nodes.n_inside), 0)[0])
        if _asks_for_one(asked):
            nodes = _Nodes(min(nodes.count, n_starts), nodes.n_inside)
    return cost, nodes


def _asks_for_one(condition: Tree[Token]) -> bool:
    if "or" in condition.children:
        return False
    return any(
        _IS_ONE.fullmatch("".join(_tokens_but_names(comparison)))
        for comparison in _trees(condition)
    )


def _tokens_but_names(tree: Tree[Token]) -> Iterator[str]:
    return tree.scan_values(lambda token: getattr(token, "type", "") != "NAME")
