"""Files of text, read in pieces of whole lines: plain or gzip, xz or bzip2 by their first bytes.

Input → output: a path or a binary stream → text with the number of its first line. What cannot be
text is refused with its line: bytes that are not UTF-8, NUL, lines without an end, compressed data
that break off. A byte order mark and carriage returns before line feeds are dropped.
"""

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from search.exchange.errors import CorpusFileError

PIECE_BYTES = 4 << 20  # a few times the processor's cache; larger pieces read no faster
MAX_LINE_BYTES = 1 << 20  # of token lines; the longest real ones are some hundred
STANDARD_INPUT = "-"
BYTE_ORDER_MARK = "\ufeff"
BROKEN_OFF = (EOFError, OSError, lzma.LZMAError, zlib.error)
Stream = io.BufferedReader | gzip.GzipFile | lzma.LZMAFile | bz2.BZ2File
COMPRESSIONS: dict[bytes, Callable[[io.BufferedReader], Stream]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file, mode="rb"),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"BZh": bz2.BZ2File,
}


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines of a file, each ended by a line feed; ``first_line`` is 1-based."""

    text: str
    first_line: int
    n_lines: int


@dataclass(frozen=True, slots=True)
class Source:
    """An open file: its name for messages, and its bytes, decompressed."""

    name: str
    stream: Stream


@contextmanager
def open_source(path: str) -> Iterator[Source]:
    """Open a file by path, standard input for ``-``.

    Raises
    ------
    OSError
        If it cannot be opened.
    """
    if path == STANDARD_INPUT:
        yield Source("standard input", decompressed(cast("io.BufferedReader", sys.stdin.buffer)))
        return
    with Path(path).open("rb") as file:
        yield Source(path, decompressed(file))


def decompressed(file: io.BufferedReader) -> Stream:
    """Return a stream of what a file holds, by its first bytes."""
    start = file.peek(8)
    for magic, compression in COMPRESSIONS.items():
        if start.startswith(magic):
            return compression(file)
    return file


def pieces(source: Source, max_line_bytes: int = MAX_LINE_BYTES) -> Iterator[Piece]:
    """Read a file in pieces of whole lines.

    Raises
    ------
    CorpusFileError
    """
    line = 1
    for data in _whole_lines(source, max_line_bytes):
        text = _decode(source, data, line)
        if line == 1:
            text = text.removeprefix(BYTE_ORDER_MARK)
        n_lines = data.count(b"\n")
        yield Piece(text, line, n_lines)
        line += n_lines


def numbered_lines(source: Source, max_line_bytes: int) -> Iterator[tuple[int, str]]:
    """Read a file line by line, without line feeds; numbers from 1.

    Raises
    ------
    CorpusFileError
    """
    for piece in pieces(source, max_line_bytes):
        yield from enumerate(piece.text[:-1].split("\n"), piece.first_line)


def _whole_lines(source: Source, max_line_bytes: int) -> Iterator[bytes]:
    """Yield bytes that end with a line feed; the last line is given one."""
    rest: list[bytes] = []
    n_rest = n_lines = 0
    try:
        for data in _blocks(source.stream):
            cut = data.rfind(b"\n") + 1
            if cut:
                whole = b"".join([*rest, data[:cut]])
                _check_lengths(source.name, whole, max_line_bytes, n_lines + 1)
                yield whole
                n_lines += whole.count(b"\n")
                rest, n_rest = [], 0
            rest.append(data[cut:])
            n_rest += len(data) - cut
            if n_rest > max_line_bytes:
                raise CorpusFileError(source.name, n_lines + 1, _too_long(max_line_bytes))
    except BROKEN_OFF as error:
        message = f"the file breaks off here: {error}"
        raise CorpusFileError(source.name, n_lines + 1, message) from error
    if n_rest:
        yield b"".join(rest) + b"\n"


def _check_lengths(name: str, data: bytes, most: int, first_line: int) -> None:
    """Refuse a line that is too long, by jumps from line end to line end."""
    at = 0
    while len(data) - at > most:
        end = data.rfind(b"\n", at, at + most + 1)
        if end < 0:
            raise CorpusFileError(name, first_line + data.count(b"\n", 0, at), _too_long(most))
        at = end + 1


def _too_long(most: int) -> str:
    return f"a line of more than {most:,} bytes"


def _blocks(stream: Stream) -> Iterator[bytes]:
    """Yield what can be read, in blocks of some size, before any fault is raised."""
    parts: list[bytes] = []
    size = 0
    try:
        while part := stream.read1(PIECE_BYTES):
            parts.append(part)
            size += len(part)
            if size >= PIECE_BYTES:
                yield b"".join(parts)
                parts, size = [], 0
    except BROKEN_OFF:
        yield b"".join(parts)
        raise
    if parts:
        yield b"".join(parts)


def _decode(source: Source, data: bytes, line: int) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        at = line + data.count(b"\n", 0, error.start)
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise CorpusFileError(source.name, at, message) from error
    if b"\0" in data:
        at = line + data.count(b"\n", 0, data.index(b"\0"))
        raise CorpusFileError(source.name, at, "a NUL byte")
    return text.replace("\r\n", "\n") if "\r" in text else text
