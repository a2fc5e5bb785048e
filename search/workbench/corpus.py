"""An index folder, open for questions.

Input → output: a folder → its newest generation, names of texts, corpus positions of hits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.index.bulk import corpus_offsets
from search.index.columns import make_identities
from search.index.documents import DocumentKind
from search.index.hits import Hits
from search.index.reader import IndexReader, SegmentView
from search.index.snapshot import MANIFEST_NAME
from search.workbench.errors import CommandError
from search.workbench.names import TextNames

I64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _TextStarts:
    """Where the texts of a generation begin, in order of their identities."""

    generation: int
    identities: npt.NDArray[np.uint64]
    starts: I64


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
        self._texts: _TextStarts | None = None

    def offset(self, view: SegmentView) -> int:
        """Return the corpus position at which a segment begins."""
        return self._offsets[view]

    def starts(self, texts: Sequence[tuple[DocumentKind, int]], generation: int) -> I64:
        """Return the corpus positions at which texts of a generation begin."""
        if self._texts is None or self._texts.generation != generation:
            self._texts = _text_starts(self, generation)
        kinds = np.array([kind for kind, _ in texts], dtype=np.uint8)
        keys = np.array([key for _, key in texts], dtype=np.int64)
        places = np.searchsorted(self._texts.identities, make_identities(kinds, keys))
        return self._texts.starts[places]

    def name(self, kind: DocumentKind, key: int) -> str:
        """Return the name of a text."""
        return self._names.name(kind, key)

    def spans(self, hits: Hits) -> tuple[I64, I64]:
        """Return first and last corpus position of all hits, in corpus order."""
        empty = np.empty(0, dtype=np.int64)
        offsets = [self.offset(part.view) for part in hits.parts]
        spans = [part.spans for part in hits.parts]
        starts = [s.starts + offset for s, offset in zip(spans, offsets, strict=True)]
        ends = [s.ends + (offset - 1) for s, offset in zip(spans, offsets, strict=True)]
        return np.concatenate([empty, *starts]), np.concatenate([empty, *ends])


def _text_starts(corpus: Corpus, generation: int) -> _TextStarts:
    identities = [np.empty(0, dtype=np.uint64)]
    starts = [np.empty(0, dtype=np.int64)]
    for view in corpus.snapshot.segments:
        mask = view.alive(generation)
        rows = slice(None) if mask is None else mask
        identities.append(view.segment.documents.identities()[rows])
        starts.append(view.segment.bounds[:-1][rows] + corpus.offset(view))
    joined = np.concatenate(identities)
    order = np.argsort(joined)
    return _TextStarts(generation, joined[order], np.concatenate(starts)[order])
