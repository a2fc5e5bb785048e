"""Segments that a writer keeps open, with the generations in which their documents went out."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.engine.index.errors import DamagedFileError
from search.engine.index.manifest import SegmentEntry
from search.engine.index.segments.removals import Removals
from search.engine.index.segments.segment import Segment, SegmentData

U32 = npt.NDArray[np.uint32]


class OpenSegments:
    """Opens segments of a folder once.

    Everything here raises DamagedFileError, also for a file that is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._segments: dict[str, Segment] = {}

    def segment(self, entry: SegmentEntry) -> Segment:
        """Return an open segment."""
        segment = self._segments.get(entry.name)
        if segment is None:
            try:
                segment = Segment.open(self._folder / entry.name)
            except FileNotFoundError as error:
                raise DamagedFileError(entry.name, "is missing") from error
            self._segments[entry.name] = segment
        return segment

    def generation_out(self, entry: SegmentEntry) -> U32:
        """Return when each document of a segment went out; the caller may write to it."""
        segment = self.segment(entry)
        if not entry.removals:
            return segment.documents.generation_out.copy()
        return self.removals(entry).applied_to(segment)

    def removals(self, entry: SegmentEntry) -> Removals:
        """Return what went out of a segment since it was written."""
        if not entry.removals:
            return Removals()
        try:
            return Removals.read(self._folder / entry.removals)
        except FileNotFoundError as error:
            raise DamagedFileError(entry.removals, "is missing") from error

    def data(self, entry: SegmentEntry, out: U32 | None = None) -> SegmentData:
        """Return all documents and tokens of a segment, after comparing its checksums.

        ``out`` says when documents went out, where the caller has read it already.
        """
        segment = self.segment(entry)
        segment.verify()
        data = segment.data()
        out = self.generation_out(entry) if out is None else out
        documents = data.documents.with_generation_out(out)
        return SegmentData(documents, data.tokens)

    def forget(self, entry: SegmentEntry) -> None:
        """Close a segment, to open its file anew."""
        self._segments.pop(entry.name, None)

    def keep_only(self, names: set[str]) -> None:
        """Close the segments that are not named."""
        self._segments = {n: s for n, s in self._segments.items() if n in names}
