"""Where the files of an import lie: WARC files by themselves, or inside a WACZ.

WACZ 1.1 (webrecorder.github.io/specs): a zip whose `archive/` folder holds WARC files.
"""

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from feeds.crawler.archive.foreign_warc import Seekable
from feeds.crawler.archive.zip_lists import ZipBytes

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
_LOCAL_HEAD = struct.Struct("<26xHH")  # lengths of name and extra field (APPNOTE.TXT, 4.3.7)
# Of what was unpacked: the reader steps back by what it has read ahead, 256 kB.
_KEPT_BYTES = 1 << 20
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
def opened(path: str, member: str) -> Iterator[Seekable]:
    """Open a WARC file; raises OSError where it cannot be read."""
    if not member:
        with Path(path).open("rb") as file:
            yield file
        return
    try:
        with zipfile.ZipFile(ZipBytes(path)) as whole:
            item = whole.getinfo(member)
            if item.compress_type == zipfile.ZIP_STORED:
                with Path(path).open("rb") as file:
                    yield _Stored(file, item)
            else:
                with whole.open(item) as inside:
                    yield _Unpacked(inside)
    except _BAD_ZIP as error:
        raise OSError(f"{path} has no readable {member}: {error}") from error


class _Stored:
    """A member as it lies in the zip, as WACZ has them: a stretch of a file.

    What `zipfile` of Python 3.11 opens goes back by reading all from the beginning.
    """

    def __init__(self, file: IO[bytes], item: zipfile.ZipInfo) -> None:
        file.seek(item.header_offset)
        head = file.read(_LOCAL_HEAD.size)
        if len(head) < _LOCAL_HEAD.size:
            raise zipfile.BadZipFile("it is cut off")
        self._file = file
        self.start = item.header_offset + _LOCAL_HEAD.size + sum(_LOCAL_HEAD.unpack(head))
        self._size = item.file_size
        self._at = 0

    def seek(self, offset: int, /) -> int:
        self._at = offset
        return offset

    def read(self, n_bytes: int, /) -> bytes:
        self._file.seek(self.start + self._at)
        found = self._file.read(max(0, min(n_bytes, self._size - self._at)))
        self._at += len(found)
        return found


def start_of(file: Seekable) -> int | None:
    """Where what `opened` gave begins in its path; None where it stands there packed."""
    if isinstance(file, _Unpacked):
        return None
    return file.start if isinstance(file, _Stored) else 0


class _Unpacked:
    """A packed member: what was read last can be read again; farther back it is unpacked anew."""

    def __init__(self, inside: IO[bytes]) -> None:
        self._inside = inside
        self._kept = bytearray()
        self._end = 0  # of what is kept, which is where the member stands
        self._at = 0

    def seek(self, offset: int, /) -> int:
        self._at = offset
        return offset

    def read(self, n_bytes: int, /) -> bytes:
        if not 0 <= self._at - self._end + len(self._kept) <= len(self._kept):
            self._end = self._inside.seek(self._at)
            self._kept.clear()
        behind = self._end - self._at
        if behind < n_bytes:
            more = self._inside.read(n_bytes - behind)
            self._kept += more
            self._end += len(more)
        first = len(self._kept) - (self._end - self._at)
        found = bytes(self._kept[first : first + n_bytes])
        del self._kept[: max(0, len(self._kept) - _KEPT_BYTES)]
        self._at += len(found)
        return found


def _is_archive(path: Path) -> bool:
    return path.name.lower().endswith(SUFFIXES)


def _inside(path: Path) -> list[WarcFile]:
    with zipfile.ZipFile(ZipBytes(path)) as whole:
        return [
            WarcFile(str(path.resolve()), item.filename, item.file_size)
            for item in whole.infolist()
            if item.filename.lower().endswith(_WARC_SUFFIXES) and _is_readable(item)
        ]


def _is_readable(item: zipfile.ZipInfo) -> bool:
    """Whether a member can be opened without a password, and its name be kept with an import."""
    return not item.flag_bits & _IS_ENCRYPTED and len(item.filename) <= _MAX_MEMBER
