"""Word lists in CQL: ``[lemma = $weekdays]`` stands for any word of the list, as in CQP.

Input → output: lark's tree and the lists that the query may name → the same tree, each ``$name``
replaced by the alternatives of its words, which are taken literally. Positions stay those of the
text.

References
----------
S. Evert & The CWB Development Team (2022), CQP Interface and Query Language Manual, version 3.5:
variables.
"""

import re

from lark import Token

from search.query.cql_trees import Node, token_start
from search.query.dialect import escaped
from search.query.errors import QueryError

# Names and words of the lists a query may use; hashable, so that parsed queries can be kept.
WordLists = tuple[tuple[str, tuple[str, ...]], ...]
_NAMED = re.compile(r"\$([A-Za-z_][\w-]*)")


def names_of_lists(text: str) -> frozenset[str]:
    """Return the names that may be those of lists in a query; quotes are not looked at.

    Examples
    --------
    >>> sorted(names_of_lists('[lemma=$go] "$5" $rain'))
    ['go', 'rain']
    """
    return frozenset(_NAMED.findall(text))


def put_in_lists(tree: Node, lists: WordLists) -> None:
    """Replace the lists of a tree by their words.

    Raises
    ------
    QueryError
        If there is no such list, or ``%l`` stands behind one.
    """
    known = dict(lists)
    for node in tree.iter_subtrees():
        for place, child in enumerate(node.children):
            if isinstance(child, Token) and child.type == "LIST":
                _check_flags(node.children[place + 1 :])
                node.children[place] = _string_of(child, known)


def _string_of(token: Token, known: dict[str, tuple[str, ...]]) -> Token:
    name = str(token)[1:]
    words = known.get(name)
    if not words:
        message = f"There is no word list “{name}”."
        raise QueryError(message, token_start(token), tuple(f"${other}" for other in sorted(known)))
    pattern = "|".join(map(escaped, words)).replace('"', '""')
    return Token.new_borrow_pos("STRING", f'"{pattern}"', token)


def _check_flags(after: list[Token | Node]) -> None:
    for child in after:
        if isinstance(child, Token) and child.type == "FLAGS" and "l" in child:
            raise QueryError(
                "The words of a list are literal anyway.", token_start(child), ("%c", "%d")
            )
