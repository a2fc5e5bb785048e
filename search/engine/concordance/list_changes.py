"""What has come to a list of hits, and what has gone, between two generations.

Input → output: the hits of a query then and now, on one snapshot → numbers of hits by what became
of their texts. Hits in a text that was read anew, with the same words at the same place, are the
same hits. Only texts that differ are looked into.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from search.engine.concordance.hit_list import columns_of, names_of, nodes, places_in
from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.segments.columns import KIND_SHIFT, make_identities
from search.engine.index.segments.withdrawals import WITHDRAWN

Index = npt.NDArray[np.intp]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]

SOME_TEXTS = 20  # of a fate, for a page to name


class Fate(StrEnum):
    """Why a hit has come, or gone."""

    NEW = "new"  # its text was in no generation up to then
    CHANGED = "changed"  # its text has other words at that place now
    COUNTED = "counted"  # its text, the same words, was not counted by the filters, and is now
    WITHDRAWN = "withdrawn"
    LEFT = "left"  # its text is not in the corpus any more
    SET_ASIDE = "set aside"  # its text, the same words, is not counted by the filters any more


@dataclass(slots=True)
class Part:
    """Hits of one fate: how many, in how many texts.

    ``texts`` are the first `SOME_TEXTS` of these: kind, key, number of hits.
    """

    n_hits: int = 0
    n_texts: int = 0
    texts: list[tuple[DocumentKind, int, int]] = field(default_factory=list)

    def add(self, name: int, n: int) -> None:
        self.n_hits += n
        self.n_texts += 1
        if len(self.texts) < SOME_TEXTS:
            key = name & ((1 << int(KIND_SHIFT)) - 1)
            self.texts.append((DocumentKind(name >> int(KIND_SHIFT)), key, n))


@dataclass(frozen=True, slots=True)
class ListChanges:
    """``came`` and ``gone`` by fate; ``n_same`` hits are in both lists."""

    n_same: int
    came: dict[Fate, Part]
    gone: dict[Fate, Part]

    @property
    def n_came(self) -> int:
        return sum(part.n_hits for part in self.came.values())

    @property
    def n_gone(self) -> int:
        return sum(part.n_hits for part in self.gone.values())


@dataclass(frozen=True, slots=True)
class _Texts:
    """Documents with hits that are not the same in the other list: one entry each."""

    hits: Hits
    part: Index
    row: Index
    count: I64

    @property
    def names(self) -> U64:
        kind, key = names_of(self.hits, self.part, self.row)
        return make_identities(kind.astype(np.uint8), key)

    def where(self, mask: npt.NDArray[np.bool_]) -> "_Texts":
        return _Texts(self.hits, self.part[mask], self.row[mask], self.count[mask])


def changes_of(then: Hits, now: Hits) -> ListChanges:
    """Compare two lists of hits.

    Parameters
    ----------
    then, now : Hits
        On the same snapshot; of ``then`` with the texts that were withdrawn since
        (`DocumentFilter.has_withdrawn`).

    Returns
    -------
    ListChanges
        O(documents + hits in documents that were read anew).
    """
    n_same, before, after = _differing(then, now)
    both = np.intersect1d(before.names, after.names)
    in_both = np.isin(before.names, both), np.isin(after.names, both)
    came: dict[Fate, Part] = {}
    gone: dict[Fate, Part] = {}
    old, new = _hits_in(before.where(in_both[0])), _hits_in(after.where(in_both[1]))
    n_same += len(old & new)
    _sum_up(gone, [(name, Fate.CHANGED) for name, _, _ in sorted(old - new)])
    _sum_up(came, [(name, Fate.CHANGED) for name, _, _ in sorted(new - old)])
    _tell_fates(gone, before.where(~in_both[0]), then.generation, _fate_of_old)
    after = after.where(~in_both[1])
    is_new = ~_were_known(after, then.generation)
    if is_new.any():
        came[Fate.NEW] = _sum_of(after.where(is_new))
    _tell_fates(came, after.where(~is_new), then.generation, _fate_of_known)
    return ListChanges(n_same, came, gone)


def _were_known(texts: _Texts, generation: int) -> npt.NDArray[np.bool_]:
    """Say of which texts there was a version up to a generation."""
    names = texts.names
    known = [np.empty(0, dtype=np.uint64)]
    for view in texts.hits.snapshot.segments:
        columns, rows = view.segment.documents, view.segment.rows_of(np.unique(names))
        rows = rows[columns.generation_in[rows] <= generation]
        known.append(make_identities(columns.kind[rows], columns.key[rows]))
    return np.isin(names, np.concatenate(known))


def _sum_of(texts: _Texts) -> Part:
    part = Part()
    some = slice(SOME_TEXTS)
    for name, n in zip(texts.names[some].tolist(), texts.count[some].tolist(), strict=True):
        part.add(name, n)
    part.n_hits, part.n_texts = int(texts.count.sum()), len(texts.count)
    return part


_Version = tuple[SegmentView, int]


def _tell_fates(
    parts: dict[Fate, Part],
    texts: _Texts,
    generation: int,
    fate_of: Callable[[_Version, list[_Version], int, int], Fate],
) -> None:
    names, newest = texts.names, texts.hits.snapshot.generation
    versions = _versions(texts.hits.snapshot, names)
    rows = zip(*(column.tolist() for column in (names, texts.part, texts.row, texts.count)),
               strict=True)  # fmt: skip
    for name, part, row, count in rows:
        own = texts.hits.parts[part].view, row
        fate = fate_of(own, versions[name], generation, newest)
        parts.setdefault(fate, Part()).add(name, count)


def _fate_of_old(own: _Version, versions: list[_Version], _then: int, now: int) -> Fate:
    current = next((one for one in versions if _is_shown(one, now)), None)
    if current is not None:
        return Fate.SET_ASIDE if _same_words(own, current) else Fate.CHANGED
    view, row = own
    return Fate.WITHDRAWN if view.generation_out[row] >= WITHDRAWN else Fate.LEFT


def _fate_of_known(own: _Version, versions: list[_Version], then: int, _now: int) -> Fate:
    older = [one for one in versions if _came_in(one) <= then]
    at_the_time = next((one for one in older if _was_there(one, then)), older[-1])
    return Fate.COUNTED if _same_words(own, at_the_time) else Fate.CHANGED


def _came_in(version: _Version) -> int:
    view, row = version
    return int(view.segment.documents.generation_in[row])


def _is_shown(version: _Version, generation: int) -> bool:
    """Say whether a version is the one that a generation shows."""
    view, row = version
    is_withdrawn = view.generation_out[row] >= WITHDRAWN
    return not is_withdrawn and _was_there(version, generation)


def _was_there(version: _Version, generation: int) -> bool:
    view, row = version
    out = int(view.generation_out[row]) & (WITHDRAWN - 1)
    return _came_in(version) <= generation and (out == 0 or out > generation)


def _same_words(one: _Version, other: _Version) -> bool:
    if one == other:
        return True
    (view, row), (other_view, other_row) = one, other
    mine, theirs = view.segment, other_view.segment
    return np.array_equal(
        mine.stream[mine.bounds[row] : mine.bounds[row + 1]],
        theirs.stream[theirs.bounds[other_row] : theirs.bounds[other_row + 1]],
    )


def _versions(snapshot: Snapshot, names: U64) -> dict[int, list[_Version]]:
    """Return all versions of texts that the index keeps, by the texts' identities."""
    found: dict[int, list[_Version]] = {}
    wanted = np.unique(names)
    for view in snapshot.segments:
        rows = view.segment.rows_of(wanted)
        columns = view.segment.documents
        own = make_identities(columns.kind[rows], columns.key[rows]).tolist()
        for name, row in zip(own, rows.tolist(), strict=True):
            found.setdefault(name, []).append((view, row))
    return found


