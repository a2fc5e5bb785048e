"""Files that are written whole or not at all.

Input → output: a path (``-`` is standard output) and strings → a UTF-8 file, packed by the ending
of its name.
"""

import bz2
import gzip
import lzma
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from search.engine.exchange.source import STANDARD_INPUT
from search.engine.workbench.errors import CommandError


def write_file(path: str, strings: Iterable[str]) -> None:
    """Write strings one after the other; a file appears under its name when it is whole.

    Raises
    ------
    CommandError
        If the file cannot be written.
    """
    if path == STANDARD_INPUT:
        for string in strings:
            sys.stdout.buffer.write(string.encode(errors="replace"))
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        with unfinished.open("wb") as file, _packed(file, target.suffix) as packed:
            packed.writelines(string.encode(errors="replace") for string in strings)
        unfinished.replace(target)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _packed(file: BinaryIO, suffix: str) -> gzip.GzipFile | lzma.LZMAFile | bz2.BZ2File | BinaryIO:
    match suffix:
        case ".gz":
            return gzip.GzipFile(fileobj=file, mode="wb")
        case ".xz":
            return lzma.LZMAFile(file, "wb")
        case ".bz2":
            return bz2.BZ2File(file, "wb")
        case _:
            return file
