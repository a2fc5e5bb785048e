"""Lines of a vertical file as type numbers and marks.

Input → output: the lines of a text (one token a line, its attributes separated by tabulators, and
tags such as ``<s>``) → one number a line: a type's, or that of a ``LineMark``. A line is parsed and
checked when it is first met, so checks cost nothing: 100 million tokens have 350,000 lines that
differ.
"""

from collections.abc import Callable
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from search.engine.index.building.line_table import LINE_BYTES, N_WORDS, LineTable
from search.engine.index.errors import TokenLineError, TooManyTagsError
from search.engine.index.lexicon.builder import LexiconBuilder

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
LineToken = tuple[str, str, str]

N_COLUMNS = 3  # of a token's line: word, lemma, tag
LINE_FEED = 10
LINES_AT_ONCE = 1 << 14  # their rows, half a megabyte, stay in the second-level cache


class LineMark(IntEnum):
    """What a line that is no token says; the numbers lie above those of all types."""

    SENTENCE_START = 0xFFFFFFF1
    SENTENCE_END = 0xFFFFFFF2
    GLUE = 0xFFFFFFF3  # no white space before the next token
    BREAK = 0xFFFFFFF4  # the next token starts a sentence, wherever the last one ended
    IGNORED = 0xFFFFFFF5


FIRST_MARK = min(LineMark)
Parse = Callable[[str], LineToken | LineMark]

_TAGS = {"<s>": LineMark.SENTENCE_START, "</s>": LineMark.SENTENCE_END, "<g/>": LineMark.GLUE}


def parse_vertical_line(line: str) -> LineToken | LineMark:
    r"""Read ``word TAB lemma TAB tag``, ``<s>``, ``</s>``, ``<g/>``; ignore all other tags.

    Raises
    ------
    ValueError
        Saying what is wrong, for a line that is neither.

    Examples
    --------
    >>> parse_vertical_line("Rain\train\tNN")
    ('Rain', 'rain', 'NN')
    """
    parts = line.split("\t")
    if len(parts) == N_COLUMNS:
        return parts[0], parts[1], parts[2]
    if len(parts) == 1 and line.startswith("<") and line.endswith(">"):
        name = line.split(" ", 1)[0].rstrip(">").rstrip("/") + ("/>" if line[-2] == "/" else ">")
        return _TAGS.get(name, LineMark.IGNORED)
    raise ValueError(f"{len(parts)} columns, expected {N_COLUMNS}")


def n_lines_in(data: bytes) -> int:
    """Count line feeds, many times faster than bytes do."""
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == LINE_FEED))


def _kept_bytes() -> npt.NDArray[np.void]:
    """Return for each length of a line the bytes of its row that are kept, as a row of bits."""
    places = np.arange(LINE_BYTES)
    kept = np.where(places < np.arange(LINE_BYTES + 1)[:, np.newaxis], 0xFF, 0).astype(np.uint8)
    return kept.view(f"V{LINE_BYTES}").reshape(-1)


_KEPT = _kept_bytes()


class LineNumbers:
    """Lines to numbers; an unknown line is parsed, and its token added to the lexicon."""

    def __init__(self, builder: LexiconBuilder, parse: Parse) -> None:
        self._builder = builder
        self._parse = parse
        self._short = LineTable()
        self._long: dict[bytes, int] = {}

    def of(self, data: bytes) -> U32:
        """Return the number of each line.

        Parameters
        ----------
        data : bytes
            Lines of UTF-8, each ended by a line feed; no NUL bytes.

        Raises
        ------
        TokenLineError, TooManyTagsError
            With the number of the line, counted from 0.
        """
        padded = np.frombuffer(data + bytes(LINE_BYTES), dtype=np.uint8)
        ends = np.flatnonzero(padded == LINE_FEED)
        starts = np.concatenate([[0], ends + 1])[:-1]
        numbers = [np.empty(0, dtype=np.uint32)]
        for low in range(0, len(ends), LINES_AT_ONCE):
            part = slice(low, low + LINES_AT_ONCE)
            try:
                numbers.append(self._of_some(padded, starts[part], ends[part] - starts[part]))
            except TokenLineError as error:
                raise type(error)(low + error.line, error.reason) from error
        return np.concatenate(numbers)

    def _of_some(self, padded: npt.NDArray[np.uint8], starts: I64, lengths: I64) -> U32:
        """Return the numbers of lines, given where they start and how long they are."""
        items: npt.NDArray[np.void] = np.ndarray(
            len(padded) - LINE_BYTES + 1, f"V{LINE_BYTES}", padded, 0, (1,)
        )
        rows = items[starts].view(np.uint64).reshape(-1, N_WORDS)
        rows &= _KEPT[np.minimum(lengths, LINE_BYTES)].view(np.uint64).reshape(-1, N_WORDS)
        numbers, unknown = self._short.find(rows)
        is_long = lengths > LINE_BYTES
        places = np.union1d(unknown, np.flatnonzero(is_long)).tolist()
        seen: dict[bytes, int] = {}
        new = []
        for i in places:
            line = padded[starts[i] : starts[i] + lengths[i]].tobytes()
            known = self._long if is_long[i] else seen
            number = known.get(line)
            if number is None:
                number = known[line] = self._new(line, i)
                if known is seen:
                    new.append(i)
            numbers[i] = number
        if new:
            self._short.add(rows[new], numbers[new])
        return numbers

    def _new(self, line: bytes, place: int) -> int:
        try:
            found = self._parse(line.decode())
            return int(found) if isinstance(found, LineMark) else self._builder.type_of(found)
        except UnicodeDecodeError as error:
            reason = f"byte 0x{line[error.start]:02x} is not UTF-8"
            raise TokenLineError(place, reason) from error
        except TooManyTagsError as error:
            raise TooManyTagsError(place, error.reason) from error
        except ValueError as error:
            raise TokenLineError(place, str(error)) from error
