"""An append-only array whose earlier views stay valid while it grows."""

from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Scalar = TypeVar("Scalar", bound=np.generic)
FIRST_CAPACITY = 1024  # values; doubled whenever it is full


class GrowingArray(Generic[Scalar]):
    """Values appended in blocks; ``view`` gives the whole as an ndarray without copying.

    A view taken earlier keeps pointing at the memory it was taken from, which is never rewritten,
    so readers of older lengths need no lock.
    """

    def __init__(self, dtype: type[Scalar]) -> None:
        self._buffer: npt.NDArray[Scalar] = np.empty(FIRST_CAPACITY, dtype=dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def extend(self, values: npt.NDArray[Any]) -> None:
        """Append values; amortized constant time each."""
        needed = self._length + len(values)
        if needed > len(self._buffer):
            bigger = np.empty(max(needed, 2 * len(self._buffer)), dtype=self._buffer.dtype)
            bigger[: self._length] = self._buffer[: self._length]
            self._buffer = bigger
        self._buffer[self._length : needed] = values
        self._length = needed

    def view(self, length: int | None = None) -> npt.NDArray[Scalar]:
        """Return the first ``length`` values (all by default)."""
        return self._buffer[: self._length if length is None else length]
