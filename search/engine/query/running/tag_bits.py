"""Sets of tags as one bit a token: rows of tags are counted by shifting and joining such bits.

Input → output: a segment and a set of tags → 64-bit words, bit ``p % 64`` of word ``p // 64`` for
position p; a row of tag conditions → how many positions it starts at. Bits are made at first use
and those asked for most often are kept with the segment: comparing the 100 million bytes of a tag
stream with the eight tags of ``[pos="DT"] [pos="JJ.*"] [pos="NN.*"]`` takes 60 ms, joining 38 MB of
bits 10 ms.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from search.engine.index.segments.segment import Segment
from search.engine.index.set_bits import WORD_BITS, WORD_SHIFT, bits_at
from search.engine.query.conditions.token_conditions import SCAN_BLOCK, TokenCondition
from search.engine.query.running.sequences import TokenRow

Mask = npt.NDArray[np.bool_]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]

KEPT_SETS = 6  # per segment: 75 MB in all at 100 million tokens
WORDS_AT_ONCE = 1 << 15  # stay in the second-level cache

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


def can_count(row: TokenRow) -> bool:
    """Say whether a row has tag conditions alone, and few enough of them."""
    conditions = row.conditions
    known = [c.is_anything or c.tag_mask is not None for c in conditions]
    return all(known) and not all(c.is_anything for c in conditions) and row.length <= WORD_BITS


def count_starts(segment: Segment, row: TokenRow) -> int:
    """Count where a row starts in a segment, in the documents of all masks.

    Matches stay in their sentence or text, as the row asks.
    """
    parts = [
        (offset, bits_of(segment, condition))
        for offset, condition in enumerate(row.conditions)
        if not condition.is_anything
    ]
    in_sentence = row.within is not None and row.within.unit == "s"
    if in_sentence:
        parts.append((0, _kept(segment, b"right%d" % row.length, _stays_in_sentence(segment, row))))
    total = _count_joined(parts)
    if in_sentence:
        return total
    runs_on = row.within is None and row.across_texts
    return total - _count_across(
        segment, row, segment.bounds[[0, -1]] if runs_on else segment.bounds
    )


def starts_of(segment: Segment, levels: Sequence[Sequence[TokenCondition]]) -> I64:
    """Return the positions p at which each token ``p + k`` meets one of ``levels[k]``, ascending.

    Parameters
    ----------
    levels : sequence of sequence of TokenCondition
        At most 64, of conditions on the tag alone; their bits are shared with other queries'.
    """
    parts = [
        (offset, reduce(np.bitwise_or, [bits_of(segment, condition) for condition in level]))
        for offset, level in enumerate(levels)
    ]
    found = [np.empty(0, dtype=np.int64)]
    for low, joined in _joined(parts):
        found.append(bits_at(joined) + (low << WORD_SHIFT))
    starts = np.concatenate(found)
    return starts[: np.searchsorted(starts, segment.n_tokens)]


def _joined(parts: list[tuple[int, U64]]) -> Iterator[tuple[int, U64]]:
    """Give stretches of the words whose bit p is set where all bits ``p + offset`` are."""
    n_words = len(parts[0][1]) - 1
    for low in range(0, n_words, WORDS_AT_ONCE):
        high = min(low + WORDS_AT_ONCE, n_words)
        joined = np.full(high - low, np.uint64(0xFFFFFFFFFFFFFFFF))
        for offset, words in parts:
            joined &= _shifted(words, offset, low, high)
        yield low, joined


def _count_joined(parts: list[tuple[int, U64]]) -> int:
    """Count the positions p at which all of some bits ``p + offset`` are set."""
    return sum(int(np.bitwise_count(joined).sum(dtype=np.int64)) for _, joined in _joined(parts))


def _shifted(words: U64, offset: int, low: int, high: int) -> U64:
    if not offset:
        return words[low:high]
    result = words[low:high] >> np.uint64(offset)
    result |= words[low + 1 : high + 1] << np.uint64(WORD_BITS - offset)
    return result


def _count_across(segment: Segment, row: TokenRow, bounds: I64) -> int:
    """Count the places where the row's tags stand with the end of a stretch between them."""
    first, ends = bounds[:-1], bounds[1:]
    near_end = [ends - distance for distance in range(1, row.length)]
    starts = np.concatenate([ends[:0], *(at[at >= first] for at in near_end)])
    for offset, condition in enumerate(row.conditions):
        if condition.is_anything:
            continue
        at = starts + offset
        inside = at < segment.n_tokens
        starts = starts[inside][condition.holds(segment, at[inside])]
    return len(starts)


def bits_of(segment: Segment, condition: TokenCondition) -> U64:
    """Return which tokens meet a condition; kept where their tags decide.

    The bit behind the last token is there and not set.
    """

    def scan(low: int, high: int) -> Mask:
        return condition.scan(segment, low, high)

    if condition.tag_mask is None:
        return _packed(segment.n_tokens, scan)
    return _kept(segment, condition.tag_mask.tobytes(), scan)


def _stays_in_sentence(segment: Segment, row: TokenRow) -> Callable[[int, int], Mask]:
    def holds(low: int, high: int) -> Mask:
        stays: Mask = segment.right[low:high] >= row.length - 1
        return stays

    return holds


def _kept(segment: Segment, name: bytes, scan: Callable[[int, int], Mask]) -> U64:
    """Return the bits of a name, made by scanning unless they are kept."""
    with _lock:
        kept = _bits.setdefault(segment, _Kept())
        known = kept.ask(name)
    if known is not None:
        return known
    words = _packed(segment.n_tokens, scan)
    with _lock:
        kept.keep(name, words)
    return words


def _packed(n_tokens: int, scan: Callable[[int, int], Mask]) -> U64:
    """Pack the results of a scan, with an empty word at the end."""
    words = np.zeros(-(-n_tokens // WORD_BITS) + 1, dtype="<u8")
    octets = words.view(np.uint8)
    for low in range(0, n_tokens, SCAN_BLOCK):
        packed = np.packbits(scan(low, min(low + SCAN_BLOCK, n_tokens)), bitorder="little")
        octets[low // 8 : low // 8 + len(packed)] = packed
    return words
