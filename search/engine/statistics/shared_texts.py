"""What two selections of one snapshot share: the same documents, and copies of one another.

Input → output: two selections → how many documents stand in both, how many texts have a
near-duplicate on the other side.
"""

import numpy as np
import numpy.typing as npt

from search.engine.index.segments.columns import DocumentColumns, make_identities
from search.engine.index.selection import Selection

Mask = npt.NDArray[np.bool_]
U64 = npt.NDArray[np.uint64]


def shared_documents(here: Selection, there: Selection) -> int:
    """Count the documents that are in both selections of a snapshot."""
    return sum(int(np.count_nonzero(mask)) for mask in _in_both(here, there))


def shared_copies(here: Selection, there: Selection) -> int:
    """Count the texts of which one selection has a copy and the other another one.

    Documents that are in both count for neither. Costs time in the number of copies.
    """
    both = _in_both(here, there)
    one, other = _alone(here, both), _alone(there, both)
    copies = _clusters(here, one), _clusters(here, other)
    clusters = np.union1d(copies[0], copies[1])
    if not len(clusters):
        return 0
    first = np.union1d(copies[0], _originals(here, one, clusters))
    second = np.union1d(copies[1], _originals(here, other, clusters))
    return len(np.intersect1d(first, second, assume_unique=True))


def _whole(selection: Selection) -> list[Mask]:
    """Return a mask of each segment, whether the selection leaves out something or not."""
    return [
        np.ones(view.segment.n_documents, dtype=np.bool_) if mask is None else mask
        for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True)
    ]


def _in_both(here: Selection, there: Selection) -> list[Mask]:
    return [one & other for one, other in zip(_whole(here), _whole(there), strict=True)]


def _alone(selection: Selection, both: list[Mask]) -> list[Mask]:
    return [mask & ~shared for mask, shared in zip(_whole(selection), both, strict=True)]


def _clusters(selection: Selection, masks: list[Mask]) -> U64:
    """Return the clusters, by the identities of their originals, of the copies in masks."""
    found = [np.empty(0, dtype=np.uint64)]
    for view, mask in zip(selection.snapshot.segments, masks, strict=True):
        columns: DocumentColumns = view.segment.documents
        rows = np.flatnonzero(mask & columns.is_copy())
        found.append(make_identities(columns.kind[rows], columns.duplicate_cluster[rows]))
    return np.unique(np.concatenate(found))


def _originals(selection: Selection, masks: list[Mask], clusters: U64) -> U64:
    """Return those of the clusters whose originals are in masks.

    One that has become a copy itself belongs to the cluster that it is in now, whatever its own
    copies, which are indexed again later, still say.
    """
    found = [np.empty(0, dtype=np.uint64)]
    for view, mask in zip(selection.snapshot.segments, masks, strict=True):
        rows = view.segment.rows_of(clusters)
        columns: DocumentColumns = view.segment.documents
        found.append(columns.identities()[rows[mask[rows] & ~columns.is_copy()[rows]]])
    return np.unique(np.concatenate(found))
