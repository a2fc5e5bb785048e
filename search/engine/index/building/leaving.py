"""What leaves the index in one commit, in each of the ways in which a document may go.

Input → output: identities → marks in the generations in which a segment's documents went out, and
the rows that are to be dropped from it altogether.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.documents import DocumentKind
from search.engine.index.segments.columns import make_identities
from search.engine.index.segments.removals import Removals, mark
from search.engine.index.segments.segment import Segment
from search.engine.index.segments.withdrawals import WITHDRAWN, Span, take_out

U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Identity = tuple[DocumentKind, int]


@dataclass(frozen=True, slots=True)
class Leaving:
    """Identities that leave with a generation.

    Parameters
    ----------
    replaced : ndarray
        Their current versions go out; older generations go on showing them.
    withdrawn : ndarray
        No generation shows any version any more.
    erased : ndarray
        Those of the withdrawn ones that are dropped from the files.
    """

    generation: int
    replaced: U64
    withdrawn: U64
    erased: U64

    def is_of(self, segment: Segment) -> bool:
        """Whether the segment holds any version of what leaves."""
        return any(len(segment.rows_of(some)) for some in (self.replaced, self.withdrawn))

    def mark(self, segment: Segment, generation_out: U32) -> bool:
        """Enter what goes out; returns whether an older generation lacks something now."""
        mark(segment, generation_out, self.replaced, self.generation)
        return take_out(segment, generation_out, self.withdrawn, self.generation)

    def dropped(self, segment: Segment) -> npt.NDArray[np.intp]:
        """Return the rows of a segment that are not to stay on the disk."""
        rows = segment.rows_of(self.erased)
        return rows[segment.documents.generation_in[rows] < self.generation]

    def remembered(self, removals: Removals) -> Removals:
        """Add what leaves to the removals of a segment that cannot be read."""
        plain = removals.with_identities(self.replaced, self.generation)
        return plain.with_identities(self.withdrawn, self.generation | WITHDRAWN)


def add_spans(known: Iterable[Span], more: Iterable[Span]) -> tuple[Span, ...]:
    """Put sums of dropped documents together."""
    counts: Counter[tuple[int, int]] = Counter()
    for came_in, went_out, n in (*known, *more):
        counts[came_in, went_out] += n
    return tuple((*pair, n) for pair, n in sorted(counts.items()))


def identities_of(pairs: Iterable[Identity]) -> U64:
    """Return sorted unique identities of (kind, key) pairs."""
    listed = list(pairs)
    kinds = np.array([kind for kind, _ in listed], dtype=np.uint8)
    keys = np.array([key for _, key in listed], dtype=np.int64)
    return np.unique(make_identities(kinds, keys))
