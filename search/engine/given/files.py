"""Files at a path: themselves, or what a zip holds, each with its format by its name.

Nothing is unpacked to disk. What goes into a packed file and what comes out of it is counted as it
is read, so that a bomb ends as a problem of its file; names that lead out of a zip are refused. The
list of a zip is read once: its files share it, and the last of them closes it.
"""

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol, cast

from feeds.crawler.archive.zip_lists import ZipBytes
from search.engine.given.texts import FileProblem

# Unpacked, of one file: what a process that goes on with it must pass by again.
MAX_FILE_BYTES = 2_000_000_000
MAX_MEMBERS = 100_000
# Text packs to a tenth, tables of one word to a hundredth.
MAX_RATIO = 1_000
RATIO_COUNTS_FROM = 50_000_000
# Packed bytes of which nothing came: a block of bzip2 is 900 kB, a member of gzip that is empty 20.
MAX_IDLE_BYTES = 4_000_000
ZIP = ".zip"


class _Stream(Protocol):
    def read1(self, size: int, /) -> bytes: ...


_PACKED: dict[str, Callable[[BinaryIO], _Stream]] = {
    ".gz": lambda packed: gzip.GzipFile(fileobj=packed, mode="rb"),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}
# What the modules that unpack raise: of encrypted members a RuntimeError.
_BROKEN = (
    OSError, EOFError, KeyError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error,
    lzma.LZMAError,
)  # fmt: skip
_HIDDEN = "__MACOSX/"  # what a Mac adds to each file


class TextFormat(StrEnum):
    """Formats of texts that can be given."""

    PLAIN = "plain"
    TABLE = "table"
    JSONL = "jsonl"
    VERTICAL = "vertical"
    CONLLU = "conllu"
    TEI = "tei"


SUFFIXES = {
    ".txt": TextFormat.PLAIN, ".text": TextFormat.PLAIN, ".md": TextFormat.PLAIN,
    ".csv": TextFormat.TABLE, ".tsv": TextFormat.TABLE, ".tab": TextFormat.TABLE,
    ".jsonl": TextFormat.JSONL, ".ndjson": TextFormat.JSONL,
    ".vert": TextFormat.VERTICAL, ".vrt": TextFormat.VERTICAL, ".vertical": TextFormat.VERTICAL,
    ".conllu": TextFormat.CONLLU, ".conll": TextFormat.CONLLU,
    ".tei": TextFormat.TEI, ".xml": TextFormat.TEI,
}  # fmt: skip
TAKEN_SUFFIXES = (*SUFFIXES, *_PACKED, ZIP)


@dataclass(frozen=True, slots=True)
class GivenFile:
    """One file of texts: its path, and its name inside where the path is a zip."""

    path: str
    member: str = ""
    inside: "_Inside | None" = field(default=None, repr=False, compare=False)

    @property
    def name(self) -> str:
        return self.member or Path(self.path).name


@dataclass(frozen=True, slots=True)
class _Inside:
    """A file of a zip that is open."""

    whole: zipfile.ZipFile
    entry: zipfile.ZipInfo


def format_of(name: str) -> TextFormat:
    """Say the format of a file by its name.

    Raises
    ------
    FileProblem

    Examples
    --------
    >>> format_of("news.csv.gz").value
    'table'
    """
    suffixes = [suffix.lower() for suffix in PurePosixPath(name).suffixes]
    if suffixes and suffixes[-1] in _PACKED:
        suffixes.pop()
    found = SUFFIXES.get(suffixes[-1]) if suffixes else None
    if found is None:
        known = " ".join(SUFFIXES)
        raise FileProblem(f"its name does not say what it is; known endings: {known}")
    return found


