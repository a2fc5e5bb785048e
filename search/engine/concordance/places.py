"""Where hits stand: one as a value, many as columns.

Input → output: places → some of them, or several lists of them as one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

I64 = npt.NDArray[np.int64]


class LineReference(NamedTuple):
    """A hit: number of the segment among the hits' parts, row of the document, span."""

    part: int
    row: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Places:
    """Hits as columns of shape (n_hits,): number of the part, row of the document, span."""

    part: I64
    row: I64
    start: I64
    end: I64

    @classmethod
    def of(cls, lines: Sequence[LineReference]) -> Self:
        """Make columns of lines."""
        return cls(*np.array(lines, dtype=np.int64).reshape(-1, 4).T)

    @classmethod
    def joined(cls, some: Sequence[Self]) -> Self:
        """Put columns one behind the other."""
        columns = zip(*(one.columns for one in (cls.of(()), *some)), strict=True)
        return cls(*map(np.concatenate, columns))

    @property
    def columns(self) -> tuple[I64, I64, I64, I64]:
        """The four columns in the order of a ``LineReference``."""
        return self.part, self.row, self.start, self.end

    def take(self, chosen: npt.NDArray[np.integer] | slice) -> Self:
        """Return some of the hits, in the order given."""
        return type(self)(*(column[chosen] for column in self.columns))

    def __len__(self) -> int:
        return len(self.part)

    def __iter__(self) -> Iterator[LineReference]:
        return map(LineReference, *(column.tolist() for column in self.columns))
