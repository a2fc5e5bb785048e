"""Read a treebank that somebody brings: CoNLL-U files in, sentences of the site's own tokens out.

Whatever is wrong with a file is said in sentences: what cannot be read as a whole raises
`TreebankError`, one sentence that cannot be used is left out and counted with its reason and the
first place. Format: universaldependencies.org/format.html. Texts of the corpus are taken apart by
the one tokenizer, so the treebank's words are laid over its tokens: a word that it cuts gives all
pieces its tag, words that it keeps together (and multiword tokens, "della" of "di" and "la") are
one token with the tag and lemma of the first that is no function word. Empty nodes are no words.
"""

import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from extraction.text.normalize import normalize_text
from extraction.text.tokens import tokenize
from presentation.wording.figures import grouped, size
from search.engine.annotation.tagset import CLOSED_TAGS, UNIVERSAL_TAGS

N_COLUMNS = 10
LONGEST_LINE = 100_000  # bytes; longer ones are cut, and so are no lines of a treebank
MOST_LINES = 2_000  # of a sentence; the longest of Universal Dependencies has some 600
# Of all files together, unpacked: a gzip of 1 MB may hold a thousand. The largest treebank that is
# published has 4 million lines in 250 MB.
MOST_READ_LINES = 10_000_000
MOST_READ_BYTES = 1_000_000_000
# Three minutes of processor time and 750 MB; most treebanks have fewer, and more gain little.
MOST_TOKENS = 600_000
_ID, _FORM, _LEMMA, _UPOS, _MISC = 0, 1, 2, 3, 9
_NONE = "_"
_NO_SPACE = "SpaceAfter=No"
_WORD_ID = re.compile(r"[1-9][0-9]{0,5}")
_RANGE_ID = re.compile(r"([1-9][0-9]{0,5})-([1-9][0-9]{0,5})")
_EMPTY_ID = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}")
_GZIP = b"\x1f\x8b"
_NO_WORDS = frozenset({"PUNCT", "SYM"})

NOT_UTF8 = "bytes that are not UTF-8"
NOT_TEN = "a line without ten columns between tabs"
BAD_ID = "word numbers that do not count from 1"
TOO_LONG = f"more than {MOST_LINES} lines"
NO_FORM = "words without a form"
NO_TAG = "words without a universal tag (UPOS)"
OTHER_TAG = "a tag that is none of the universal ones"


class TreebankError(ValueError):
    """A file that is no treebank to learn from; the message is for the person who brought it."""


class Word(NamedTuple):
    """A token as the site's tokenizer has it; no lemma where the treebank says none."""

    form: str
    tag: str
    lemma: str | None


Sentence = list[Word]


@dataclass(slots=True)
class LeftOut:
    """How many sentences were left out for one reason, and where the first begins."""

    place: str
    n: int = 0


@dataclass(slots=True)
class Treebank:
    """What was read: sentences to learn from, and what was left out by reason."""

    sentences: list[Sentence] = field(default_factory=list)
    left_out: dict[str, LeftOut] = field(default_factory=dict)
    n_tokens: int = 0
    n_empty_nodes: int = 0
    n_multiword: int = 0
    n_beyond: int = 0

    @property
    def n_left_out(self) -> int:
        return sum(found.n for found in self.left_out.values())


class _TooMuchError(Exception):
    """Raised where files go on for longer than any treebank."""


@dataclass(slots=True)
class _Left:
    """What may still be read of all files."""

    n_lines: int
    n_bytes: int

    def take(self, n_bytes: int) -> None:
        self.n_lines -= 1
        self.n_bytes -= n_bytes
        if self.n_lines < 0 or self.n_bytes < 0:
            raise _TooMuchError


class _UnusableError(ValueError):
    """Raised with the reason for which a sentence is left out."""


@dataclass(slots=True)
class _Unit:
    """A stretch of the text with the words that it is of: one, or those of a multiword token."""

    form: str
    words: list[Word]
    has_space: bool


def read_treebank(paths: Sequence[Path], most_tokens: int = MOST_TOKENS) -> Treebank:
    """Read CoNLL-U files, gzipped or not, one after the other.

    Parameters
    ----------
    paths
        Files of one language.
    most_tokens
        Sentences beyond so many tokens are counted and not kept.

    Returns
    -------
    Treebank
        In the order of the files.

    Raises
    ------
    TreebankError
        When a file cannot be opened or unpacked, or is longer than any treebank.
    """
    found, left = Treebank(), _Left(MOST_READ_LINES, MOST_READ_BYTES)
    for path in paths:
        try:
            with _opened(path) as stream:
                for first_line, lines in _blocks(stream, left):
                    _take(found, lines, f"{path.name}, line {first_line}", most_tokens)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise TreebankError(f"{path} is a damaged gzip file.") from error
        except _TooMuchError:
            raise TreebankError(
                f"{path} is no treebank: of all files {grouped(MOST_READ_LINES)} lines and"
                f" {size(MOST_READ_BYTES)} are read, and it has more."
            ) from None
        except OSError as error:
            raise TreebankError(f"{path} cannot be read: {error.strerror or error}.") from error
    return found


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as stream:
        is_packed = stream.read(len(_GZIP)) == _GZIP
    return cast("BinaryIO", gzip.open(path, "rb")) if is_packed else path.open("rb")


