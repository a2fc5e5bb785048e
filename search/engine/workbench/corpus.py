"""An index folder, open for questions.

Input → output: a folder → its newest generation, names of texts, corpus positions of hits.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.manifest import MANIFEST_NAME
from search.engine.index.reader import IndexReader, SegmentView, corpus_offsets
from search.engine.query.running.seams import SeamView
from search.engine.workbench.errors import CommandError
from search.engine.workbench.names import TextNames

I64 = npt.NDArray[np.int64]


class Corpus:
    """An open index; looks for a newer generation when told to.

    Attributes
    ----------
    snapshot : Snapshot
        The generation in use; texts are called by their names in queries.
    keeps_order : bool
        The texts stand as in the file they came from, so one follows another.

    Raises
    ------
    CommandError
        If there is no index in the folder.
    DamagedFileError
        If it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / MANIFEST_NAME).exists():
            raise CommandError(f"{folder} holds no index; make one with: build CORPUS.vrt {folder}")
        self._folder = folder
        self._reader = IndexReader(folder)
        self._open()

    def refresh(self) -> None:
        """Take up a newer generation if there is one."""
        if self._reader.refresh():
            self._open()

    def _open(self) -> None:
        self._names = TextNames(self._folder, self._reader.generation)
        self.snapshot = replace(self._reader.snapshot, text_id=self._names.text_id)
        self.keeps_order = all(view.entry.keeps_order for view in self.snapshot.segments)
        offsets = corpus_offsets(self.snapshot)
        self._offsets = dict(zip(self.snapshot.segments, offsets, strict=True))

    def positions(self, view: SegmentView, places: I64) -> I64:
        """Return the corpus positions of places in a segment, or in the texts of its borders."""
        if not isinstance(view, SeamView):
            return places + self._offsets[view]
        firsts = np.array([source.at for source in view.sources])
        shifts = [self._offsets[s.view] + s.start - s.at for s in view.sources]
        of_source = np.searchsorted(firsts, places, side="right") - 1
        positions: I64 = places + np.array(shifts)[of_source]
        return positions

    def position(self, view: SegmentView, place: int) -> int:
        """Return the corpus position of one place."""
        if isinstance(view, SeamView):
            return int(self.positions(view, np.array([place]))[0])
        return place + self._offsets[view]

    def name(self, kind: DocumentKind, key: int) -> str:
        """Return the name of a text."""
        return self._names.name(kind, key)

    def spans(self, hits: Hits) -> tuple[I64, I64]:
        """Return first and last corpus position of all hits, in corpus order."""
        empty = np.empty(0, dtype=np.int64)
        starts = [self.positions(part.view, part.spans.starts) for part in hits.parts]
        ends = [self.positions(part.view, part.spans.ends - 1) for part in hits.parts]
        first, last = np.concatenate([empty, *starts]), np.concatenate([empty, *ends])
        if not any(isinstance(part.view, SeamView) for part in hits.parts):
            return first, last
        order = np.argsort(first, kind="stable")
        return first[order], last[order]
