"""Where chosen values occur: in which documents and how often in each.

Input → output: selection, values of types, the values that are wanted → ``Spread``: one entry per
value and document. From it come texts, publications, first document, hits by day and dispersion,
for the rows a page shows instead of the whole lexicon.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from search.index.hits import hits_per_document
from search.index.postings import Postings
from search.index.reader import SegmentView
from search.index.selection import Selection

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

LONG_LIST_SHARE = 4  # a list of at least a quarter as many positions as documents is long


@dataclass(frozen=True, slots=True)
class FirstDocument:
    """The earliest document of a value by time of publication: its segment, row and day."""

    view: SegmentView
    row: int
    day: int
    published_seconds: int


@dataclass(frozen=True)
class Spread:
    """Hits of some values by document.

    Parameters
    ----------
    selection : Selection
    n_values : int
        How many values were asked for; ``value`` counts them from 0 in the order asked.
    value, part, row, count : ndarray of shape (n_entries,)
        Number of the value, of the segment, of the document in it, and the hits there (above 0).
        Entries stand segment by segment; in each, those of a value stand together, by document.
    """

    selection: Selection
    n_values: int
    value: I64
    part: I64
    row: I64
    count: I64

    @cached_property
    def hits(self) -> I64:
        """Hits of each value."""
        sums = np.bincount(self.value, weights=self.count, minlength=self.n_values)
        return sums.astype(np.int64)

    @cached_property
    def texts(self) -> I64:
        """Documents in which each value occurs."""
        return np.bincount(self.value, minlength=self.n_values)

    def column(self, name: str) -> I64:
        """Return a document column for each entry: ``publication``, ``day`` and so on."""
        return self._column(name, np.arange(len(self.value)))

    def _column(self, name: str, entries: I64) -> I64:
        """Return a document column for some entries, ascending; they stand segment by segment."""
        edges = np.searchsorted(self.part[entries], np.arange(self.n_parts + 1))
        found = [np.empty(0, dtype=np.int64)]
        for view, start, stop in zip(
            self.selection.snapshot.segments, edges[:-1].tolist(), edges[1:].tolist(), strict=True
        ):
            rows = self.row[entries[start:stop]]
            found.append(getattr(view.segment.documents, name)[rows].astype(np.int64))
        return np.concatenate(found)

    @property
    def n_parts(self) -> int:
        """Number of segments."""
        return len(self.selection.snapshot.segments)

    @cached_property
    def publications(self) -> I64:
        """How many publications have each value."""
        publication = self.column("publication")
        width = int(publication.max(initial=0)) + 1
        pairs = np.unique(self.value * width + publication)
        return np.bincount(pairs // width, minlength=self.n_values)

    @cached_property
    def dispersion(self) -> F64:
        """DP of each value over documents, see `deviation_of_proportions`."""
        shares = self.column("n_tokens") / max(1, self.selection.base.n_tokens)
        parts = self.count / np.maximum(1, self.hits)[self.value]
        return deviation_of_proportions(self.value, parts, shares, self.n_values)

    def first_documents(self) -> list[FirstDocument | None]:
        """Return the earliest document of each value; None for a value without hits."""
        entries = self._first_of_parts()
        columns = (self._column(name, entries) for name in ("key", "kind", "published"))
        key, kind, published = columns
        order = entries[np.lexsort((key, kind, published, self.value[entries]))]
        ordered = self.value[order]
        is_first = np.ones(len(order), dtype=np.bool_)
        is_first[1:] = ordered[1:] != ordered[:-1]
        found: list[FirstDocument | None] = [None] * self.n_values
        for entry in order[is_first].tolist():
            view = self.selection.snapshot.segments[int(self.part[entry])]
            row = int(self.row[entry])
            columns_of = view.segment.documents
            first = FirstDocument(
                view, row, int(columns_of.day[row]), int(columns_of.published[row])
            )
            found[int(self.value[entry])] = first
        return found

    def _first_of_parts(self) -> I64:
        """Return the first entry of each value in each segment, whose documents are in order."""
        is_new = np.ones(len(self.value), dtype=np.bool_)
        is_new[1:] = (self.value[1:] != self.value[:-1]) | (self.part[1:] != self.part[:-1])
        return np.flatnonzero(is_new)


def deviation_of_proportions(value: I64, parts: F64, shares: F64, n_values: int) -> F64:
    r"""Compute how unevenly values are spread over documents (DP).

    Parameters
    ----------
    value : ndarray of shape (n_entries,)
        Number of the value, below ``n_values``.
    parts : ndarray of shape (n_entries,)
        Share of the value's hits in a document that has some.
    shares : ndarray of shape (n_entries,)
        Share of all tokens that this document makes up.
    n_values : int

    Returns
    -------
    ndarray of shape (n_values,)
        0 if the hits are spread as the tokens are, near 1 if all are in one small document.

    Notes
    -----
    :math:`DP = \frac{1}{2} \sum_i |v_i - s_i|` over all documents; those without hits add up to
    one less the shares of those with.

    References
    ----------
    S. Th. Gries, Dispersions and adjusted frequencies in corpora, International Journal of Corpus
    Linguistics 13 (2008).
    """
    gain = np.bincount(value, weights=np.abs(parts - shares) - shares, minlength=n_values)
    return np.asarray((gain + 1) / 2)


def spread_of(selection: Selection, numbers: I64, wanted: I64) -> Spread:
    """Find the documents of some values.

    Parameters
    ----------
    selection : Selection
    numbers : ndarray of shape (n_types,)
        Value of each type.
    wanted : ndarray of shape (n_wanted,)
        Distinct value numbers.

    Returns
    -------
    Spread
        O(documents log positions) for frequent types, O(hits log hits) for the others.
    """
    places = np.full(max(int(numbers.max(initial=0)), int(wanted.max(initial=0))) + 1, -1)
    places[wanted] = np.arange(len(wanted))
    types = np.flatnonzero(places[numbers] >= 0)
    columns: list[list[I64]] = [[np.empty(0, dtype=np.int64)] for _ in range(4)]
    for number, view in enumerate(selection.snapshot.segments):
        segment = view.segment
        rows = segment.postings.rows(types.astype(np.uint32))
        if not len(rows):
            continue
        entries = _entries(view, rows, places[numbers[segment.postings.types[rows]]])
        value, row, count = _selected(entries, selection.masks[number])
        for column, part in zip(
            columns, (value, np.full(len(row), number), row, count), strict=True
        ):
            column.append(part)
    return Spread(selection, len(wanted), *(np.concatenate(column) for column in columns))


def _selected(entries: tuple[I64, I64, I64], mask: Mask | None) -> tuple[I64, I64, I64]:
    value, row, count = entries
    if mask is None:
        return entries
    kept = mask[row]
    return value[kept], row[kept], count[kept]


def _entries(view: SegmentView, rows: npt.NDArray[np.intp], values: I64) -> tuple[I64, I64, I64]:
    """Return value, document and hits for each value and document of a segment, in that order.

    Values with many positions are counted against the bounds of all documents, the others position
    by position.
    """
    segment = view.segment
    lengths = segment.postings.starts[rows + 1].astype(np.int64) - segment.postings.starts[rows]
    totals = np.bincount(values, weights=lengths)
    is_frequent = (totals * LONG_LIST_SHARE >= segment.n_documents)[values]
    found = [_rare(view, rows[~is_frequent], values[~is_frequent])]
    order = np.argsort(values[is_frequent], kind="stable")
    frequent, of_value = rows[is_frequent][order], values[is_frequent][order]
    edges = np.flatnonzero(np.diff(of_value)) + 1
    for lists, owners in (
        zip(np.split(frequent, edges), np.split(of_value, edges), strict=True)
        if len(frequent)
        else ()
    ):
        found.append(_frequent(view, lists, int(owners[0])))
    value, document, count = (np.concatenate(column) for column in zip(*found, strict=True))
    return value, document, count


def _frequent(view: SegmentView, rows: npt.NDArray[np.intp], value: int) -> tuple[I64, I64, I64]:
    """Count the hits of one value in each document."""
    segment = view.segment
    counts = np.zeros(segment.n_documents, dtype=np.int64)
    for row in rows.tolist():
        counts += hits_per_document(segment.postings.of_row(row), segment.bounds)
    documents = np.flatnonzero(counts)
    return np.full(len(documents), value), documents, counts[documents]


def _rare(view: SegmentView, rows: npt.NDArray[np.intp], values: I64) -> tuple[I64, I64, I64]:
    """Look up the document of each position."""
    segment = view.segment
    lengths = segment.postings.starts[rows + 1].astype(np.int64) - segment.postings.starts[rows]
    positions, owners = _short_lists(segment.postings, rows, lengths)
    found = values[owners] * segment.n_documents + segment.document_of(positions)
    keys, counts = np.unique(found, return_counts=True)
    value, document = np.divmod(keys, segment.n_documents)
    return value, document, counts


def _short_lists(
    postings: Postings, rows: npt.NDArray[np.intp], lengths: I64
) -> tuple[npt.NDArray[np.uint32], I64]:
    """Return the positions of some rows, one list after the other, and the list each is of."""
    owners = np.repeat(np.arange(len(rows)), lengths)
    first = np.cumsum(lengths) - lengths
    places = np.arange(int(lengths.sum())) - first[owners] + postings.starts[rows][owners]
    return postings.positions[places], owners
