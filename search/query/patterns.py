"""Regular expressions over the lexicon: a pattern → the set of forms that match it whole.

RE2 is used because it runs in linear time whatever a user writes. It runs once over all forms
joined by line feeds rather than form by form. Results are kept per pattern and only new forms are
looked at when the lexicon has grown.
"""

import re
import threading
from collections import OrderedDict
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
import re2

from search.index.folding import lower, strip_accents
from search.index.lexicon import Lexicon, LexiconView
from search.index.strings import Chunk, StringTable
from search.query.errors import QueryError

Mask = npt.NDArray[np.bool_]

PATTERN_MEMORY_BYTES = 16 << 20  # RE2's budget per pattern; more means a slower engine, not more
CACHED_PATTERNS = 200  # each costs a byte per form, 0.35 MB at 100 million tokens
SPECIAL = frozenset(".^$*+?{}[]\\|()")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
# One byte of a character, or an assertion about the whole joined text: meaningless for a form.
NO_MEANING = re.compile(r"(?<!\\)(?:\\\\)*\\[CAzZ]")


def literal_of(pattern: str) -> str | None:
    r"""Return the one string a pattern matches, None if it is not that simple.

    Examples
    --------
    >>> literal_of(r"U\.S\."), literal_of("rain"), literal_of("r.*")
    ('U.S.', 'rain', None)
    """
    if not SPECIAL.intersection(pattern):
        return pattern
    bare = ESCAPED.sub(lambda found: "" if not found[1].isalnum() else "*", pattern)
    if SPECIAL.intersection(bare):
        return None
    return ESCAPED.sub(r"\1", pattern)


class PatternTables:
    """Which strings of a table match a pattern, remembered for recent patterns."""

    def __init__(self, strings: StringTable) -> None:
        self._strings = strings
        self._tables: OrderedDict[tuple[str, bool], Mask] = OrderedDict()
        self._lock = threading.Lock()

    def table(self, pattern: str, n_strings: int, position: int, *, ignore_case: bool) -> Mask:
        """Return for each of the first strings whether it matches.

        Raises
        ------
        QueryError
            If the pattern is not a regular expression.
        """
        key = (pattern, ignore_case)
        with self._lock:
            known = self._tables.get(key)
            if known is None or len(known) < n_strings:
                known = self._extended(known, key, position)
                self._tables[key] = known
                if len(self._tables) > CACHED_PATTERNS:
                    self._tables.popitem(last=False)
            self._tables.move_to_end(key)
        return known[:n_strings]

    def _extended(self, known: Mask | None, key: tuple[str, bool], position: int) -> Mask:
        start = 0 if known is None else len(known)
        table = np.zeros(len(self._strings), dtype=np.bool_)
        if known is not None:
            table[:start] = known
        matcher = Matcher(key[0], position, ignore_case=key[1])
        for chunk in self._strings.chunks(start):
            stop = min(chunk.stop, len(table))
            table[chunk.first : stop] = matcher.match(chunk)[: stop - chunk.first]
        return table


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
        options = re2.Options()
        options.never_nl = True
        options.never_capture = True
        options.log_errors = False
        options.case_sensitive = not ignore_case
        options.max_mem = PATTERN_MEMORY_BYTES
        try:
            re2.compile(pattern, options)  # alone, so that brackets cannot escape the frame
            self._compiled = re2.compile(f"(?m:^(?:{pattern})$)", options)
        except re2.error as error:
            raise QueryError(_in_words(error), position) from error

    def match(self, chunk: Chunk) -> Mask:
        """Return for each string of a chunk whether it matches."""
        found = np.fromiter(
            (match.start() for match in self._compiled.finditer(chunk.blob)), dtype=np.int64
        )
        found = found[found < len(chunk.blob)]  # the empty match after the last line feed
        table = np.zeros(len(chunk.ends), dtype=np.bool_)
        table[np.searchsorted(chunk.ends, found)] = True
        return table


def _in_words(error: Exception) -> str:
    """Say what RE2 found wrong."""
    detail = error.args[0] if error.args else ""
    text = detail.decode(errors="replace") if isinstance(detail, bytes) else str(detail)
    if "invalid perl operator" in text or "invalid escape sequence: \\" in text:
        return f"This regular expression uses something that is not supported ({text})."
    return f"This is not a regular expression: {text}."


_tables: "WeakKeyDictionary[Lexicon, tuple[PatternTables, PatternTables]]" = WeakKeyDictionary()
_tables_lock = threading.Lock()


def _tables_of(lexicon: Lexicon) -> tuple[PatternTables, PatternTables]:
    with _tables_lock:
        found = _tables.get(lexicon)
        if found is None:
            found = _tables[lexicon] = (
                PatternTables(lexicon.forms),
                PatternTables(lexicon.values),
            )
    return found


def matching_forms(
    lexicon: LexiconView, pattern: str, flags: tuple[bool, bool, bool], position: int
) -> Mask:
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
    ndarray of shape (n_forms,)
    """
    ignore_case, ignore_accents, literal = flags
    string = pattern if literal else literal_of(pattern)
    if ignore_accents:
        pattern = strip_accents(pattern)
    if string is not None:
        string = lower(string) if ignore_case else string
        string = strip_accents(string) if ignore_accents else string
        number = lexicon.find_form(string)
        same = np.zeros(lexicon.size.n_forms, dtype=np.bool_)
        if number is not None:
            same[number] = True
        table = same
    else:
        tables, _ = _tables_of(lexicon.lexicon)
        table = tables.table(pattern, lexicon.size.n_forms, position, ignore_case=ignore_case)
    if ignore_case:
        return table[lexicon.folded if ignore_accents else lexicon.lower]
    return table[lexicon.plain] if ignore_accents else table


def matching_values(
    lexicon: LexiconView, pattern: str, position: int, *, ignore_case: bool
) -> Mask:
    """Return which values of document columns match a pattern: shape (n_values,)."""
    _, tables = _tables_of(lexicon.lexicon)
    return tables.table(pattern, lexicon.size.n_values, position, ignore_case=ignore_case)
