"""Truth values of all tokens of a segment as one bit each, kept where they are asked for often.

Input → output: a name and a scan of stretches of tokens → 64-bit words, bit ``p % 64`` of word
``p // 64`` for position p. Comparing the 100 million bytes of a tag stream with the eight tags of
``[pos="DT"] [pos="JJ.*"] [pos="NN.*"]`` takes 60 ms, joining 38 MB of bits 10 ms.
"""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from search.engine.arrays import U64, Mask
from search.engine.index.segments.segment import Segment
from search.engine.index.set_bits import WORD_BITS

Scan = Callable[[int, int], Mask]

SCAN_BLOCK = 1 << 18  # positions; tags and masks of a block stay in the second-level cache
KEPT_SETS = 6  # per segment: 75 MB in all at 100 million tokens
MOST_ASKED = 1_000  # how often names are asked for is halved then, so that what is new has a chance


@dataclass(slots=True)
class _Kept:
    """The bits of a segment by the name of a set, and how often each name was asked for."""

    words: dict[bytes, U64] = field(default_factory=dict)
    asked: Counter[bytes] = field(default_factory=Counter)

    def ask(self, name: bytes) -> U64 | None:
        self.asked[name] += 1
        if self.asked.total() > MOST_ASKED:
            self.asked = Counter({each: n // 2 for each, n in self.asked.items() if n > 1})
        return self.words.get(name)

    def keep(self, name: bytes, words: U64) -> None:
        self.words[name] = words
        if len(self.words) > KEPT_SETS:
            del self.words[min(self.words, key=self.asked.__getitem__)]


_bits: "WeakKeyDictionary[Segment, _Kept]" = WeakKeyDictionary()
_lock = threading.Lock()


def kept_bits(segment: Segment, name: bytes, scan: Scan) -> U64:
    """Return the bits of a name, made by scanning unless they are kept; see `packed_bits`."""
    with _lock:
        kept = _bits.setdefault(segment, _Kept())
        known = kept.ask(name)
    if known is not None:
        return known
    words = packed_bits(segment.n_tokens, scan)
    with _lock:
        kept.keep(name, words)
    return words


def packed_bits(n_tokens: int, scan: Scan) -> U64:
    """Pack the results of a scan; the bit behind the last token is there and not set."""
    words = np.zeros(n_tokens // WORD_BITS + 1, dtype="<u8")
    octets = words.view(np.uint8)
    for low in range(0, n_tokens, SCAN_BLOCK):
        packed = np.packbits(scan(low, min(low + SCAN_BLOCK, n_tokens)), bitorder="little")
        octets[low // 8 : low // 8 + len(packed)] = packed
    return words


def stretch_of(words: U64, low: int, high: int) -> U64:
    """Return some of the words; those behind the last are 0."""
    known = words[low:high]
    if len(known) == high - low:
        return known
    padded = np.zeros(high - low, dtype=np.uint64)
    padded[: len(known)] = known
    return padded
