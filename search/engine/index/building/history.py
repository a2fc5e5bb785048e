"""What an older index knows of older generations, carried over into one that is built anew.

Input → output: a snapshot of the old index and the documents that go into the new one → which of
these are unchanged, and since when; and the data of all versions that had gone out or do so now,
in the numbers of the new lexicon.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from search.engine.index.building.encoding import full_starts
from search.engine.index.documents import IndexDocument
from search.engine.index.lexicon.builder import LexiconBuilder
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.columns import DocumentColumns
from search.engine.index.segments.segment import SegmentData

U32 = npt.NDArray[np.uint32]
STRING_COLUMNS = ("publication", "section", "author", "language")
STAYS = -1  # for "goes out" of a version that the new index holds itself


class History:
    """The versions of an old index that a new one does not make again.

    Parameters
    ----------
    snapshot : Snapshot
        Of the old index.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        # Generation in which a current version goes out, by segment; 0 while nobody has asked.
        self._leaving = {
            view.entry.name: np.zeros(view.segment.n_documents, dtype=np.int64)
            for view in snapshot.segments
        }

    def since(self, document: IndexDocument, generation: int) -> int:
        """Say since which generation a document has been as it is.

        Parameters
        ----------
        document : IndexDocument
            As the new index will have it.
        generation : int
            In which it comes in if it is new or has changed; the old version goes out then.
        """
        found = self._snapshot.locate(document.kind, document.key)
        if found is None:
            return generation
        view, row = found
        is_same = self._is_same(document, view, row)
        self._leaving[view.entry.name][row] = STAYS if is_same else generation
        return int(view.segment.documents.generation_in[row]) if is_same else generation

    def rest(self, builder: LexiconBuilder, generation: int) -> Iterator[tuple[int, SegmentData]]:
        """Yield the versions that have gone out; those nobody asked for do so in a generation.

        Yields
        ------
        tuple of int and SegmentData
            Kind (0 for a mixture) and documents of one old segment.
        """
        for view in self._snapshot.segments:
            leaving = self._leaving[view.entry.name]
            out = np.where(view.generation_out > 0, view.generation_out, leaving)
            out = np.where(out == 0, generation, out)
            rows = np.flatnonzero(out != STAYS)
            if len(rows):
                data = view.segment.data().take(rows)
                columns = data.documents.with_generation_out(out[rows].astype(np.uint32))
                yield view.entry.kind, self._renumbered(SegmentData(columns, data.tokens), builder)

    def _is_same(self, document: IndexDocument, view: SegmentView, row: int) -> bool:
        stored = self._snapshot.document(document.kind, document.key)
        if stored is None or not self._has_same_columns(document, view, row):
            return False
        n_tokens = len(document.tokens)
        spaces = document.space_before
        return (
            len(stored.tokens) == n_tokens
            and stored.tokens == [tuple(token) for token in document.tokens]
            and stored.sentence_starts == full_starts(document.sentence_starts, n_tokens)
            and (spaces is None or stored.space_before == list(spaces))
            and stored.blocks == (list(document.blocks) or [0] * n_tokens)
        )

    def _has_same_columns(self, document: IndexDocument, view: SegmentView, row: int) -> bool:
        info = self._snapshot.document_info(view, row)
        return (
            info.publication == document.publication
            and info.section == document.section
            and info.author == document.author
            and info.language == document.language
            and info.published_seconds == document.published_seconds
            and info.ingested_seconds == document.ingested_seconds
            and int(view.segment.documents.day[row]) == document.day_number
            and info.duplicate_cluster == document.duplicate_cluster
            and info.story_cluster == document.story_cluster
            and info.parent_key == document.parent_key
            and info.is_changed == document.is_changed
            and info.rights == document.rights
            and info.is_undated == document.is_undated
        )

    def _renumbered(self, data: SegmentData, builder: LexiconBuilder) -> SegmentData:
        """Return data with the numbers of another lexicon."""
        known, places = np.unique(data.tokens.types, return_inverse=True)
        tokens = self._snapshot.tokens(known)
        types = np.array(builder.types(tokens), dtype=np.uint32)[places]
        columns = dict(data.documents.arrays())
        for name in STRING_COLUMNS:
            values, rows = np.unique(columns[name], return_inverse=True)
            strings = map(self._snapshot.lexicon.value, values.tolist())
            columns[name] = np.array(list(map(builder.value, strings)), dtype=np.uint32)[rows]
        old = data.tokens
        renumbered = replace(old, types=types, tags=builder.tags_of(types))
        return SegmentData(DocumentColumns(columns), renumbered).in_time_order()
