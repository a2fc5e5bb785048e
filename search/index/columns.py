"""Document columns: what is stored per document beside its tokens.

Input → output: rows of integers → one array per column, which can be joined, reordered and cut.
Strings stand as numbers of the lexicon's value table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]

KIND_SHIFT = np.uint64(60)  # identity = kind << 60 | key


@dataclass(frozen=True, slots=True)
class DocumentColumns:
    """One array of shape (n_documents,) per column.

    ``day`` is days since 1970-01-01, ``published`` and ``ingested`` seconds since then, the four
    string columns are value numbers, ``generation_out`` is 0 while the document is current.
    """

    n_tokens: U32
    key: I64
    kind: npt.NDArray[np.uint8]
    publication: U32
    section: U32
    author: U32
    language: U32
    day: npt.NDArray[np.int32]
    published: I64
    ingested: I64
    duplicate_cluster: I64
    story_cluster: I64
    parent_key: I64
    generation_in: U32
    generation_out: U32

    def __len__(self) -> int:
        return len(self.key)

    def identities(self) -> npt.NDArray[np.uint64]:
        """Return kind and key of each document in one number."""
        return make_identities(self.kind, self.key)

    def take(self, order: npt.NDArray[np.intp]) -> "DocumentColumns":
        """Return the documents in another order, or some of them."""
        return DocumentColumns(*(getattr(self, f.name)[order] for f in fields(self)))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


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


def columns_of_rows(rows: Sequence[tuple[int, ...]]) -> DocumentColumns:
    """Build columns from one tuple per document, in the order of the fields."""
    turned = zip(*rows, strict=True) if rows else ((),) * len(COLUMN_TYPES)
    return DocumentColumns(
        *(
            np.array(values, dtype=dtype)
            for values, dtype in zip(turned, COLUMN_TYPES.values(), strict=True)
        )
    )


def join_columns(parts: Sequence[DocumentColumns]) -> DocumentColumns:
    """Put documents of several parts one after the other."""
    return DocumentColumns(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in COLUMN_TYPES)
    )


def make_identities(
    kinds: npt.NDArray[np.uint8], keys: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint64]:
    """Put kind and key into one number per document."""
    return (kinds.astype(np.uint64) << KIND_SHIFT) | keys.astype(np.uint64)