def _differing(then: Hits, now: Hits) -> tuple[int, _Texts, _Texts]:
    """Return how many hits are in documents with as many hits in both lists, and the others."""
    before = {id(part.view): part.document_counts for part in then.parts}
    after = {id(part.view): part.document_counts for part in now.parts}
    n_same = 0
    for view in before.keys() & after.keys():
        is_same = before[view] == after[view]
        n_same += int(before[view][is_same].sum())
    return n_same, _left(then, after), _left(now, before)


def _left(hits: Hits, others: dict[int, I64]) -> _Texts:
    rows, counts = [], []
    for part in hits.parts:
        own = part.document_counts
        other = others.get(id(part.view))
        differs = (own > 0) if other is None else (own > 0) & (own != other)
        rows.append(np.flatnonzero(differs))
        counts.append(own[differs])
    numbers = np.repeat(np.arange(len(rows)), [len(some) for some in rows])
    nothing = np.empty(0, dtype=np.int64)
    return _Texts(
        hits, numbers, np.concatenate([nothing, *rows]), np.concatenate([nothing, *counts])
    )


def _hits_in(texts: _Texts) -> set[tuple[int, int, str]]:
    """Return the hits in some documents: identity of the text, position, node."""
    places = places_in(texts.hits, texts.part, texts.row)
    kind, key, position = columns_of(texts.hits, places)
    names = make_identities(kind.astype(np.uint8), key).tolist()
    return set(zip(names, position.tolist(), nodes(texts.hits, places), strict=True))


def _sum_up(parts: dict[Fate, Part], fates: Sequence[tuple[int, Fate]]) -> None:
    """Add hits text by text; they come sorted by text."""
    counts: dict[tuple[int, Fate], int] = {}
    for one in fates:
        counts[one] = counts.get(one, 0) + 1
    for (name, fate), n in counts.items():
        parts.setdefault(fate, Part()).add(name, n)
