"""The single writer: adds, replaces and removes documents, one generation per commit.

Input → output: ``IndexDocument`` values → files of a new generation in the index folder.

The order of effects makes a crash harmless at any byte: lexicon log (synced), segment and removal
files (synced, then renamed), manifest (synced, then renamed). Until the last rename the old
generation is whole; what a dead writer left over is cut off or deleted by the next one.
"""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from search.index.columns import make_identities
from search.index.documents import DocumentKind, IndexDocument
from search.index.encoding import encode_documents
from search.index.files import delete_unused
from search.index.lexicon import Lexicon
from search.index.lexicon_builder import LexiconBuilder
from search.index.lexicon_log import encode_block, write_base
from search.index.lexicon_store import load_lexicon, read_log
from search.index.lock import WriterLock
from search.index.merge import (
    TAIL_TOKENS,
    deal_out,
    is_day_merge_due,
    next_month_merge,
)
from search.index.removals import read_removals, write_removals
from search.index.segment import Segment, SegmentData, join_segments, write_segment
from search.index.snapshot import (
    DAY_LEVEL,
    MIXED,
    MONTH_LEVEL,
    TAIL_LEVEL,
    LexiconEntry,
    Manifest,
    SegmentEntry,
    describe,
    load_manifest,
    new_manifest,
    store_manifest,
)

LOCK_TIMEOUT_SECONDS = 30.0
REBASE_BYTES = 1 << 20  # a log of this size takes about 30 ms to read
REBASE_SHARE = 0.25  # or this share of the base, so that rebasing stays linear in all

