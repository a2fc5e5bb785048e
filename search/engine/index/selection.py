"""Which documents of a snapshot count, and the base that numbers about them refer to."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.index.set_bits import LAST_BIT, ONE, WORD_SHIFT

Mask = npt.NDArray[np.bool_]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]

EVERY_BIT = np.uint64(0xFFFFFFFFFFFFFFFF)
FEW_POSITIONS = 512  # so many are looked up among the documents faster than words are laid out
EDGE_COST = 4  # to search for an edge in a list costs as much as to look so many positions up


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

    def cut_bits(self, words: U64, low: int) -> None:
        """Take away what lies outside: bit i belongs to position ``64 * low + i``."""
        first, after = np.searchsorted(self.edges, np.array([low, low + len(words)]) << WORD_SHIFT)
        if first == after and first & 1:  # all in one stretch that is selected
            return
        edges = self.edges[first:after] - (low << WORD_SHIFT)
        at = edges >> WORD_SHIFT
        inside = np.where(np.arange(first, after + 1) & 1, EVERY_BIT, np.uint64(0))
        kept = np.repeat(inside, np.diff(at + 1, prepend=0, append=len(words)))
        behind = EVERY_BIT << (edges & LAST_BIT).astype(np.uint64)
        np.bitwise_xor.at(kept, at, behind)  # each edge turns what follows in its own word
        words &= kept

    @cached_property
    def _blocks(self) -> tuple[npt.NDArray[np.unsignedinteger[Any]], U64]:
        """Which word each stretch of 64 tokens has, and the words: none, all, or a mixture."""
        words = np.full((self.segment.n_tokens >> WORD_SHIFT) + 1, EVERY_BIT)
        self.cut_bits(words, 0)
        mixed = np.flatnonzero((words != 0) & (words != EVERY_BIT))
        numbers = (words == EVERY_BIT).astype(np.min_scalar_type(len(mixed) + 2))
        numbers[mixed] = np.arange(2, len(mixed) + 2)
        return numbers, np.concatenate([[np.uint64(0), EVERY_BIT], words[mixed]])

    def holds(self, positions: npt.NDArray[np.integer]) -> Mask:
        """Return which of some positions lie in documents that count."""
        if len(positions) < FEW_POSITIONS:
            few: Mask = self.documents[self.segment.document_of(positions)]
            return few
        numbers, words = self._blocks
        own = numbers.take(positions >> WORD_SHIFT)
        result: Mask = own == 1
        mixed = np.flatnonzero(own > 1)
        bits = words.take(own.take(mixed))
        bits >>= (positions.take(mixed) & LAST_BIT).astype(np.uint64)
        result[mixed] = bits & ONE != 0
        return result

    def cut(self, found: Mask, start: int) -> None:
        """Take away what lies outside: ``found[i]`` belongs to position ``start + i``."""
        low, high = start >> WORD_SHIFT, ((start + len(found)) >> WORD_SHIFT) + 1
        words = np.full(high - low, EVERY_BIT)
        self.cut_bits(words, low)
        octets = words.astype("<u8", copy=False).view(np.uint8)
        inside = np.unpackbits(octets, bitorder="little").view(np.bool_)
        found &= inside[start & LAST_BIT :][: len(found)]

    def count(self, *lists: npt.NDArray[np.integer]) -> int:
        """Count the positions of ascending lists that lie in documents that count."""
        n_few = len(self.edges) * EDGE_COST
        few = [positions for positions in lists if len(positions) < n_few]
        total = int(np.count_nonzero(self.holds(np.concatenate(few)))) if few else 0
        for positions in lists:
            if len(positions) >= n_few:
                places = np.searchsorted(positions, self.edges.astype(positions.dtype))
                total += int((places[1::2] - places[::2]).sum())
        return total


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