def _blocks(stream: BinaryIO, left: _Left) -> Iterator[tuple[int, list[bytes]]]:
    """Give the lines of each sentence with the number of its first; comments are left away."""
    lines: list[bytes] = []
    first = number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        left.take(len(line))
        line = line.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n")
        if not line.strip():
            if lines:
                yield first, lines
            lines = []
        elif not line.startswith(b"#") and len(lines) <= MOST_LINES:
            first = first if lines else number
            lines.append(line)
    if lines:
        yield first, lines


def _take(found: Treebank, lines: list[bytes], place: str, most_tokens: int) -> None:
    try:
        sentence = _sentence(found, lines)
    except _UnusableError as error:
        found.left_out.setdefault(str(error), LeftOut(place)).n += 1
        return
    if found.n_tokens + len(sentence) > most_tokens:
        found.n_beyond += 1
        return
    found.sentences.append(sentence)
    found.n_tokens += len(sentence)


def _sentence(found: Treebank, lines: list[bytes]) -> Sentence:
    if len(lines) > MOST_LINES:
        raise _UnusableError(TOO_LONG)
    try:
        rows = [line.decode().split("\t") for line in lines]
    except UnicodeDecodeError:
        raise _UnusableError(NOT_UTF8) from None
    if any(len(row) != N_COLUMNS for row in rows):
        raise _UnusableError(NOT_TEN)
    words_and_ranges = [row for row in rows if not _EMPTY_ID.fullmatch(row[_ID])]
    units = _units(words_and_ranges)
    found.n_empty_nodes += len(rows) - len(words_and_ranges)
    found.n_multiword += sum("-" in row[_ID] for row in words_and_ranges)
    return _as_tokens(units)


def _units(rows: list[list[str]]) -> list[_Unit]:
    """Put the words of multiword tokens under these; checks numbers, forms and tags."""
    units: list[_Unit] = []
    n_words = range_end = 0
    for row in rows:
        form = normalize_text(row[_FORM])
        has_space = _NO_SPACE not in row[_MISC].split("|")
        if bounds := _RANGE_ID.fullmatch(row[_ID]):
            first, last = map(int, bounds.groups())
            if first != n_words + 1 or first <= range_end or last <= first:
                raise _UnusableError(BAD_ID)
            range_end = last
            units.append(_Unit(form, [], has_space))
        else:
            if not _WORD_ID.fullmatch(row[_ID]) or int(row[_ID]) != n_words + 1:
                raise _UnusableError(BAD_ID)
            n_words += 1
            if n_words > range_end:
                units.append(_Unit(form, [], has_space))
            units[-1].words.append(_word(form, row))
        if not form:
            raise _UnusableError(NO_FORM)
    if not n_words or range_end > n_words:
        raise _UnusableError(BAD_ID)
    # Treebanks whose texts may not be passed on have "_" in place of every word.
    if all(unit.form == _NONE for unit in units):
        raise _UnusableError(NO_FORM)
    return units


def _word(form: str, row: list[str]) -> Word:
    tag = row[_UPOS]
    if tag == _NONE or not tag:
        raise _UnusableError(NO_TAG)
    if tag not in UNIVERSAL_TAGS:
        raise _UnusableError(OTHER_TAG)
    lemma = normalize_text(row[_LEMMA])
    return Word(form, tag, None if not lemma or (lemma == _NONE and form != _NONE) else lemma)


def _as_tokens(units: list[_Unit]) -> Sentence:
    """Lay the words over the site's own tokens."""
    pieces = [piece for unit in units for piece in _cut(unit)]
    text = ""
    ends = [0]
    starts: list[int] = []
    for piece in pieces:
        starts.append(len(text))
        text += piece.form
        ends.append(len(text))
        text += " " if piece.has_space else ""
    tokens: Sentence = []
    place = 0
    for start, end in tokenize(text):
        while ends[place + 1] <= start:
            place += 1
        last = place
        while last + 1 < len(pieces) and starts[last + 1] < end:
            last += 1
        words = [word for piece in pieces[place : last + 1] for word in piece.words]
        is_whole = starts[place] >= start and ends[last + 1] <= end
        tokens.append(_token(text[start:end], words, is_whole=is_whole))
    return tokens


def _cut(unit: _Unit) -> list[_Unit]:
    """Cut a multiword token whose words simply stand side by side ("don't": do, n't)."""
    if len(unit.words) < 2 or "".join(word.form for word in unit.words) != unit.form:
        return [unit]
    return [
        *(_Unit(word.form, [word], has_space=False) for word in unit.words[:-1]),
        _Unit(unit.words[-1].form, [unit.words[-1]], unit.has_space),
    ]


def _token(form: str, words: Sequence[Word], *, is_whole: bool) -> Word:
    open_words = (word for word in words if word.tag not in CLOSED_TAGS | _NO_WORDS)
    head = next(open_words, words[0])
    if not is_whole:
        is_sign = not any(sign.isalnum() for sign in form)
        return Word(form, "PUNCT" if is_sign and head.tag not in _NO_WORDS else head.tag, None)
    return head._replace(form=form)