Identity = tuple[DocumentKind, int]


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
        self._segments: dict[str, Segment] = {}
        self._added: dict[Identity, IndexDocument] = {}
        self._removed: set[Identity] = set()

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock.acquire(self._lock_timeout_seconds)
        try:
            self._catch_up()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._added.clear()
        self._removed.clear()
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
        if not (self._added or self._removed):
            return self.generation
        before = self._manifest
        try:
            self._write_generation()
            self._merge_due()
        except BaseException:
            self._forget()
            raise
        delete_unused(self._folder, self._manifest.file_names() | before.file_names())
        return self.generation

    def optimize(self) -> None:
        """Close the tail and deal all day segments out to the months (for bulk builds)."""
        before = self._manifest
        try:
            self._merge_days()
            self._merge_months()
        except BaseException:
            self._forget()
            raise
        delete_unused(self._folder, self._manifest.file_names() | before.file_names())

    # Reading the state left by the last writer

    def _catch_up(self) -> None:
        """Load the current generation, cheaply if this process wrote it or knows most of it."""
        manifest = load_manifest(self._folder) or new_manifest()
        known = self._manifest
        same = manifest.identity == known.identity and manifest.lexicon.epoch == known.lexicon.epoch
        if self._lexicon is None or self._builder is None or not same:
            self._lexicon = load_lexicon(self._folder, manifest.lexicon)
            self._builder = LexiconBuilder(self._lexicon)
        elif manifest.lexicon.log_bytes > known.lexicon.log_bytes:
            before = self._lexicon.size
            for block in read_log(self._folder, manifest.lexicon, known.lexicon.log_bytes):
                self._lexicon.extend(block)
            self._builder.absorb(self._lexicon, before)
        self._manifest = manifest
        self._cut_log()

    def _cut_log(self) -> None:
        """Cut off what a dead writer appended to the lexicon's log without committing it."""
        path = self._folder / self._manifest.lexicon.log_name
        path.touch()
        if path.stat().st_size > self._manifest.lexicon.log_bytes:
            os.truncate(path, self._manifest.lexicon.log_bytes)

    def _forget(self) -> None:
        """Drop the state in memory, which may be ahead of the disk."""
        self._lexicon = self._builder = None
        self._manifest = new_manifest()
        self._lock.release()

    # Writing one generation

    def _write_generation(self) -> None:
        generation = self._manifest.generation + 1
        builder = self._loaded_builder()
        data = encode_documents(list(self._added.values()), builder, generation)
        lexicon = self._append_lexicon()
        leaving = _identities([*self._added, *self._removed])
        entries = []
        tails = [data]
        for entry in self._manifest.segments:
            if entry.level == TAIL_LEVEL:
                tails.append(self._data_without(entry, leaving, generation))
            else:
                entries.append(self._mark_removed(entry, leaving, generation))
        tail = join_segments(tails)
        if len(tail.documents):
            closed = len(tail.tokens) > self._tail_tokens
            entries.append(self._write_segment(tail, DAY_LEVEL if closed else TAIL_LEVEL))
        self._publish(
            replace(self._manifest, generation=generation, lexicon=lexicon, segments=tuple(entries))
        )
        self._added.clear()
        self._removed.clear()

    def _append_lexicon(self) -> LexiconEntry:
        """Append new entries to the log and return the lexicon as it is then."""
        entry = self._manifest.lexicon
        block = self._loaded_builder().take_block()
        if block is None:
            return entry
        data = encode_block(block)
        with (self._folder / entry.log_name).open("r+b") as file:
            file.seek(entry.log_bytes)
            file.write(data)
            file.truncate()
            file.flush()
            os.fsync(file.fileno())
        lexicon = self._loaded_lexicon()
        lexicon.extend(block)
        return replace(entry, log_bytes=entry.log_bytes + len(data), size=lexicon.size)

    def _data_without(
        self, entry: SegmentEntry, leaving: npt.NDArray[np.uint64], generation: int
    ) -> SegmentData:
        """Return a tail's data with the leaving documents marked."""
        segment = self._open(entry.name)
        data = segment.data()
        out = _marked(segment, data.documents.generation_out, leaving, generation)
        return replace(data, documents=data.documents.with_generation_out(out))

    def _mark_removed(
        self, entry: SegmentEntry, leaving: npt.NDArray[np.uint64], generation: int
    ) -> SegmentEntry:
        """Write the tombstones of a closed segment if any of its documents leave."""
        segment = self._open(entry.name)
        if not len(segment.rows_of(leaving)):
            return entry
        before = self._generation_out(entry)
        after = _marked(segment, before, leaving, generation)
        if np.array_equal(before, after):
            return entry
        name = self._new_name("removals")
        write_removals(self._folder / name, after)
        return replace(entry, removals=name)

    def _generation_out(self, entry: SegmentEntry) -> npt.NDArray[np.uint32]:
        written = self._open(entry.name).documents.generation_out
        return read_removals(self._folder / entry.removals, written) if entry.removals else written

    def _write_segment(self, data: SegmentData, level: int, kind: int = MIXED) -> SegmentEntry:
        name = self._new_name("segment")
        write_segment(self._folder / name, data)
        return describe(name, (level, kind), data.documents)

    def _publish(self, manifest: Manifest) -> None:
        manifest = replace(manifest, next_file=self._manifest.next_file)
        store_manifest(self._folder, manifest)
        self._manifest = manifest
        names = {entry.name for entry in manifest.segments}
        self._segments = {n: s for n, s in self._segments.items() if n in names}

    # Merging

    def _merge_due(self) -> None:
        if is_day_merge_due(self._manifest.segments):
            self._merge_days(keep_tail=True)
            self._merge_months()
        self._rebase_lexicon()

    def _merge_days(self, *, keep_tail: bool = False) -> None:
        """Deal the documents of all day segments out to the months."""
        levels = {DAY_LEVEL} if keep_tail else {DAY_LEVEL, TAIL_LEVEL}
        group = [entry for entry in self._manifest.segments if entry.level in levels]
        if group:
            parts = deal_out(self._joined(group))
            self._replace(group, parts)

    def _merge_months(self) -> None:
        while group := next_month_merge(self._manifest.segments):
            kinds = {entry.kind for entry in group}
            kind = kinds.pop() if len(kinds) == 1 else MIXED
            self._replace(group, [(kind, self._joined(group))])

    def _joined(self, group: Iterable[SegmentEntry]) -> SegmentData:
        parts = []
        for entry in group:
            data = self._open(entry.name).data()
            documents = data.documents.with_generation_out(self._generation_out(entry))
            parts.append(replace(data, documents=documents))
        return join_segments(parts)

    def _replace(self, group: list[SegmentEntry], parts: list[tuple[int, SegmentData]]) -> None:
        """Publish the same generation with some segments merged."""
        new = [self._write_segment(data, MONTH_LEVEL, kind) for kind, data in parts]
        kept = [entry for entry in self._manifest.segments if entry not in group]
        self._publish(self._manifest.with_segments(kept + new))

    def _rebase_lexicon(self) -> None:
        """Write the lexicon as a new sorted base when its log has grown long."""
        entry = self._manifest.lexicon
        base = self._folder / entry.base_name
        base_bytes = base.stat().st_size if entry.epoch else 0
        if entry.log_bytes < max(REBASE_BYTES, int(REBASE_SHARE * base_bytes)):
            return
        new = LexiconEntry(entry.epoch + 1, 0, entry.size)
        write_base(self._folder / new.base_name, self._loaded_lexicon())
        (self._folder / new.log_name).touch()
        self._publish(replace(self._manifest, lexicon=new))

    # Files

    def _new_name(self, suffix: str) -> str:
        number = self._manifest.next_file
        self._manifest = replace(self._manifest, next_file=number + 1)
        return f"{number:08d}.{suffix}"

    def _open(self, name: str) -> Segment:
        segment = self._segments.get(name)
        if segment is None:
            segment = self._segments[name] = Segment.open(self._folder / name)
        return segment

    def _loaded_lexicon(self) -> Lexicon:
        if self._lexicon is None:
            raise RuntimeError("the index is not open")
        return self._lexicon

    def _loaded_builder(self) -> LexiconBuilder:
        if self._builder is None:
            raise RuntimeError("the index is not open")
        return self._builder


def _identities(pairs: Iterable[Identity]) -> npt.NDArray[np.uint64]:
    """Return sorted unique identities of (kind, key) pairs."""
    listed = list(pairs)
    kinds = np.array([kind for kind, _ in listed], dtype=np.uint8)
    keys = np.array([key for _, key in listed], dtype=np.int64)
    return np.unique(make_identities(kinds, keys))


def _marked(
    segment: Segment,
    generation_out: npt.NDArray[np.uint32],
    leaving: npt.NDArray[np.uint64],
    generation: int,
) -> npt.NDArray[np.uint32]:
    """Return the column with the current versions of leaving documents marked."""
    rows = segment.rows_of(leaving)
    result = generation_out.copy()
    result[rows[result[rows] == 0]] = generation
    return result
