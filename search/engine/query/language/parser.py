"""Query text → syntax tree, in the language the user chose.

Input → output: ``parse(text, language)`` → ``ast.Query``; raises ``QueryError`` with a position.
What only mistakes or the other language need is loaded then: a first question is answered sooner.
"""

# ruff: noqa: PLC0415 (see above)

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache, partial
from itertools import product

from search.engine.query.ast import Query
from search.engine.query.errors import QueryError
from search.engine.query.language.cql import parse_cql
from search.engine.query.language.macros import Macros, write_out
from search.engine.query.language.word_lists import WordLists

MAX_QUERY_LENGTH = 20_000  # characters; a query with a thousand alternatives fits
KEPT_TREES = 64  # of recent queries; the longest take 1 MB each
MAX_DEPTH = 50  # brackets and negations inside one another; parsing and planning recurse
_NESTING = re.compile(rf"\\.|(?P<bracket>[()])|(?P<negations>(?:!\s*){{{MAX_DEPTH},}})", re.DOTALL)

_PLACE = re.compile(r"\$[0-9]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Language(StrEnum):
    """The query languages."""

    SIMPLE = "simple"
    CQL = "cql"


def parse(
    text: str,
    language: Language = Language.SIMPLE,
    *,
    match_case: bool = False,
    tokenize: Callable[[str], list[str]] | None = None,
    lists: WordLists = (),
) -> Query:
    """Parse a query; the trees of recent ones are kept.

    Parameters
    ----------
    match_case : bool
        For the simple language only; in CQL each token says ``%c`` for itself, as its users know.
    tokenize : callable or None
        The corpus' tokenizer, so that "don't" in a simple query becomes the tokens it has in the
        corpus; None splits at white space only.
    lists : WordLists
        What ``$name`` in CQL may stand for.

    Raises
    ------
    QueryError
        With the position of the mistake and what was expected.
    """
    return _parsed(text, language, match_case, tokenize, lists)


def parse_with_macros(text: str, macros: Macros, lists: WordLists = ()) -> Query:
    """Parse CQL in which ``/name[…]`` stands for the text of a macro.

    Raises
    ------
    QueryError
        Mistakes inside a macro are at its place in the query as given.
    """
    written_out = write_out(text, macros, MAX_QUERY_LENGTH)
    try:
        return _parsed(written_out.text, Language.CQL, False, None, lists)  # noqa: FBT003 (cached)
    except QueryError as error:
        error.position, error.suggestion = written_out.origin(error.position), ""
        raise


# What stands for the arguments of a macro that is tried, and where a macro may stand.
_SAMPLES = ("word", "1", "s", '"word"', '[word="a"]')
MOST_MIXED = 3  # arguments; 5³ mixtures are tried within a second
_FRAMES = ("{}", "a:[] {}", '[word="a" & {}]', "[{}]", "[word={}]", "MU{}")


def check_macro(text: str, macros: Macros, lists: WordLists = ()) -> None:
    """Refuse the text of a macro that no query could use.

    It is tried with several arguments, alone and as a part of a query, as far as that goes.

    Raises
    ------
    QueryError
        The mistake there is when it stands alone.
    """
    first: QueryError | None = None
    names = sorted(set(_PLACE.findall(text)))
    for frame, samples in product(_FRAMES, _samples_of(len(names))):
        given = dict(zip(names, samples, strict=True))
        written = _PLACE.sub(partial(_given, given), text)
        try:
            parse_cql(write_out(frame.format(written), macros, MAX_QUERY_LENGTH).text, lists)
        except QueryError as error:
            first = first or error
        else:
            return
    if first is not None:
        raise first


def _given(given: dict[str, str], found: re.Match[str]) -> str:
    return given[found[0]]


def _samples_of(n: int) -> Iterable[tuple[str, ...]]:
    """Give arguments to try: all mixtures of a few, the same for all of many."""
    if n <= MOST_MIXED:
        return product(_SAMPLES, repeat=n)
    return ((sample,) * n for sample in _SAMPLES)


@lru_cache(KEPT_TREES)
def _parsed(
    text: str,
    language: Language,
    match_case: bool,
    tokenize: Callable[[str], list[str]] | None,
    lists: WordLists,
) -> Query:
    if len(text) > MAX_QUERY_LENGTH:
        message = f"The query is longer than {MAX_QUERY_LENGTH} characters."
        raise QueryError(message, MAX_QUERY_LENGTH)
    broken = _SURROGATE.search(text)
    if broken:
        raise QueryError("This is half of a character.", broken.start())
    if not text.strip():
        raise QueryError("The query is empty.", 0, ("a word",))
    _check_depth(text)
    if language is Language.CQL:
        try:
            return parse_cql(text, lists)
        except QueryError as error:
            from search.engine.query.language.repair import suggest

            error.suggestion = suggest(text, error.position, error.suggestion)
            raise
    from search.engine.query.language.simple import SimpleOptions, parse_simple

    options = SimpleOptions(match_case, tokenize)
    try:
        return parse_simple(text, options)
    except QueryError as error:
        from search.engine.query.language.habits import habit_in

        habit = habit_in(text, options)
        if habit is not None and habit.query and habit.language == Language.SIMPLE:
            error.message, error.expected, error.suggestion = habit.words, (), habit.query
        raise


def _check_depth(text: str) -> None:
    """Refuse what would use up the stack; only brackets after a backslash do not count."""
    depth = 0
    for found in _NESTING.finditer(text):
        if found["bracket"]:
            depth = depth + 1 if found["bracket"] == "(" else max(depth - 1, 0)
        if found["negations"] or depth > MAX_DEPTH:
            message = f"More than {MAX_DEPTH} brackets or negations inside one another."
            raise QueryError(message, found.start())
