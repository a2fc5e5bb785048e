"""Filters on documents: which of them a query looks at, and the base its numbers refer to.

Input → output: ``QueryFilter`` and a snapshot → a mask of documents per segment, and their tokens.
"""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from search.index.columns import DocumentColumns, make_identities
from search.index.documents import UNIX_EPOCH, DocumentKind
from search.index.reader import SegmentView, Snapshot
from search.index.selection import Base, Selection

Mask = npt.NDArray[np.bool_]


class Copies(StrEnum):
    """What to do with texts that are near-duplicates of one another.

    ``ONCE`` keeps the earliest of each cluster among the documents the filter lets through,
    ``ALL`` keeps every copy, ``ORIGINALS`` keeps only those that are their cluster's original.
    """

    ONCE = "once"
    ALL = "all"
    ORIGINALS = "originals"


@dataclass(frozen=True, slots=True)
class QueryFilter:
    """Which documents count. The default lets everything current through.

    Parameters
    ----------
    kinds : frozenset of DocumentKind
        Empty for all.
    publications, sections, authors, languages : tuple of str
        Values to keep; empty for all.
    without_publications : tuple of str
        Values to leave out.
    first_day, last_day : date or None
        Days of publication, both inclusive.
    copies : Copies
    generation : int or None
        Ask the index as it was then; None for the newest.
    """

    kinds: frozenset[DocumentKind] = frozenset()
    publications: tuple[str, ...] = ()
    without_publications: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    first_day: dt.date | None = None
    last_day: dt.date | None = None
    copies: Copies = Copies.ALL
    generation: int | None = None


def select(snapshot: Snapshot, wanted: QueryFilter) -> Selection:
    """Apply a filter; the result is remembered with the snapshot."""
    known = snapshot.selections.get(wanted)
    if isinstance(known, Selection):
        return known
    generation = snapshot.generation
    if wanted.generation is not None:
        generation = min(wanted.generation, generation)
    masks = [_mask(snapshot, view, wanted, generation) for view in snapshot.segments]
    if wanted.copies is Copies.ONCE:
        masks = _once(snapshot, masks)
    selection = Selection(
        snapshot,
        generation,
        tuple(None if mask.all() else mask for mask in masks),
        _base(snapshot, masks),
    )
    snapshot.selections.put(wanted, selection)
    return selection


def _mask(snapshot: Snapshot, view: SegmentView, wanted: QueryFilter, generation: int) -> Mask:
    columns = view.segment.documents
    mask = view.alive(generation)
    if mask is None:
        mask = np.ones(len(columns), dtype=np.bool_)
    if wanted.kinds:
        mask &= np.isin(columns.kind, [int(kind) for kind in wanted.kinds])
    for name in ("publication", "section", "author", "language"):
        values = getattr(wanted, f"{name}s")
        if values:
            mask &= np.isin(getattr(columns, name), _numbers(snapshot, values))
    if wanted.without_publications:
        mask &= ~np.isin(columns.publication, _numbers(snapshot, wanted.without_publications))
    if wanted.first_day is not None:
        mask &= columns.day >= (wanted.first_day - UNIX_EPOCH).days
    if wanted.last_day is not None:
        mask &= columns.day <= (wanted.last_day - UNIX_EPOCH).days
    if wanted.copies is Copies.ORIGINALS:
        mask &= ~_is_copy(columns)
    return mask


def _numbers(snapshot: Snapshot, values: tuple[str, ...]) -> list[int]:
    found = (snapshot.lexicon.find_value(value) for value in values)
    return [number for number in found if number is not None]


def _is_copy(columns: DocumentColumns) -> Mask:
    cluster = columns.duplicate_cluster
    is_copy: Mask = (cluster != 0) & (cluster != columns.key)
    return is_copy


def _base(snapshot: Snapshot, masks: list[Mask]) -> Base:
    lengths = [view.segment.documents.n_tokens for view in snapshot.segments]
    tokens = sum(int(n[mask].sum(dtype=np.int64)) for n, mask in zip(lengths, masks, strict=True))
    return Base(tokens, sum(int(mask.sum()) for mask in masks))


def _once(snapshot: Snapshot, masks: list[Mask]) -> list[Mask]:
    """Keep one document of each cluster: its original if selected, else the earliest copy.

    Costs time in the number of copies, not of documents: originals are looked up by key.
    """
    segments = [view.segment for view in snapshot.segments]
    rows = [
        np.flatnonzero(mask & _is_copy(segment.documents))
        for segment, mask in zip(segments, masks, strict=True)
    ]
    part = np.repeat(np.arange(len(rows)), [len(r) for r in rows])
    row = np.concatenate([*rows, np.empty(0, dtype=np.intp)])
    documents = [segment.documents for segment in segments]
    columns = [
        (d.duplicate_cluster[r], d.kind[r], d.published[r], d.key[r])
        for d, r in zip(documents, rows, strict=True)
    ]
    if not len(row):
        return masks
    cluster, kind, published, key = (
        np.concatenate(arrays) for arrays in zip(*columns, strict=True)
    )
    identities = make_identities(kind, cluster)
    order = np.lexsort((key, published, identities))
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = identities[order][1:] != identities[order][:-1]
    keep = np.zeros(len(order), dtype=np.bool_)
    keep[order[first]] = True
    keep &= ~np.isin(identities, _selected(snapshot, masks, np.unique(identities)))
    result = [mask.copy() for mask in masks]
    for i in np.unique(part).tolist():
        member = part == i
        result[i][row[member]] = keep[member]
    return result


def _selected(
    snapshot: Snapshot, masks: list[Mask], identities: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]:
    """Return which of these documents the masks let through."""
    found = [np.empty(0, dtype=np.uint64)]
    for view, mask in zip(snapshot.segments, masks, strict=True):
        rows = view.segment.rows_of(identities)
        rows = rows[mask[rows]]
        found.append(view.segment.documents.identities()[rows])
    return np.concatenate(found)
