"""Groups of hits with the same values: how many, which, and in which documents.

Input → output: hits and keys → `Grouping`. Hits of one token that are counted by attributes of the
token alone are counted by type, from the postings, without making their positions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Hits, TokenHits
from search.engine.index.selection import Selection
from search.engine.statistics.counting.attribute_values import type_values
from search.engine.statistics.counting.hit_values import (
    NOTHING,
    HitValues,
    Key,
    Node,
    hit_values,
    ranked,
)
from search.engine.statistics.counting.spread import spread_of
from search.engine.statistics.counting.type_counts import document_counts, type_counts

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

HALF = np.int64(32)
FEW_GROUPS = 20_000  # the texts of so many are found from their postings, of more from all texts


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """Texts, publications and DP of some groups, arrays of shape (n_chosen,).

    DP is Gries' deviation of proportions over texts: half the sum over all texts of the difference
    between a text's share of the hits and its share of the tokens; from 0 (as even as can be) to
    almost 1 (Gries, S. Th. 2008. Dispersions and adjusted frequencies in corpora. IJCL 13,
    403-437).
    """

    n_texts: I64
    n_publications: I64
    deviation: F64


class Grouping(Protocol):
    """Hits counted by one or more keys.

    ``numbers`` has one array of shape (n_groups,) per key with the value numbers of each group,
    ``counts`` the hits of each group. A hit in a text of several authors is in the group of each.
    """

    numbers: tuple[I64, ...]
    spellers: tuple[Callable[[int], str], ...]
    counts: I64

    def texts(self) -> I64:
        """Count the texts of every group."""

    def spread(self, chosen: I64) -> GroupSpread:
        """Find out over how much of the corpus some groups are spread."""


def group_hits(hits: Hits, keys: Sequence[Key], selection: Selection | None = None) -> Grouping:
    """Count hits by the tuples of their values.

    Parameters
    ----------
    keys : sequence of Key
        At least one.
    selection : Selection or None
        The documents the hits were looked for in: saves making the positions of frequent tokens.

    Returns
    -------
    Grouping
        O(types) for one-token queries counted by attributes of the node, else O(hits).
    """
    if selection is not None and not needs_positions(hits, keys):
        return _TypeGrouping(selection, keys, _hit_types(hits))
    return _HitGrouping(hits, [hit_values(hits, key) for key in keys])


def needs_positions(hits: Hits, keys: Sequence[Key]) -> bool:
    """Say whether counting by these keys looks at each hit, when the selection is known."""
    of_tokens = all(isinstance(part, TokenHits) for part in hits.parts)
    return not (of_tokens and all(isinstance(key, Node) for key in keys))


def _hit_types(hits: Hits) -> Mask:
    """Say which types are hits of one token."""
    tests = (part.test.may for part in hits.parts if isinstance(part, TokenHits))  # all are one
    return next(tests, np.zeros(hits.snapshot.lexicon.size.n_types, dtype=np.bool_))


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
        # Where a hit has several values of a key, it counts once for each.
        several = [value.hits for value in values if value.hits is not None]
        self._counted = several[0] if several else None
        self.numbers, self._group = distinct(
            [
                value.numbers
                if self._counted is None or value.hits is not None
                else value.numbers[self._counted]
                for value in values
            ]
        )
        self.spellers = tuple(value.spell for value in values)
        self.counts = np.bincount(self._group, minlength=len(self.numbers[0]))

    def texts(self) -> I64:
        """Count the texts of every group."""
        group, _, _ = self._by_document(np.arange(len(self.counts)))
        return np.bincount(group, minlength=len(self.counts))

    def spread(self, chosen: I64) -> GroupSpread:
        """Find out over how much of the corpus some groups are spread."""
        group, document, counts = self._by_document(chosen)
        segments = [part.view.segment for part in self._hits.parts]
        n_tokens = _joined([segment.documents.n_tokens for segment in segments])
        publication = _joined([segment.documents.publication for segment in segments])
        excess = counts / self.counts[chosen][group]
        excess -= n_tokens[document] / max(1, self._hits.base.n_tokens)
        # Both shares sum to 1, so the differences above zero are half of all.
        deviation = np.bincount(group, weights=np.maximum(excess, 0), minlength=len(chosen))
        papers = np.unique(group << HALF | publication[document])
        return GroupSpread(
            np.bincount(group, minlength=len(chosen)),
            np.bincount(papers >> HALF, minlength=len(chosen)),
            np.asarray(deviation, dtype=np.float64),
        )

    def _by_document(self, chosen: I64) -> tuple[I64, I64, I64]:
        """Return place in ``chosen``, number of the document and hits of each pair of the two."""
        places = np.full(len(self.counts), NOTHING)
        places[chosen] = np.arange(len(chosen))
        found = places[self._group]
        document = self._documents()[found != NOTHING]
        width = int(document.max(initial=0)) + 1
        pairs, counts = np.unique(found[found != NOTHING] * width + document, return_counts=True)
        return pairs // width, pairs % width, counts

    def _documents(self) -> I64:
        """Return the document of each hit, numbered through all segments."""
        first = 0
        documents = []
        for part in self._hits.parts:
            n_documents = part.view.segment.n_documents
            documents.append(np.repeat(np.arange(n_documents) + first, part.document_counts))
            first += n_documents
        found = _joined(documents)
        return found if self._counted is None else found[self._counted]


class _TypeGrouping:
    """Groups of types, known without the positions of the hits."""

    def __init__(self, selection: Selection, keys: Sequence[Key], is_hit: Mask) -> None:
        self._selection = selection
        lexicon = selection.snapshot.lexicon
        by_type = type_counts(selection)
        types = np.flatnonzero(is_hit & (by_type > 0))
        values = [type_values(lexicon, key.attribute) for key in keys if isinstance(key, Node)]
        self.numbers, group = distinct([value.numbers[types] for value in values])
        self.spellers = tuple(value.spell for value in values)
        sums = np.bincount(group, weights=by_type[types], minlength=len(self.numbers[0]))
        self.counts = sums.astype(np.int64)
        # Types of no hit make up one more group.
        self._group_of_type = np.full(len(is_hit), len(self.counts))
        self._group_of_type[types] = group

    def texts(self) -> I64:
        """Count the texts of every group."""
        if len(self.counts) <= FEW_GROUPS:
            return self.spread(np.arange(len(self.counts))).n_texts
        return document_counts(self._selection, self._group_of_type)[: len(self.counts)]

    def spread(self, chosen: I64) -> GroupSpread:
        """Find out over how much of the corpus some groups are spread."""
        found = spread_of(self._selection, self._group_of_type, chosen)
        return GroupSpread(found.texts, found.n_publications, found.dispersion)


def _joined(arrays: Sequence[npt.NDArray[np.integer]]) -> I64:
    return np.concatenate([np.empty(0, dtype=np.int64), *arrays])
