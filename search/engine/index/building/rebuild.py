"""Building the index anew beside the old one, and putting it in its place by one rename.

Input → output: a folder with an index, perhaps damaged → the same folder with a fresh one. Searches
are served from the old index until the last step; a crash before it leaves the old index as it
was. File numbers go on from the old ones, so the new files can move in beside them.

Older generations are kept: a document that is as it was keeps the generation it came in with, and
versions that have gone out are carried over. Only what stood in damaged segments cannot be; then
the manifest says from which generation on history is whole.
"""

import shutil
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from search.engine.index.building.history import History
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import IndexDocument
from search.engine.index.errors import DamagedFileError
from search.engine.index.lexicon.lexicon import Lexicon
from search.engine.index.lexicon.log import write_base
from search.engine.index.manifest import (
    MANIFEST_NAME,
    LexiconFiles,
    WriterLock,
    load_manifest,
    manifest_to_follow,
    new_manifest,
    store_manifest,
    sync_folder,
)
from search.engine.index.reader import IndexReader

STAGING_NAME = "rebuild"


class IndexRebuild:
    """A rebuild in progress; no other writer can commit until the block ends.

    Parameters
    ----------
    folder : Path
        Of the index.
    lock_timeout_seconds : float
        How long to wait for another writer.
    generation_floor : int
        The new index counts generations from the old one's last, or from here if that is higher
        (for an old manifest that cannot be read).
    keeps_history : bool
        Whether to carry older generations over.

    Examples
    --------
    ``with IndexRebuild(folder) as rebuild: rebuild.add(…); rebuild.publish()``
    """

    def __init__(
        self,
        folder: Path,
        lock_timeout_seconds: float = 30.0,
        generation_floor: int = 0,
        *,
        keeps_history: bool = True,
    ) -> None:
        self._folder = folder
        self._staging = folder / STAGING_NAME
        self._lock = WriterLock(folder)
        self._lock_timeout_seconds = lock_timeout_seconds
        self._generation_floor = generation_floor
        self._keeps_history = keeps_history
        self._history: History | None = None
        self._history_from = 0
        self.writer = IndexWriter(self._staging)

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(self._lock_timeout_seconds)
        with ExitStack() as undo:
            undo.callback(self._lock.release)
            self._prepare()
            self._open_history()
            self.writer.__enter__()
            undo.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.writer.__exit__(kind, error, trace)
        shutil.rmtree(self._staging, ignore_errors=True)
        self._lock.release()

    def add(self, document: IndexDocument) -> int:
        """Add a document, as of the generation since which it has been as it is.

        Parameters
        ----------
        document : IndexDocument
            Its ``generation_in`` is believed only if the old index cannot be asked.

        Returns
        -------
        int
            That generation.
        """
        since = self.writer.generation + 1
        if self._history is not None:
            since = self._history.since(document, since)
        if since == self.writer.generation + 1 and self._history_from and document.generation_in:
            since = min(since, document.generation_in)
        self.writer.add(replace(document, generation_in=since))
        return since

    def publish(self) -> int:
        """Commit, merge, and put the new index in place of the old one.

        Returns
        -------
        int
            Its generation.
        """
        if self._history is not None:
            self.writer.add_history(self._history)
        self.writer.commit()
        self.writer.optimize()
        manifest = load_manifest(self._staging) or new_manifest()
        for name in manifest.file_names() - {MANIFEST_NAME}:
            if (self._staging / name).exists():
                (self._staging / name).replace(self._folder / name)
        sync_folder(self._folder)
        history_from = min(self._history_from, manifest.generation)
        store_manifest(self._folder, replace(manifest, history_from=history_from))
        return manifest.generation

    def _open_history(self) -> None:
        """Open the old index if its history is wanted; note from when on it is whole."""
        following = manifest_to_follow(self._staging).generation + 1
        self._history, self._history_from = None, following
        if not self._keeps_history:
            return
        try:
            reader = IndexReader(self._folder)
            reader.verify()
        except DamagedFileError:
            return
        snapshot = reader.snapshot
        self._history = History(snapshot)
        self._history_from = following if snapshot.damaged else snapshot.history_from

    def _prepare(self) -> None:
        """Make a staging folder with an empty index that goes on numbering."""
        shutil.rmtree(self._staging, ignore_errors=True)
        self._staging.mkdir()
        old = manifest_to_follow(self._folder)
        lexicon = LexiconFiles(epoch=old.lexicon.epoch + 1)
        write_base(self._staging / lexicon.base_name, Lexicon())
        (self._staging / lexicon.log_name).touch()
        generation = max(old.generation, self._generation_floor)
        fresh = replace(
            new_manifest(),
            generation=generation,
            next_file=old.next_file,
            withdrawal=old.withdrawal,
            erased=old.erased,
        )
        store_manifest(self._staging, replace(fresh, lexicon=lexicon))
