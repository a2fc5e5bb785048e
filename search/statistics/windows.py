"""The tokens around hits, inside the sentence: what collocates are counted in.

Input → output: hits and a `Window` → blocks of type numbers, one row per distance and one
column per hit. Blocks hold whole documents and a bounded number of tokens, so the windows of four
million hits need no more memory than those of four hundred thousand.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.hits import Hits, Spans
from search.index.segment import Segment

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]

FARTHEST = 10  # tokens from the node
BLOCK_CELLS = 1 << 19  # 2 MB of types: small enough for a cache, large enough to count at once
_SIDES = re.compile(r"(\d{1,2}),(\d{1,2})")
_POSITION = re.compile(r"([lr])(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Window:
    """Distances from the node: -1 is the token before it, 1 the token after it.

    Tokens of the node itself are no part of it; those of neighbouring hits are.
    """

    distances: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.distances or any(not 0 < abs(d) <= FARTHEST for d in self.distances):
            raise ValueError(
                f"A window has up to {FARTHEST} tokens on each side, and at least one."
            )

    @classmethod
    def around(cls, left: int, right: int) -> "Window":
        """Make the window of so many tokens on each side."""
        return cls((*range(-left, 0), *range(1, right + 1)))

    @classmethod
    def parse(cls, text: str) -> "Window":
        """Read ``5,5`` (tokens on each side) or one position, ``l1`` or ``r2``.

        Raises
        ------
        ValueError
            With a sentence for the reader.
        """
        sides, position = _SIDES.fullmatch(text), _POSITION.fullmatch(text)
        if sides:
            return cls.around(int(sides[1]), int(sides[2]))
        if position:
            distance = int(position[2])
            return cls((-distance if position[1] == "l" else distance,))
        raise ValueError(
            f"“{text}” is no window: 5,5 for five tokens on each side, l1 or r2 for one."
        )

    @property
    def left(self) -> int:
        """The farthest token before the node, 0 if there is none."""
        return max(0, -min(self.distances))

    @property
    def right(self) -> int:
        """The farthest token after the node, 0 if there is none."""
        return max(0, *self.distances)

    def __str__(self) -> str:
        if len(self.distances) == 1:
            distance = self.distances[0]
            return f"{'l' if distance < 0 else 'r'}{abs(distance)}"
        return f"{self.left},{self.right}"


@dataclass(frozen=True, slots=True)
class WindowBlock:
    """The windows of some hits.

    Parameters
    ----------
    types : ndarray of shape (n_distances, n_hits)
        Type at each distance; the lexicon's number of types where the sentence has ended.
    document : ndarray of shape (n_hits,)
        Document of each hit: its row plus the documents of the segments before; ascending.
    """

    types: U32
    document: I64


def window_blocks(hits: Hits, window: Window) -> Iterator[WindowBlock]:
    """Gather the types around all hits.

    Yields
    ------
    WindowBlock
        Of `BLOCK_CELLS` tokens or a little more. O(hits * distances) in all.
    """
    distances = np.array(window.distances, dtype=np.int64)
    nothing = hits.snapshot.lexicon.size.n_types
    waiting: list[_Piece] = []
    for piece in _pieces(hits, max(1, BLOCK_CELLS // len(distances))):
        waiting.append(piece)
        if sum(len(each.spans) for each in waiting) * len(distances) >= BLOCK_CELLS:
            yield _block(waiting, distances, nothing)
            waiting = []
    if waiting:
        yield _block(waiting, distances, nothing)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some hits of one segment."""

    segment: Segment
    spans: Spans
    document: I64


def _pieces(hits: Hits, most_hits: int) -> Iterator[_Piece]:
    """Give the hits of one segment after the other, many in several pieces."""
    first_document = 0
    for part in hits.parts:
        counts = part.document_counts
        for rows in _row_blocks(counts, most_hits):
            low, high = int(counts[: rows.start].sum()), int(counts[: rows.stop].sum())
            if high > low:
                spans = Spans(part.spans.starts[low:high], part.spans.ends[low:high])
                numbers = np.arange(rows.start, rows.stop) + first_document
                yield _Piece(part.view.segment, spans, np.repeat(numbers, counts[rows]))
        first_document += len(counts)


def _block(pieces: list[_Piece], distances: I64, nothing: int) -> WindowBlock:
    """Gather the windows of some pieces into one block."""
    types = np.empty((len(distances), sum(len(piece.spans) for piece in pieces)), dtype=np.uint32)
    first = 0
    for piece in pieces:
        stop = first + len(piece.spans)
        _gather(piece, distances, nothing, types[:, first:stop])
        first = stop
    return WindowBlock(types, np.concatenate([piece.document for piece in pieces]))


def _row_blocks(counts: I64, most_hits: int) -> Iterator[slice]:
    """Cut documents into stretches of about so many hits."""
    before = np.cumsum(counts)
    total = int(before[-1]) if len(before) else 0
    first = 0
    for passed in range(most_hits, total + most_hits, most_hits):
        stop = min(int(np.searchsorted(before, passed)) + 1, len(counts))
        yield slice(first, stop)
        first = stop


def _gather(piece: _Piece, distances: I64, nothing: int, types: U32) -> None:
    """Gather distance by distance: after the first the tokens of a window are in the cache."""
    segment, starts, last = piece.segment, piece.spans.starts, piece.spans.ends - 1
    before = segment.left[starts] if distances[0] < 0 else None
    after = segment.right[last] if distances[-1] > 0 else None
    for i, distance in enumerate(distances.tolist()):
        edge, room = (starts, before) if distance < 0 else (last, after)
        # Places beyond the segment are clipped into it, and lie outside the sentence.
        segment.stream.take(edge + distance, out=types[i], mode="clip")
        np.putmask(types[i], room < abs(distance), nothing)
