"""Tombstones: documents of a segment that were replaced or removed after it was written.

Input → output: document rows with the generation in which each went out ↔ a small file beside the
segment. The documents themselves stay, so a query at an older generation still finds them. While a
segment cannot be read, what leaves it is remembered by identity, for the day it is put back.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from search.engine.index.codec import Container, write_container
from search.engine.index.errors import DamagedFileError
from search.engine.index.segments.segment import Segment
from search.engine.index.segments.withdrawals import WITHDRAWN, take_out

REMOVALS_MAGIC = b"BSREMOVE"
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]


def _no_numbers() -> U32:
    return np.empty(0, dtype=np.uint32)


@dataclass(frozen=True, slots=True)
class Removals:
    """Which documents of a segment went out and when.

    Parameters
    ----------
    rows, generations : ndarray of shape (n,)
        Rows of documents, and the first generation that has each no more.
    identities, identity_generations : ndarray of shape (m,)
        The same for documents whose rows could not be looked up, by kind << 60 | key; an identity
        that was withdrawn after it had gone out stands there twice.
    is_partial : bool
        Whether an older file was lost, so that more documents went out than are known.
    """

    rows: U32 = field(default_factory=_no_numbers)
    generations: U32 = field(default_factory=_no_numbers)
    identities: U64 = field(default_factory=lambda: np.empty(0, dtype=np.uint64))
    identity_generations: U32 = field(default_factory=_no_numbers)
    is_partial: bool = False

    @classmethod
    def of_column(cls, generation_out: U32) -> "Removals":
        """Return the removals that a column says; 0 stands for documents that are current."""
        rows = np.flatnonzero(generation_out).astype(np.uint32)
        return cls(rows, generation_out[rows])

    @classmethod
    def read(cls, path: Path) -> "Removals":
        """Read a file.

        Raises
        ------
        FileNotFoundError, DamagedFileError
        """
        container = Container.open(path, REMOVALS_MAGIC)
        container.verify()
        removals = cls(container["row"], container["generation"])
        if "identity" not in container.arrays:
            return removals
        return replace(
            removals,
            identities=container["identity"],
            identity_generations=container["identity_generation"],
            is_partial=bool(container["is_partial"].any()),
        )

    def write(self, path: Path) -> None:
        """Store as a file."""
        sections: dict[str, npt.NDArray[Any]] = {"row": self.rows, "generation": self.generations}
        if len(self.identities) or self.is_partial:
            sections["identity"] = self.identities
            sections["identity_generation"] = self.identity_generations
            sections["is_partial"] = np.array([self.is_partial], dtype=np.uint8)
        write_container(path, REMOVALS_MAGIC, sections)

    def with_identities(self, leaving: U64, generation: int) -> "Removals":
        """Remember documents that leave by what they are; of each way the first time counts."""
        is_alike = (self.identity_generations >= WITHDRAWN) == (generation >= WITHDRAWN)
        new = leaving[~np.isin(leaving, self.identities[is_alike])]
        return replace(
            self,
            identities=np.concatenate([self.identities, new]),
            identity_generations=np.concatenate(
                [self.identity_generations, np.full(len(new), generation, dtype=np.uint32)]
            ),
        )

    def applied_to(self, segment: Segment) -> U32:
        """Return the generation in which each document of a segment went out.

        Raises
        ------
        DamagedFileError
            If the rows are not those of this segment.
        """
        result = segment.documents.generation_out.copy()
        if len(self.rows) and int(self.rows.max()) >= len(result):
            raise DamagedFileError(segment.name, "its removals are those of another segment")
        result[self.rows] = self.generations
        for identity, generation in zip(
            self.identities, self.identity_generations.tolist(), strict=True
        ):
            enter = take_out if generation >= WITHDRAWN else mark
            enter(segment, result, np.array([identity]), generation % WITHDRAWN)
        return result


def mark(segment: Segment, generation_out: U32, leaving: U64, generation: int) -> None:
    """Enter a generation for the current versions of leaving documents that came in before it."""
    rows = segment.rows_of(leaving)
    here = (generation_out[rows] == 0) & (segment.documents.generation_in[rows] < generation)
    generation_out[rows[here]] = generation
