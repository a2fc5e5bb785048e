"""Word lists in CQL: ``[lemma = $weekdays]`` stands for any word of the list, as in CQP.

Input → output: lark's tree and the lists that the query may name → the same tree, each ``$name``
replaced by the alternatives of its words, which are taken literally
(but for quotes, straight or curly), or as regular expressions in
``RE($name)``. Positions stay those of the text.

References
----------
S. Evert & The CWB Development Team (2022), CQP Interface and Query Language Manual, version 3.5:
variables.
"""

import re

from lark import Token

from search.engine.query.conditions.patterns import Matcher
from search.engine.query.dialect import any_quote
from search.engine.query.errors import QueryError
from search.engine.query.language.cql_trees import Node, token_start

# Names and words of the lists a query may use; hashable, so that parsed queries can be kept.
WordLists = tuple[tuple[str, tuple[str, ...]], ...]
_NAMED = re.compile(r"\$([A-Za-z_][\w-]*)")
_QUOTE = re.compile(r"\\.|\"", re.DOTALL)  # a quote, with its backslash if it has one


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
            if isinstance(child, Token) and child.type in ("LIST", "PATTERNS"):
                _check_flags(node.children[place + 1 :], child.type)
                node.children[place] = _string_of(child, known)


def _string_of(token: Token, known: dict[str, tuple[str, ...]]) -> Token:
    name = _NAMED.findall(str(token))[0]
    words = known.get(name)
    if not words:
        message = f"There is no word list “{name}”."
        raise QueryError(message, token_start(token), tuple(f"${other}" for other in sorted(known)))
    choices = map(any_quote, words) if token.type == "LIST" else _patterns(words, name, token)
    pattern = _QUOTE.sub(_written_twice, "|".join(choices))
    return Token.new_borrow_pos("STRING", f'"{pattern}"', token)


def _written_twice(found: re.Match[str]) -> str:
    return '""' if found[0].endswith('"') else found[0]


def _patterns(words: tuple[str, ...], name: str, token: Token) -> list[str]:
    """Return the entries of a list as regular expressions, each by itself."""
    for word in words:
        try:
            Matcher(word, 0, ignore_case=False)
        except QueryError as error:
            message = f"“{word}” in the list “{name}”: {error.message}"
            raise QueryError(message, token_start(token)) from error
    return [f"(?:{word})" for word in words]


def _check_flags(after: list[Token | Node], kind: str) -> None:
    for child in after:
        if isinstance(child, Token) and child.type == "FLAGS" and "l" in child:
            message = "The words of a list are literal anyway."
            if kind == "PATTERNS":
                message = "RE(…) is not literal."
            raise QueryError(message, token_start(child), ("%c", "%d"))
