"""How often each type, or each value of types, occurs in the selected documents.

Input → output: ``Selection`` → tokens by type; with a value per type also documents by value.
Whole segments are answered from their postings or from what is remembered with them; of masked
segments only the smaller part, selected or left out, is read.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from search.engine.index.recent import Remembered
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import Selection
from search.engine.statistics.counting.attribute_values import type_values

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]
Mask = npt.NDArray[np.bool_]

BLOCK_TOKENS = 1 << 21  # so many tokens are counted at once: 16 MB as 64-bit numbers
KEY_BITS = 32  # of a document's number in its block and a value together


_TYPE_COUNTS: Remembered[None, I64] = Remembered()
_VALUE_COUNTS: Remembered[str, I64] = Remembered()
_DOCUMENT_COUNTS: Remembered[int, I64] = Remembered()


@dataclass(frozen=True, slots=True)
class _Part:
    """Some documents of a segment: runs of rows, first and stop; ``sign`` -1 takes them away."""

    segment: Segment
    firsts: I64
    stops: I64
    sign: int


def type_counts(selection: Selection) -> I64:
    """Count the tokens of each type in the selected documents.

    Returns
    -------
    ndarray of shape (n_types,)
        Sums to ``selection.base.n_tokens``. The array is shared: do not write to it. O(types) for
        whole segments; for masked ones O(tokens of the selected or the other documents, whichever
        are fewer).
    """
    return _TYPE_COUNTS.of(selection).get_or(None, lambda: _count_types(selection))


def _count_types(selection: Selection) -> I64:
    counts = np.zeros(selection.snapshot.lexicon.size.n_types, dtype=np.int64)
    for segment, is_needed in _whole_segments(selection):
        if is_needed:
            counts[segment.postings.types] += segment.postings.counts()
    for sign, stream in _streams(_parts(selection)):
        counts += sign * np.bincount(stream, minlength=len(counts))
    counts.flags.writeable = False
    return counts


def value_counts(selection: Selection, attribute: str) -> I64:
    """Count the tokens of each value of an attribute (`type_values`) in the selected documents.

    Returns
    -------
    ndarray of shape (n_values,)
        Remembered with the selection, as `type_counts` is. The array is shared: do not write to it.
    """
    return _VALUE_COUNTS.of(selection).get_or(attribute, lambda: _fold(selection, attribute))


def _fold(selection: Selection, attribute: str) -> I64:
    counts = type_values(selection.snapshot.lexicon, attribute).fold(type_counts(selection))
    counts.flags.writeable = False
    return counts


def document_counts(selection: Selection, numbers: npt.NDArray[np.integer]) -> I64:
    """Count the selected documents in which each value occurs.

    Parameters
    ----------
    numbers : ndarray of shape (n_types,)
        The value of each type, below 2 ** 31; types may share one.

    Returns
    -------
    ndarray of shape (max(numbers) + 1,)
        Documents by value. O(tokens log tokens) the first time, 50 ns a token;
        whole segments are remembered.
    """
    narrow = numbers.astype(np.uint32)
    return _DOCUMENT_COUNTS.of(selection).get_or(
        hash(narrow.tobytes()), lambda: _count_documents(selection, narrow)
    )


def _count_documents(selection: Selection, narrow: U32) -> I64:
    n_values = int(narrow.max()) + 1 if len(narrow) else 0
    counts = np.zeros(n_values, dtype=np.int64)
    for segment, is_needed in _whole_segments(selection):
        if is_needed:
            values, n_documents = _whole_document_counts(segment, narrow)
            counts[values] += n_documents
    for part in _parts(selection):
        values, n_documents = _part_document_counts(part, narrow)
        counts[values] += part.sign * n_documents
    counts.flags.writeable = False
    return counts


_WHOLE: WeakKeyDictionary[Segment, dict[int, tuple[U32, I64]]] = WeakKeyDictionary()


def _whole_document_counts(segment: Segment, numbers: U32) -> tuple[U32, I64]:
    """Count the documents of a whole segment by value, remembered by the values of its types."""
    present = numbers[segment.postings.types]
    remembered = _WHOLE.setdefault(segment, {})
    key = hash(present.tobytes())
    if key not in remembered:
        every = _Part(segment, np.array([0]), np.array([segment.n_documents]), 1)
        remembered[key] = _part_document_counts(every, numbers)
    return remembered[key]


def _part_document_counts(part: _Part, numbers: U32) -> tuple[U32, I64]:
    """Return the values that occur in some documents, and in how many of them each does.

    Document and value are packed into 32 bits, which numpy sorts twice as fast as 64.
    """
    n_values = int(numbers.max()) + 1
    bits = n_values.bit_length()
    counts = np.zeros(n_values, dtype=np.int64)
    for rows in _row_blocks(part, 1 << (KEY_BITS - bits)):
        bounds = part.segment.bounds
        lengths = bounds[rows + 1] - bounds[rows]
        keys = np.repeat(np.arange(len(rows), dtype=np.uint32) << bits, lengths)
        keys |= numbers[_stream_of(part.segment, rows)]
        keys.sort()
        is_new = np.ones(len(keys), dtype=np.bool_)
        is_new[1:] = keys[1:] != keys[:-1]
        values = keys[is_new] & np.uint32((1 << bits) - 1)
        counts += np.bincount(values, minlength=n_values)
    present = np.flatnonzero(counts)
    return present.astype(np.uint32), counts[present]


def _whole_segments(selection: Selection) -> Iterator[tuple[Segment, bool]]:
    """Give each segment with whether its whole counts are needed: fewer than half left out."""
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        yield view.segment, mask is None or _keeps_most(view.segment, mask)


def _keeps_most(segment: Segment, mask: Mask) -> bool:
    lengths = segment.documents.n_tokens
    return 2 * int(lengths[mask].sum(dtype=np.int64)) > segment.n_tokens


def _parts(selection: Selection) -> Iterator[_Part]:
    """Give what must be read of masked segments: the rarer of selected and left-out documents."""
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        if mask is None:
            continue
        leaves_out = _keeps_most(view.segment, mask)
        wanted = ~mask if leaves_out else mask
        edges = np.flatnonzero(np.diff(wanted.astype(np.int8), prepend=0, append=0))
        yield _Part(view.segment, edges[::2], edges[1::2], -1 if leaves_out else 1)


def _streams(parts: Iterable[_Part]) -> Iterator[tuple[int, U32]]:
    """Give the types of all parts of one sign in blocks."""
    waiting: dict[int, list[U32]] = {1: [], -1: []}
    sizes = {1: 0, -1: 0}
    for part in parts:
        bounds = part.segment.bounds
        starts, stops = bounds[part.firsts].tolist(), bounds[part.stops].tolist()
        for start, stop in zip(starts, stops, strict=True):
            for begin in range(start, stop, BLOCK_TOKENS):
                piece = part.segment.stream[begin : min(stop, begin + BLOCK_TOKENS)]
                waiting[part.sign].append(piece)
                sizes[part.sign] += len(piece)
                if sizes[part.sign] >= BLOCK_TOKENS:
                    yield part.sign, np.concatenate(waiting[part.sign])
                    waiting[part.sign], sizes[part.sign] = [], 0
    for sign, pieces in waiting.items():
        if pieces:
            yield sign, np.concatenate(pieces)


def _row_blocks(part: _Part, most_rows: int) -> Iterator[I64]:
    """Give the rows of a part in blocks of about `BLOCK_TOKENS` tokens."""
    rows = [np.arange(a, b) for a, b in zip(part.firsts, part.stops, strict=True)]
    every = np.concatenate([*rows, np.empty(0, dtype=np.int64)])
    sizes = np.cumsum(part.segment.documents.n_tokens[every], dtype=np.int64)
    edges = np.flatnonzero(np.diff(sizes // BLOCK_TOKENS)) + 1
    for block in np.split(every, edges):
        for start in range(0, len(block), most_rows):
            yield block[start : start + most_rows]


def _stream_of(segment: Segment, rows: I64) -> U32:
    """Return the types of some documents, one after the other."""
    starts, stops = segment.bounds[rows].tolist(), segment.bounds[rows + 1].tolist()
    pieces = [segment.stream[a:b] for a, b in zip(starts, stops, strict=True)]
    return np.concatenate([segment.stream[:0], *pieces])
