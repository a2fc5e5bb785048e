"""The single writer: adds, replaces and removes documents, one generation per commit.

Input → output: ``IndexDocument`` values → files of a new generation in the index folder.

The order of effects makes a crash harmless at any byte: lexicon log (synced), segment and removal
files (synced, then renamed), manifest (synced, then renamed). Until the last rename the old
generation is whole; what a dead writer left over is cut off or deleted by the next one.
"""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from search.engine.index.building.departures import Departures, Losses, NumberedFiles
from search.engine.index.building.encoding import encode_documents
from search.engine.index.building.history import History
from search.engine.index.building.leaving import Identity, Leaving, add_spans, identities_of
from search.engine.index.building.merge import (
    TAIL_TOKENS,
    in_batches,
    is_overdue,
    next_merge,
    next_month_merge,
    of_level,
)
from search.engine.index.building.merging import Group, Merge, with_damage
from search.engine.index.building.open_segments import OpenSegments
from search.engine.index.building.rebase import LexiconRebase, is_rebase_overdue
from search.engine.index.documents import DocumentKind, IndexDocument
from search.engine.index.errors import DamagedFileError
from search.engine.index.lexicon.builder import LexiconBuilder
from search.engine.index.lexicon.lexicon import Lexicon
from search.engine.index.lexicon.log import append_block, cut_log, load_lexicon, read_log
from search.engine.index.manifest import (
    DAY_LEVEL,
    INLINE,
    LOCK_TIMEOUT_SECONDS,
    MONTH_LEVEL,
    TAIL_LEVEL,
    LexiconFiles,
    Manifest,
    SegmentEntry,
    WriterLock,
    delete_unused,
    load_manifest,
    new_manifest,
    store_manifest,
)
from search.engine.index.segments.segment import join_segments

U64 = npt.NDArray[np.uint64]


