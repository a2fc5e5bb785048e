"""The tokens around hits, inside the sentence: what collocates are counted in.

Input → output: hits and a `Window` → blocks of type numbers, one row per hit and one column per
place from the window's first to its last. Blocks hold whole documents and a bounded number of
tokens, so the windows of four million hits need no more memory than those of four hundred thousand.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.allowance import go_on
from search.engine.index.hits import Hits, Spans
from search.engine.index.segments.segment import Segment
from search.engine.statistics.counting.in_parallel import in_parallel

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

    @property
    def places(self) -> range:
        """All distances from its first to its last, the node's (0) among them."""
        return range(-self.left, self.right + 1)

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
    types : ndarray of shape (n_hits, n_places)
        Type at each place of the window (`Window.places`); the lexicon's number of types where the
        sentence has ended, and at places that are no distance of the window, such as the node's.
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
        Of `BLOCK_CELLS` tokens or a little more. O(hits * places) in all.
    """
    return in_parallel(_Gathering(hits, window).block, _batches(hits, window))


def _batches(hits: Hits, window: Window) -> Iterator[list["_Piece"]]:
    """Give the pieces that make a block each."""
    width = len(window.places)
    waiting: list[_Piece] = []
    for piece in _pieces(hits, max(1, BLOCK_CELLS // width)):
        waiting.append(piece)
        if sum(len(each.spans) for each in waiting) * width >= BLOCK_CELLS:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


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
        go_on()
        counts = part.document_counts
        every = part.spans  # once: those of very many hits are made anew each time
        for rows in _row_blocks(counts, most_hits):
            low, high = int(counts[: rows.start].sum()), int(counts[: rows.stop].sum())
            if high > low:
                spans = Spans(every.starts[low:high], every.ends[low:high])
                numbers = np.arange(rows.start, rows.stop) + first_document
                yield _Piece(part.view.segment, spans, np.repeat(numbers, counts[rows]))
        first_document += len(counts)


def _row_blocks(counts: I64, most_hits: int) -> Iterator[slice]:
    """Cut documents into stretches of about so many hits."""
    before = np.cumsum(counts)
    total = int(before[-1]) if len(before) else 0
    first = 0
    for passed in range(most_hits, total + most_hits, most_hits):
        stop = min(int(np.searchsorted(before, passed)) + 1, len(counts))
        yield slice(first, stop)
        first = stop


class _Gathering:
    """Makes the blocks of one window."""

    def __init__(self, hits: Hits, window: Window) -> None:
        self._window = window
        self._nothing = hits.snapshot.lexicon.size.n_types
        self._outside = _outside(window)

    def block(self, pieces: list[_Piece]) -> WindowBlock:
        """Gather the windows of some pieces into one block."""
        types = [self._types(piece) for piece in pieces]
        documents = [piece.document for piece in pieces]
        return WindowBlock(np.concatenate(types), np.concatenate(documents))

    def _types(self, piece: _Piece) -> U32:
        types = _gather(piece, self._window)
        types |= self._outside[_room(piece, self._window)].view(np.uint32).reshape(types.shape)
        np.minimum(types, self._nothing, out=types)
        return types


def _gather(piece: _Piece, window: Window) -> U32:
    """Gather the types of whole windows, whatever sentence they are in."""
    segment, starts, last = piece.segment, piece.spans.starts, piece.spans.ends - 1
    if not bool((last > starts).any()):
        return _stretches(segment, starts - window.left, len(window.places))
    left = _stretches(segment, starts - window.left, window.left)
    return np.concatenate([left, _stretches(segment, last, window.right + 1)], axis=1)


def _stretches(segment: Segment, starts: I64, length: int) -> U32:
    """Return the types of stretches of one length: shape (n_stretches, length).

    A stretch is read as one item of so many bytes, in a fifth of the time of its tokens one by one.
    """
    stream, last = segment.stream, segment.n_tokens - length
    inside = np.clip(starts, 0, max(0, last))
    if not length or last < 0:
        places = np.clip(starts[:, np.newaxis] + np.arange(length), 0, segment.n_tokens - 1)
        some: U32 = stream[places]
        return some
    size = stream.itemsize
    items: npt.NDArray[np.void] = np.ndarray(last + 1, f"V{size * length}", stream, 0, (size,))
    types: U32 = items[inside].view(stream.dtype).reshape(-1, length)
    for i in np.flatnonzero(inside != starts).tolist():  # a few that reach beyond the segment
        places = np.clip(starts[i] + np.arange(length), 0, segment.n_tokens - 1)
        types[i] = stream[places]
    return types


def _room(piece: _Piece, window: Window) -> npt.NDArray[np.uint16]:
    """Return how much of the window lies in the sentence, left and right, as one number."""
    segment, spans = piece.segment, piece.spans
    room = np.minimum(segment.right[spans.ends - 1], window.right).astype(np.uint16)
    if window.left:
        before = np.minimum(segment.left[spans.starts], window.left).astype(np.uint16)
        before *= window.right + 1
        room += before
    return room


def _outside(window: Window) -> npt.NDArray[np.void]:
    """Return for each number of `_room` the places that do not count, as a row of all bits set."""
    places = np.array(window.places)
    numbers = np.arange((window.left + 1) * (window.right + 1))[:, np.newaxis]
    before, after = np.divmod(numbers, window.right + 1)
    counts = (places >= -before) & (places <= after) & np.isin(places, window.distances)
    rows = np.where(counts, np.uint32(0), ~np.uint32(0))
    return rows.view(f"V{rows.itemsize * len(places)}").reshape(-1)
