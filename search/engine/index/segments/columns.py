"""Document columns: what is stored per document beside its tokens.

Input → output: rows of integers → one array per column, which can be joined, reordered and cut;
columns ↔ narrow arrays in sections of a segment, widened when they are first used (layout in
FORMAT.md). Strings stand as numbers of the lexicon's value table.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.index.codec import Container
from search.engine.index.errors import DamagedFileError

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]

KIND_SHIFT = np.uint64(60)  # identity = kind << 60 | key

COLUMN_TYPES: dict[str, str] = {
    "n_tokens": "<u4",
    "key": "<i8",
    "kind": "<u1",
    "publication": "<u4",
    "section": "<u4",
    "author": "<u4",
    "language": "<u4",
    "day": "<i4",
    "published": "<i8",
    "ingested": "<i8",
    "duplicate_cluster": "<i8",
    "story_cluster": "<i8",
    "parent_key": "<i8",
    "generation_in": "<u4",
    "generation_out": "<u4",
}
# Marks that few documents bear; a segment has no section for one that none of its own bears.
MARK_TYPES: dict[str, str] = {"changed": "<u1", "rights": "<u1", "undated": "<u1"}
ALL_TYPES = COLUMN_TYPES | MARK_TYPES
NARROW_TYPES = ("<u1", "<u2", "<u4")
LEAST_SECTION = "doc_least"
ORDER_SECTION = "doc_identity_order"


class DocumentColumns:
    """One array of shape (n_documents,) per column.

    ``day`` is days since 1970-01-01, ``published`` and ``ingested`` seconds since then, the four
    string columns are value numbers, ``generation_out`` is 0 while the document is current. A
    column is fetched from its source when it is first used.

    Parameters
    ----------
    source : mapping of str to ndarray
        The columns by the names in ``ALL_TYPES``.
    """

    def __init__(self, source: Mapping[str, Array]) -> None:
        self._source = source

    def __len__(self) -> int:
        return len(self.n_tokens)

    @cached_property
    def n_tokens(self) -> U32:
        """Length."""
        return self._source["n_tokens"]

    @cached_property
    def key(self) -> I64:
        """Identity within the kind."""
        return self._source["key"]

    @cached_property
    def kind(self) -> npt.NDArray[np.uint8]:
        """1 for an article, 2 for a comment."""
        return self._source["kind"]

    @cached_property
    def publication(self) -> U32:
        """Value number of the publication."""
        return self._source["publication"]

    @cached_property
    def section(self) -> U32:
        """Value number of the section."""
        return self._source["section"]

    @cached_property
    def author(self) -> U32:
        """Value number of the author."""
        return self._source["author"]

    @cached_property
    def language(self) -> U32:
        """Value number of the language."""
        return self._source["language"]

    @cached_property
    def day(self) -> npt.NDArray[np.int32]:
        """Day of publication."""
        return self._source["day"]

    @cached_property
    def published(self) -> I64:
        """Moment of publication."""
        return self._source["published"]

    @cached_property
    def ingested(self) -> I64:
        """Moment of coming in."""
        return self._source["ingested"]

    @cached_property
    def duplicate_cluster(self) -> I64:
        """Key of the original it is a copy of; 0 or its own key when it is none."""
        return self._source["duplicate_cluster"]

    @cached_property
    def story_cluster(self) -> I64:
        """Key of the story; 0 for none."""
        return self._source["story_cluster"]

    @cached_property
    def parent_key(self) -> I64:
        """Of a comment the key of its article; 0 for none."""
        return self._source["parent_key"]

    @cached_property
    def generation_in(self) -> U32:
        """First generation that has it."""
        return self._source["generation_in"]

    @cached_property
    def generation_out(self) -> U32:
        """First generation that has it no more; 0 while it is current."""
        return self._source["generation_out"]

    @cached_property
    def changed(self) -> npt.NDArray[np.uint8]:
        """1 where the text is not the first that its page showed."""
        return self._source["changed"]

    @cached_property
    def rights(self) -> npt.NDArray[np.uint8]:
        """What its site says of text mining, a number of ``DocumentRights``."""
        return self._source["rights"]

    @cached_property
    def undated(self) -> npt.NDArray[np.uint8]:
        """1 where `day` and `published` are a place in orders and no date."""
        return self._source["undated"]

    @cached_property
    def dated(self) -> npt.NDArray[np.bool_]:
        """Which documents have a date."""
        found: npt.NDArray[np.bool_] = self.undated == 0
        return found

    def identities(self) -> npt.NDArray[np.uint64]:
        """Return kind and key of each document in one number."""
        return make_identities(self.kind, self.key)

    def is_copy(self) -> npt.NDArray[np.bool_]:
        """Return which documents are near-duplicates of an earlier original."""
        cluster = self.duplicate_cluster
        found: npt.NDArray[np.bool_] = (cluster != 0) & (cluster != self.key)
        return found

    def take(self, order: npt.NDArray[np.intp]) -> "DocumentColumns":
        """Return the documents in another order, or some of them."""
        return DocumentColumns({name: self._source[name][order] for name in ALL_TYPES})

    def with_generation_out(self, generation_out: U32) -> "DocumentColumns":
        """Return the documents with other generations in which they went out."""
        return DocumentColumns({**self.arrays(), "generation_out": generation_out})

    def arrays(self) -> dict[str, Array]:
        """Return the columns by name."""
        return {name: getattr(self, name) for name in ALL_TYPES}


def columns_of_rows(rows: Sequence[tuple[int, ...]]) -> DocumentColumns:
    """Build columns from one tuple per document, in the order of ``ALL_TYPES``."""
    turned = zip(*rows, strict=True) if rows else ((),) * len(ALL_TYPES)
    return DocumentColumns(
        {
            name: np.array(values, dtype=dtype)
            for values, (name, dtype) in zip(turned, ALL_TYPES.items(), strict=True)
        }
    )


def join_columns(parts: Sequence[DocumentColumns]) -> DocumentColumns:
    """Put documents of several parts one after the other."""
    return DocumentColumns(
        {name: np.concatenate([getattr(part, name) for part in parts]) for name in ALL_TYPES}
    )


def make_identities(
    kinds: npt.NDArray[np.uint8], keys: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint64]:
    """Put kind and key into one number per document."""
    return (kinds.astype(np.uint64) << KIND_SHIFT) | keys.astype(np.uint64)


# In files


def narrow(column: Array) -> tuple[int, Array]:
    """Return the smallest value of a column, and how far above it each value is.

    Returns
    -------
    tuple of int and ndarray
        The distances in the narrowest unsigned type that holds them; none at all when all values
        are the same.
    """
    if not len(column):
        return 0, np.empty(0, dtype=np.uint8)
    least, most = int(column.min()), int(column.max())
    if least == most:
        return least, np.empty(0, dtype=np.uint8)
    for dtype in NARROW_TYPES:
        if most - least <= np.iinfo(dtype).max:
            return least, (column.astype(np.int64) - least).astype(dtype)
    return 0, column


def widen(dtype: str, n_rows: int, least: int, distances: Array) -> Array:
    """Undo ``narrow``; without copying where the type in the file is the column's own."""
    if not len(distances):
        return np.full(n_rows, least, dtype=dtype)
    if distances.dtype == np.dtype(dtype) and not least:
        return distances
    result = distances.astype(dtype)
    result += np.array(least, dtype=dtype)
    return result


