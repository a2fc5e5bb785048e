"""Filters on documents: which of them a query looks at, and the base its numbers refer to.

Input → output: ``DocumentFilter`` and a snapshot → a mask of documents per segment, and their
tokens. The masks of single documents come first; clusters of near-duplicates or of one event are
counted once among what these let through, and what came in lately is picked last.
"""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Self

import numpy as np

from search.engine.arrays import I64, U64, Index, Mask
from search.engine.index.documents import TEXT_KINDS, UNIX_EPOCH, DocumentKind, DocumentRights
from search.engine.index.joined_names import JOINED_COLUMNS, joined_names
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.recent import Remembered
from search.engine.index.segments.columns import DocumentColumns, make_identities
from search.engine.index.selection import Base, Selection

STRING_COLUMNS = ("publication", "section", "author", "language")


class Copies(StrEnum):
    """What to do with texts that are near-duplicates of one another.

    ``ONCE`` keeps the earliest of each cluster among the documents the filter lets through,
    ``ALL`` keeps every copy, ``ORIGINALS`` keeps only those that are their cluster's original.
    """

    ONCE = "once"
    ALL = "all"
    ORIGINALS = "originals"


class Stories(StrEnum):
    """What to do with articles about the same event.

    ``ONCE`` keeps the earliest of each story among the documents the filter lets through, ``ALL``
    keeps them all.
    """

    ONCE = "once"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """Documents named one by one: sorted identities, packed, so that equal sets are equal."""

    packed: bytes

    @classmethod
    def of(cls, documents: Iterable[tuple[DocumentKind, int]]) -> Self:
        """Make a set of (kind, key) pairs."""
        pairs = set(documents)
        kinds = np.array([kind for kind, _ in pairs], dtype=np.uint8)
        keys = np.array([key for _, key in pairs], dtype=np.int64)
        return cls(np.sort(make_identities(kinds, keys)).tobytes())

    @classmethod
    def of_identities(cls, identities: U64) -> Self:
        """Make a set of identities in any order, repeated or not."""
        ordered = np.sort(identities, kind="stable")  # runs of ascending ones are merged
        is_first = np.ones(len(ordered), dtype=np.bool_)
        is_first[1:] = ordered[1:] != ordered[:-1]
        return cls(ordered[is_first].tobytes())

    @property
    def identities(self) -> U64:
        """Sorted identities, see ``columns.make_identities``."""
        return np.frombuffer(self.packed, dtype=np.uint64)

    def keys(self, kind: DocumentKind) -> I64:
        """Sorted keys of the documents of a kind."""
        edges = make_identities(np.array([kind, kind + 1], np.uint8), np.zeros(2, np.int64))
        low, high = np.searchsorted(self.identities, edges)
        result: I64 = (self.identities[low:high] - edges[0]).astype(np.int64)
        return result

    def __len__(self) -> int:
        return len(self.packed) // 8

    def __or__(self, other: Self) -> Self:
        return self.of_identities(np.concatenate([self.identities, other.identities]))

    def __and__(self, other: Self) -> Self:
        both = np.intersect1d(self.identities, other.identities, assume_unique=True)
        return type(self)(both.tobytes())

    def __sub__(self, other: Self) -> Self:
        rest = np.setdiff1d(self.identities, other.identities, assume_unique=True)
        return type(self)(rest.tobytes())


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Which documents count. The default lets everything current through.

    Parameters
    ----------
    kinds : frozenset of DocumentKind
        Empty for all texts; parts of articles count only where they are named.
    publications, sections, authors, languages : tuple of str
        Values to keep; empty for all. A text of several authors is one of each of them.
    without_publications, without_sections, without_authors, without_languages : tuple of str
        Values to leave out.
    agencies, without_agencies : tuple of str
        News agencies that sign beside the authors of an article, or instead of them; to be kept
        and left out as authors are.
    among : tuple of str or None
        Publications, one of which a text must be of, beside all else that is said of them.
    first_day, last_day : date or None
        Days of publication, both inclusive; a text without a date is on none.
    is_undated : bool or None
        Texts of which nobody knows the date, or those with one.
    least_tokens, most_tokens : int or None
        Length of a text, both inclusive.
    is_changed : bool or None
        Texts that their pages have changed, or those that stand as they were first seen.
    rights : DocumentRights or None
        What their sites say of text mining.
    without_reserved : tuple of str
        Publications of which the texts with reserved rights are left out.
    copies : Copies
    stories : Stories
        Applied after ``copies``.
    generation : int or None
        Ask the index as it was then; None for the newest.
    has_withdrawn : bool
        Count what was withdrawn since that generation too: for numbers of what is gone, never for
        lines.
    since : int or None
        Of what all else lets through keep the documents that came in after this generation.
    documents, without_documents : DocumentSet or None
        Keep only these documents, or leave them out.
    texts : DocumentSet or None
        Keep only these articles, each with its parts, and these comments.
    cut : DocumentSet or None
        Of what all else lets through, copies and stories counted once, keep only these articles,
        each with its parts.
    """

    kinds: frozenset[DocumentKind] = frozenset()
    publications: tuple[str, ...] = ()
    without_publications: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    without_sections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    without_authors: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    without_languages: tuple[str, ...] = ()
    agencies: tuple[str, ...] = ()
    without_agencies: tuple[str, ...] = ()
    among: tuple[str, ...] | None = None
    first_day: dt.date | None = None
    last_day: dt.date | None = None
    is_undated: bool | None = None
    least_tokens: int | None = None
    most_tokens: int | None = None
    is_changed: bool | None = None
    rights: DocumentRights | None = None
    without_reserved: tuple[str, ...] = ()
    copies: Copies = Copies.ALL
    stories: Stories = Stories.ALL
    generation: int | None = None
    has_withdrawn: bool = False
    since: int | None = None
    documents: DocumentSet | None = None
    without_documents: DocumentSet | None = None
    texts: DocumentSet | None = None
    cut: DocumentSet | None = None


EVERY_TEXT = DocumentFilter()

# A byte a document each.
_SELECTIONS: Remembered[DocumentFilter, Selection] = Remembered(32)


def select(snapshot: Snapshot, wanted: DocumentFilter) -> Selection:
    """Apply a filter; the result is remembered with the snapshot."""
    return _SELECTIONS.of(snapshot).get_or(wanted, lambda: _select(snapshot, wanted))


def _select(snapshot: Snapshot, wanted: DocumentFilter) -> Selection:
    generation = snapshot.generation
    if wanted.generation is not None:
        generation = min(wanted.generation, generation)
    test = _DocumentTest(snapshot, wanted, generation)
    masks = [test.mask(view) for view in snapshot.segments]
    if wanted.copies is Copies.ONCE:
        masks = copies_once(snapshot, masks)
    if wanted.stories is Stories.ONCE:
        masks = stories_once(snapshot, masks)
    if wanted.since is not None:
        masks = newcomers(snapshot, masks, wanted.since)
    if wanted.cut is not None:
        masks = _of_articles(snapshot, masks, wanted.cut)
    return Selection(
        snapshot,
        generation,
        tuple(None if mask.all() else mask for mask in masks),
        _base(snapshot, masks),
    )


class _DocumentTest:
    """A filter made ready for a snapshot: values as tables by number, days as numbers."""

    def __init__(self, snapshot: Snapshot, wanted: DocumentFilter, generation: int) -> None:
        self._wanted = wanted
        self._generation = generation
        self._tables = _value_tables(snapshot, wanted)
        self._reserved_of = _numbers(snapshot, wanted.without_reserved)
        self._wanted_kinds = {int(kind) for kind in wanted.kinds or TEXT_KINDS}
        self._kinds = np.isin(np.arange(256), list(self._wanted_kinds))
        first, last = wanted.first_day, wanted.last_day
        self._first_day = None if first is None else (first - UNIX_EPOCH).days
        self._last_day = None if last is None else (last - UNIX_EPOCH).days
        texts = wanted.texts
        self._articles = None if texts is None else texts.keys(DocumentKind.ARTICLE)
        self._comments = None if texts is None else texts.keys(DocumentKind.COMMENT)

    def mask(self, view: SegmentView) -> Mask:
        """Return which documents of a segment the filter lets through, one by one."""
        columns = view.segment.documents
        if self._is_outside(view):
            return np.zeros(len(columns), dtype=np.bool_)
        had = self._wanted.has_withdrawn
        mask = view.had(self._generation) if had else view.alive(self._generation)
        if mask is None:
            mask = np.ones(len(columns), dtype=np.bool_)
        if view.entry.kind not in self._wanted_kinds:  # of another kind, or of several
            mask &= self._kinds[columns.kind]
        for name, table in self._tables:
            mask &= table[getattr(columns, name)]
        if self._wanted.agencies:
            mask &= columns.kind != DocumentKind.COMMENT  # readers may call themselves so
        self._cut_days(view, mask)
        self._cut_lengths(columns, mask)
        self._cut_marks(columns, mask)
        self._keep_named(view, mask)
        self._keep_texts(columns, mask)
        if self._wanted.copies is Copies.ORIGINALS:
            mask &= ~columns.is_copy()
        return mask

    def _is_outside(self, view: SegmentView) -> bool:
        """Say whether all documents of a segment are too early or too late."""
        too_early = self._first_day is not None and view.entry.last_day < self._first_day
        return too_early or (self._last_day is not None and view.entry.first_day > self._last_day)

    def _cut_days(self, view: SegmentView, mask: Mask) -> None:
        day = view.segment.documents.day
        if self._first_day is not None and view.entry.first_day < self._first_day:
            mask &= day >= self._first_day
        if self._last_day is not None and view.entry.last_day > self._last_day:
            mask &= day <= self._last_day
        if self._first_day is not None or self._last_day is not None:
            mask &= view.segment.documents.dated

    def _cut_lengths(self, columns: DocumentColumns, mask: Mask) -> None:
        if self._wanted.least_tokens is not None:
            mask &= columns.n_tokens >= self._wanted.least_tokens
        if self._wanted.most_tokens is not None:
            mask &= columns.n_tokens <= self._wanted.most_tokens

    def _cut_marks(self, columns: DocumentColumns, mask: Mask) -> None:
        if self._wanted.is_changed is not None:
            mask &= (columns.changed > 0) == self._wanted.is_changed
        if self._wanted.is_undated is not None:
            mask &= columns.dated != self._wanted.is_undated
        if self._wanted.rights is not None:
            mask &= columns.rights == self._wanted.rights
        if self._reserved_of:
            is_reserved = columns.rights == DocumentRights.RESERVED
            mask &= ~(is_reserved & np.isin(columns.publication, self._reserved_of))

    def _keep_named(self, view: SegmentView, mask: Mask) -> None:
        if self._wanted.documents is not None:
            named = np.zeros(len(mask), dtype=np.bool_)
            named[view.segment.rows_of(self._wanted.documents.identities)] = True
            mask &= named
        if self._wanted.without_documents is not None:
            mask[view.segment.rows_of(self._wanted.without_documents.identities)] = False

    def _keep_texts(self, columns: DocumentColumns, mask: Mask) -> None:
        """Keep what has the key of a wanted text: a part has that of its article."""
        if self._articles is None or self._comments is None:
            return
        is_comment = columns.kind == DocumentKind.COMMENT
        for keys, member in ((self._articles, ~is_comment), (self._comments, is_comment)):
            rows = np.flatnonzero(mask & member)
            mask[rows] = np.isin(columns.key[rows], keys)


def _of_articles(snapshot: Snapshot, masks: list[Mask], wanted: DocumentSet) -> list[Mask]:
    """Keep articles and their parts, which have the key of their article."""
    keys = wanted.keys(DocumentKind.ARTICLE)
    kept = []
    for view, mask in zip(snapshot.segments, masks, strict=True):
        columns = view.segment.documents
        rows = np.flatnonzero(mask & (columns.kind != DocumentKind.COMMENT))
        found = np.zeros(len(mask), dtype=np.bool_)
        found[rows] = np.isin(columns.key[rows], keys)
        kept.append(found)
    return kept


def _value_tables(snapshot: Snapshot, wanted: DocumentFilter) -> list[tuple[str, Mask]]:
    """Return for each column with a condition which values pass, by number."""
    tables = []
    conditions = [
        (name, getattr(wanted, f"{name}s"), getattr(wanted, f"without_{name}s"))
        for name in STRING_COLUMNS
    ]
    conditions.append(("author", wanted.agencies, wanted.without_agencies))
    for name, kept, left_out in conditions:
        if not (kept or left_out):
            continue
        table = np.full(snapshot.lexicon.size.n_values, not kept, dtype=np.bool_)
        table[_numbers_in(snapshot, name, kept)] = True
        table[_numbers_in(snapshot, name, left_out)] = False
        tables.append((name, table))
    if wanted.among is not None:
        table = np.zeros(snapshot.lexicon.size.n_values, dtype=np.bool_)
        table[_numbers(snapshot, wanted.among)] = True
        tables.append(("publication", table))
    return tables


def _numbers_in(snapshot: Snapshot, column: str, values: tuple[str, ...]) -> list[int]:
    """Return the numbers of values, and of those that hold one of them as a name."""
    if column not in JOINED_COLUMNS:
        return _numbers(snapshot, values)
    names = joined_names(snapshot, column)
    return [number for value in values for number in names.values_with(value)]


def _numbers(snapshot: Snapshot, values: tuple[str, ...]) -> list[int]:
    found = (snapshot.lexicon.find_value(value) for value in values)
    return [number for number in found if number is not None]


def _base(snapshot: Snapshot, masks: list[Mask]) -> Base:
    lengths = [view.segment.documents.n_tokens for view in snapshot.segments]
    tokens = sum(int(n[mask].sum(dtype=np.int64)) for n, mask in zip(lengths, masks, strict=True))
    return Base(tokens, sum(int(mask.sum()) for mask in masks))


def newcomers(snapshot: Snapshot, masks: list[Mask], generation: int) -> list[Mask]:
    """Keep the documents of masks that had no version up to a generation.

    A text that was read or tagged anew since then is no newcomer. O(documents).
    """
    columns = [view.segment.documents for view in snapshot.segments]
    later = [
        mask & (documents.generation_in > generation)
        for documents, mask in zip(columns, masks, strict=True)
    ]
    found = [documents.identities()[mask] for documents, mask in zip(columns, later, strict=True)]
    wanted = np.unique(np.concatenate([np.empty(0, dtype=np.uint64), *found]))
    if not len(wanted):
        return later
    earlier = [
        documents.identities()[documents.generation_in <= generation] for documents in columns
    ]
    known = np.intersect1d(wanted, np.concatenate(earlier))
    return [
        mask & ~np.isin(documents.identities(), known)
        for documents, mask in zip(columns, later, strict=True)
    ]


def copies_once(snapshot: Snapshot, masks: list[Mask]) -> list[Mask]:
    """Keep one document of each cluster of near-duplicates.

    It is the cluster's original if the masks let it through, else the earliest copy. Costs time in
    the number of copies, not of documents: originals are looked up by key.
    """
    is_copy = DocumentColumns.is_copy
    keep = _earliest(snapshot, masks, is_copy, lambda columns: columns.duplicate_cluster)
    if keep is None:
        return masks
    keep.kept &= ~np.isin(keep.clusters, _let_through(snapshot, masks, np.unique(keep.clusters)))
    return keep.apply(masks)


def stories_once(snapshot: Snapshot, masks: list[Mask]) -> list[Mask]:
    """Keep the earliest document of each story; documents of no story all stay."""
    cluster_of = attrgetter("story_cluster")
    keep = _earliest(snapshot, masks, lambda columns: cluster_of(columns) != 0, cluster_of)
    return masks if keep is None else keep.apply(masks)


class _Kept:
    """Which of some documents stay: segment and row of each, its cluster, and the choice."""

    def __init__(self, part: Index, row: Index, clusters: U64) -> None:
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
    cluster_of: Callable[[DocumentColumns], I64],
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
