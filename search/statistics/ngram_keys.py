"""Sequences of values as numbers of 64 bits, and where sequences may begin.

Input → output: types at positions → one key per sequence. Keys of up to three words are exact (21
bits a word); longer ones are mixed, so that two sequences share a key once in 2^64 pairs: with 100
million sequences the chance of one such pair in all is below 0.03 %. What is shown of a sequence
is counted from its occurrences, never from its key.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from search.index.segment import Segment
from search.index.selection import Selection

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]

KEY_BITS = 64
MANY_KEYS = 4_000_000  # fewer are sorted before threads are worth it
MOST_PARTS = 4  # leaves processors of a larger machine to other pages
BLOCK_TOKENS = 1 << 17  # tokens whose keys are made at once: 1 MB stays in a core's cache
# Multiplier of the mixture: Knuth's 64-bit linear congruential constant (MMIX), which is odd, so
# that multiplying loses nothing; the shift carries the upper bits back down.
MULTIPLIER = np.uint64(6_364_136_223_846_793_005)
FOLD_BITS = np.uint64(29)


@dataclass(frozen=True, slots=True)
class Shape:
    """Which tokens make up a sequence.

    ``offsets`` are the distances of its words from the first, ascending from 0; ``numbers`` are the
    values by type, below 2 ** ``bits``; ``is_counted`` says which types may stand in it.
    """

    offsets: tuple[int, ...]
    numbers: U32
    bits: int
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
    return Shape(offsets, numbers.astype(np.uint32), bits, is_counted)


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


def every_sequence(selection: Selection, shape: Shape) -> Iterator[tuple[Beginnings, U64]]:
    """Give all sequences of the selected documents with their keys, block by block."""
    first = 0
    for view, mask in zip(selection.snapshot.segments, selection.document_masks, strict=True):
        segment = view.segment
        for start in range(0, segment.n_tokens, BLOCK_TOKENS):
            positions, keys = _block(segment, start, shape)
            if mask is not None:
                is_selected = mask.holds(positions)
                positions, keys = positions[is_selected], keys[is_selected]
            yield Beginnings(segment, positions, first), keys
        first += segment.n_documents


def _block(segment: Segment, start: int, shape: Shape) -> tuple[I64, U64]:
    """Make the keys of one block by shifting it against itself, cheaper than looking up each."""
    stop = min(start + BLOCK_TOKENS, segment.n_tokens - shape.reach)
    n = max(0, stop - start)
    types = segment.stream[start : start + n + shape.reach]
    is_whole = segment.right[start : start + n] >= shape.reach
    if shape.is_counted is not None:
        counted = shape.is_counted[types]
        for at in shape.offsets:
            is_whole &= counted[at : at + n]
    values = shape.numbers[types]
    keys = shape.keys([values[at : at + n] for at in shape.offsets])
    return np.flatnonzero(is_whole) + start, keys[is_whole]


def sort_keys(keys: U64) -> None:
    """Sort in place; many keys in parts at the same time, one part a processor.

    numpy sorts without the interpreter's lock, and dividing 60 million keys into halves costs an
    eighth of sorting them.
    """
    n_parts = min(MOST_PARTS, os.cpu_count() or 1) if len(keys) >= MANY_KEYS else 1
    edges = [len(keys) * i // n_parts for i in range(n_parts + 1)]
    if n_parts == 1:
        keys.sort()
        return
    keys.partition(edges[1:-1])
    with ThreadPoolExecutor(n_parts) as pool:
        for part in [pool.submit(keys[a:b].sort) for a, b in pairwise(edges)]:
            part.result()