def column_sections(documents: DocumentColumns) -> dict[str, Array]:
    """Return the sections that hold the columns of some documents."""
    sections: dict[str, Array] = {}
    least = []
    arrays = documents.arrays()
    for name in COLUMN_TYPES:
        smallest, distances = narrow(arrays[name])
        least.append(smallest)
        sections[f"doc_{name}"] = distances
    sections |= {f"doc_{name}": arrays[name] for name in MARK_TYPES if arrays[name].any()}
    sections[LEAST_SECTION] = np.array(least, dtype=np.int64)
    order = np.argsort(documents.identities(), kind="stable")
    sections[ORDER_SECTION] = order.astype(np.uint32)
    return sections


class StoredColumns(Mapping[str, Array]):
    """The columns of an open segment by name; version 1 stored them at full width."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._n_rows = len(container[ORDER_SECTION])
        self._least: dict[str, int] = {}
        if container.version > 1:
            self._least = dict(zip(COLUMN_TYPES, container[LEAST_SECTION].tolist(), strict=False))

    def __getitem__(self, name: str) -> Array:
        if name in MARK_TYPES and f"doc_{name}" not in self._container.arrays:
            return np.zeros(self._n_rows, dtype=MARK_TYPES[name])
        distances = self._container[f"doc_{name}"]
        if len(distances) not in (0, self._n_rows):
            raise DamagedFileError(self._container.name, f"column {name} has a wrong length")
        try:
            return widen(ALL_TYPES[name], self._n_rows, self._least.get(name, 0), distances)
        except OverflowError as error:
            raise DamagedFileError(self._container.name, f"column {name}: {error}") from error

    def __iter__(self) -> Iterator[str]:
        return iter(ALL_TYPES)

    def __len__(self) -> int:
        return len(ALL_TYPES)
