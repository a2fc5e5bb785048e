"""What is shown of a few sequences: words, hits, texts, first day, hits on their own.

Input → output: occurrences of chosen sequences, segment by segment → `NgramRow` values.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.documents import UNIX_EPOCH
from search.engine.statistics.counting.attribute_values import TypeValues
from search.engine.statistics.ngram_keys import Beginnings, Shape

I64 = npt.NDArray[np.int64]

NO_VALUE = -1
_NO_DAY = np.iinfo(np.int64).max
HALF_LIMIT = 1 << 32  # two numbers below it fit in one of 64 bits


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where sequences of one shape begin in one segment, and which row each is of."""

    beginnings: Beginnings
    rows: I64
    shape: Shape


@dataclass(frozen=True, slots=True)
class RowRequest:
    """How rows are made.

    ``counts_own`` asks for the hits outside of sequences one word longer that have ``least`` hits.
    """

    values: TypeValues
    least: int
    counts_own: bool


@dataclass(frozen=True, slots=True)
class NgramRow:
    """One sequence.

    ``n_own`` are its hits outside of longer frequent ones; it and the first day are None where
    they are not counted, the day also where no text has a date.
    """

    words: tuple[str, ...]
    n_hits: int
    n_texts: int
    first_day: dt.date | None = None
    n_own: int | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """One occurrence a row of the arrays; ``values`` has shape (n, words)."""

    row: I64
    values: I64
    thing: I64
    document: I64
    day: I64
    before: I64
    after: I64

    def where(self, kept: npt.NDArray[np.bool_] | I64) -> "_Found":
        return _Found(*(getattr(self, name)[kept] for name in self.__slots__))


def rows_of(occurrences: Iterable[Occurrences], request: RowRequest) -> list[NgramRow]:
    """Make a row for each sequence that occurs.

    Returns
    -------
    list of NgramRow
        In no particular order. O(k log k) for k occurrences. Two sequences under one key become
        two rows.
    """
    pieces, is_exact = [], True
    for piece in occurrences:
        is_exact = is_exact and piece.shape.is_exact
        if len(piece.rows):
            pieces.append(_found(piece, request))
    if not pieces:
        return []
    found = _Found(
        *(np.concatenate([getattr(p, name) for p in pieces]) for name in _Found.__slots__)
    )
    if not is_exact:
        found = _with_true_rows(found)
    n_rows = int(found.row.max()) + 1
    n_hits = _distinct(found.row, found.thing, n_rows)
    n_texts = _distinct(found.row, found.document, n_rows)
    first_day = np.full(n_rows, _NO_DAY)
    np.minimum.at(first_day, found.row, found.day)
    example = np.zeros(n_rows, dtype=np.int64)
    example[found.row] = np.arange(len(found.row))
    own = _on_their_own(found, request.least, n_rows) if request.counts_own else None
    return [
        NgramRow(
            words,
            hits,
            texts,
            None if day == _NO_DAY else day_of(day),
            None if own is None else own[row],
        )
        for row, (words, hits, texts, day) in enumerate(
            zip(
                _spelled(request.values, found.values[example]),
                n_hits.tolist(),
                n_texts.tolist(),
                first_day.tolist(),
                strict=True,
            )
        )
    ]


def day_of(number: int) -> dt.date:
    """Return the day so many days after 1970-01-01."""
    return UNIX_EPOCH + dt.timedelta(days=number)


def _found(piece: Occurrences, request: RowRequest) -> _Found:
    """Look up what stands at the places of some sequences."""
    beginnings, segment = piece.beginnings, piece.beginnings.segment
    positions, numbers = beginnings.positions, request.values.numbers
    words = [numbers[segment.stream[positions + at]] for at in piece.shape.offsets]
    rows = segment.document_of(positions)
    before = after = np.full(len(positions), NO_VALUE)
    if request.counts_own:
        before = _neighbour(piece, request, segment.left[positions] >= 1, -1)
        after = _neighbour(
            piece, request, segment.right[positions] > piece.shape.reach, piece.shape.reach + 1
        )
    return _Found(
        piece.rows,
        np.stack(words, axis=1),
        _things(beginnings),
        rows + beginnings.first_document,
        np.where(
            segment.documents.dated[rows], segment.documents.day[rows].astype(np.int64), _NO_DAY
        ),
        before,
        after,
    )


def _things(beginnings: Beginnings) -> I64:
    """Return what is counted: hits, or the places where sequences begin, of all segments."""
    if beginnings.hits is not None:
        return beginnings.hits
    return beginnings.positions + (np.int64(beginnings.first_document) << np.int64(32))


def _neighbour(
    piece: Occurrences, request: RowRequest, is_there: npt.NDArray[np.bool_], at: int
) -> I64:
    """Return the value beside each sequence, `NO_VALUE` where no longer sequence is counted."""
    segment = piece.beginnings.segment
    types = segment.stream[np.where(is_there, piece.beginnings.positions + at, 0)]
    if piece.shape.is_counted is not None:
        is_there = is_there & piece.shape.is_counted[types]
    return np.where(is_there, request.values.numbers[types], NO_VALUE)


def _with_true_rows(found: _Found) -> _Found:
    """Give each of two sequences under one key a row of its own."""
    order = np.lexsort((*found.values.T[::-1], found.row))
    found = found.where(order)
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = found.row[1:] != found.row[:-1]
    is_new[1:] |= (found.values[1:] != found.values[:-1]).any(axis=1)
    row = np.cumsum(is_new) - 1
    return _Found(
        row, found.values, found.thing, found.document, found.day, found.before, found.after
    )


def _distinct(row: I64, thing: I64, n_rows: int) -> I64:
    """Count the distinct things of each row."""
    if int(thing.max()) >= HALF_LIMIT:
        thing = np.unique(thing, return_inverse=True)[1].astype(np.int64)
    packed = row * HALF_LIMIT + thing
    packed.sort()
    is_new = np.ones(len(row), dtype=np.bool_)
    is_new[1:] = packed[1:] != packed[:-1]
    return np.bincount(packed[is_new] // HALF_LIMIT, minlength=n_rows)


def _on_their_own(found: _Found, least: int, n_rows: int) -> list[int]:
    """Count the occurrences that no frequent sequence one word longer holds.

    Such a sequence holds the shorter one, so all its occurrences are among those given.
    """
    is_held = _is_frequent(found.row, found.before, least) | _is_frequent(
        found.row, found.after, least
    )
    counts: list[int] = np.bincount(found.row[~is_held], minlength=n_rows).tolist()
    return counts


def _is_frequent(row: I64, neighbour: I64, least: int) -> npt.NDArray[np.bool_]:
    """Say whether the sequence together with its neighbour occurs often enough."""
    packed = row * HALF_LIMIT + neighbour
    _, inverse, counts = np.unique(packed, return_inverse=True, return_counts=True)
    is_frequent: npt.NDArray[np.bool_] = (counts[inverse] >= least) & (neighbour != NO_VALUE)
    return is_frequent


def _spelled(values: TypeValues, numbers: I64) -> Sequence[tuple[str, ...]]:
    return [tuple(values.spell(number) for number in row) for row in numbers.tolist()]
