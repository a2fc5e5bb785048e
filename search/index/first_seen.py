"""The document in which each type was first seen, read off the postings.

Input → output: a snapshot → for each type the day of publication and the place of the first
document, by (published, kind, key), that holds it. Documents of a segment stand in order of time,
so the first position of a type is in its first document; only where documents have gone out, or a
segment keeps another order, all positions are looked at.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.reader import SegmentView, Snapshot

I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
Index = npt.NDArray[np.intp]

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class FirstSeen:
    """Where each type of a snapshot's lexicon was first seen; arrays of shape (n_types,).

    ``segment`` numbers the snapshot's segments and is -1 for types that no current document holds;
    ``row`` is the document's row in it, ``day`` its day of publication (days since 1970-01-01).
    """

    day: I32
    segment: I32
    row: I64


def first_seen(snapshot: Snapshot) -> FirstSeen:
    """Find the first document of each type among the documents of the snapshot's generation.

    Returns
    -------
    FirstSeen
        O(types) per segment in order without removals; O(tokens) for others, the first time.
    """
    n_types = snapshot.lexicon.size.n_types
    result = FirstSeen(
        np.zeros(n_types, dtype=np.int32),
        np.full(n_types, NOWHERE, dtype=np.int32),
        np.full(n_types, NOWHERE, dtype=np.int64),
    )
    earliest = np.full((3, n_types), np.iinfo(np.int64).max)
    for number, view in enumerate(snapshot.segments):
        types, rows = _first_rows(view, snapshot.generation)
        columns = view.segment.documents
        found = np.stack([columns.published[rows], columns.kind[rows], columns.key[rows]])
        better = np.flatnonzero(_is_less(found, earliest[:, types]))
        types, rows = types[better], rows[better]
        earliest[:, types] = found[:, better]
        result.day[types] = columns.day[rows]
        result.segment[types] = number
        result.row[types] = rows
    return result


def _is_less(one: I64, other: I64) -> npt.NDArray[np.bool_]:
    """Compare columns of shape (3, n) lexicographically."""
    result: npt.NDArray[np.bool_] = one[-1] < other[-1]
    for a, b in zip(one[-2::-1], other[-2::-1], strict=True):
        result = (a < b) | ((a == b) & result)
    return result


def _first_rows(view: SegmentView, generation: int) -> tuple[npt.NDArray[np.uint32], Index]:
    """Return the types of a segment that current documents hold, and the first row of each."""
    segment = view.segment
    postings = segment.postings
    mask = view.alive(generation)
    if mask is None and segment.in_time_order:
        firsts = postings.positions[postings.starts[:-1]]
        return postings.types, segment.document_of(firsts)
    if view.first_rows is None:  # it stays so: what has gone out does not come back
        view.first_rows = _first_rows_by_rank(view, mask)
    return view.first_rows


def _first_rows_by_rank(
    view: SegmentView, mask: npt.NDArray[np.bool_] | None
) -> tuple[npt.NDArray[np.uint32], Index]:
    """Look at the rank in time of the document of each position."""
    segment = view.segment
    postings = segment.postings
    order = segment.rows_in_time
    if not len(postings.types):
        return postings.types, order[:0]
    ranks = np.empty(len(order), dtype=np.uint32)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    if mask is not None:
        ranks[~mask] = len(order)
    of_tokens = np.repeat(ranks, segment.documents.n_tokens)
    least = np.minimum.reduceat(of_tokens[postings.positions], postings.starts[:-1])
    held = least < len(order)
    return postings.types[held], order[least[held]]
