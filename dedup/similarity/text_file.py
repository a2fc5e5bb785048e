"""Texts of a JSON-lines file: one object a line with `id` and `text`; bad lines are refused."""

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path


class BadLineError(Exception):
    """A line that holds no text; raised by `read_texts`, shown by the program with its number."""


@dataclass(frozen=True, slots=True)
class FileText:
    """One text of the file; `id` names it in what is written out."""

    id: str
    title: str
    text: str


def read_texts(path: Path) -> Iterator[FileText]:
    """Read a file of texts, compressed when its name ends in ``.gz``.

    Parameters
    ----------
    path
        A UTF-8 file. Each line that is not blank is an object with a string or whole number `id`
        that no other line has, a string `text`, and, if known, a string `title`.

    Raises
    ------
    BadLineError
        For the first line that is something else, with its number; for a damaged archive.
    OSError
        For a file that cannot be read.
    """
    seen: set[str] = set()
    number = 0
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    found = _text_of(line, number)
                    if found.id in seen:
                        raise BadLineError(f"line {number}: the id {found.id!r} is there twice")
                    seen.add(found.id)
                    yield found
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise BadLineError(f"after line {number}: damaged archive ({error})") from error


def _opened(path: Path) -> gzip.GzipFile | BufferedReader:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def _text_of(line: bytes, number: int) -> FileText:
    try:
        # A byte order mark may stand before the first line.
        found = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadLineError(f"line {number}: not UTF-8 ({error.reason})") from error
    except (ValueError, RecursionError) as error:  # ValueError: also numbers of 4,300 digits
        raise BadLineError(f"line {number}: not JSON ({error})") from error
    if not isinstance(found, dict):
        raise BadLineError(f"line {number}: not an object")
    name, text, title = found.get("id"), found.get("text"), found.get("title") or ""
    if isinstance(name, bool) or not isinstance(name, str | int):
        raise BadLineError(f'line {number}: "id" is missing or neither text nor a whole number')
    if not isinstance(text, str) or not isinstance(title, str):
        raise BadLineError(f'line {number}: "text" is missing or not text')
    return FileText(str(name), title, text)
