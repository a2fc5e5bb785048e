"""Regular expressions over the lexicon: a pattern → the set of forms that match it whole.

RE2 is used because it runs in linear time whatever a user writes. It runs once over all forms
joined by line feeds rather than form by form; over fewer when all matches begin alike or hold the
same string. Results are kept per pattern and only new forms are looked at when the lexicon has
grown.
"""

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
import re2

from search.engine.arrays import I64, Mask
from search.engine.index.lexicon.folding import lower, near_ascii, strip_accents
from search.engine.index.lexicon.lexicon import Lexicon, LexiconView
from search.engine.index.lexicon.strings import Chunk, StringTable, encode_strings, make_chunk
from search.engine.query.conditions.backtracking import BacktrackingPattern
from search.engine.query.conditions.inverse import indices_of
from search.engine.query.conditions.literals import literals_of, longest_literal_of, prefix_of
from search.engine.query.dialect import escaped, to_re2
from search.engine.query.errors import QueryError

PATTERN_MEMORY_BYTES = 16 << 20  # RE2's budget per pattern; more means a slower engine, not more
CACHED_PATTERNS = 200  # each costs 8 bytes a match
LEAST_LITERAL = 2  # bytes; shorter ones stand in too many forms
CANDIDATE_SHARE = 8  # if more than one form in so many holds the literal, all are matched at once
NONE = np.empty(0, dtype=np.int64)
# One byte of a character, or an assertion about the whole joined text: meaningless for a form.
NO_MEANING = re.compile(r"(?<!\\)(?:\\\\)*\\[CAzZ]")


class PatternNumbers:
    """Which strings of a table match a pattern, remembered for recent patterns."""

    def __init__(self, strings: StringTable) -> None:
        self._strings = strings
        self._known: OrderedDict[tuple[str, bool], _Known] = OrderedDict()
        self._lock = threading.Lock()

    def numbers(self, pattern: str, n_strings: int, position: int, *, ignore_case: bool) -> I64:
        """Return which of the first strings match, ascending.

        Raises
        ------
        QueryError
            If the pattern is not a regular expression.
        """
        key = (pattern, ignore_case)
        with self._lock:
            known = self._known.get(key)
            if known is None or known.n_strings < n_strings:
                known = self._extended(known or _Known(0, NONE), key, position)
                self._known[key] = known
                if len(self._known) > CACHED_PATTERNS:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
        if known.n_strings == n_strings:
            return known.numbers
        return known.numbers[: np.searchsorted(known.numbers, n_strings)]

    def _extended(self, known: "_Known", key: tuple[str, bool], position: int) -> "_Known":
        """Look at the strings that have come since."""
        n_strings = len(self._strings)
        matcher = Matcher(key[0], position, ignore_case=key[1])
        found = [known.numbers]
        start = known.n_strings
        candidates = None if start or key[1] else self._candidates(key[0])
        if candidates is not None:
            blob = encode_strings(self._strings.get_all(candidates))
            found.append(np.sort(candidates[matcher.numbers(make_chunk(0, blob))]))
            start = len(self._strings.order)
        found += [matcher.numbers(chunk) for chunk in self._strings.chunks(start)]
        joined = np.concatenate(found)
        return _Known(n_strings, joined[: np.searchsorted(joined, n_strings)])

    def _candidates(self, pattern: str) -> I64 | None:
        """Return which of the sorted strings begin as the pattern does; None if too many do."""
        prefix = prefix_of(pattern)
        if not prefix:
            return None
        candidates = self._strings.prefix_range(prefix).astype(np.int64)
        is_worth_it = len(candidates) * CANDIDATE_SHARE < len(self._strings.order)
        return candidates if is_worth_it else None


@dataclass(frozen=True, slots=True)
class _Known:
    """The matches among the first strings."""

    n_strings: int
    numbers: I64


