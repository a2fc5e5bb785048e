"""The query that finds exactly the tokens counted under one value of an attribute.

Input → output: attribute of a table and one of its values → CQL, for the link of a cell.
"""

from collections.abc import Sequence

from search.engine.query.ast import And, Attribute, AttributeMatch, Condition, Query, Token
from search.engine.query.conditions.literals import SPECIAL
from search.engine.query.language.to_cql import to_cql
from search.engine.statistics.counting.attribute_values import PAIR_SIGN

_ATTRIBUTES = {
    "word": Attribute.WORD,
    "lower": Attribute.WORD,
    "folded": Attribute.WORD,
    "lemma": Attribute.LEMMA,
    "pos": Attribute.TAG,
}


def value_query(attribute: str, value: str) -> str:
    r"""Write the query for one value.

    Examples
    --------
    >>> value_query("lower", "braai"), value_query("lemma+pos", "go/VB")
    ('"braai"%c', '[lemma="go" & pos="VB"]')
    >>> value_query("word", "3.5")
    '"3\\.5"'
    """
    return to_cql(Query(Token(_condition(attribute, value))))


def row_query(words: Sequence[str]) -> str:
    """Write the query for words in a row, in one sentence and in whatever case.

    Examples
    --------
    >>> row_query(["braai"]), row_query(["just", "now"])
    ('"braai"%c', '"just"%c "now"%c within s')
    """
    found = " ".join(value_query("lower", word) for word in words)
    return f"{found} within s" if len(words) > 1 else found


def pair_query(*pairs: tuple[str, str]) -> str:
    """Write the query for tokens that are counted under several values.

    Examples
    --------
    >>> pair_query(("lower", "braai"), ("pos", "VB"))
    '[word="braai"%c & pos="VB"]'
    """
    conditions = tuple(_condition(attribute, value) for attribute, value in pairs)
    return to_cql(Query(Token(conditions[0] if len(conditions) == 1 else And(conditions))))


def _condition(attribute: str, value: str) -> Condition:
    if attribute == "lemma+pos":
        lemma, _, tag = value.rpartition(PAIR_SIGN)
        return And((_condition("lemma", lemma), _condition("pos", tag)))
    return AttributeMatch(
        _ATTRIBUTES[attribute],
        _regex_of(value),
        ignore_case=attribute in ("lower", "folded"),
        ignore_accents=attribute == "folded",
    )


def _regex_of(value: str) -> str:
    """Take the meaning from all signs; beside a backslash, quotes would be read as escaped."""
    if "\\" in value:
        return "".join(f"\\x{{{ord(sign):x}}}" for sign in value)
    return "".join(f"\\{sign}" if sign in SPECIAL else sign for sign in value)