def files_of(path: str) -> list[GivenFile]:
    """List the files at a path: itself, or the members of a zip in its order.

    Raises
    ------
    FileProblem
        Where a zip cannot be read.
    """
    if not path.lower().endswith(ZIP):
        return [GivenFile(path)]
    try:
        whole = zipfile.ZipFile(ZipBytes(path))
    except (*_BROKEN, UnicodeDecodeError) as error:  # the last of names that are not UTF-8
        raise FileProblem(f"the zip cannot be read: {error}") from error
    members = [one for one in whole.infolist() if not one.is_dir()]
    if len(members) > MAX_MEMBERS:
        raise FileProblem(f"the zip holds more than {MAX_MEMBERS:,} files")
    if sum(one.compress_size for one in members) > Path(path).stat().st_size:
        raise FileProblem("the files of the zip lie on top of each other: a bomb?")
    shown = [one for one in members if not _is_hidden(one.filename)]
    if not shown:
        raise FileProblem("the zip holds no file")
    return [GivenFile(path, one.filename, _Inside(whole, one)) for one in shown]


def _is_hidden(name: str) -> bool:
    return name.startswith(_HIDDEN) or PurePosixPath(name).name.startswith(".")


@contextmanager
def opened(file: GivenFile) -> Iterator[BinaryIO]:
    """Open a file, unpacked and counted.

    Raises
    ------
    FileProblem
        Where it cannot be opened.
    """
    _check_name(file.member)
    with ExitStack() as stack:
        try:
            stream, packed = _opened(file, stack)
        except _BROKEN as error:
            raise FileProblem(f"the file cannot be read: {error}") from error
        yield cast("BinaryIO", _Counted(stream, packed))


def _opened(file: GivenFile, stack: ExitStack) -> tuple[_Stream, "_Packed"]:
    """Open a file; gives what it holds, unpacked, and its bytes as they lie there."""
    if file.inside is not None:
        stream = cast("_Stream", stack.enter_context(file.inside.whole.open(file.inside.entry)))
        packed = _Packed(stream, file.inside.entry.compress_size)
    else:
        path = Path(file.path)
        packed = _Packed(stack.enter_context(path.open("rb")), path.stat().st_size)
    unpack = _PACKED.get(PurePosixPath(file.name).suffix.lower())
    return unpack(cast("BinaryIO", packed)) if unpack else packed, packed


def _check_name(member: str) -> None:
    parts = PurePosixPath(member.replace("\\", "/")).parts
    if ".." in parts or member.startswith(("/", "\\")) or (parts and parts[0].endswith(":")):
        raise FileProblem("its name leads out of the zip")
    if member.lower().endswith(ZIP):
        raise FileProblem("a zip inside of a zip is not read")


class _Packed:
    """Bytes of a file as they lie there, of which more comes out than goes in."""

    def __init__(self, stream: _Stream, n_bytes: int) -> None:
        self._stream = stream
        self.n_bytes = n_bytes
        self._n_idle = 0

    def read(self, size: int = -1) -> bytes:
        return self.read1(size)

    def read1(self, size: int = -1) -> bytes:
        data = self._stream.read1(size)
        self._n_idle += len(data)
        if self._n_idle > MAX_IDLE_BYTES:
            raise FileProblem("far less comes out of it than is packed: a bomb?")
        return data

    def gave(self, n_bytes: int) -> None:
        """Say how much came out: no packing adds as much again."""
        self._n_idle = max(0, self._n_idle - 2 * n_bytes)


class _Counted:
    """A stream that refuses to give more than a file may hold, or than its packed size explains."""

    def __init__(self, stream: _Stream, packed: _Packed) -> None:
        self._stream = stream
        self._packed = packed
        self._left = MAX_FILE_BYTES
        self._most = max(RATIO_COUNTS_FROM, MAX_RATIO * packed.n_bytes)

    def read(self, size: int = -1) -> bytes:
        try:
            # What comes before a fault is given before the fault is raised.
            data = self._stream.read1(size)
        except _BROKEN as error:
            raise FileProblem(f"the file breaks off: {error}") from error
        self._packed.gave(len(data))
        self._left -= len(data)
        if self._left < 0:
            raise FileProblem(f"more than {MAX_FILE_BYTES:,} bytes: cut it into several files")
        if MAX_FILE_BYTES - self._left > self._most:
            raise FileProblem("it unpacks to far more than any text does: a bomb?")
        return data