class Matcher:
    """A compiled pattern that is matched against many whole strings at once.

    Raises
    ------
    QueryError
        If the pattern is not a regular expression RE2 can run.
    """

    def __init__(self, pattern: str, position: int, *, ignore_case: bool) -> None:
        if NO_MEANING.search(pattern):
            raise QueryError(r"\A, \z and \C have no meaning in a word.", position)
        self._compiled = _compile(pattern, position, ignore_case=ignore_case)
        literal = "" if ignore_case else longest_literal_of(pattern)
        self._literal = literal.encode() if len(literal) >= LEAST_LITERAL else b""

    def match(self, chunk: Chunk) -> Mask:
        """Return for each string of a chunk whether it matches."""
        table = np.zeros(len(chunk.ends), dtype=np.bool_)
        table[self.numbers(chunk) - chunk.first] = True
        return table

    def numbers(self, chunk: Chunk) -> I64:
        """Return the numbers of the strings of a chunk that match, ascending."""
        lines = _lines_with(self._literal, chunk) if self._literal else None
        if lines is None:
            return self._search(chunk.blob, chunk.ends) + chunk.first
        starts = np.where(lines > 0, chunk.ends[lines - 1] + 1, 0).tolist()
        stops = (chunk.ends[lines] + 1).tolist()
        blob = b"".join(chunk.blob[a:b] for a, b in zip(starts, stops, strict=True))
        return lines[self._search(blob, make_chunk(0, blob).ends)] + chunk.first

    def _search(self, blob: bytes, ends: I64) -> I64:
        """Return which lines of a blob match."""
        found = np.fromiter(
            (match.start() for match in self._compiled.finditer(blob)), dtype=np.int64
        )
        found = found[found < len(blob)]  # the empty match after the last line feed
        return np.unique(np.searchsorted(ends, found))  # an empty line may be found twice


def _lines_with(literal: bytes, chunk: Chunk) -> I64 | None:
    """Return the lines that hold a string; None if those are too many to be worth it."""
    most = len(chunk.ends) // CANDIDATE_SHARE
    found: list[int] = []
    at = chunk.blob.find(literal)
    while at >= 0:
        if len(found) > most:
            return None
        found.append(at)
        at = chunk.blob.find(literal, at + 1)
    return np.unique(np.searchsorted(chunk.ends, np.array(found, dtype=np.int64)))


# What RE2 says of the commonest mistakes, in the words of the site.
_MISTAKES = {
    "missing )": "a round bracket is opened and never closed",
    "unexpected )": "a round bracket is closed and was never opened",
    "missing ]": "a square bracket is opened and never closed",
    "no argument for repetition operator": "nothing stands before the sign that repeats it",
    "bad repetition operator": "two signs that repeat stand one behind the other",
    "invalid repetition size": "so many times cannot be repeated",
    "invalid character class range": "there is no such range or class of characters",
    "trailing \\": "it ends with a backslash, which belongs before a sign",
}


def _compile(pattern: str, position: int, *, ignore_case: bool) -> Any:
    """Compile a pattern for RE2, or for a backtracking engine if RE2 lacks what it uses."""
    translated = to_re2(pattern)
    if translated is None:
        return BacktrackingPattern(pattern, position, ignore_case=ignore_case)
    options = re2.Options()
    options.never_nl = True
    options.never_capture = True
    options.log_errors = False
    options.case_sensitive = not ignore_case
    options.max_mem = PATTERN_MEMORY_BYTES
    try:
        re2.compile(translated, options)  # alone, so that brackets cannot escape the frame
        return re2.compile(f"(?m:^(?:{translated})$)", options)
    except re2.error as error:
        raise QueryError(_in_words(error), position) from error


def _in_words(error: Exception) -> str:
    """Say what RE2 found wrong."""
    detail = error.args[0] if error.args else ""
    text = detail.decode(errors="replace") if isinstance(detail, bytes) else str(detail)
    if "invalid perl operator" in text or "invalid escape sequence: \\" in text:
        return f"This regular expression uses something that is not supported ({text})."
    what, _, where = text.partition(": ")
    at = f" (“{where}”)" if where else ""
    return f"This is not a regular expression: {_MISTAKES.get(what, what)}{at}."


@dataclass(frozen=True, slots=True)
class _Tables:
    """The patterns asked of each of a lexicon's tables."""

    forms: PatternNumbers
    values: PatternNumbers
    tags: PatternNumbers


_known: "WeakKeyDictionary[Lexicon, _Tables]" = WeakKeyDictionary()
_known_lock = threading.Lock()


def _known_of(lexicon: Lexicon) -> _Tables:
    with _known_lock:
        found = _known.get(lexicon)
        if found is None:
            tables = (lexicon.forms, lexicon.values, lexicon.tags)
            found = _known[lexicon] = _Tables(*map(PatternNumbers, tables))
    return found


