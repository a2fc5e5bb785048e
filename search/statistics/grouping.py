"""Groups of hits with the same values: how many, which, and in which documents.

Input → output: hits and keys → `Grouping`. Hits of one token that are counted by attributes of the
token alone are counted by type, from the postings, without making their positions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from search.index.hits import Hits, TokenHits
from search.index.selection import Selection
from search.statistics.attribute_values import type_values
from search.statistics.hit_values import NOTHING, HitValues, Key, Node, hit_values
from search.statistics.ranks import ranked
from search.statistics.type_counts import type_counts

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Places:
    """Hits as pairs: number of the group, number of the document (see `DocumentTable`)."""

    group: I64
    document: I64


class Grouping(Protocol):
    """Hits counted by one or more keys.

    ``numbers`` has one array of shape (n_groups,) per key with the value numbers of each group,
    ``counts`` the hits of each group.
    """

    numbers: tuple[I64, ...]
    spellers: tuple[Callable[[int], str], ...]
    counts: I64

    def places(self, chosen: I64) -> Places:
        """Return where the hits of some groups are; groups are numbered as in ``chosen``."""


def group_hits(hits: Hits, keys: Sequence[Key], selection: Selection | None = None) -> Grouping:
    """Count hits by the tuples of their values.

    Parameters
    ----------
    hits : Hits
    keys : sequence of Key
        At least one.
    selection : Selection or None
        The documents the hits were looked for in: saves making the positions of frequent tokens.

    Returns
    -------
    Grouping
        O(types) for one-token queries counted by attributes of the node, else O(hits).
    """
    if all(isinstance(key, Node) for key in keys):
        by_type = _hits_by_type(hits, selection)
        if by_type is not None:
            return _TypeGrouping(hits, keys, by_type)
    return _HitGrouping(hits, [hit_values(hits, key) for key in keys])


def _hits_by_type(hits: Hits, selection: Selection | None) -> I64 | None:
    """Return the hits of each type; None if they are not hits of one token known by types."""
    parts = [part for part in hits.parts if isinstance(part, TokenHits)]
    if len(parts) < len(hits.parts):
        return None
    n_types = hits.snapshot.lexicon.size.n_types
    if selection is not None:
        is_hit = np.zeros(n_types, dtype=np.bool_)
        for part in parts:
            is_hit[part.types] = True
        return np.where(is_hit, type_counts(selection), 0)
    if any(part.mask is not None for part in parts):
        return None
    counts = np.zeros(n_types, dtype=np.int64)
    for part in parts:
        postings = part.view.segment.postings
        rows = postings.rows(part.types)
        counts[part.types] += postings.starts[rows + 1].astype(np.int64) - postings.starts[rows]
    return counts


def distinct(columns: Sequence[I64]) -> tuple[tuple[I64, ...], I64]:
    """Give a number to each distinct row of some columns.

    Parameters
    ----------
    columns : sequence of ndarrays of shape (n,)
        Values from `NOTHING` up.

    Returns
    -------
    tuple of ndarrays of shape (n_distinct,), ndarray of shape (n,)
        The values of each distinct row, by column, in ascending order; the number of each row.
    """
    packed = columns[0] - NOTHING
    for column in columns[1:]:
        packed = ranked(packed)[1] * (int(column.max(initial=NOTHING)) - NOTHING + 1) + (
            column - NOTHING
        )
    values, group = ranked(packed)
    example = np.zeros(len(values), dtype=np.int64)
    example[group] = np.arange(len(group))
    return tuple(column[example] for column in columns), group


class _HitGrouping:
    """Groups of hits whose values were looked up one by one."""

    def __init__(self, hits: Hits, values: Sequence[HitValues]) -> None:
        self._hits = hits
        self.numbers, self._group = distinct([value.numbers for value in values])
        self.spellers = tuple(value.spell for value in values)
        self.counts = np.bincount(self._group, minlength=len(self.numbers[0]))

    def places(self, chosen: I64) -> Places:
        """Return where the hits of some groups are."""
        found = _renumbered(chosen, len(self.counts))[self._group]
        first = 0
        documents = []
        for part in self._hits.parts:
            n_documents = part.view.segment.n_documents
            documents.append(np.repeat(np.arange(n_documents) + first, part.document_counts))
            first += n_documents
        document = np.concatenate([np.empty(0, dtype=np.int64), *documents])
        is_chosen = found != NOTHING
        return Places(found[is_chosen], document[is_chosen])


class _TypeGrouping:
    """Groups of types; positions are made for chosen groups only."""

    def __init__(self, hits: Hits, keys: Sequence[Key], by_type: I64) -> None:
        self._hits = hits
        lexicon = hits.snapshot.lexicon
        types = np.flatnonzero(by_type)
        values = [type_values(lexicon, key.attribute) for key in keys if isinstance(key, Node)]
        self.numbers, group = distinct([value.numbers[types] for value in values])
        self.spellers = tuple(value.spell for value in values)
        sums = np.bincount(group, weights=by_type[types], minlength=len(self.numbers[0]))
        self.counts = sums.astype(np.int64)
        self._group_of_type = np.full(len(by_type), NOTHING)
        self._group_of_type[types] = group

    def places(self, chosen: I64) -> Places:
        """Return where the hits of some groups are."""
        known = self._group_of_type
        table = np.append(_renumbered(chosen, len(self.counts)), NOTHING)
        groups, documents = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        first = 0
        for part in self._hits.parts:
            assert isinstance(part, TokenHits)  # noqa: S101 (group_hits made sure)
            found = table[known[part.types]]
            types, found = part.types[found != NOTHING], found[found != NOTHING]
            group, row = _rows_of_types(part, types, found)
            groups.append(group)
            documents.append(row + first)
            first += part.view.segment.n_documents
        return Places(np.concatenate(groups), np.concatenate(documents))


def _rows_of_types(part: TokenHits, types: npt.NDArray[np.uint32], group: I64) -> tuple[I64, I64]:
    """Return group and document row of every hit of some types in one segment."""
    segment = part.view.segment
    rows = segment.postings.rows(types).tolist()
    lists = [segment.postings.of_row(row) for row in rows]
    groups = np.repeat(group, [len(positions) for positions in lists])
    positions = np.concatenate([segment.stream[:0], *lists])
    documents = np.searchsorted(segment.bounds.astype(np.uint32), positions, side="right") - 1
    if part.mask is None:
        return groups, documents
    is_counted = part.mask[documents]
    return groups[is_counted], documents[is_counted]


def _renumbered(chosen: I64, n_groups: int) -> I64:
    """Return the place of each group among the chosen, `NOTHING` for the others."""
    numbers = np.full(n_groups, NOTHING)
    numbers[chosen] = np.arange(len(chosen))
    return numbers
