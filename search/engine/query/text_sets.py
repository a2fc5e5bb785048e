"""Texts as sets: of hits, of a selection, with their comments.

A text is an article or a comment; a part of an article stands for its article. Each costs time in
the documents of the corpus, not in hits.
"""

import numpy as np

from search.engine.arrays import U64, Index
from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.reader import Snapshot
from search.engine.index.segments.columns import DocumentColumns, make_identities
from search.engine.index.selection import Selection
from search.engine.query.filters import DocumentSet


def texts_of_hits(hits: Hits) -> DocumentSet:
    """Return the texts that have a hit."""
    found = [
        _texts(part.view.segment.documents, np.flatnonzero(part.document_counts))
        for part in hits.parts
    ]
    return _joined(found)


def texts_of_selection(selection: Selection) -> DocumentSet:
    """Return the texts that the filters let through."""
    found = []
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        columns = view.segment.documents
        rows = np.arange(len(columns)) if mask is None else np.flatnonzero(mask)
        found.append(_texts(columns, rows))
    return _joined(found)


def with_comments(texts: DocumentSet, snapshot: Snapshot, generation: int) -> DocumentSet:
    """Add the comments on the articles of a set, as of a generation."""
    articles = texts.keys(DocumentKind.ARTICLE)
    found = []
    for view in snapshot.segments:
        columns = view.segment.documents
        mask = columns.kind == DocumentKind.COMMENT
        alive = view.alive(generation)
        rows = np.flatnonzero(mask if alive is None else mask & alive)
        rows = rows[np.isin(columns.parent_key[rows], articles)]
        found.append(_texts(columns, rows))
    return texts | _joined(found)


def _texts(columns: DocumentColumns, rows: Index) -> U64:
    kinds = np.where(
        columns.kind[rows] == DocumentKind.COMMENT, DocumentKind.COMMENT, DocumentKind.ARTICLE
    )
    return make_identities(kinds.astype(np.uint8), columns.key[rows])


def _joined(identities: list[U64]) -> DocumentSet:
    return DocumentSet.of_identities(np.concatenate([np.empty(0, dtype=np.uint64), *identities]))
