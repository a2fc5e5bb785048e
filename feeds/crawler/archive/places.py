"""Where the archive's files lie: in a folder of this machine, else in the object store.

A file is written in the folder, taken to the store once it is closed, and read from wherever it is:
whoever fetched a page reads it from the disk, the others by one ranged request a record.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from feeds.crawler.archive.object_store import ObjectStore


@dataclass(frozen=True, slots=True)
class Archive:
    """The places of one archive; most have no store."""

    folder: Path
    store: "ObjectStore | None" = None

    @contextmanager
    def open(self, filename: str) -> Iterator[BinaryIO]:
        """Open a file to read parts of it; the caller has checked its name.

        Raises FileNotFoundError where it is in neither place, OSError where it cannot be read.
        """
        try:
            file: BinaryIO = (self.folder / filename).open("rb")
        except FileNotFoundError:
            if self.store is None:
                raise
            file = _RangedFile(self.store, filename)  # type: ignore[assignment]  # what is used
        try:
            yield file
        finally:
            file.close()

    @contextmanager
    def whole(self, filename: str) -> Iterator[Path]:
        """Give a file as a path, to walk over it; one of the store is fetched for as long.

        Raises FileNotFoundError where it is in neither place, OSError where it cannot be read.
        """
        own = self.folder / filename
        if own.exists() or self.store is None:
            yield own
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self.folder, prefix="fetched-", suffix=".partial") as copy:
            self.store.fetch(filename, Path(copy.name))
            yield Path(copy.name)


class _RangedFile:
    """As much of a file's interface as reading records takes, by requests to a store."""

    def __init__(self, store: "ObjectStore", filename: str) -> None:
        self._store = store
        self._filename = filename
        self._position = 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only from the start")
        self._position = offset
        return offset

    def read(self, length: int) -> bytes:
        found = self._store.read(self._filename, self._position, length)
        self._position += len(found)
        return found

    def close(self) -> None:
        """Nothing is held open."""
