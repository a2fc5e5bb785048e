"""Merging segments: prepared beside the index from files that never change, then swapped in.

Input → output: the folder of an index with segments that are due → the same generation in fewer,
larger segments. Preparing takes seconds and no lock; the swap takes the writer's lock for some
milliseconds and enters the documents that went out meanwhile. A crash leaves files that the next
merge deletes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.engine.index.building.merge import (
    MAX_DAY_SEGMENTS,
    MAX_MONTH_SEGMENTS,
    deal_out,
    next_merge,
)
from search.engine.index.building.open_segments import OpenSegments
from search.engine.index.building.rebase import LexiconRebase, is_rebase_due
from search.engine.index.errors import DamagedFileError, IndexLockedError
from search.engine.index.manifest import (
    MIXED,
    MONTH_LEVEL,
    Manifest,
    SegmentEntry,
    WriterLock,
    delete_unused,
    describe,
    load_manifest,
    store_manifest,
)
from search.engine.index.segments.removals import Removals
from search.engine.index.segments.segment import Segment, SegmentData, join_segments, write_segment

IN_BACKGROUND = "merging"  # how the names of files begin that are not part of the index yet
MERGE_LOCK_NAME = "merge.lock"
SWAP_TIMEOUT_SECONDS = 30.0  # a commit that is due has the index for 50 ms
MAX_PARTS = MAX_MONTH_SEGMENTS + MAX_DAY_SEGMENTS

Group = Sequence[SegmentEntry]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]


class InterruptedMergeError(Exception):
    """Raised inside a merge when its process is told to stop; ``merge_step`` catches it."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A new segment that is on disk under its preliminary name."""

    path: Path
    entry: SegmentEntry


class Merge:
    """One group of segments on its way into new ones.

    Parameters
    ----------
    group : sequence of SegmentEntry
        As the manifest had them when the merge began.
    segments : OpenSegments
        Where they are read from.
    prefix : str
        How the names of unfinished files begin; nobody else may use it meanwhile.
    """

    def __init__(
        self, folder: Path, group: Group, segments: OpenSegments, prefix: str = IN_BACKGROUND
    ) -> None:
        self._folder = folder
        self._prefix = prefix
        self._group = tuple(group)
        self._segments = segments
        self._parts: list[_Part] = []
        self._out: dict[str, U32] = {}  # as the merge has taken it, by segment

    def prepare(self, n_segments: int, check: Callable[[], None] = lambda: None) -> None:
        """Write the new segments beside the index.

        Parameters
        ----------
        n_segments : int
            How many segments the index has outside of the group.
        check : callable
            Called between steps; whatever it raises ends the merge.

        Raises
        ------
        DamagedFileError
            Naming the segment that cannot be read whole.
        """
        # First of all, and kept: commits put newer removals into the place of these.
        self._out = {entry.name: self._segments.generation_out(entry) for entry in self._group}
        for kind, data in self._dealt(self._joined(check), n_segments):
            check()
            self._write(data, kind)

    def _joined(self, check: Callable[[], None]) -> SegmentData:
        """Read the group; what was read of each segment is let go before anything is written."""
        parts = []
        for entry in self._group:
            check()
            parts.append(self._segments.data(entry, self._out[entry.name]))
        check()
        return join_segments(parts)

    def apply(self, manifest: Manifest) -> Manifest | None:
        """Put the new segments in the place of the old ones; the caller stores the manifest.

        Returns
        -------
        Manifest or None
            None when the old segments are not there any more: another writer was faster.
        """
        named = {entry.name: entry for entry in manifest.segments}
        if not all(entry.name in named for entry in self._group):
            return None
        before = {entry.name for entry in self._group}
        changed = [
            (entry, named[entry.name])
            for entry in self._group
            if entry.removals != named[entry.name].removals
        ]
        entries = [entry for entry in manifest.segments if entry.name not in before]
        number = manifest.next_file
        for part in self._parts:
            name = f"{number:08d}.segment"
            part.path.replace(self._folder / name)
            entry = replace(part.entry, name=name)
            removals = self._late_removals(entry, changed)
            number += 1
            if removals is not None:
                entry = replace(entry, removals=f"{number:08d}.removals")
                removals.write(self._folder / entry.removals)
                number += 1
            entries.append(entry)
        return replace(manifest, segments=tuple(entries), next_file=number)

    def _dealt(self, data: SegmentData, n_segments: int) -> list[tuple[int, SegmentData]]:
        if any(entry.level != MONTH_LEVEL for entry in self._group):
            return deal_out(data, max(1, MAX_PARTS - n_segments))
        kinds = {entry.kind for entry in self._group}
        return [(kinds.pop() if len(kinds) == 1 else MIXED, data)]

    def _write(self, data: SegmentData, kind: int) -> None:
        path = self._folder / f"{self._prefix}-{len(self._parts)}.segment"
        write_segment(path, data)
        self._parts.append(_Part(path, describe(path.name, (MONTH_LEVEL, kind), data.documents)))

    def _late_removals(
        self, entry: SegmentEntry, changed: list[tuple[SegmentEntry, SegmentEntry]]
    ) -> Removals | None:
        """Return which documents of a new segment went out while it was being prepared."""
        if not changed:
            return None
        segment = Segment.open(self._folder / entry.name)
        out = segment.documents.generation_out.copy()
        for old, new in changed:
            before = self._out[old.name]
            after = self._segments.generation_out(new)
            rows = np.flatnonzero(before != after)
            identities = self._segments.segment(old).documents.identities()
            for row in rows.tolist():
                came_in = self._segments.segment(old).documents.generation_in[row]
                _enter(segment, out, (identities[row : row + 1], came_in), after[row])
        if np.array_equal(out, segment.documents.generation_out):
            return None
        return Removals.of_column(out)


