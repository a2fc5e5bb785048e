"""Append-only numbered strings: word forms and lemmas, or the values of document columns.

Input → output: blobs of line-feed-terminated UTF-8 in order of arrival → string by number, number
by string, and the blobs themselves for patterns that run over all strings. Numbers never change.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

LINE_FEED = 10


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of strings: number of the first, the bytes, and where the line feed of each stands."""

    first: int
    blob: bytes
    ends: npt.NDArray[np.int64]

    @property
    def stop(self) -> int:
        """Number after the last string."""
        return self.first + len(self.ends)

    def get(self, number: int) -> str:
        """Return one string."""
        i = number - self.first
        start = int(self.ends[i - 1]) + 1 if i else 0
        return self.blob[start : int(self.ends[i])].decode()

    def tail(self, number: int) -> "Chunk":
        """Return the part from a string number on."""
        if number <= self.first:
            return self
        start = int(self.ends[number - self.first - 1]) + 1
        return Chunk(number, self.blob[start:], self.ends[number - self.first :] - start)


def make_chunk(first: int, blob: bytes) -> Chunk:
    """Find the ends of the strings in a blob."""
    ends = np.flatnonzero(np.frombuffer(blob, dtype=np.uint8) == LINE_FEED)
    return Chunk(first, blob, ends)


def encode_strings(strings: Sequence[str]) -> bytes:
    """Join strings, each closed by a line feed (they hold none themselves)."""
    return "".join(f"{string}\n" for string in strings).encode()


class _Decoded(NamedTuple):
    """Strings that were read before, by number, and which those are; replaced as a pair."""

    strings: npt.NDArray[np.object_]
    known: npt.NDArray[np.bool_]

    def grown(self, size: int) -> "_Decoded":
        """Return a copy with more room; what another thread adds meanwhile may be missing."""
        bigger = _Decoded(np.empty(size, dtype=object), np.zeros(size, dtype=np.bool_))
        bigger.known[: len(self.known)] = self.known  # first: a known string is there
        bigger.strings[: len(self.known)] = self.strings
        return bigger


class StringTable:
    """Strings by number and numbers by string.

    The first chunk may carry its sort order (numbers in order of UTF-8 bytes, which is code-point
    order), then look-ups in it are binary searches; later strings are found through a dictionary.
    """

    def __init__(self) -> None:
        self._chunks: list[Chunk] = []
        self._order: npt.NDArray[np.uint32] = np.empty(0, dtype=np.uint32)
        self._numbers: dict[str, int] = {}
        self._decoded = _Decoded(np.empty(0, dtype=object), np.zeros(0, dtype=np.bool_))

    def __len__(self) -> int:
        return self._chunks[-1].stop if self._chunks else 0

    @property
    def order(self) -> npt.NDArray[np.uint32]:
        """Sorted numbers of the strings that came with an order (may be none)."""
        return self._order

    def extend(self, blob: bytes, order: npt.NDArray[np.uint32] | None = None) -> None:
        """Append the strings of a blob; ``order`` is accepted for the first blob only."""
        if not blob:
            return
        chunk = make_chunk(len(self), blob)
        room = len(self._decoded.known)
        if chunk.stop > room:
            self._decoded = self._decoded.grown(max(chunk.stop, 2 * room))
        if order is not None and not self._chunks:
            self._order = order
        else:
            strings = blob.decode().split("\n")
            self._numbers.update(zip(strings[:-1], range(chunk.first, chunk.stop), strict=True))
        self._chunks = _with_chunk(self._chunks, chunk, keep=1 if len(self._order) else 0)

    def get(self, number: int) -> str:
        """Return a string by its number."""
        strings, known = self._decoded
        if not known.item(number):
            chunks = self._chunks
            at = bisect_right(chunks, number, key=lambda chunk: chunk.first) - 1
            strings[number] = chunks[at].get(number)
            known[number] = True
        found: str = strings.item(number)
        return found

    def get_all(self, numbers: npt.NDArray[np.integer]) -> list[str]:
        """Return strings by their numbers, fast when they were all read before."""
        strings, known = self._decoded
        if not known.take(numbers).all():
            return list(map(self.get, numbers.tolist()))
        found: list[str] = strings.take(numbers).tolist()
        return found

    def find(self, string: str) -> int | None:
        """Return the number of a string, None if it never came in."""
        number = self._numbers.get(string)
        if number is not None or not len(self._order):
            return number
        at = self._bisect(string.encode(errors="replace"))
        if at < len(self._order):
            number = int(self._order[at])
            if self.get(number) == string:
                self._numbers[string] = number  # queries ask for the same few words
                return number
        return None

    def prefix_range(self, prefix: str) -> npt.NDArray[np.uint32]:
        """Return the numbers, in the sorted part only, of strings that start with a prefix."""
        encoded = prefix.encode(errors="replace")
        return self._order[self._bisect(encoded) : self._bisect(encoded + b"\xff")]

    def chunks(self, start: int = 0) -> Iterator[Chunk]:
        """Iterate over the strings from a number on, as blobs."""
        for chunk in self._chunks:
            if chunk.stop > start:
                yield chunk.tail(start)

    def all(self, start: int = 0) -> list[str]:
        """Return every string from a number on, in order of number."""
        return [s for chunk in self.chunks(start) for s in chunk.blob.decode().split("\n")[:-1]]

    def _bisect(self, encoded: bytes) -> int:
        low, high = 0, len(self._order)
        while low < high:
            middle = (low + high) // 2
            if self.get(int(self._order[middle])).encode() < encoded:
                low = middle + 1
            else:
                high = middle
        return low


def _with_chunk(chunks: list[Chunk], chunk: Chunk, keep: int) -> list[Chunk]:
    """Return a new list with one more chunk, joining small ones so that few remain."""
    merged = [*chunks, chunk]
    while len(merged) > keep + 1 and len(merged[-2].ends) < 2 * len(merged[-1].ends):
        last, before = merged.pop(), merged.pop()
        ends = np.concatenate([before.ends, last.ends + len(before.blob)])
        merged.append(Chunk(before.first, before.blob + last.blob, ends))
    return merged