class IndexWriter:
    """Writes to an index folder; use as a context manager, which takes the lock.

    Parameters
    ----------
    folder : Path
        Made if it does not exist.
    lock_timeout_seconds : float
        How long to wait for another writer.
    tail_tokens : int
        Size at which the tail is closed.

    Notes
    -----
    The object may be entered again and again and keeps the lexicon in memory in between, so keep
    one per process. What was added but not committed when the block ends is dropped.

    Examples
    --------
    >>> import tempfile
    >>> with (
    ...     tempfile.TemporaryDirectory() as folder,
    ...     IndexWriter(Path(folder)) as writer,
    ... ):
    ...     writer.add(IndexDocument(1, DocumentKind.ARTICLE, [("Rain", "rain", "NN")]))
    ...     writer.commit()
    1
    """

    def __init__(
        self,
        folder: Path,
        lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS,
        tail_tokens: int = TAIL_TOKENS,
    ) -> None:
        self._folder = folder
        self._lock = WriterLock(folder)
        self._lock_timeout_seconds = lock_timeout_seconds
        self._tail_tokens = tail_tokens
        self._manifest = new_manifest()
        self._lexicon: Lexicon | None = None
        self._builder: LexiconBuilder | None = None
        self._segments = OpenSegments(folder)
        self._files = NumberedFiles(folder)
        self._departures = Departures(self._segments, self._files)
        self._added: dict[Identity, IndexDocument] = {}
        self._removed: set[Identity] = set()
        self._withdrawn: set[Identity] = set()
        self._erased: set[Identity] = set()
        self._history: list[SegmentEntry] = []

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(self._lock_timeout_seconds)
        with ExitStack() as undo:
            undo.callback(self._lock.release)
            self._catch_up()
            undo.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._clear()
        self._lock.release()

    @property
    def generation(self) -> int:
        """The last generation committed by anyone, as of entering or committing."""
        return self._manifest.generation

    def add(self, document: IndexDocument) -> None:
        """Add a document, replacing the one of the same kind and key."""
        self._added[document.kind, document.key] = document

    def remove(self, kind: DocumentKind, key: int) -> None:
        """Take a document out; harmless when it is not there."""
        self._added.pop((kind, key), None)
        self._removed.add((kind, key))

    def withdraw(self, kind: DocumentKind, key: int) -> None:
        """Take a document out of this generation and of all before it; harmless if not there."""
        self._added.pop((kind, key), None)
        self._withdrawn.add((kind, key))

    def erase(self, kind: DocumentKind, key: int) -> None:
        """As `withdraw`, and drop its versions from the files; its words are left to `fading`."""
        self.withdraw(kind, key)
        self._erased.add((kind, key))

    def add_history(self, history: History) -> None:
        """Take over the versions of another index that are not current any more."""
        for kind, data in history.rest(self._loaded_builder(), self.generation + 1):
            self._history.append(self._files.write_segment(data, MONTH_LEVEL, kind))

    def commit(self) -> int:
        """Make everything since the last commit searchable, durably.

        Returns
        -------
        int
            The new generation; the current one if nothing was added or removed.

        Raises
        ------
        RuntimeError
            If called outside the ``with`` block.
        """
        if not self._lock.is_held:
            raise RuntimeError("commit outside of 'with writer:'")
        if not (self._added or self._removed or self._withdrawn or self._history):
            return self.generation
        # What is erased may not wait for the next commit, as files of older readers do.
        before = new_manifest() if self._erased else self._manifest
        with ExitStack() as undo:
            undo.callback(self._forget)
            self._write_generation()
            while is_overdue(self._manifest.segments):
                self._merge(next_merge(self._manifest.segments))
            if is_rebase_overdue(self._folder, self._manifest.lexicon):
                self._rebase_lexicon()
            undo.pop_all()
        delete_unused(self._folder, self._manifest.file_names() | before.file_names())
        return self.generation

    def optimize(self) -> None:
        """Close the tail, merge all that can be, write the lexicon anew (for bulk builds)."""
        before = self._manifest
        with ExitStack() as undo:
            undo.callback(self._forget)
            recent = [e for level in (TAIL_LEVEL, DAY_LEVEL) for e in self._of_level(level)]
            for group in in_batches(recent):
                self._merge(group)
            while group := next_month_merge(self._manifest.segments):
                self._merge(group)
            if self._manifest.lexicon.log_bytes:
                self._rebase_lexicon()
            undo.pop_all()
        delete_unused(self._folder, self._manifest.file_names() | before.file_names())

    # Reading the state left by the last writer

    def _catch_up(self) -> None:
        """Load the current generation, cheaply if this process wrote it or knows most of it."""
        manifest = load_manifest(self._folder) or new_manifest()
        known = self._manifest
        start = known.lexicon.log_origin + known.lexicon.log_bytes - manifest.lexicon.log_origin
        is_same = (manifest.identity, manifest.lexicon.n_fadings) == (
            known.identity,
            known.lexicon.n_fadings,
        )
        follows = is_same and 0 <= start <= manifest.lexicon.log_bytes
        if self._lexicon is None or self._builder is None or not follows:
            self._lexicon = load_lexicon(self._folder, manifest.lexicon)
            self._builder = LexiconBuilder(self._lexicon)
        elif start < manifest.lexicon.log_bytes:
            before = self._lexicon.size
            for block in read_log(self._folder, manifest.lexicon, start):
                self._lexicon.extend(block)
            self._builder.absorb(self._lexicon, before)
        self._know(manifest)
        self._segments.keep_only({entry.name for entry in manifest.segments})
        cut_log(self._folder, manifest.lexicon)

    def _forget(self) -> None:
        """Drop the state in memory, which may be ahead of the disk."""
        self._lexicon = self._builder = None
        self._know(new_manifest())
        self._lock.release()

    # Writing one generation

    def _write_generation(self) -> None:
        generation = self._manifest.generation + 1
        builder = self._loaded_builder()
        data = encode_documents(list(self._added.values()), builder, generation)
        lexicon = self._append_lexicon()
        leaving = self._leaving(generation)
        entries: list[SegmentEntry] = []
        tails = [data]
        for entry in self._manifest.segments:
            if entry.level == TAIL_LEVEL and not entry.damage:
                try:
                    tails.append(self._departures.data_without(entry, leaving))
                except DamagedFileError as error:
                    closed = replace(entry, level=DAY_LEVEL)
                    entries.append(self._departures.remember(closed, leaving, error))
            else:
                entries += self._departures.mark_removed(entry, leaving)
        entries += self._history
        tail = join_segments(tails)
        if len(tail.documents):
            closed_now = len(tail.tokens) > self._tail_tokens
            entries.append(self._files.write_segment(tail, DAY_LEVEL if closed_now else TAIL_LEVEL))
        known, losses = self._manifest, self._departures.losses
        self._publish(
            replace(
                known,
                generation=generation,
                lexicon=lexicon,
                segments=tuple(entries),
                withdrawal=generation if losses.changes_history else known.withdrawal,
                erased=add_spans(known.erased, losses.dropped),
                holds_erased_words=known.holds_erased_words or bool(self._erased),
            )
        )
        self._clear()

    def _leaving(self, generation: int) -> Leaving:
        replaced = identities_of([*self._added, *self._removed])
        return Leaving(
            generation, replaced, identities_of(self._withdrawn), identities_of(self._erased)
        )

    def _clear(self) -> None:
        self._added.clear()
        self._removed.clear()
        self._withdrawn.clear()
        self._erased.clear()
        self._departures.losses = Losses()
        self._history.clear()

    def _append_lexicon(self) -> LexiconFiles:
        """Append new entries to the log and return the lexicon as it is then."""
        entry = self._manifest.lexicon
        block = self._loaded_builder().take_block()
        if block is None:
            return entry
        n_bytes = append_block(self._folder, entry, block)
        lexicon = self._loaded_lexicon()
        lexicon.extend(block)
        return replace(entry, log_bytes=entry.log_bytes + n_bytes, size=lexicon.size)

    def _publish(self, manifest: Manifest) -> None:
        manifest = replace(manifest, next_file=max(manifest.next_file, self._files.next_number))
        store_manifest(self._folder, manifest)
        self._know(manifest)
        self._segments.keep_only({entry.name for entry in manifest.segments})

    def _know(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._files.next_number = manifest.next_file

    # Merging here and now: in bulk builds, and when nobody merges in the background

    def _of_level(self, level: int) -> list[SegmentEntry]:
        return of_level(self._manifest.segments, level)

    def _merge(self, group: Group) -> None:
        """Publish the same generation with some segments merged, or one marked as damaged."""
        merge = Merge(self._folder, group, self._segments, INLINE)
        changed: Manifest | None
        try:
            merge.prepare(len(self._manifest.segments) - len(group))
        except DamagedFileError as error:
            changed = with_damage(self._manifest, group, error)
            if changed is None:
                raise
        else:
            changed = merge.apply(self._manifest)
        if changed is not None:
            self._publish(changed)

    def _rebase_lexicon(self) -> None:
        rebase = LexiconRebase(self._folder, self._manifest.lexicon, INLINE)
        rebase.prepare()
        changed = rebase.apply(self._manifest)
        if changed is not None:
            self._publish(changed)

    # What is in memory

    def _loaded_lexicon(self) -> Lexicon:
        if self._lexicon is None:
            raise RuntimeError("the index is not open")
        return self._lexicon

    def _loaded_builder(self) -> LexiconBuilder:
        if self._builder is None:
            raise RuntimeError("the index is not open")
        return self._builder
