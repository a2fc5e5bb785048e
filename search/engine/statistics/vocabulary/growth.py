"""Vocabulary growth: how many different words a growing corpus has after so many tokens.

Input → output: selection and values of types → points of the curve, text by text in order of
publication, and the exponent of Heaps' law fitted to them.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.segments.segment import Segment
from search.engine.index.selection import Selection
from search.engine.statistics.counting.attribute_values import TypeValues

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Growth:
    """Points of the curve: ``n_tokens`` and ``n_types`` of shape (n_points,), ascending."""

    n_tokens: I64
    n_types: I64


def vocabulary_growth(
    selection: Selection, values: TypeValues, is_counted: Mask, n_points: int = 100
) -> Growth:
    """Count different values after each of some texts, oldest first.

    Parameters
    ----------
    is_counted : ndarray of shape (n_values,)
        Which values are words; tokens are all tokens.
    n_points : int
        Points to return at most, evenly spaced on a logarithmic axis; the last is the whole.

    Returns
    -------
    Growth
        O(types) for whole segments that are in order, O(tokens) for others, O(documents log
        documents).
    """
    parts, rows = _documents(selection)
    if not len(rows):
        return Growth(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    place = _places(selection, parts, rows)
    first = np.full(values.n_values, NEVER, dtype=np.int64)
    lengths = np.zeros(len(rows), dtype=np.int64)
    for part, view in enumerate(selection.snapshot.segments):
        mine = place[part]
        chosen = mine >= 0
        lengths[mine[chosen]] = view.segment.documents.n_tokens[chosen]
        types, first_rows = _first_rows(view.segment, selection.masks[part])
        np.minimum.at(first, values.numbers[types], mine[first_rows])
    found = first[is_counted & (first < NEVER)]
    n_types = np.cumsum(np.bincount(found, minlength=len(rows)))
    n_tokens = np.cumsum(lengths)
    shown = _spaced(n_tokens, n_points)
    return Growth(n_tokens[shown], n_types[shown])


def heaps_exponent(growth: Growth) -> float:
    r"""Fit the exponent of Heaps' law, types = K tokens ** β, to the points.

    Returns
    -------
    float
        β, by least squares on both logarithms; between 0.4 and 0.8 for most corpora; nan with
        fewer than two points.

    References
    ----------
    H. S. Heaps, Information Retrieval: Computational and Theoretical Aspects (1978), section 7.5;
    G. Herdan, Type-Token Mathematics (1960).
    """
    kept = (growth.n_types > 0) & (growth.n_tokens > 0)
    x, y = np.log(growth.n_tokens[kept]), np.log(growth.n_types[kept])
    if len(x) < 2 or x[0] == x[-1]:
        return math.nan
    centred = x - x.mean()
    return float(centred @ y / (centred @ centred))


def _documents(selection: Selection) -> tuple[I64, I64]:
    """Return segment and row of the selected documents in order of publication."""
    parts, rows, keys = [], [], []
    for part, view in enumerate(selection.snapshot.segments):
        mask = selection.masks[part]
        columns = view.segment.documents
        chosen = np.arange(len(columns)) if mask is None else np.flatnonzero(mask)
        parts.append(np.full(len(chosen), part))
        rows.append(chosen)
        names = ("key", "kind", "published")
        keys.append([getattr(columns, name)[chosen].astype(np.int64) for name in names])
    if not parts:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    order = np.lexsort([np.concatenate(column) for column in zip(*keys, strict=True)])
    return np.concatenate(parts)[order], np.concatenate(rows)[order]


def _places(selection: Selection, parts: I64, rows: I64) -> list[I64]:
    """Return for each segment the place of its documents in that order, -1 if not selected."""
    places = [np.full(view.segment.n_documents, -1) for view in selection.snapshot.segments]
    for part, place in enumerate(places):
        mine = np.flatnonzero(parts == part)
        place[rows[mine]] = mine
    return places


def _first_rows(segment: Segment, mask: Mask | None) -> tuple[I64, I64]:
    """Return the types that occur in the selected documents, and the first of these for each."""
    if mask is None and segment.in_time_order:
        postings = segment.postings
        firsts = postings.positions[postings.starts[:-1]]
        return postings.types.astype(np.int64), segment.document_of(firsts)
    rows = (
        segment.rows_in_time if mask is None else segment.rows_in_time[mask[segment.rows_in_time]]
    )
    starts, stops = segment.bounds[rows].tolist(), segment.bounds[rows + 1].tolist()
    pieces = [segment.stream[a:b] for a, b in zip(starts, stops, strict=True)]
    stream = np.concatenate([segment.stream[:0], *pieces])
    owners = np.repeat(rows, segment.bounds[rows + 1] - segment.bounds[rows])
    first = np.full(int(stream.max(initial=0)) + 1, -1)
    first[stream[::-1]] = owners[::-1]  # of equal numbers the last one written stays
    types = np.flatnonzero(first >= 0)
    return types, first[types]


def _spaced(n_tokens: I64, n_points: int) -> I64:
    """Return at most so many places, evenly spaced in the logarithm of the tokens."""
    if len(n_tokens) <= n_points:
        return np.arange(len(n_tokens))
    wanted = np.geomspace(max(1, n_tokens[0]), n_tokens[-1], n_points)
    places = np.unique(np.minimum(np.searchsorted(n_tokens, wanted), len(n_tokens) - 1))
    return np.unique(np.append(places, len(n_tokens) - 1))[-n_points:]
