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
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from search.engine.exchange.errors import CorpusFileError
from search.engine.index.building.line_numbers import n_lines_in

PIECE_BYTES = 4 << 20  # a few times the processor's cache; larger pieces read no faster
MAX_LINE_BYTES = 1 << 20  # of token lines; the longest real ones are some hundred
STANDARD_INPUT = "-"
BROKEN_OFF = (EOFError, OSError, lzma.LZMAError, zlib.error)
Stream = io.BufferedReader | gzip.GzipFile | lzma.LZMAFile | bz2.BZ2File
COMPRESSIONS: dict[bytes, Callable[[io.BufferedReader], Stream]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file, mode="rb"),
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"BZh": bz2.BZ2File,
}


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Whole lines of a file, each ended by a line feed; ``first_line`` is 1-based."""

    data: bytes
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


def pieces(source: Source, max_line_bytes: int = MAX_LINE_BYTES) -> Iterator[SourceLines]:
    """Read a file in pieces of whole lines, the last of which is given its line feed.

    Raises
    ------
    CorpusFileError
    """
    for piece in _whole_lines(source, max_line_bytes):
        data = _without_mark(source.name, piece)
        if b"\0" in data:
            line = piece.first_line + data.count(b"\n", 0, data.index(b"\0"))
            raise CorpusFileError(source.name, line, "a NUL byte")
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n")
        yield SourceLines(data, piece.first_line, piece.n_lines)


def _without_mark(name: str, piece: SourceLines) -> bytes:
    """Take the byte order mark off the beginning of a file."""
    if piece.first_line > 1:
        return piece.data
    if piece.data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise CorpusFileError(name, 1, "the file is in UTF-16; it has to be in UTF-8")
    return piece.data.removeprefix(BOM_UTF8)


def numbered_lines(source: Source, max_line_bytes: int) -> Iterator[tuple[int, str]]:
    """Read a file line by line, without line feeds; numbers from 1.

    Raises
    ------
    CorpusFileError
    """
    for piece in pieces(source, max_line_bytes):
        text = decoded(source.name, piece.data, piece.first_line)
        yield from enumerate(text[:-1].split("\n"), piece.first_line)


def decoded(name: str, data: bytes, first_line: int) -> str:
    """Return bytes as text.

    Raises
    ------
    CorpusFileError
        With the line, counted from that of the first byte.
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise CorpusFileError(name, line, message) from error


def _whole_lines(source: Source, max_line_bytes: int) -> Iterator[SourceLines]:
    rest: list[bytes] = []
    n_rest = 0
    line = 1
    try:
        for data in _blocks(source.stream):
            cut = data.rfind(b"\n") + 1
            if cut:
                whole = b"".join([*rest, data[:cut]])
                _check_lengths(source.name, whole, max_line_bytes, line)
                n_lines = n_lines_in(whole)
                yield SourceLines(whole, line, n_lines)
                line += n_lines
                rest, n_rest = [], 0
            rest.append(data[cut:])
            n_rest += len(data) - cut
            if n_rest > max_line_bytes:
                raise CorpusFileError(source.name, line, _too_long(max_line_bytes))
    except BROKEN_OFF as error:
        message = f"the file breaks off here: {error}"
        raise CorpusFileError(source.name, line, message) from error
    if n_rest:
        yield SourceLines(b"".join(rest) + b"\n", line, 1)


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
