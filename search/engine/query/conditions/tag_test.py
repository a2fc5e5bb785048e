"""Whether tags are wanted ones: compared one by one where these are few, else by a table."""

from typing import Any

import numpy as np
import numpy.typing as npt

from search.engine.arrays import Mask

FEW_TAGS = 12  # so many comparisons of a byte each are faster than a table
TAG_NS = 0.06  # measured: comparing the tags of a block with one tag, and joining the results
TABLE_NS = 1.5  # looking tags or types up in a table


class TagTest:
    """Tests tags: ``mask`` says of each whether it is wanted, shape (n_tags,)."""

    def __init__(self, mask: Mask) -> None:
        self.mask = mask
        wanted, others = np.flatnonzero(mask).tolist(), np.flatnonzero(~mask).tolist()
        self._is_wanted = len(wanted) <= len(others)
        self._fewer = wanted if self._is_wanted else others

    @property
    def scan_ns(self) -> float:
        """What a test costs, in ns a token."""
        return TAG_NS * len(self._fewer) if len(self._fewer) <= FEW_TAGS else TABLE_NS

    def holds(self, tags: npt.NDArray[np.unsignedinteger[Any]]) -> Mask:
        """Return which tags are wanted."""
        if len(self._fewer) > FEW_TAGS:
            by_table: Mask = self.mask.take(tags)
            return by_table
        result = is_any(tags, self._fewer)
        return result if self._is_wanted else ~result


def is_any(values: npt.NDArray[np.unsignedinteger[Any]], numbers: list[int]) -> Mask:
    """Compare with each of a few numbers (Python's: a wider scalar would widen the array)."""
    if not numbers:
        return np.zeros(len(values), dtype=np.bool_)
    result: Mask = values == numbers[0]
    for number in numbers[1:]:
        result |= values == number
    return result