def _enter(segment: Segment, out: U32, version: tuple[U64, np.uint32], value: np.uint32) -> None:
    """Write when one version of a document went out."""
    identity, came_in = version
    rows = segment.rows_of(identity)
    out[rows[segment.documents.generation_in[rows] == came_in]] = value


def merge_step(folder: Path, should_stop: Callable[[], bool] = lambda: False) -> bool:
    """Merge the group that is due, or write the lexicon's base anew; one at a time in a folder.

    Parameters
    ----------
    folder : Path
        Of an index.
    should_stop : callable
        Asked between steps of some hundred milliseconds; when true the work is dropped.

    Returns
    -------
    bool
        Whether the index changed; then there may be more to do.

    Raises
    ------
    DamagedFileError
        If manifest or lexicon cannot be read. A damaged segment is marked as such instead.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = WriterLock(folder, MERGE_LOCK_NAME)
    try:
        lock.acquire(0)
    except IndexLockedError:
        return False
    try:
        return _step(folder, should_stop)
    except (InterruptedMergeError, IndexLockedError):
        return False
    finally:
        for path in folder.glob(f"{IN_BACKGROUND}-*"):
            path.unlink(missing_ok=True)
        lock.release()


def _step(folder: Path, should_stop: Callable[[], bool]) -> bool:
    def check() -> None:
        if should_stop():
            raise InterruptedMergeError

    manifest = load_manifest(folder)
    if manifest is None:
        return False
    group = next_merge(manifest.segments)
    if group:
        merge = Merge(folder, group, OpenSegments(folder))
        try:
            merge.prepare(len(manifest.segments) - len(group), check)
        except DamagedFileError as error:
            found = error
            return _swap(folder, manifest, lambda current: with_damage(current, group, found))
        return _swap(folder, manifest, merge.apply)
    if is_rebase_due(folder, manifest.lexicon):
        rebase = LexiconRebase(folder, manifest.lexicon, IN_BACKGROUND)
        rebase.prepare(check)
        return _swap(folder, manifest, rebase.apply)
    return False


def _swap(
    folder: Path, prepared_for: Manifest, change: Callable[[Manifest], Manifest | None]
) -> bool:
    """Change the manifest under the writer's lock; not if the index is another one by now."""
    lock = WriterLock(folder)
    lock.acquire(SWAP_TIMEOUT_SECONDS)
    try:
        current = load_manifest(folder)
        if current is None or current.identity != prepared_for.identity:
            return False
        changed = change(current)
        if changed is None:
            return False
        store_manifest(folder, changed)
        delete_unused(folder, changed.file_names() | current.file_names())
    finally:
        lock.release()
    return True


def with_damage(manifest: Manifest, group: Group, error: DamagedFileError) -> Manifest | None:
    """Mark the segment of a group that an error names; None if it names none of them any more.

    Removals that a commit has replaced meanwhile are gone, and nothing is damaged.
    """
    members = {entry.name for entry in group}
    names = {
        entry.name
        for entry in manifest.segments
        if entry.name in members and error.name in (entry.name, entry.removals)
    }
    if not names:
        return None
    entries = [
        replace(entry, damage=damage_of(entry, error)) if entry.name in names else entry
        for entry in manifest.segments
    ]
    return manifest.with_segments(entries)


def damage_of(entry: SegmentEntry, error: DamagedFileError) -> str:
    """Say what is wrong with a segment, naming the other file if it is that of its removals."""
    return error.reason if error.name == entry.name else str(error)
