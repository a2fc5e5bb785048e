"""Document columns in a segment file: narrow arrays, widened when they are first used.

Input → output: ``DocumentColumns`` → sections of a segment; an open container → the columns again.
Layout in FORMAT.md.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from search.index.codec import Container
from search.index.columns import COLUMN_TYPES, DocumentColumns, narrow, widen
from search.index.errors import DamagedFileError

Array = npt.NDArray[Any]
LEAST_SECTION = "doc_least"
ORDER_SECTION = "doc_identity_order"


def column_sections(documents: DocumentColumns) -> dict[str, Array]:
    """Return the sections that hold the columns of some documents."""
    sections: dict[str, Array] = {}
    least = []
    for name, column in documents.arrays().items():
        smallest, distances = narrow(column)
        least.append(smallest)
        sections[f"doc_{name}"] = distances
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
        distances = self._container[f"doc_{name}"]
        if len(distances) not in (0, self._n_rows):
            raise DamagedFileError(self._container.name, f"column {name} has a wrong length")
        try:
            return widen(COLUMN_TYPES[name], self._n_rows, self._least.get(name, 0), distances)
        except OverflowError as error:
            raise DamagedFileError(self._container.name, f"column {name}: {error}") from error

    def __iter__(self) -> Iterator[str]:
        return iter(COLUMN_TYPES)

    def __len__(self) -> int:
        return len(COLUMN_TYPES)
