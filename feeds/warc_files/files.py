"""Where the files of an import lie: WARC files by themselves, or inside a WACZ.

WACZ 1.1 (webrecorder.github.io/specs): a zip whose `archive/` folder holds WARC files.
"""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_WARC_SUFFIXES = (".warc", ".warc.gz")
_WACZ_SUFFIX = ".wacz"
# All that zipfile raises for what a zip holds; NotImplementedError is another way of packing.
_BAD_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    KeyError,
    NotImplementedError,
    UnicodeDecodeError,
)
_IS_ENCRYPTED = 0x1  # bit 0 of a member's flags (APPNOTE.TXT, 4.4.4)
_MAX_MEMBER = 500  # what the column of an import holds
SUFFIXES = (*_WARC_SUFFIXES, _WACZ_SUFFIX)


class WarcFileError(ValueError):
    """A path that holds nothing to import; says why in a sentence."""


@dataclass(frozen=True, slots=True)
class WarcFile:
    """One WARC file: a path, and its name inside where the path is a WACZ."""

    path: str
    member: str
    n_bytes: int


def warc_files(path: Path) -> list[WarcFile]:
    """List the WARC files at a path: itself, those of a WACZ, or all of a folder, by name.

    Raises WarcFileError where there is none or it cannot be read.
    """
    try:
        if path.is_dir():
            inside = sorted(item for item in path.rglob("*") if item.is_file())
            found = [file for item in inside if _is_archive(item) for file in warc_files(item)]
        elif path.name.lower().endswith(_WACZ_SUFFIX):
            found = _inside(path)
        else:
            found = [WarcFile(str(path.resolve()), "", path.stat().st_size)]
    except (OSError, *_BAD_ZIP) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WarcFileError(f"{path} cannot be read: {reason}.") from error
    if not found:
        raise WarcFileError(f"{path} holds no WARC file.")
    return found


@contextmanager
def opened(path: str, member: str) -> Iterator[BinaryIO]:
    """Open a WARC file; raises OSError where it cannot be read."""
    if not member:
        with Path(path).open("rb") as file:
            yield file
        return
    try:
        with zipfile.ZipFile(path) as whole, whole.open(member) as inside:
            yield inside  # type: ignore[misc]  # readable and seekable, which is what is used
    except _BAD_ZIP as error:
        raise OSError(f"{path} has no readable {member}: {error}") from error


def _is_archive(path: Path) -> bool:
    return path.name.lower().endswith(SUFFIXES)


def _inside(path: Path) -> list[WarcFile]:
    with zipfile.ZipFile(path) as whole:
        return [
            WarcFile(str(path.resolve()), item.filename, item.file_size)
            for item in whole.infolist()
            if item.filename.lower().endswith(_WARC_SUFFIXES) and _is_readable(item)
        ]


def _is_readable(item: zipfile.ZipInfo) -> bool:
    """Whether a member can be opened without a password, and its name be kept with an import."""
    return not item.flag_bits & _IS_ENCRYPTED and len(item.filename) <= _MAX_MEMBER