def matching_forms(
    lexicon: LexiconView, pattern: str, flags: tuple[bool, bool, bool], position: int
) -> I64:
    """Return which forms match a pattern.

    Parameters
    ----------
    lexicon : LexiconView
    pattern : str
    flags : tuple of (ignore case, ignore accents, literal)
    position : int
        Where the pattern stands in the query, for messages.

    Returns
    -------
    ndarray of shape (n_matches,)
        I64 of forms, ascending.
    """
    ignore_case, ignore_accents, literal = flags
    strings = (pattern,) if literal else literals_of(pattern)
    if ignore_accents:
        pattern = strip_accents(pattern)
    if strings:
        found = _numbers_of(lexicon, strings, flags)
    else:
        n_forms = lexicon.size.n_forms
        known = _known_of(lexicon.lexicon).forms
        found = known.numbers(pattern, n_forms, position, ignore_case=ignore_case)
    if not (ignore_case or ignore_accents):
        return found
    variants = ("lower", "plain", "folded")[2 * ignore_accents - (not ignore_case)]
    return indices_of(lexicon, variants, found)


def _numbers_of(
    lexicon: LexiconView, strings: tuple[str, ...], flags: tuple[bool, bool, bool]
) -> I64:
    """Return the numbers of those of some forms that the lexicon has."""
    ignore_case, ignore_accents, _ = flags
    if ignore_case:
        strings = tuple(map(lower, strings))
    if ignore_accents:
        strings = tuple(map(strip_accents, strings))
    numbers = {lexicon.find_form(string) for string in strings} - {None}
    return np.array(sorted(cast("set[int]", numbers)), dtype=np.int64)


def matching_stems(
    lexicon: LexiconView, pattern: str, flags: tuple[bool, bool, bool], position: int
) -> Mask:
    """Return which stems match a pattern: shape (at least the stems of this snapshot,)."""
    ignore_case, ignore_accents, literal = flags
    n_stems = int(lexicon.stems.max(initial=0)) + 1
    strings = lexicon.lexicon.stems.strings
    chunks = list(strings.chunks())
    if ignore_accents:
        pattern = strip_accents(pattern)
        chunks = [make_chunk(0, encode_strings([strip_accents(stem) for stem in strings.all()]))]
    matcher = Matcher(escaped(pattern) if literal else pattern, position, ignore_case=ignore_case)
    table = np.zeros(max(n_stems, len(strings)), dtype=np.bool_)
    for chunk in chunks:
        table[matcher.numbers(chunk)] = True
    return table


def matching_ascii(lexicon: LexiconView, pattern: str, position: int, *, literal: bool) -> Mask:
    """Return which ASCII forms match a pattern, whose own letters are brought to ASCII as well.

    Case does not matter. Shape: at least the ASCII forms of this snapshot.
    """
    n_forms = int(lexicon.ascii.max(initial=0)) + 1
    strings = lexicon.lexicon.ascii.strings
    if literal:
        pattern = escaped(near_ascii(pattern))
    else:  # a sign of the pattern's syntax may come out: "…" are three stops
        pattern = "".join(c if c.isascii() else escaped(near_ascii(c)) for c in pattern)
    matcher = Matcher(pattern, position, ignore_case=True)
    table = np.zeros(max(n_forms, len(strings)), dtype=np.bool_)
    for chunk in strings.chunks():
        table[matcher.numbers(chunk)] = True
    return table


def matching_values(
    lexicon: LexiconView, pattern: str, position: int, *, ignore_case: bool
) -> Mask:
    """Return which values of document columns match a pattern: shape (n_values,)."""
    known = _known_of(lexicon.lexicon).values
    return _table(known, (pattern, ignore_case), lexicon.size.n_values, position)


def matching_tags(lexicon: LexiconView, pattern: str, position: int, *, ignore_case: bool) -> Mask:
    """Return which tags match a pattern: shape (n_tags,)."""
    known = _known_of(lexicon.lexicon).tags
    return _table(known, (pattern, ignore_case), lexicon.size.n_tags, position)


def _table(known: PatternNumbers, wanted: tuple[str, bool], size: int, position: int) -> Mask:
    table = np.zeros(size, dtype=np.bool_)
    pattern, ignore_case = wanted
    table[known.numbers(pattern, size, position, ignore_case=ignore_case)] = True
    return table
