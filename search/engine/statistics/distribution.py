"""Distribution: hits by a property of their texts, each with its base; how evenly they lie.

Input → output: hits and the documents they were looked for in → groups (publications, sections,
authors, weekdays, hours, quarters of the texts …) with hits, tokens and texts; measures of
dispersion over texts, publications and months; strokes of a barcode in order of time.
"""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.joined_names import AGENCY, JOINED_COLUMNS, joined_names
from search.engine.index.reader import SegmentView
from search.engine.index.segments.columns import DocumentColumns
from search.engine.index.selection import Selection
from search.engine.statistics.counting.hit_values import NO_VALUE, NOTHING, column_values
from search.engine.statistics.counting.periods import Unit
from search.engine.statistics.counting.time_order import places_in_time, time_order_of
from search.engine.statistics.dispersion import (
    average_reduced_frequency,
    carroll_d2,
    deviation_of_proportions,
    juilland_d,
    normalized_deviation,
    part_range,
    rosengren_s,
)
from search.engine.statistics.slices import NAMED_COLUMNS, QUARTERS, STRING_COLUMNS, STROKES
from search.engine.statistics.slicing import hours, quarter_of, quarter_tokens, stroke_of, weekdays
from search.engine.statistics.trend import trend

I64 = npt.NDArray[np.int64]

COLUMNS = (*NAMED_COLUMNS, "kind", "weekday", "hour", "quarter")
# Values that exist whether a text has them or not.
_ALL_VALUES = {"weekday": range(1, 8), "hour": range(24), "quarter": range(1, QUARTERS + 1)}


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """A value of a column with its hits and its base.

    ``value`` is what a slice of the column is written with; ``texts`` have hits, ``documents`` are
    all texts, ``tokens`` all tokens of the group.
    """

    value: str
    hits: int
    texts: int
    tokens: int
    documents: int


def distribution(
    hits: Hits, selection: Selection, column: str, zone: dt.tzinfo
) -> list[ColumnGroup]:
    """Count hits by a column.

    Parameters
    ----------
    selection : Selection
        The documents they were looked for in.
    column : str
        One of `COLUMNS`.
    zone : tzinfo
        Of the site's clock, for hours.

    Returns
    -------
    list of ColumnGroup
        All values that the texts have, with hits or not, in order of their numbers (strings in
        order of most hits, then of value), of texts without a date `NO_VALUE` for weekday and hour,
        before the others. Groups add up to the hits and the base; texts and
        documents too, but for quarters, in which each text stands four times, and authors: a text
        of several is in the group of each.
    """
    if column == "quarter":
        return _by_quarter(hits, selection)
    joined = column in JOINED_COLUMNS
    names = joined_names(selection.snapshot, column) if joined else None
    counts: dict[int, list[int]] = {v: [0, 0, 0, 0] for v in _ALL_VALUES.get(column, ())}
    for line, view, rows, of_texts in _lines(hits, selection):
        values, weights = _values(view.segment.documents, column, zone)[rows], of_texts
        if names is not None:
            places, values = names.parted(values)
            weights = None if of_texts is None else of_texts[places]
        distinct, inverse = np.unique(values, return_inverse=True)
        sums = np.bincount(inverse, weights=weights, minlength=len(distinct))
        for value, n in zip(distinct.tolist(), sums.tolist(), strict=True):
            counts.setdefault(value, [0, 0, 0, 0])[line] += int(n)
    spell = _speller(selection, column) if names is None else names.spell
    groups = [ColumnGroup(spell(value), *numbers) for value, numbers in counts.items()]
    if column in NAMED_COLUMNS:
        return sorted(groups, key=lambda group: (-group.hits, group.value))
    return [ColumnGroup(spell(value), *counts[value]) for value in sorted(counts)]


def _lines(
    hits: Hits, selection: Selection
) -> Iterator[tuple[int, SegmentView, npt.NDArray[np.intp], npt.NDArray[np.generic] | None]]:
    """Give what documents add to each number of a group, in the order of its fields."""
    for part in hits.parts:
        rows = np.flatnonzero(part.document_counts)
        yield 0, part.view, rows, part.document_counts[rows]
        yield 1, part.view, rows, None
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        documents = view.segment.documents
        rows = np.arange(len(documents)) if mask is None else np.flatnonzero(mask)
        yield 2, view, rows, documents.n_tokens[rows]
        yield 3, view, rows, None


