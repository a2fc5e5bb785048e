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
        result = np.zeros(len(self.row), dtype=np.int64)
        for number, view in enumerate(self.selection.snapshot.segments):
            member = self.part == number
            result[member] = getattr(view.segment.documents, name)[self.row[member]]
        return result

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
        published = self.column("published")
        order = np.lexsort(
            (self.column("key"), self.column("kind"), published, self.value)
        )  # fmt: skip
        ordered = self.value[order]
        is_first = np.ones(len(order), dtype=np.bool_)
        is_first[1:] = ordered[1:] != ordered[:-1]
        found: list[FirstDocument | None] = [None] * self.n_values
        for entry in order[is_first].tolist():
            view = self.selection.snapshot.segments[int(self.part[entry])]
            row = int(self.row[entry])
            day = int(view.segment.documents.day[row])
            first = FirstDocument(view, row, day, int(published[entry]))
            found[int(self.value[entry])] = first
        return found


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
    """Return value, document and hits for each value and document of a segment."""
    segment = view.segment
    lengths = segment.postings.starts[rows + 1].astype(np.int64) - segment.postings.starts[rows]
    is_long = lengths * LONG_LIST_SHARE >= segment.n_documents
    positions, owners = _short_lists(segment.postings, rows[~is_long], lengths[~is_long])
    found = [values[~is_long][owners] * segment.n_documents + segment.document_of(positions)]
    weights = [np.ones(len(positions), dtype=np.int64)]
    for row, value in zip(rows[is_long].tolist(), values[is_long].tolist(), strict=True):
        counts = hits_per_document(segment.postings.of_row(row), segment.bounds)
        documents = np.flatnonzero(counts)
        found.append(value * segment.n_documents + documents)
        weights.append(counts[documents])
    keys, inverse = np.unique(np.concatenate(found), return_inverse=True)
    count = np.bincount(inverse, weights=np.concatenate(weights), minlength=len(keys))
    value, row_of = np.divmod(keys, segment.n_documents)
    return value, row_of, count.astype(np.int64)


def _short_lists(
    postings: Postings, rows: npt.NDArray[np.intp], lengths: I64
) -> tuple[npt.NDArray[np.uint32], I64]:
    """Return the positions of some rows, one list after the other, and the list each is of."""
    owners = np.repeat(np.arange(len(rows)), lengths)
    first = np.cumsum(lengths) - lengths
    places = np.arange(int(lengths.sum())) - first[owners] + postings.starts[rows][owners]
    return postings.positions[places], owners
