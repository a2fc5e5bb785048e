"""Rows of tokens as bits: joined by shifting, counted or written down as positions.

Input → output: a segment and conditions at distances from a start → where, or how often, all of
them are met.
"""

from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np

from search.engine.arrays import I64, U64
from search.engine.index.segments.segment import Segment
from search.engine.index.set_bits import WORD_BITS, WORD_SHIFT, bits_at
from search.engine.query.conditions.token_conditions import TokenCondition

Part = tuple[int, U64]  # distance from the start of a row, and which tokens may stand there

WORDS_AT_ONCE = 1 << 15  # stay in the second-level cache


def starts_of(segment: Segment, levels: Sequence[Sequence[TokenCondition]]) -> I64:
    """Return the positions p at which each token ``p + k`` meets one of ``levels[k]``, ascending.

    Bits of conditions on the tag are shared with other queries'. A row may begin near the end of
    the segment and reach beyond it where the last conditions are met by any token.
    """
    parts = [
        (offset, reduce(np.bitwise_or, [condition.bits(segment) for condition in level]))
        for offset, level in enumerate(levels)
        if not any(condition.is_anything for condition in level)
    ]
    if not parts:
        return np.arange(segment.n_tokens)
    found = [bits_at(joined) + (low << WORD_SHIFT) for low, joined in _joined(parts)]
    starts = np.concatenate(found)
    return starts[: np.searchsorted(starts, segment.n_tokens)]


def count_joined(parts: Sequence[Part]) -> int:
    """Count the positions p at which all of some bits ``p + distance`` are set."""
    return sum(int(np.bitwise_count(joined).sum(dtype=np.int64)) for _, joined in _joined(parts))


def _joined(parts: Sequence[Part]) -> Iterator[tuple[int, U64]]:
    """Give stretches of the words whose bit p is set where all bits ``p + distance`` are."""
    n_words = len(parts[0][1])
    for low in range(0, n_words, WORDS_AT_ONCE):
        high = min(low + WORDS_AT_ONCE, n_words)
        joined = np.full(high - low, np.uint64(0xFFFFFFFFFFFFFFFF))
        for distance, words in parts:
            joined &= _shifted(words, distance, low, high)
        yield low, joined


def _shifted(words: U64, distance: int, low: int, high: int) -> U64:
    if not distance:
        return words[low:high]
    far, bits = low + (distance >> WORD_SHIFT), distance % WORD_BITS
    stretch = np.zeros(high - low + 1, dtype=np.uint64)
    known = words[far : far + len(stretch)]
    stretch[: len(known)] = known
    if not bits:
        return stretch[:-1]
    result = stretch[:-1] >> np.uint64(bits)
    result |= stretch[1:] << np.uint64(WORD_BITS - bits)
    return result
