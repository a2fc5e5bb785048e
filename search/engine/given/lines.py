"""Lines of a file, whatever it holds: a binary stream → numbered lines as text, and problems.

UTF-8, with a byte order mark or without; UTF-16 by its mark; another encoding where one is named.
Only one line is held, and one that is too long is passed over in pieces.
"""

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO

from search.engine.given.texts import MAX_TEXT_BYTES, Problem

# What may be named: what Windows and old Unix programs write, beside Unicode.
ENCODINGS = ("utf-8", "utf-16", "windows-1252", "iso-8859-1", "iso-8859-15", "mac-roman")
DEFAULT_ENCODING = "utf-8"
_PIECE = 1 << 20
Line = tuple[int, str | Problem]


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
    held, is_too_long = start, False
    while piece := stream.read(_PIECE):
        *whole, rest = (held + piece).split(b"\n")
        for line in whole:
            yield None if is_too_long or len(line) > MAX_TEXT_BYTES else line.removesuffix(b"\r")
            is_too_long = False
        is_too_long = is_too_long or len(rest) > MAX_TEXT_BYTES
        held = b"" if is_too_long else rest
    if is_too_long:
        yield None
    else:
        # A mark alone, or a short file, has been read already.
        yield from (line.removesuffix(b"\r") for line in held.split(b"\n") if held)


def _decoded(line: bytes, number: int) -> str | Problem:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        return Problem(
            number, f"byte 0x{line[error.start]:02x} is not UTF-8: name the encoding of the file"
        )
