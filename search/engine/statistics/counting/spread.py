"""Where chosen values occur: in how many documents and publications, how evenly, and where first.

Input → output: selection, values of types, the values that are wanted → ``Spread``, one number per
value, for the rows a page shows instead of the whole lexicon; ``ValuePlaces`` with one entry per
value and document, for values that are rare.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import hits_per_document
from search.engine.index.reader import SegmentView
from search.engine.index.recent import Remembered
from search.engine.index.segments.postings import Postings
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import Selection
from search.engine.statistics.counting.type_counts import type_counts

I64 = npt.NDArray[np.int64]
I32 = npt.NDArray[np.int32]
F64 = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]

FREQUENT_SHARE = 4  # a value with a quarter as many hits as there are documents is frequent
MOST_REMEMBERED = 1_000  # values of a page; longer lists are candidates, looked at once
KEPT_VECTORS = 200  # of hits by document are remembered per segment, four bytes a document


@dataclass(frozen=True, slots=True)
class FirstDocument:
    """The earliest document of a value by time of publication: its segment, row and day.

    One without a date comes behind all that have one; its day is None.
    """

    view: SegmentView
    row: int
    day: int | None
    published_seconds: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How some values are spread over a selection, in the order they were asked for.

    Parameters
    ----------
    hits, texts : ndarray of shape (n_values,)
    dispersion : ndarray of shape (n_values,)
        DP over documents (Gries 2008, see `search.engine.statistics.dispersion`); 0 without hits.
    publications : ndarray of shape (n_publications,)
        Value numbers of all publications of the snapshot.
    by_publication : ndarray of shape (n_values, n_publications)
        Hits in each.
    firsts : tuple of FirstDocument or None
        The earliest document of each value; None without hits.
    """

    hits: I64
    texts: I64
    dispersion: F64
    publications: I64
    by_publication: I64
    firsts: tuple[FirstDocument | None, ...]

    @property
    def n_publications(self) -> I64:
        """How many publications have each value."""
        return np.asarray(np.count_nonzero(self.by_publication, axis=1), dtype=np.int64)

    def first_documents(self) -> list[FirstDocument | None]:
        """Return the earliest document of each value."""
        return list(self.firsts)


