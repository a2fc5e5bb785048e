"""Reading lark's trees of CQL: children, positions, quoted strings, flags.

Input → output: nodes and tokens of a parse → Python values with positions in the query.
"""

import re
from collections.abc import Iterable

from lark import Token, Tree

from search.engine.query.ast import String
from search.engine.query.dialect import is_plain
from search.engine.query.errors import QueryError

Node = Tree[Token]

GREATEST = 2_147_483_647  # as in CQP; positions and distances are below it
MOST_DIGITS = 20  # enough to be too great
ANCHORS = frozenset("^$")
_IN_STRING = re.compile(r"\\.|(?P<quote>[\"'])(?P=quote)", re.DOTALL)


def node_of(child: object) -> Node:
    """Return a child as a tree."""
    if not isinstance(child, Tree):
        raise TypeError(f"expected a tree, got {child!r}")
    return child


def children(node: object) -> list[object]:
    """Return the children, among them None for optional parts that are absent."""
    return list(node_of(node).children)


def start_of(node: Node) -> int:
    """Return the character a node starts at."""
    return int(node.meta.start_pos) if not node.meta.empty else 0


def token_start(token: object) -> int:
    """Return the character a token starts at."""
    return int(token.start_pos or 0) if isinstance(token, Token) else 0


def text_of(quoted: object, flags: Iterable[object]) -> String:
    """Read a string in quotes with its flags."""
    ignore_case, ignore_accents, literal = read_flags(flags)
    pattern = unquote(str(quoted))
    if not (ignore_case or ignore_accents) and is_plain(pattern):
        literal = literal or bool(ANCHORS.intersection(pattern))
    return String(pattern, ignore_case, ignore_accents, literal, token_start(quoted))


def read_flags(flags: Iterable[object]) -> tuple[bool, bool, bool]:
    """Return (ignore case, ignore accents, literal) of ``%cdl``; ``%l`` supersedes the others."""
    present = [flag for flag in flags if flag is not None]
    letters = str(present[0])[1:] if present else ""
    unknown = set(letters) - set("cdl")
    if unknown:
        message = f"There is no flag %{min(unknown)}."
        raise QueryError(message, token_start(present[0]), ("%c", "%d", "%l"))
    literal = "l" in letters
    return "c" in letters and not literal, "d" in letters and not literal, literal


def unquote(quoted: str) -> str:
    r"""Remove the quotes; the same quote inside is written twice, or stays with its backslash.

    Examples
    --------
    >>> unquote("'it''s'"), unquote(r'"\""')
    ("it's", '\\"')
    """
    mark = quoted[0]
    return _IN_STRING.sub(lambda found: mark if found["quote"] == mark else found[0], quoted[1:-1])


def number(token: object) -> int:
    """Read a number, with or without a sign."""
    value = int(str(token)[:MOST_DIGITS])
    if abs(value) > GREATEST:
        raise QueryError(f"Numbers end at {GREATEST}.", token_start(token))
    return value


def whole_number(token: object, least: int = 0) -> int:
    """Read a number that must not be smaller than ``least``."""
    value = number(token)
    if value < least:
        message = f"A number from {least} on is needed here."
        raise QueryError(message, token_start(token), ("a number",))
    return value
