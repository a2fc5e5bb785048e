"""Lines of a file, whatever it holds: a binary stream → numbered lines as text, and problems.

UTF-8, with a byte order mark or without; UTF-16 by its mark; another encoding where one is named.
Only one line is held, and one that is too long is passed over in pieces.
"""

import codecs
import io
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

from search.engine.given.texts import MAX_TEXT_BYTES, FileProblem, Problem

# What may be named: what Windows and old Unix programs write, beside Unicode.
ENCODINGS = ("utf-8", "utf-16", "windows-1252", "iso-8859-1", "iso-8859-15", "mac-roman")
DEFAULT_ENCODING = "utf-8"
_PIECE = 1 << 20
# A token a line, a text of 8 MB has half as many.
MAX_LINES_OF_TEXT = 4_000_000
Line = tuple[int, str | Problem]


class WatchedLines:
    """Lines that end where no text comes of them: a slice of an import is over between texts."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self._n_left = MAX_LINES_OF_TEXT

    def __iter__(self) -> "WatchedLines":
        return self

    def __next__(self) -> Line:
        self._n_left -= 1
        if self._n_left < 0:
            raise FileProblem(f"more than {MAX_LINES_OF_TEXT:,} lines without a text's end")
        return next(self._lines)

    def begin_text(self) -> None:
        """Count from here: a text, or a fault, has been given."""
        self._n_left = MAX_LINES_OF_TEXT


def numbered_lines(stream: BinaryIO, encoding: str = DEFAULT_ENCODING) -> Iterator[Line]:
    """Read lines without their ends, numbered from 1; a bad one is a problem in its place."""
    for number, line in enumerate(_whole_lines(*_as_utf8(stream, encoding)), 1):
        if line is None:
            yield number, Problem(number, f"a line of more than {MAX_TEXT_BYTES:,} bytes")
        elif b"\0" in line:
            yield number, Problem(number, "a NUL byte: this is no text")
        else:
            yield number, _decoded(line, number)


def _as_utf8(stream: BinaryIO, encoding: str) -> tuple[BinaryIO, bytes]:
    """Give a stream of UTF-8 and what was read of it already, without a byte order mark."""
    start = stream.read(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif encoding == DEFAULT_ENCODING or start.startswith(codecs.BOM_UTF8):
        return stream, start.removeprefix(codecs.BOM_UTF8)
    return _Recoded(stream, start, encoding), b""  # type: ignore[return-value]  # what is used of it


class _Recoded(io.RawIOBase):
    """Bytes of another encoding as those of UTF-8; what is none becomes U+FFFD."""

    def __init__(self, stream: BinaryIO, start: bytes, encoding: str) -> None:
        self._stream, self._rest, self._start = stream, b"", start
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")

    def read(self, size: int = -1) -> bytes:
        """Give at most `size` bytes, which must be more than 0; none at the end."""
        while not self._rest:
            piece = self._start or self._stream.read(_PIECE)
            self._start = b""
            self._rest = self._decoder.decode(piece, final=not piece).encode()
            if not piece:
                break
        given, self._rest = self._rest[:size], self._rest[size:]
        return given


def _whole_lines(stream: BinaryIO, start: bytes) -> Iterator[bytes | None]:
    """Cut a stream at its line feeds; None for a line that is too long."""
    held: list[bytes] = []  # of the open line, and nothing of one that is too long
    n_bytes = 0
    for piece in chain((start,), iter(lambda: stream.read(_PIECE), b"")):
        for number, part in enumerate(piece.split(b"\n")):
            if number:
                yield _joined(held, n_bytes)
                held, n_bytes = [], 0
            n_bytes += len(part)
            held.append(part)
            if n_bytes > MAX_TEXT_BYTES:
                held.clear()
    if n_bytes:
        yield _joined(held, n_bytes)


def _joined(parts: list[bytes], n_bytes: int) -> bytes | None:
    return None if n_bytes > MAX_TEXT_BYTES else b"".join(parts).removesuffix(b"\r")


def _decoded(line: bytes, number: int) -> str | Problem:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        return Problem(
            number, f"byte 0x{line[error.start]:02x} is not UTF-8: name the encoding of the file"
        )
