"""All selected texts one after the other in order of time, as one long text.

Input → output: a selection → where each text begins in it; hits → their places, ascending.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Hits
from search.engine.index.recent import Remembered
from search.engine.index.segments.columns import make_identities
from search.engine.index.selection import Selection

I64 = npt.NDArray[np.int64]

NOT_SELECTED = -1


@dataclass(frozen=True)
class TimeOrder:
    """Where texts begin.

    Parameters
    ----------
    starts : tuple of ndarrays of shape (n_documents,)
        For each segment the place at which each document begins; -1 if it does not count.
    """

    starts: tuple[I64, ...]
    n_tokens: int


_ORDERS: Remembered[None, TimeOrder] = Remembered()


def time_order_of(selection: Selection) -> TimeOrder:
    """Put the selected texts in order of time, then of kind and key.

    O(documents log documents), remembered. The order is that of the generation, whatever segments
    hold the texts.
    """
    return _ORDERS.of(selection).get_or(None, lambda: _put_in_order(selection))


def _put_in_order(selection: Selection) -> TimeOrder:
    rows = [
        np.arange(view.segment.n_documents) if mask is None else np.flatnonzero(mask)
        for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True)
    ]
    documents = [view.segment.documents for view in selection.snapshot.segments]
    pairs = list(zip(documents, rows, strict=True))
    nothing = np.empty(0, dtype=np.int64)
    published = np.concatenate([nothing, *(d.published[r] for d, r in pairs)])
    identities = np.concatenate(
        [nothing.astype(np.uint64), *(make_identities(d.kind[r], d.key[r]) for d, r in pairs)]
    )
    lengths = np.concatenate([nothing, *(d.n_tokens[r].astype(np.int64) for d, r in pairs)])
    order = _time_order(published, identities)
    begins = np.empty(len(order), dtype=np.int64)
    begins[order] = np.cumsum(lengths[order]) - lengths[order]
    starts = []
    at = 0
    for d, r in pairs:
        start = np.full(len(d), NOT_SELECTED, dtype=np.int64)
        start[r] = begins[at : at + len(r)]
        starts.append(start)
        at += len(r)
    return TimeOrder(tuple(starts), int(lengths.sum()))


def _time_order(published: I64, identities: npt.NDArray[np.uint64]) -> npt.NDArray[np.intp]:
    """Sort by time; equal times, which are few, by identity."""
    order = np.argsort(published, kind="stable")
    ordered = published[order]
    is_equal = ordered[1:] == ordered[:-1]
    tied = np.zeros(len(order), dtype=np.bool_)
    tied[1:] |= is_equal
    tied[:-1] |= is_equal
    rows = order[tied]
    order[tied] = rows[np.lexsort((identities[rows], published[rows]))]
    return order


def places_in_time(hits: Hits, selection: Selection) -> I64:
    """Return the places of hits among the documents they were looked for in, in order of time.

    Returns
    -------
    ndarray of shape (n_hits,)
        Ascending, each below ``n_tokens``. O(hits) as segments are in order of time.
    """
    order = time_order_of(selection)
    number = {id(view): i for i, view in enumerate(selection.snapshot.segments)}
    found = [np.empty(0, dtype=np.int64)]
    for part in hits.parts:
        segment = part.view.segment
        shift = order.starts[number[id(part.view)]] - segment.bounds[:-1]
        counts = part.document_counts
        found.append(part.spans.starts + np.repeat(shift, counts))
    found.sort(key=lambda places: int(places[0]) if len(places) else 0)
    joined = np.concatenate(found)
    if bool((joined[1:] < joined[:-1]).any()):
        joined.sort(kind="stable")  # finds the stretches that are in order
    return joined
