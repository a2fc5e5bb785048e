"""Clusters of documents counted once: near-duplicates, and articles about the same event.

Input → output: a mask of documents per segment → the same with one document left of each cluster.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from search.index.columns import DocumentColumns, make_identities
from search.index.reader import Snapshot

Mask = npt.NDArray[np.bool_]
U64 = npt.NDArray[np.uint64]


def copies_once(snapshot: Snapshot, masks: list[Mask]) -> list[Mask]:
    """Keep one document of each cluster of near-duplicates.

    It is the cluster's original if the masks let it through, else the earliest copy. Costs time in
    the number of copies, not of documents: originals are looked up by key.
    """
    keep = _earliest(snapshot, masks, is_copy, lambda columns: columns.duplicate_cluster)
    if keep is None:
        return masks
    keep.kept &= ~np.isin(keep.clusters, _let_through(snapshot, masks, np.unique(keep.clusters)))
    return keep.apply(masks)


def stories_once(snapshot: Snapshot, masks: list[Mask]) -> list[Mask]:
    """Keep the earliest document of each story; documents of no story all stay."""
    keep = _earliest(snapshot, masks, _has_story, lambda columns: columns.story_cluster)
    return masks if keep is None else keep.apply(masks)


def is_copy(columns: DocumentColumns) -> Mask:
    """Return which documents are near-duplicates of an earlier original."""
    cluster = columns.duplicate_cluster
    found: Mask = (cluster != 0) & (cluster != columns.key)
    return found


def _has_story(columns: DocumentColumns) -> Mask:
    found: Mask = columns.story_cluster != 0
    return found


class _Kept:
    """Which of some documents stay: segment and row of each, its cluster, and the choice."""

    def __init__(
        self, part: npt.NDArray[np.intp], row: npt.NDArray[np.intp], clusters: U64
    ) -> None:
        self.part = part
        self.row = row
        self.clusters = clusters
        self.kept = np.zeros(len(row), dtype=np.bool_)

    def apply(self, masks: list[Mask]) -> list[Mask]:
        """Return the masks with the choice written into them."""
        result = list(masks)
        for i in np.unique(self.part).tolist():
            member = self.part == i
            result[i] = masks[i].copy()
            result[i][self.row[member]] = self.kept[member]
        return result


def _earliest(
    snapshot: Snapshot,
    masks: list[Mask],
    is_member: Callable[[DocumentColumns], Mask],
    cluster_of: Callable[[DocumentColumns], npt.NDArray[np.int64]],
) -> _Kept | None:
    """Find the members of all clusters and choose the earliest of each; None without members.

    Of members published in the same second the one with the smallest key is taken. Clusters are of
    one kind: a comment is no copy of the article whose number its cluster has.
    """
    documents = [view.segment.documents for view in snapshot.segments]
    rows = [
        np.flatnonzero(mask & is_member(columns)) if mask.any() else np.empty(0, dtype=np.intp)
        for columns, mask in zip(documents, masks, strict=True)
    ]
    if not any(map(len, rows)):
        return None
    pairs = list(zip(documents, rows, strict=True))
    published = np.concatenate([d.published[r] for d, r in pairs])
    key = np.concatenate([d.key[r] for d, r in pairs])
    clusters = np.concatenate([make_identities(d.kind[r], cluster_of(d)[r]) for d, r in pairs])
    kept = _Kept(
        np.repeat(np.arange(len(rows)), [len(r) for r in rows]), np.concatenate(rows), clusters
    )
    order = np.lexsort((key, published, clusters))
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = clusters[order][1:] != clusters[order][:-1]
    kept.kept[order[first]] = True
    return kept


def _let_through(snapshot: Snapshot, masks: list[Mask], identities: U64) -> U64:
    """Return which of these documents the masks let through."""
    found = [np.empty(0, dtype=np.uint64)]
    for view, mask in zip(snapshot.segments, masks, strict=True):
        rows = view.segment.rows_of(identities)
        rows = rows[mask[rows]]
        found.append(view.segment.documents.identities()[rows])
    return np.concatenate(found)
