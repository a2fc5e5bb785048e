"""Documents that leave segments which stand on the disk, and what is found damaged on the way.

Input → output: the entry of a segment and what leaves with a generation → the entry that a
manifest names instead: with tombstones, written anew without what was erased, or marked as damaged
with a note of what leaves, for the day its file is put back.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from search.engine.index.building.leaving import Leaving
from search.engine.index.building.merging import damage_of
from search.engine.index.building.open_segments import OpenSegments
from search.engine.index.documents import TEXT_KINDS
from search.engine.index.errors import DamagedFileError
from search.engine.index.manifest import MIXED, SegmentEntry, describe
from search.engine.index.segments.removals import Removals
from search.engine.index.segments.segment import SegmentData, write_segment
from search.engine.index.segments.withdrawals import Span, spans


@dataclass(slots=True)
class NumberedFiles:
    """Gives new files of an index folder their numbers, which are never given twice."""

    folder: Path
    next_number: int = 1

    def write_segment(self, data: SegmentData, level: int, kind: int = MIXED) -> SegmentEntry:
        """Write a segment with at least one document."""
        name = self._new_name("segment")
        write_segment(self.folder / name, data)
        return describe(name, (level, kind), data.documents)

    def with_removals(self, entry: SegmentEntry, removals: Removals) -> SegmentEntry:
        """Write what went out of a segment since it was written."""
        name = self._new_name("removals")
        removals.write(self.folder / name)
        return replace(entry, removals=name)

    def _new_name(self, suffix: str) -> str:
        number = self.next_number
        self.next_number += 1
        return f"{number:08d}.{suffix}"


@dataclass(slots=True)
class Losses:
    """What the older generations lose by one commit: whether anything, and what is dropped."""

    changes_history: bool = False
    dropped: list[Span] = field(default_factory=list)


class Departures:
    """Takes documents out of segments, one commit after the other.

    Parameters
    ----------
    segments : OpenSegments
        Where they are read from.
    files : NumberedFiles
        What names the files that are written.
    """

    def __init__(self, segments: OpenSegments, files: NumberedFiles) -> None:
        self._segments = segments
        self._files = files
        self._seen_damaged: dict[str, tuple[int, int] | None] = {}
        self.losses = Losses()

    def data_without(self, entry: SegmentEntry, leaving: Leaving) -> SegmentData:
        """Return a segment's data with the leaving documents marked, without the erased ones.

        Raises
        ------
        DamagedFileError
            If its files cannot be read.
        """
        data = self._segments.data(entry)
        segment = self._segments.segment(entry)
        out = data.documents.generation_out.copy()
        self.losses.changes_history |= leaving.mark(segment, out)
        data = replace(data, documents=data.documents.with_generation_out(out))
        rows = leaving.dropped(segment)
        if not len(rows):
            return data
        is_text = np.isin(data.documents.kind[rows], list(TEXT_KINDS))
        texts = rows[is_text]  # parts go with theirs
        self.losses.dropped += spans(data.documents.generation_in[texts], out[texts])
        return data.take(np.setdiff1d(np.arange(len(out)), rows))

    def mark_removed(self, entry: SegmentEntry, leaving: Leaving) -> list[SegmentEntry]:
        """Write the tombstones of a closed segment if any of its documents leave.

        Returns its entry; none where all of its documents were erased.
        """
        try:
            entry = self._revived(entry)
            segment = self._segments.segment(entry)
            if not leaving.is_of(segment):
                return [entry]
            if len(leaving.dropped(segment)):
                return self._rewritten(entry, self.data_without(entry, leaving))
            before = self._segments.generation_out(entry)
        except DamagedFileError as error:
            return [self.remember(entry, leaving, error)]
        after = before.copy()
        self.losses.changes_history |= leaving.mark(segment, after)
        if np.array_equal(before, after):
            return [entry]
        return [self._files.with_removals(entry, Removals.of_column(after))]

    def remember(
        self, entry: SegmentEntry, leaving: Leaving, error: DamagedFileError
    ) -> SegmentEntry:
        """Mark a segment as damaged and keep what leaves it, for the day it is put back."""
        try:
            removals = self._segments.removals(entry)
        except DamagedFileError:
            removals = Removals(is_partial=True)
        self.losses.changes_history |= bool(len(leaving.withdrawn))
        self._segments.forget(entry)
        self._seen_damaged[entry.name] = self._stamp(entry)
        marked = replace(entry, damage=entry.damage or damage_of(entry, error))
        return self._files.with_removals(marked, leaving.remembered(removals))

    def _rewritten(self, entry: SegmentEntry, data: SegmentData) -> list[SegmentEntry]:
        """Write a segment anew with less in it; it stays what it was otherwise."""
        if not len(data.documents):
            return []
        fresh = self._files.write_segment(data, entry.level, entry.kind)
        return [replace(fresh, keeps_order=entry.keeps_order)]

    def _revived(self, entry: SegmentEntry) -> SegmentEntry:
        """Return a damaged segment without its mark when its file is whole again.

        Raises
        ------
        DamagedFileError
            If it is not, or has not changed since it was looked at.
        """
        if not entry.damage:
            return entry
        known = self._seen_damaged.get(entry.name, (0, 0))
        if known == self._stamp(entry):
            raise DamagedFileError(entry.name, entry.damage)
        self._seen_damaged[entry.name] = self._stamp(entry)
        self._segments.segment(entry).verify()
        if self._segments.removals(entry).is_partial:
            raise DamagedFileError(entry.name, entry.damage)
        return replace(entry, damage="")

    def _stamp(self, entry: SegmentEntry) -> tuple[int, int] | None:
        try:
            status = (self._files.folder / entry.name).stat()
        except FileNotFoundError:
            return None
        return status.st_size, status.st_mtime_ns