@dataclass(frozen=True, slots=True)
class ValuePlaces:
    """Values by document: number of the value as asked for, number of the segment, row, hits."""

    value: I64
    part: I64
    row: I64
    count: I64


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The types whose values are wanted, and the number of each value in the order asked for."""

    types: npt.NDArray[np.uint32]
    values: I64
    n_values: int

    def lists(self, segment: Segment) -> tuple[Rows, I64]:
        """Return the rows of the postings of a segment that count, and the value of each."""
        rows = segment.postings.rows(self.types)
        found = segment.postings.types[rows]
        return rows, self.values[np.searchsorted(self.types, found)]


def _wanted(numbers: I64, wanted: I64) -> _Wanted:
    places = np.full(max(int(numbers.max(initial=0)), int(wanted.max(initial=0))) + 1, -1)
    places[wanted] = np.arange(len(wanted))
    values = places[numbers]
    types = np.flatnonzero(values >= 0)
    return _Wanted(types.astype(np.uint32), values[types], len(wanted))


# By the value of each type and the list of values that were wanted.
_SPREADS: Remembered[tuple[int, bytes], Spread] = Remembered(16)


def spread_of(selection: Selection, numbers: I64, wanted: I64) -> Spread:
    """Say how some values are spread.

    Parameters
    ----------
    numbers : ndarray of shape (n_types,)
        Value of each type.
    wanted : ndarray of shape (n_wanted,)
        Distinct value numbers.

    Returns
    -------
    Spread
        O(documents) for each frequent value, O(hits log hits) for the rare ones. Hits by document
        of frequent values are remembered with their segments.
    """
    if len(wanted) > MOST_REMEMBERED:
        return _spread(selection, numbers, wanted)
    key = (hash(numbers.tobytes()), wanted.tobytes())
    return _SPREADS.of(selection).get_or(key, lambda: _spread(selection, numbers, wanted))


def _spread(selection: Selection, numbers: I64, wanted: I64) -> Spread:
    chosen = _wanted(numbers, wanted)
    hits = np.bincount(
        chosen.values, weights=type_counts(selection)[chosen.types], minlength=len(wanted)
    )
    tally = _Tally(selection, hits.astype(np.int64))
    for part, view in enumerate(selection.snapshot.segments):
        if not selection.is_empty_in[part]:
            for counted in _counted(view, *chosen.lists(view.segment)):
                tally.add(part, counted)
    return tally.spread()


def places_of(selection: Selection, numbers: I64, wanted: I64) -> ValuePlaces:
    """Return the documents of some values; O(hits log hits)."""
    chosen = _wanted(numbers, wanted)
    columns: list[list[I64]] = [[np.empty(0, dtype=np.int64)] for _ in range(4)]
    for part, view in enumerate(selection.snapshot.segments):
        found = _rare(view, *chosen.lists(view.segment))
        mask = selection.masks[part]
        kept = np.arange(len(found.row)) if mask is None else np.flatnonzero(mask[found.row])
        entries = (found.value[kept], np.full(len(kept), part), found.row[kept], found.count[kept])
        for column, entry in zip(columns, entries, strict=True):
            column.append(entry)
    return ValuePlaces(*(np.concatenate(column) for column in columns))


@dataclass(frozen=True, slots=True)
class _Counted:
    """Hits by value and document of a segment, values together, documents by row."""

    value: I64
    row: I64
    count: npt.NDArray[np.integer]


class _Tally:
    """Adds up what is found in each segment."""

    def __init__(self, selection: Selection, hits: I64) -> None:
        n_values = len(hits)
        self._selection = selection
        self._hits = hits
        self._texts = np.zeros(n_values, dtype=np.int64)
        self._gain = np.zeros(n_values)
        self._publications = _publications(selection)
        self._by_publication = np.zeros((n_values, len(self._publications)), dtype=np.int64)
        self._firsts: dict[int, tuple[tuple[int, int, int, int], int, int]] = {}

    def add(self, part: int, found: _Counted) -> None:
        """Count the entries of the selected documents."""
        mask = self._selection.masks[part]
        if mask is not None:
            kept = mask[found.row]
            found = _Counted(found.value[kept], found.row[kept], found.count[kept])
        if not len(found.value):
            return
        n_values = len(self._hits)
        documents = self._selection.snapshot.segments[part].segment.documents
        shares = documents.n_tokens[found.row] / max(1, self._selection.base.n_tokens)
        parts = found.count / np.maximum(1, self._hits)[found.value]
        column = np.searchsorted(self._publications, documents.publication[found.row])
        width = len(self._publications)
        if found.value[0] == found.value[-1]:
            value = int(found.value[0])
            self._texts[value] += len(found.row)
            self._gain[value] += float((np.abs(parts - shares) - shares).sum())
            self._by_publication[value] += np.bincount(
                column, weights=found.count, minlength=width
            ).astype(np.int64)
        else:
            self._texts += np.bincount(found.value, minlength=n_values)
            self._gain += np.bincount(
                found.value, weights=np.abs(parts - shares) - shares, minlength=n_values
            )
            cells = np.bincount(
                found.value * width + column, weights=found.count, minlength=n_values * width
            )
            self._by_publication += cells.astype(np.int64).reshape(n_values, width)
        self._note_firsts(part, found)

    def _note_firsts(self, part: int, found: _Counted) -> None:
        segment = self._selection.snapshot.segments[part].segment
        documents = segment.documents
        edges = np.flatnonzero(np.diff(found.value)) + 1
        starts = np.concatenate([[0], edges])
        if segment.in_time_order and documents.dated.all():
            rows = found.row[starts]
        else:
            order = _dates_first(segment)
            rows = order[np.minimum.reduceat(_ranks(order)[found.row], starts)]
        columns = (
            documents.undated[rows], documents.published[rows], documents.kind[rows],
            documents.key[rows],
        )  # fmt: skip
        times = zip(*(column.tolist() for column in columns), strict=True)
        values = found.value[starts].tolist()
        for value, time, row in zip(values, times, rows.tolist(), strict=True):
            known = self._firsts.get(value)
            if known is None or time < known[0]:
                self._firsts[value] = (time, part, row)

    def spread(self) -> Spread:
        """Return the sums."""
        has_hits = self._hits > 0
        return Spread(
            self._hits,
            self._texts,
            np.where(has_hits, (self._gain + 1) / 2, 0.0),
            self._publications,
            self._by_publication,
            tuple(self._first(value) for value in range(len(self._hits))),
        )

    def _first(self, value: int) -> FirstDocument | None:
        known = self._firsts.get(value)
        if known is None:
            return None
        time, part, row = known
        view = self._selection.snapshot.segments[part]
        is_undated, published, *_ = time
        day = None if is_undated else int(view.segment.documents.day[row])
        return FirstDocument(view, row, day, published)


def _dates_first(segment: Segment) -> npt.NDArray[np.integer]:
    """Return the documents of a segment in order of time, behind them those without a date."""
    rows = segment.rows_in_time
    dated = segment.documents.dated[rows]
    return rows if dated.all() else np.concatenate([rows[dated], rows[~dated]])


def _ranks(order: npt.NDArray[np.integer]) -> I64:
    """Return the rank of each document in an order."""
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


_PUBLICATIONS: Remembered[None, I64] = Remembered()


def _publications(selection: Selection) -> I64:
    """Return the value numbers of all publications of the snapshot, ascending."""
    return _PUBLICATIONS.of(selection).get_or(None, lambda: _find_publications(selection))


def _find_publications(selection: Selection) -> I64:
    columns = [view.segment.documents.publication for view in selection.snapshot.segments]
    return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *columns])).astype(np.int64)


def _counted(view: SegmentView, rows: Rows, values: I64) -> Iterator[_Counted]:
    """Give the hits of all rare values at once, those of each frequent value by themselves."""
    segment = view.segment
    lengths = segment.postings.starts[rows + 1].astype(np.int64) - segment.postings.starts[rows]
    totals = np.bincount(values, weights=lengths)
    is_frequent = (totals * FREQUENT_SHARE >= segment.n_documents)[values]
    if not is_frequent.all():
        yield _rare(view, rows[~is_frequent], values[~is_frequent])
    if is_frequent.any():
        order = np.argsort(values[is_frequent], kind="stable")
        frequent, of_value = rows[is_frequent][order], values[is_frequent][order]
        edges = np.flatnonzero(np.diff(of_value)) + 1
        firsts = of_value[np.concatenate([[0], edges])].tolist()
        for lists, value in zip(np.split(frequent, edges), firsts, strict=True):
            counts = _by_document(segment, lists)
            documents = np.flatnonzero(counts)
            yield _Counted(np.full(len(documents), value), documents, counts[documents])


_VECTORS: WeakKeyDictionary[Segment, dict[bytes, I32]] = WeakKeyDictionary()


def _by_document(segment: Segment, rows: Rows) -> I32:
    """Count the positions of some types in each document: shape (n_documents,)."""
    remembered = _VECTORS.setdefault(segment, {})
    key = rows.tobytes()
    known = remembered.get(key)
    if known is not None:
        return known
    counts = np.zeros(segment.n_documents, dtype=np.int32)
    for row in rows.tolist():
        counts += hits_per_document(segment.postings.of_row(row), segment.bounds).astype(np.int32)
    if len(remembered) < KEPT_VECTORS:
        remembered[key] = counts
    return counts


def _rare(view: SegmentView, rows: Rows, values: I64) -> _Counted:
    """Look up the document of each position."""
    segment = view.segment
    positions, owners = _positions(segment.postings, rows)
    found = values[owners] * segment.n_documents + segment.document_of(positions)
    keys, counts = np.unique(found, return_counts=True)
    value, document = np.divmod(keys, max(1, segment.n_documents))
    return _Counted(value, document, counts)


def _positions(postings: Postings, rows: Rows) -> tuple[npt.NDArray[np.uint32], I64]:
    """Return the positions of some rows, one list after the other, and the list each is of."""
    lengths = postings.starts[rows + 1].astype(np.int64) - postings.starts[rows]
    owners = np.repeat(np.arange(len(rows)), lengths)
    first = np.cumsum(lengths) - lengths
    places = np.arange(int(lengths.sum())) - first[owners] + postings.starts[rows][owners]
    return postings.positions[places], owners