def _values(documents: DocumentColumns, column: str, zone: dt.tzinfo) -> npt.NDArray[np.integer]:
    if column == "weekday":
        return np.where(documents.dated, weekdays(documents.day), NOTHING)
    if column == "hour":
        return np.where(documents.dated, hours(documents.published, zone), NOTHING)
    if column == AGENCY:
        return column_values(documents, column)
    values: npt.NDArray[np.integer] = getattr(documents, STRING_COLUMNS.get(column, column))
    return values


def _speller(selection: Selection, column: str) -> Callable[[int], str]:
    if column in STRING_COLUMNS:
        return selection.snapshot.lexicon.value
    if column == "kind":
        return lambda number: DocumentKind(number).label
    return lambda number: NO_VALUE if number == NOTHING else str(number)


def _by_quarter(hits: Hits, selection: Selection) -> list[ColumnGroup]:
    """Count hits by the quarter of the text in which they begin."""
    tokens = np.zeros(QUARTERS, dtype=np.int64)
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        lengths = view.segment.documents.n_tokens
        tokens += quarter_tokens(lengths if mask is None else lengths[mask])
    found = np.zeros((2, QUARTERS), dtype=np.int64)
    for part in hits.parts:
        segment, starts = part.view.segment, part.spans.starts
        rows = np.repeat(np.arange(segment.n_documents), part.document_counts)
        of_hits = segment.documents.n_tokens[rows].astype(np.int64)
        quarter = quarter_of(starts - segment.bounds[rows], of_hits) - 1
        table = np.bincount(rows * QUARTERS + quarter, minlength=QUARTERS * segment.n_documents)
        by_text = table.reshape(-1, QUARTERS)
        found[0] += by_text.sum(axis=0)
        found[1] += np.count_nonzero(by_text, axis=0)
    n_documents = selection.base.n_documents
    return [
        ColumnGroup(str(i + 1), int(found[0, i]), int(found[1, i]), int(tokens[i]), n_documents)
        for i in range(QUARTERS)
    ]


@dataclass(frozen=True, slots=True)
class Dispersion:
    """How evenly hits lie over parts of one kind, see `search.engine.statistics.dispersion`.

    ``part_range`` parts of ``n_parts`` have hits; measures are nan where there is none.
    """

    parts: str
    n_parts: int
    part_range: int
    juilland_d: float
    carroll_d2: float
    rosengren_s: float
    deviation: float
    normalized_deviation: float


def dispersions(hits: Hits, selection: Selection) -> list[Dispersion]:
    """Measure dispersion over texts, publications and months of publication."""
    by_month = trend(hits, selection, Unit.MONTH)
    publications = distribution(hits, selection, "pub", dt.UTC)
    return [
        _dispersion("texts", *_by_text(hits, selection)),
        _dispersion(
            "publications",
            np.array([group.hits for group in publications], dtype=np.int64),
            np.array([group.tokens for group in publications], dtype=np.int64),
        ),
        _dispersion("months", by_month.hits, by_month.tokens),
    ]


def _by_text(hits: Hits, selection: Selection) -> tuple[I64, I64]:
    """Return hits and tokens of each selected text."""
    found = {id(part.view): part.document_counts for part in hits.parts}
    counts, sizes = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        chosen = slice(None) if mask is None else mask
        lengths = view.segment.documents.n_tokens[chosen].astype(np.int64)
        here = found.get(id(view))
        counts.append(np.zeros(len(lengths), dtype=np.int64) if here is None else here[chosen])
        sizes.append(lengths)
    return np.concatenate(counts), np.concatenate(sizes)


def _dispersion(parts: str, counts: I64, sizes: I64) -> Dispersion:
    deviation = deviation_of_proportions(counts, sizes)
    return Dispersion(
        parts,
        int(np.count_nonzero(sizes)),
        int(part_range(counts)),
        float(juilland_d(counts, sizes)),
        float(carroll_d2(counts, sizes)),
        float(rosengren_s(counts, sizes)),
        float(deviation),
        float(normalized_deviation(deviation, sizes)),
    )


@dataclass(frozen=True, slots=True)
class Strokes:
    """Where hits lie among all texts in order of time.

    Parameters
    ----------
    hits : ndarray of shape (1200,)
        Hits in each of the equal strokes.
    reduced_frequency : float
        ARF of the hits.
    """

    hits: I64
    reduced_frequency: float


def strokes(hits: Hits, selection: Selection) -> Strokes:
    """Count hits by stroke; O(hits log hits)."""
    n_tokens = time_order_of(selection).n_tokens
    places = places_in_time(hits, selection)
    counts = np.bincount(stroke_of(places, n_tokens) - 1, minlength=STROKES)
    return Strokes(counts, average_reduced_frequency(places, n_tokens))
