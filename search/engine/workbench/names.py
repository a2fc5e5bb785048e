"""Names of texts, kept beside an index, which itself knows texts by number.

Input → output: names in order of the keys 1, 2, 3 … ↔ a file with a name a line. The file's name
holds the generation it was written for, so that index and names are always of one build.
"""

import mmap
import re
from collections.abc import Iterable
from pathlib import Path

from propcache.api import cached_property

from search.engine.index.documents import DocumentKind

NAMES_FILE = re.compile(r"text-names-(\d{6,})\.txt")
BREAKS = str.maketrans("\n\r", "  ")


def names_path(folder: Path, generation: int) -> Path:
    """Return where the names of a generation are written."""
    return folder / f"text-names-{generation:06d}.txt"


def write_names(path: Path, names: Iterable[str]) -> None:
    """Write a name a line."""
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(f"{name.translate(BREAKS)}\n" for name in names)


def delete_other_names(folder: Path, generation: int) -> None:
    """Delete the files of all generations but one."""
    kept = names_path(folder, generation).name
    for path in folder.iterdir():
        if NAMES_FILE.fullmatch(path.name) and path.name != kept:
            path.unlink(missing_ok=True)


def has_names(folder: Path) -> bool:
    """Say whether an index was built by this program, which keeps names with each."""
    return any(NAMES_FILE.fullmatch(path.name) for path in _files(folder))


class TextNames:
    """The names of an index's texts; the file is opened at once and read when first needed.

    So names and index stay together when another build takes their place.
    """

    def __init__(self, folder: Path, generation: int) -> None:
        """Look for the newest names at or before a generation: merges keep the keys."""
        found = [(int(m[1]), path) for path in _files(folder) if (m := NAMES_FILE.match(path.name))]
        fitting = [pair for pair in found if pair[0] <= generation]
        self._data: mmap.mmap | None = None
        if fitting:
            with max(fitting)[1].open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    @cached_property
    def _names(self) -> list[str]:
        return self._data[:].decode().split("\n") if self._data else []

    def text_id(self, key: int) -> str:
        """Return how queries call a text: its name, its key if there is none."""
        return self._names[key - 1] if 0 < key < len(self._names) else str(key)

    def name(self, kind: DocumentKind, key: int) -> str:
        """Return the name of a text; kind and key if there is none."""
        return self.text_id(key) if self._data else f"{kind.label}-{key}"


def _files(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
