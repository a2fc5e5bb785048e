"""The process's view of the index: one reader, brought up to date when the manifest has changed."""

from functools import cache
from pathlib import Path

from django.conf import settings

from search.index.documents import DocumentKind, IndexSize, StoredDocument
from search.index.reader import IndexReader, Snapshot


@cache
def _reader(folder: Path) -> IndexReader:
    return IndexReader(folder)


def current_snapshot() -> Snapshot:
    """Return the newest generation; costs one look at the manifest's file status when unchanged."""
    reader = _reader(Path(settings.INDEX_DIR))
    reader.refresh()
    return reader.snapshot


def index_size() -> IndexSize:
    """Count documents, tokens and types of the index, for home and status pages."""
    snapshot = current_snapshot()
    known = snapshot.results.get("size")
    if isinstance(known, IndexSize):
        return known
    size = snapshot.size()
    snapshot.results.put("size", size)
    return size


def indexed_document(kind: DocumentKind, key: int) -> StoredDocument | None:
    """Read a document with its tokens, lemmas and tags back from the index (COR-60)."""
    return current_snapshot().document(kind, key)
