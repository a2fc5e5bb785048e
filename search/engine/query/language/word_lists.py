"""Word lists in CQL: ``[lemma = $weekdays]`` stands for any word of the list, as in CQP.

Input → output: lark's tree and the lists that the query may name → the same tree, each ``$name``
replaced by the alternatives of its words, which are taken literally (but for quotes, straight or
curly), or as regular expressions in ``RE($name)``. Positions stay those of the text. An entry of
several words is a phrase: where the list is all that is said of a token, ``$name`` or
``[lower = $name]``, the phrases stand beside the token as sequences of their own.

References
----------
S. Evert & The CWB Development Team (2022), CQP Interface and Query Language Manual, version 3.5:
variables.
"""

import re
from collections.abc import Iterable
from typing import Any

from lark import Token, Tree

from search.engine.query.conditions.patterns import Matcher
from search.engine.query.dialect import any_quote
from search.engine.query.errors import QueryError
from search.engine.query.language.cql_trees import Node, children, token_start

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
    for node in [*tree.find_data("token")]:
        _put_in_phrases(node, known)
    for node in tree.iter_subtrees():
        for place, child in enumerate(node.children):
            if isinstance(child, Token) and child.type in ("LIST", "PATTERNS"):
                _check_flags(node.children[place + 1 :], child.type)
                node.children[place] = _string_of(child, known)


def is_phrase(entry: str) -> bool:
    """Say whether an entry has several words."""
    return len(entry.split()) > 1


def _put_in_phrases(node: Node, known: dict[str, tuple[str, ...]]) -> None:
    """Turn a token that is a list with phrases into a group: its words, or one of its phrases."""
    mark, label, body = children(node)
    token = _list_alone(body)
    entries = known.get(_NAMED.findall(str(token))[0], ()) if token is not None else ()
    phrases = [entry.split() for entry in entries if is_phrase(entry)]
    if token is None or not phrases:
        return
    if mark is not None or label is not None:
        message = f"“{token}” has phrases, such as “{' '.join(phrases[0])}”, and takes no label."
        raise QueryError(message, token_start(token))

    def as_token(words: Iterable[str]) -> Node:
        parts: list[Any] = [None, None, _with(body, token, _literal(words, token))]
        return Tree("token", parts, node.meta)

    words = [entry for entry in entries if not is_phrase(entry)]
    choices = [[as_token(words)]] if words else []
    choices += [[as_token([word]) for word in phrase] for phrase in phrases]
    sequences: list[Any] = [Tree("sequence", choice, node.meta) for choice in choices]
    inner = sequences[0] if len(sequences) == 1 else Tree("alternatives", sequences, node.meta)
    node.data, node.children = "group", [inner]


def _list_alone(body: object) -> Token | None:
    """Return the list that is all a token says: `$name`, `[lower = $name]`; None otherwise."""
    if not isinstance(body, Tree):
        return None
    first: object
    if body.data == "word":
        first = body.children[0]
    else:
        test: object = next(iter(body.children), None)
        while isinstance(test, Tree) and test.data == "conjunction" and len(test.children) == 1:
            test = test.children[0]
        if not isinstance(test, Tree) or test.data != "comparison":
            return None
        if str(test.children[1]) != "=":
            return None
        text = test.children[2]
        first = text.children[0] if isinstance(text, Tree) and text.data == "text" else None
    return first if isinstance(first, Token) and first.type == "LIST" else None


def _with(tree: Any, old: Token, new: Token) -> Any:
    """Copy a tree, or what else stands in one, with one of its tokens exchanged."""
    if isinstance(tree, Tree):
        return Tree(tree.data, [_with(child, old, new) for child in tree.children], tree.meta)
    return new if tree is old else tree


def _literal(words: Iterable[str], token: Token) -> Token:
    pattern = _QUOTE.sub(_written_twice, "|".join(map(any_quote, words)))
    return Token.new_borrow_pos("STRING", f'"{pattern}"', token)


def _string_of(token: Token, known: dict[str, tuple[str, ...]]) -> Token:
    name = _NAMED.findall(str(token))[0]
    words = known.get(name)
    if not words:
        message = f"There is no word list “{name}”."
        raise QueryError(message, token_start(token), tuple(f"${other}" for other in sorted(known)))
    if phrase := next(filter(is_phrase, words), ""):
        message = f"The list “{name}” has phrases, such as “{phrase}”, which are no single token."
        raise QueryError(message, token_start(token), (f"${name}", f"[lower = ${name}]"))
    if token.type == "LIST":
        return _literal(words, token)
    pattern = _QUOTE.sub(_written_twice, "|".join(_patterns(words, name, token)))
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
