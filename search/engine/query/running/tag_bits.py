"""Rows of tokens as bits: joined by shifting, counted or written down as positions.

Input → output: a segment and what may stand at distances from a start, as 64-bit words → words
whose bits are the starts.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce

import numpy as np

from search.engine.arrays import I64, U64
from search.engine.index.segments.segment import Segment
from search.engine.index.set_bits import LAST_BIT, ONE, WORD_BITS, WORD_SHIFT, bits_at
from search.engine.query.conditions.kept_bits import stretch_of
from search.engine.query.conditions.token_conditions import TokenCondition

# Distance from the start of a row, and what gives a stretch of words: which tokens may stand there.
Part = tuple[int, Callable[[int, int], U64]]

WORDS_AT_ONCE = 1 << 15  # stay in the second-level cache


def starts_of(segment: Segment, levels: Sequence[Sequence[TokenCondition]]) -> I64:
    """Return the positions p at which each token ``p + k`` meets one of ``levels[k]``, ascending.

    Bits of conditions on the tag are shared with other queries'. A row may begin near the end of
    the segment and reach beyond it where the last conditions are met by any token.
    """
    parts: list[Part] = []
    for offset, level in enumerate(levels):
        if not any(condition.is_anything for condition in level):
            words = reduce(np.bitwise_or, [condition.bits(segment) for condition in level])
            parts.append((offset, partial(stretch_of, words)))
    n_words = segment.n_tokens // WORD_BITS + 1
    if not parts:
        return np.arange(segment.n_tokens)
    found = [bits_at(words) + (low << WORD_SHIFT) for low, words in joined(parts, 0, n_words)]
    starts = np.concatenate(found)
    return starts[: np.searchsorted(starts, segment.n_tokens)]


def joined(parts: Sequence[Part], first: int, after: int) -> Iterator[tuple[int, U64]]:
    """Give stretches of words, each with the number of its first.

    Bit p of all words is set where the bits ``p + distance`` of all parts are.
    """
    for low in range(first, after, WORDS_AT_ONCE):
        high = min(low + WORDS_AT_ONCE, after)
        shifted = (_shifted(give, distance, low, high) for distance, give in parts)
        words = next(shifted).copy()
        for other in shifted:
            words &= other
        yield low, words


def _shifted(give: Callable[[int, int], U64], distance: int, low: int, high: int) -> U64:
    far, bits = distance >> WORD_SHIFT, distance & LAST_BIT
    if not bits:
        return give(low + far, high + far)
    stretch = give(low + far, high + far + 1)
    result: U64 = stretch[:-1] >> np.uint64(bits)
    result |= stretch[1:] << np.uint64(WORD_BITS - bits)
    return result


def region_begins(segment: Segment, structure: str) -> U64:
    """Return where sentences (``s``) or texts begin; one more would begin behind the last token.

    With an empty name there is nothing but that.
    """
    words = np.zeros(segment.n_tokens // WORD_BITS + 1, dtype=np.uint64)
    at = segment.bounds if structure == "text" else np.array([segment.n_tokens])
    np.bitwise_or.at(words, at // WORD_BITS, ONE << (at % WORD_BITS).astype(np.uint64))
    if structure == "s":
        words[: len(segment.sentence_bits)] |= segment.sentence_bits
    return words
