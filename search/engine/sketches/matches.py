"""Matches of the patterns of a relation, many at once, and which of them a query would show.

Input → output: a field of tokens and the patterns of a list → `Matches`, one row for each pair of
word and collocate; of these the hits that the CQL of the list has. A query keeps of the matches
with one start the shortest, and of those that end together the longest (`ast.Strategy.STANDARD`);
so what is counted here is just what its link opens.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from search.engine.query.ast import Condition, Pattern
from search.engine.query.walks import flat_items
from search.engine.sketches.fields import StretchField, WindowField
from search.engine.sketches.grammar import BY, DEPENDENT, HEAD, RelationPattern
from search.engine.sketches.walking import Index, Reached, advance

I64 = npt.NDArray[np.int64]
U32 = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Matches:
    """Matches in one segment: arrays of shape (n_matches,).

    ``starts`` and ``ends`` are positions, half open; ``words`` and ``collocates`` are types of the
    labelled tokens, ``by`` that of the third one, None in lists without.
    """

    starts: I64
    ends: I64
    words: U32
    collocates: U32
    by: U32 | None = None

    def __len__(self) -> int:
        return len(self.starts)


def join_matches(parts: Sequence[Matches]) -> Matches:
    """Put matches of one segment together."""
    nothing = np.empty(0, dtype=np.int64)
    types = nothing.astype(np.uint32)
    return Matches(
        np.concatenate([nothing, *(part.starts for part in parts)]),
        np.concatenate([nothing, *(part.ends for part in parts)]),
        np.concatenate([types, *(part.words for part in parts)]),
        np.concatenate([types, *(part.collocates for part in parts)]),
        _joined_by(types, parts),
    )


def _joined_by(nothing: U32, parts: Sequence[Matches]) -> U32 | None:
    known = [part.by for part in parts if part.by is not None]
    return np.concatenate([nothing, *known]) if known else None


@dataclass(frozen=True, slots=True)
class _Placed:
    """Anchors whose labelled tokens stand at the same offsets; ``edge`` is a start or an end."""

    offsets: dict[str, int]
    edge: int
    chosen: Index


def matches(
    field: WindowField | StretchField, pattern: RelationPattern, word: str, anchors: Index
) -> Matches:
    """Find all matches of a pattern.

    Parameters
    ----------
    word : str
        Which label the word of the sketch has: `HEAD` or `DEPENDENT`.
    anchors : ndarray
        Numbers of the anchors that count. They stand for the word; in a stretch, for the first
        labelled token.
    """
    names = [label for label, _ in pattern.labels]
    at = names.index(word) if isinstance(field, WindowField) else 0
    begun = field.meeting(pattern.labels[at][1].condition, 0, anchors)
    left = list(_to_left(field, pattern, at, _Placed({names[at]: 0}, 0, begun)))
    found = []
    for before in left:
        for behind in _to_right(field, pattern, at, replace(before, edge=1)):
            chosen, offsets = behind.chosen, behind.offsets
            positions = field.positions(chosen)
            types = {label: field.types(offset, chosen) for label, offset in offsets.items()}
            collocate = DEPENDENT if word == HEAD else HEAD
            found.append(
                Matches(
                    positions + before.edge,
                    positions + behind.edge,
                    types[word],
                    types[collocate],
                    types.get(BY),
                )
            )
    return join_matches(found)


def _to_right(
    field: WindowField | StretchField, pattern: RelationPattern, at: int, placed: _Placed
) -> Iterator[_Placed]:
    """Go from a labelled token to the end of the pattern; each place of labels apart."""
    gap, start = pattern.gaps[at + 1], {placed.edge: placed.chosen}
    if at or flat_items(pattern.gaps[0]):
        reached = advance(field, gap, start)
    else:  # many patterns begin alike
        reached = _walked(field, pattern.labels[0][1].condition, tuple(flat_items(gap)), start)
    if at + 1 == len(pattern.labels):
        for boundary, chosen in reached.items():
            yield _Placed(placed.offsets, boundary, chosen)
        return
    label, token = pattern.labels[at + 1]
    for boundary, chosen in reached.items():
        passed = field.meeting(token.condition, boundary, chosen)
        if len(passed):
            offsets = {**placed.offsets, label: boundary}
            yield from _to_right(field, pattern, at + 1, _Placed(offsets, boundary + 1, passed))


def _walked(
    field: WindowField | StretchField, first: Condition, items: tuple[Pattern, ...], start: Reached
) -> Reached:
    """Go over items behind the first token of a pattern; what was gone over before is known."""
    if not items:
        return start
    known = field.walked.get((first, items))
    if known is None:
        known = advance(field, items[-1], _walked(field, first, items[:-1], start))
        field.walked[first, items] = known
    return known


def _to_left(
    field: WindowField | StretchField, pattern: RelationPattern, at: int, placed: _Placed
) -> Iterator[_Placed]:
    """Go from a labelled token to the start of the pattern."""
    reached = advance(field, pattern.gaps[at], {placed.edge: placed.chosen}, forward=False)
    if not at:
        for boundary, chosen in reached.items():
            yield _Placed(placed.offsets, boundary, chosen)
        return
    label, token = pattern.labels[at - 1]
    for boundary, chosen in reached.items():
        passed = field.meeting(token.condition, boundary - 1, chosen)
        if len(passed):
            offsets = {**placed.offsets, label: boundary - 1}
            yield from _to_left(field, pattern, at - 1, _Placed(offsets, boundary - 1, passed))


def shown_by_query(starts: I64, ends: I64, keys: I64) -> Index:
    """Return which matches a query of each key would show.

    Parameters
    ----------
    starts, ends, keys : ndarray of shape (n_matches,)
        A key is what a query asks for, such as a collocate: each is looked at apart.

    Returns
    -------
    ndarray
        One match for each key and start, the shortest, and of these one for each key and end, the
        longest. O(n log n), or O(n) where nothing stands twice.
    """
    kept = _first_of_each(starts, keys, ends)
    return kept[_first_of_each(ends[kept], keys[kept], starts[kept])]


def _first_of_each(places: I64, keys: I64, order: I64) -> Index:
    """Return of the rows with the same place and key the one that is first in order."""
    by_place = np.argsort(places, kind="stable")
    sorted_places = places[by_place]
    same = sorted_places[1:] == sorted_places[:-1]
    if not same.any():
        return np.arange(len(places))
    doubtful = np.zeros(len(places), dtype=np.bool_)
    doubtful[1:] |= same
    doubtful[:-1] |= same
    rows = by_place[doubtful]
    sorting = np.lexsort((order[rows], keys[rows], places[rows]))
    rows = rows[sorting]
    again = np.zeros(len(rows), dtype=np.bool_)
    again[1:] = (places[rows[1:]] == places[rows[:-1]]) & (keys[rows[1:]] == keys[rows[:-1]])
    kept = np.ones(len(places), dtype=np.bool_)
    kept[rows[again]] = False
    return np.flatnonzero(kept)
