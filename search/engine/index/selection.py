"""Which documents of a snapshot count, and the base that numbers about them refer to."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment

Mask = npt.NDArray[np.bool_]
I64 = npt.NDArray[np.int64]

BLOCK_BITS = 6  # 64 tokens: a text of 1,000 has few blocks that lie in two texts
LEFT_OUT, SELECTED, MIXED = 0, 1, 2
FEW_POSITIONS = 512  # so many are looked up among the documents faster than blocks are laid out


@dataclass(frozen=True, slots=True)
class Base:
    """What a result is measured against: the documents that the filter lets through."""

    n_tokens: int
    n_documents: int


class DocumentMask:
    """Some documents of a segment, and which positions lie in them.

    Parameters
    ----------
    documents : ndarray of shape (n_documents,)
        True for those that count.
    """

    def __init__(self, segment: Segment, documents: Mask) -> None:
        self.segment = segment
        self.documents = documents

    @cached_property
    def edges(self) -> I64:
        """Positions at which selected text begins or ends, in turns; the first is a begin."""
        padded = np.zeros(len(self.documents) + 2, dtype=np.bool_)
        padded[1:-1] = self.documents
        result: I64 = self.segment.bounds[np.flatnonzero(padded[1:] != padded[:-1])]
        return result

    @cached_property
    def _blocks(self) -> npt.NDArray[np.uint8]:
        """For each stretch of 64 tokens: selected, left out, or a mixture of both."""
        n_blocks = (self.segment.n_tokens >> BLOCK_BITS) + 1
        at = self.edges >> BLOCK_BITS
        values = np.arange(len(at) + 1) & 1  # outside, inside, outside …
        lengths = np.diff(np.concatenate([[0], at, [n_blocks]]))
        blocks = np.repeat(values.astype(np.uint8), lengths)
        blocks[at[self.edges & ((1 << BLOCK_BITS) - 1) != 0]] = MIXED
        return blocks

    def holds(self, positions: npt.NDArray[np.integer]) -> Mask:
        """Return which of some positions lie in documents that count."""
        if len(positions) < FEW_POSITIONS:
            few: Mask = self.documents[self.segment.document_of(positions)]
            return few
        blocks = self._blocks.take(positions >> BLOCK_BITS)
        result: Mask = blocks == SELECTED
        mixed = np.flatnonzero(blocks == MIXED)
        result[mixed] = self.documents[self.segment.document_of(positions[mixed])]
        return result

    def cut(self, found: Mask, start: int) -> None:
        """Take away what lies outside: ``found[i]`` belongs to position ``start + i``."""
        first, after = np.searchsorted(self.edges, [start, start + len(found)], side="right")
        inside = bool(first & 1)  # whether the stretch begins in selected text
        places = [0, *(self.edges[first:after] - start).tolist(), len(found)]
        for low, high in pairwise(places):
            if not inside:
                found[low:high] = False
            inside = not inside

    def count(self, positions: npt.NDArray[np.integer]) -> int:
        """Count the ascending positions that lie in documents that count."""
        if len(self.edges) * 4 > len(positions):
            return int(np.count_nonzero(self.holds(positions)))
        places = np.searchsorted(positions, self.edges.astype(positions.dtype))
        return int((places[1::2] - places[::2]).sum())


@dataclass(frozen=True)
class Selection:
    """Documents of a snapshot: one mask per segment, None where all documents count.

    ``memories`` keeps what statistics have counted of them, see `recent.Remembered`.
    """

    snapshot: Snapshot
    generation: int
    masks: tuple[Mask | None, ...]
    base: Base
    memories: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def document_masks(self) -> tuple[DocumentMask | None, ...]:
        """The masks, ready to test positions with."""
        return tuple(
            None if mask is None else DocumentMask(view.segment, mask)
            for view, mask in zip(self.snapshot.segments, self.masks, strict=True)
        )

    @cached_property
    def is_empty_in(self) -> tuple[bool, ...]:
        """Say for each segment whether none of its documents counts."""
        return tuple(mask is not None and not mask.any() for mask in self.masks)
