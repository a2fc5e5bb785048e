"""Writing the lexicon as a new sorted base when its log has grown long.

Input → output: base and log of an epoch → base of the next epoch and a log with what came in
meanwhile. Numbers do not change. Prepared without a lock, swapped in under the writer's.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from search.engine.index.lexicon.log import load_lexicon, write_base
from search.engine.index.manifest import LexiconFiles, Manifest

REBASE_BYTES = 1 << 20  # a log of this size takes about 30 ms to read
REBASE_SHARE = 0.25  # or this share of the base, so that rebasing stays linear in all
OVERDUE = 4  # times that size, when nobody does it in the background


def is_rebase_due(folder: Path, entry: LexiconFiles) -> bool:
    """Say whether the log of a lexicon has grown long enough."""
    return entry.log_bytes >= _due_bytes(folder, entry)


def is_rebase_overdue(folder: Path, entry: LexiconFiles) -> bool:
    """Say whether it has grown so long that a commit has to do it itself."""
    return entry.log_bytes >= OVERDUE * _due_bytes(folder, entry)


def _due_bytes(folder: Path, entry: LexiconFiles) -> int:
    base = folder / entry.base_name
    base_bytes = base.stat().st_size if entry.epoch and base.exists() else 0
    return max(REBASE_BYTES, int(REBASE_SHARE * base_bytes))


class LexiconRebase:
    """A lexicon on its way into a new base; ``prefix`` as in ``Merge``."""

    def __init__(self, folder: Path, entry: LexiconFiles, prefix: str) -> None:
        self._folder = folder
        self._entry = entry
        self._prepared = folder / f"{prefix}-0.base"

    def prepare(self, check: Callable[[], None] = lambda: None) -> None:
        """Write the base beside the index, with its stems if anybody uses them.

        Raises
        ------
        DamagedFileError
            If the lexicon cannot be read.
        """
        lexicon = load_lexicon(self._folder, self._entry)
        check()
        write_base(self._prepared, lexicon)
        check()
        if (self._folder / self._entry.stems_name).exists():
            following = replace(self._entry, epoch=self._entry.epoch + 1)
            lexicon.stems.keep_at(self._folder / following.stems_name, lexicon.forms)

    def apply(self, manifest: Manifest) -> Manifest | None:
        """Put the base in place; None if somebody else has done so."""
        current = manifest.lexicon
        if current.epoch != self._entry.epoch:
            return None
        new = replace(
            current,
            epoch=current.epoch + 1,
            log_bytes=current.log_bytes - self._entry.log_bytes,
            log_origin=current.log_origin + self._entry.log_bytes,
        )
        self._prepared.replace(self._folder / new.base_name)
        self._write_rest(current, new)
        return replace(manifest, lexicon=new)

    def _write_rest(self, current: LexiconFiles, new: LexiconFiles) -> None:
        """Start the new log with the blocks that came in while the base was written."""
        with (self._folder / current.log_name).open("rb") as log:
            log.seek(self._entry.log_bytes)
            rest = log.read(new.log_bytes)
        with (self._folder / new.log_name).open("wb") as file:
            file.write(rest)
            file.flush()
            os.fsync(file.fileno())
