"""Habits of other tools in a simple query: what is meant, and how it is written here.

Input → output: text of a simple query → a sentence about the first habit in it, and the query that
says the same here; None if there is none. Known are AND, OR and NOT of library catalogues and the
signs of CQPweb's simple queries (Hardie 2012, CQPweb: combining power, flexibility and usability in
a corpus analysis tool).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from search.engine.query.ast import Query, Token
from search.engine.query.errors import QueryError
from search.engine.query.language.cql import parse_cql
from search.engine.query.language.simple import PARTS_OF_SPEECH, SimpleOptions, parse_simple
from search.engine.query.language.to_cql import to_cql

MAX_LENGTH = 500  # characters; longer queries were not typed by habit


@dataclass(frozen=True, slots=True)
class Habit:
    """A sentence, and the query meant; `query` is empty if it cannot be written here."""

    words: str
    query: str = ""
    language: str = "simple"


@dataclass(frozen=True, slots=True)
class _Rule:
    sign: re.Pattern[str]
    words: str
    write: Callable[[re.Match[str]], str]


def habit_in(text: str, options: SimpleOptions) -> Habit | None:
    """Find the first habit in a query.

    Examples
    --------
    >>> habit_in("rain OR hail", SimpleOptions()).query
    'rain | hail'
    >>> habit_in("said_VBD that", SimpleOptions()).query
    'said/VBD that'
    """
    if len(text) > MAX_LENGTH:
        return None
    found = _operator(text, options) or _signs(text)
    if found is None:
        return None
    read = parse_simple if found.language == "simple" else _as_cql
    try:
        read(found.query, options)
    except QueryError:
        return Habit(found.words)
    return found


def _as_cql(text: str, _options: SimpleOptions) -> Query:
    return parse_cql(text)


# AND, OR, NOT

_OPERATOR = re.compile(r"\s+(AND NOT|AND|OR|NOT)\s+")


def _operator(text: str, options: SimpleOptions) -> Habit | None:
    pieces = _OPERATOR.split(text.strip())
    names, parts = set(pieces[1::2]), pieces[::2]
    if len(names) > 1:
        listed = ", ".join(sorted(names))
        return Habit(f"{listed} are words here; brackets, | and CQL say what belongs together.")
    name = names.pop() if names else ""
    if name == "OR":
        return Habit("OR is a word here; either of two is written with |.", " | ".join(parts))
    if not name:
        return None
    try:
        queries = [parse_simple(part, options) for part in parts]
    except QueryError:
        return None
    return _of_sentences(name, queries)


def _of_sentences(name: str, queries: list[Query]) -> Habit:
    if name == "AND":
        words = "AND is a word here; both in one sentence are written in CQL."
        return Habit(words, _both(queries), "cql")
    words = f"{name} is a word here; sentences without a word are asked for in CQL."
    if len(queries) > 2 or any(query.within for query in queries):
        return Habit(words)
    wanted, unwanted = map(to_cql, queries)
    return Habit(words, f"({wanted}) !within (<s> []* ({unwanted}) []* </s>)", "cql")


def _both(queries: list[Query]) -> str:
    """Write in CQL that all of some patterns stand in one sentence; empty if that is too much."""
    written = [to_cql(query) for query in queries]
    if all(isinstance(query.pattern, Token) for query in queries):
        meet = written[0]
        for other in written[1:]:
            meet = f"(meet {meet} {other} s)"
        return f"MU{meet}"
    if len(queries) > 2 or any(query.within for query in queries):
        return ""
    first, second = written
    return f"(({first}) []* ({second}) | ({second}) []* ({first})) within s"


# Signs

_CLASSES = {"V": "VERB", "N": "NOUN", "A": "ADJ", "ADV": "ADV", "PREP": "PREP", "CONJ": "CONJ"}


def _of_tag(found: re.Match[str]) -> str:
    word, tag = found[1], found[2]
    if word:
        return f"{word}/{tag}"
    return tag if tag in PARTS_OF_SPEECH else f"tag:{tag}"


def _of_lemma(found: re.Match[str]) -> str:
    name = _CLASSES.get(found[2] or "", found[2])
    return f"lemma:{found[1]}/{name}" if name else f"lemma:{found[1]}"


def _spelled_out(found: re.Match[str]) -> str:
    endings = re.split(r"[,|]", found[2])
    return "|".join(f"{found[1]}{ending}{found[3]}" for ending in endings)


def _each_named(found: re.Match[str]) -> str:
    return "|".join(f"{found[1]}{choice}" for choice in found[2].split("|"))


_RULES = (
    _Rule(
        re.compile(r"(?<!\S)(LEMMA|Lemma|TAG|Tag|POS|Pos|WORD|Word):(?=\S)"),
        "The names before a colon are written small here: lemma:, tag:, word:.",
        lambda found: f"{found[1].lower()}:",
    ),
    _Rule(
        re.compile(r"(?<!\S)((?:lemma|tag|pos|word):)\(([^()\s]+)\)"),
        "Brackets cannot stand behind a colon; each choice has its own name.",
        _each_named,
    ),
    _Rule(
        re.compile(r"(?<!\S)\{([^{}\s/]+)(?:/([A-Z]+))?\}"),
        "All forms of a word are asked for with lemma: here, not in braces.",
        _of_lemma,
    ),
    _Rule(
        re.compile(r"(?<!\S)([^\s_]*)_([A-Z]{2,5}\$?\*?)(?!\S)"),
        "A tag stands behind a stroke here, or behind tag: alone, not behind _.",
        _of_tag,
    ),
    _Rule(
        re.compile(r"(?<!\S)([\w'’*?-]*)\[([^\[\]\s]*,[^\[\]\s]*)\]([\w'’*?-]*)"),
        "Square brackets mean nothing here; spellings are written out with |.",
        _spelled_out,
    ),
    _Rule(
        re.compile(r"(?<!\S)([\w'’*?-]+)\(([^()\s]*\|[^()\s]*)\)([\w'’*?-]*)"),
        "Brackets hold whole words here; spellings are written out with |.",
        _spelled_out,
    ),
    _Rule(
        re.compile(r"(?<!\S)([A-Z]{2,4})\.[*+](?!\S)"),
        "A tag stands behind tag: here, and * alone is any characters.",
        lambda found: f"tag:{found[1]}*",
    ),
    _Rule(
        re.compile(r"(?<=\w)\.[*+]|(?<!\S)\.[*+](?=\w)"),
        "Regular expressions are for CQL; here * alone is any characters.",
        lambda _: "*",
    ),
)


def _signs(text: str) -> Habit | None:
    if '"' in text:
        return None
    words, written = "", text
    for rule in _RULES:
        changed = rule.sign.sub(rule.write, written)
        if changed != written:
            words, written = words or rule.words, changed
    return Habit(words, written) if words else None
