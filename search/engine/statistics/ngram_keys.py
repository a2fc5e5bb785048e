"""Sequences of values as numbers of 64 bits, and where sequences may begin.

Input → output: types at positions → one key per sequence. Keys of up to three words are exact (21
bits a word); longer ones are mixed, so that two sequences share a key once in 2^64 pairs: with 100
million sequences the chance of one such pair in all is below 0.03 %. What is shown of a sequence
is counted from its occurrences, never from its key.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask, Selection
from search.engine.statistics.counting.in_parallel import in_parallel, n_threads

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

KEY_BITS = 64
MANY_KEYS = 4_000_000  # fewer are sorted before threads are worth it
BLOCK_TOKENS = 1 << 17  # tokens whose keys are made at once: 1 MB stays in a core's cache
# Multiplier of the mixture: Knuth's 64-bit linear congruential constant (MMIX), which is odd, so
# that multiplying loses nothing; the shift carries the upper bits back down.
MULTIPLIER = np.uint64(6_364_136_223_846_793_005)
FOLD_BITS = np.uint64(29)
LEFT_OUT = np.uint32(1 << 31)  # above all numbers of values
# Bits of a key that tell whether it may be among those looked for: a table of 1 MB.
FILTER_BITS = 20
FILTER_SHIFT = np.uint64(KEY_BITS - FILTER_BITS)


@dataclass(frozen=True, slots=True)
class Shape:
    """Which tokens make up a sequence.

    ``offsets`` are the distances of its words from the first, ascending from 0; ``numbers`` are the
    values by type, below 2 ** ``bits``; ``is_counted`` says which types may stand in it; ``marked``
    are the numbers with `LEFT_OUT` set for types that may not.
    """

    offsets: tuple[int, ...]
    numbers: U32
    bits: int
    marked: U32
    is_counted: Mask | None = None

    @property
    def reach(self) -> int:
        """Distance of the last word."""
        return self.offsets[-1]

    @property
    def is_exact(self) -> bool:
        """Whether different sequences always have different keys."""
        return self.bits * len(self.offsets) <= KEY_BITS

    def keys(self, values: Sequence[U32]) -> U64:
        """Make the keys of sequences from the values of their words, one array per word."""
        is_exact = self.is_exact
        keys = values[0].astype(np.uint64)
        for value in values[1:]:
            if is_exact:
                keys <<= np.uint64(self.bits)
                keys |= value
            else:
                keys *= MULTIPLIER
                keys ^= keys >> FOLD_BITS
                keys += value
        return keys


@dataclass(frozen=True, slots=True)
class Beginnings:
    """Positions of a segment at which sequences begin.

    ``first_document`` numbers the first document of the segment among those of all segments.
    ``hits`` are the numbers of the hits that the sequences are counted for, if they are.
    """

    segment: Segment
    positions: I64
    first_document: int = 0
    hits: I64 | None = None

    def where(self, kept: Mask | I64) -> "Beginnings":
        """Return some of the positions."""
        hits = None if self.hits is None else self.hits[kept]
        return replace(self, positions=self.positions[kept], hits=hits)


def shape_of(numbers: I64, offsets: tuple[int, ...], is_counted: Mask | None = None) -> Shape:
    """Make a shape from the values of types."""
    bits = max(1, int(numbers.max(initial=0)).bit_length())
    narrow = numbers.astype(np.uint32)
    marked = narrow if is_counted is None else np.where(is_counted, narrow, narrow | LEFT_OUT)
    return Shape(offsets, narrow, bits, marked, is_counted)


def keys_at(beginnings: Beginnings, shape: Shape) -> U64:
    """Make the keys of the sequences that begin at some positions."""
    stream, numbers = beginnings.segment.stream, shape.numbers
    return shape.keys([numbers[stream[beginnings.positions + at]] for at in shape.offsets])


def whole(beginnings: Beginnings, shape: Shape) -> Beginnings:
    """Keep the sequences that end in the sentence they begin in and have only counted types."""
    kept = beginnings.where(beginnings.segment.right[beginnings.positions] >= shape.reach)
    if shape.is_counted is not None:
        for at in shape.offsets:
            types = beginnings.segment.stream[kept.positions + at]
            kept = kept.where(shape.is_counted[types])
    return kept


class KeyFilter:
    """Tells which of many keys are among a few; most are dismissed by some of their bits.

    Parameters
    ----------
    chosen : ndarray of shape (n_chosen,)
        Ascending.
    """

    def __init__(self, chosen: U64) -> None:
        self._chosen = chosen
        self._may_be = np.zeros(1 << FILTER_BITS, dtype=np.bool_)
        self._may_be[_hashed(chosen)] = True

    def find(self, keys: U64, wanted: Mask | None = None) -> tuple[I64, I64]:
        """Return the places of keys that are chosen, and which one each is."""
        may_be = self._may_be.take(_hashed(keys))
        if wanted is not None:
            may_be &= wanted
        near = np.flatnonzero(may_be)
        rows = np.minimum(np.searchsorted(self._chosen, keys[near]), len(self._chosen) - 1)
        is_chosen = self._chosen[rows] == keys[near]
        return near[is_chosen], rows[is_chosen].astype(np.int64)


def _hashed(keys: U64) -> I64:
    return ((keys * MULTIPLIER) >> FILTER_SHIFT).view(np.int64)


@dataclass(frozen=True, slots=True)
class TokenStretch:
    """Some tokens of a segment at which sequences may begin, in the documents of a mask."""

    segment: Segment
    start: int
    mask: DocumentMask | None
    first_document: int

    def keys(self, shape: Shape) -> U64:
        """Make the keys of the sequences that begin here, in order of position."""
        is_whole, keys = self._read(shape)
        return keys[is_whole]

    def find(self, shape: Shape, wanted: KeyFilter) -> tuple[Beginnings, I64]:
        """Return where the chosen sequences begin, and which one each is."""
        is_whole, keys = self._read(shape)
        found, rows = wanted.find(keys, is_whole)
        return Beginnings(self.segment, found + self.start, self.first_document), rows

    def _read(self, shape: Shape) -> tuple[Mask, U64]:
        """Say where whole sequences begin, and make a key for each position.

        The tokens are shifted against themselves, which costs less than looking up each sequence.
        """
        segment, start = self.segment, self.start
        n = max(0, min(BLOCK_TOKENS, segment.n_tokens - shape.reach - start))
        values = shape.marked.take(segment.stream[start : start + n + shape.reach], mode="clip")
        words = [values[at : at + n] for at in shape.offsets]
        is_whole = segment.right[start : start + n] >= shape.reach
        if shape.is_counted is not None:
            is_whole &= reduce(np.bitwise_or, words) < LEFT_OUT
        if self.mask is not None:
            self.mask.cut(is_whole, start)
        return is_whole, shape.keys(words)


def stretches(selection: Selection) -> Iterator[TokenStretch]:
    """Cut the selected documents into stretches."""
    first = 0
    for view, mask in zip(selection.snapshot.segments, selection.document_masks, strict=True):
        for start in range(0, view.segment.n_tokens, BLOCK_TOKENS):
            yield TokenStretch(view.segment, start, mask, first)
        first += view.segment.n_documents


def sort_keys(keys: U64) -> None:
    """Sort in place; many keys in parts at the same time, one part a processor.

    numpy sorts without the interpreter's lock, and dividing 60 million keys into halves costs an
    eighth of sorting them.
    """
    n_parts = n_threads() if len(keys) >= MANY_KEYS else 1
    edges = [len(keys) * i // n_parts for i in range(n_parts + 1)]
    if n_parts == 1:
        keys.sort()
        return
    keys.partition(edges[1:-1])
    for _ in in_parallel(np.ndarray.sort, [keys[a:b] for a, b in pairwise(edges)]):
        pass
