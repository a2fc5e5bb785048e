"""Where marked lines stand in a generation of the index, by text and place.

Input → output: marked lines and a generation → those that it has, checked by their words.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from search.engine.concordance.kwic import KwicLine, PageRequest, lines_at
from search.engine.concordance.places import LineReference, Places
from search.engine.index.hits import Hits, SpanHits, Spans
from search.engine.index.reader import Snapshot
from search.engine.index.segments.columns import make_identities
from search.engine.index.segments.withdrawals import shown_at
from search.engine.index.selection import Base

_LINES_AT_A_TIME = 500
_NO_SPANS = Spans(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


class PlacedLine(Protocol):
    """A line by the text it stands in (kind and key), its tokens there, and their words."""

    kind: int
    key: int
    position: int
    length: int
    words: str


def find_lines(
    lines: Sequence[PlacedLine], snapshot: Snapshot, generation: int, page: PageRequest
) -> list[KwicLine | None]:
    """Find lines again, with the context that a page asks for.

    Returns
    -------
    list of KwicLine or None
        One for each line; None where the generation lacks its text, as when that is withdrawn,
        or has other words at its place. O(lines · segments).
    """
    parts = tuple(SpanHits(view, _NO_SPANS, None) for view in snapshot.segments)
    hits = Hits(snapshot, generation, parts, Base(0, 0))
    found: list[KwicLine | None] = []
    for first in range(0, len(lines), _LINES_AT_A_TIME):
        batch = lines[first : first + _LINES_AT_A_TIME]
        places = _places(batch, snapshot, generation)
        there = [place for place in places if place is not None]
        shown = iter(lines_at(hits, Places.of(there), page))
        rows = [None if place is None else next(shown) for place in places]
        found += [
            row if row is not None and row.node == line.words else None
            for line, row in zip(batch, rows, strict=True)
        ]
    return found


def are_there(lines: Sequence[PlacedLine], snapshot: Snapshot, generation: int) -> list[bool]:
    """Say for each line whether a generation has it."""
    bare = replace(PageRequest(), context=0)
    return [line is not None for line in find_lines(lines, snapshot, generation, bare)]


def _places(
    lines: Sequence[PlacedLine], snapshot: Snapshot, generation: int
) -> list[LineReference | None]:
    """Return where lines would stand, whatever words are there."""
    kinds = np.array([line.kind for line in lines], dtype=np.uint8)
    keys = np.array([line.key for line in lines], dtype=np.int64)
    wanted = make_identities(kinds, keys)
    texts: dict[int, tuple[int, int, int, int]] = {}
    for number, view in enumerate(snapshot.segments):
        segment = view.segment
        rows = segment.rows_of(np.unique(wanted))
        incoming = segment.documents.generation_in[rows]
        rows = rows[shown_at(incoming, view.generation_out[rows], generation)]
        columns = segment.documents
        names = make_identities(columns.kind[rows], columns.key[rows]).tolist()
        places = zip(rows.tolist(), segment.bounds[rows].tolist(), strict=True)
        for name, (row, start) in zip(names, places, strict=True):
            texts[name] = (number, row, start, segment.n_tokens)
    return [
        _place(line, texts.get(name)) for line, name in zip(lines, wanted.tolist(), strict=True)
    ]


def _place(line: PlacedLine, text: tuple[int, int, int, int] | None) -> LineReference | None:
    if text is None:
        return None
    part, row, start, n_tokens = text
    first, after = start + line.position, start + line.position + line.length
    return LineReference(part, row, first, after) if after <= n_tokens else None
