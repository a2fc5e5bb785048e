"""Order of concordance lines.

Input → output: hits, sort keys and a stretch of lines → references to those hits.

Newest and oldest first read the documents from the ends of the segments and look at no more hits
than the page needs. All other orders sort every hit once; the order is kept with the hits. Words
are compared in lower case by code point; equal lines stay newest first, then in text order, so an
order does not depend on how the corpus happens to be cut into segments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from search.concordance.sampling import random_numbers, smallest
from search.index.columns import make_identities
from search.index.hits import Hits, SegmentHits
from search.index.lexicon import LexiconView

I64 = npt.NDArray[np.int64]
Index = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

MAX_KEYS = 3
NODE_WORDS = 5  # words of a long node that are compared
NOTHING = -1  # before the first and after the last token of a text; sorts first


class SortKey(StrEnum):
    """What lines are sorted by: l1 is the word next to the node, r1 the first after it."""

    NEW = "new"
    OLD = "old"
    LEFT_1 = "l1"
    LEFT_2 = "l2"
    LEFT_3 = "l3"
    NODE = "node"
    RIGHT_1 = "r1"
    RIGHT_2 = "r2"
    RIGHT_3 = "r3"
    PUBLICATION = "pub"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Order:
    """How lines are chosen and sorted.

    Parameters
    ----------
    keys : tuple of SortKey
        Up to three; the default is newest first.
    sample : int or None
        Keep only so many random hits.
    seed : int
        For the sample and for ``RANDOM``.
    """

    keys: tuple[SortKey, ...] = (SortKey.NEW,)
    sample: int | None = None
    seed: int = 1


@dataclass(frozen=True, slots=True)
class LineReference:
    """A hit: number of the segment among the hits' parts, row of the document, span."""

    part: int
    row: int
    start: int
    end: int


def lines_in_order(hits: Hits, order: Order, offset: int, count: int) -> list[LineReference]:
    """Return a stretch of the lines of a concordance.

    Parameters
    ----------
    hits : Hits
    order : Order
    offset, count : int
        First line, from 0, and number of lines.
    """
    by_time = order.sample is None and order.keys in ((SortKey.NEW,), (SortKey.OLD,))
    if by_time:
        return _lines_by_time(hits, offset, count, newest=order.keys[0] is SortKey.NEW)
    flat = _flat(hits)
    permutation = _permutation(hits, flat, order)[offset : offset + count]
    columns = (flat.part, flat.row, flat.start, flat.end)
    return [
        LineReference(*values)
        for values in zip(*(column[permutation].tolist() for column in columns), strict=True)
    ]


def n_lines(hits: Hits, order: Order) -> int:
    """Return how many lines there are: all hits, or those of the sample."""
    return hits.total if order.sample is None else min(hits.total, order.sample)


def number_of_line(hits: Hits, order: Order, wanted: LineReference) -> int | None:
    """Return at which place, from 0, a hit stands; None if it is not among the lines."""
    spans = hits.parts[wanted.part].spans_in(wanted.row)
    within = np.flatnonzero((spans.starts == wanted.start) & (spans.ends == wanted.end))
    if not len(within):
        return None
    if order.sample is None and order.keys in ((SortKey.NEW,), (SortKey.OLD,)):
        ranks = _document_ranks(hits)
        documents = hits.documents
        own = (documents.part == wanted.part) & (documents.row == wanted.row)
        rank = int(ranks[own][0])
        before = ranks < rank if order.keys[0] is SortKey.NEW else ranks > rank
        return int(documents.count[before].sum()) + int(within[0])
    flat = _flat(hits)
    same = (flat.part == wanted.part) & (flat.start == wanted.start) & (flat.end == wanted.end)
    found = np.flatnonzero(_permutation(hits, flat, order) == np.flatnonzero(same)[0])
    return int(found[0]) if len(found) else None


# By time


def _lines_by_time(hits: Hits, offset: int, count: int, *, newest: bool) -> list[LineReference]:
    needed = offset + count
    ranked = _documents_by_time(hits, needed, newest=newest)
    lines: list[LineReference] = []
    passed = 0
    for i, row in ranked:
        here = int(hits.parts[i].document_counts[row])
        if passed + here > offset:
            spans = hits.parts[i].spans_in(row)
            chosen = slice(max(0, offset - passed), needed - passed)
            starts, ends = spans.starts[chosen].tolist(), spans.ends[chosen].tolist()
            lines += [LineReference(i, row, a, b) for a, b in zip(starts, ends, strict=True)]
        passed += here
        if passed >= needed:
            break
    return lines


def _documents_by_time(hits: Hits, needed: int, *, newest: bool) -> list[tuple[int, int]]:
    """Return (part, row) of the first documents that together hold so many hits.

    Segments are taken in order of their newest (oldest) document until the rest lie beyond.
    """
    at = -1 if newest else 0
    edges = [_time_key(hits, i, at) for i in range(len(hits.parts))]
    found: list[tuple[tuple[int, int, int], int, int, int]] = []
    for i in sorted(range(len(edges)), key=edges.__getitem__, reverse=newest):
        if _is_beyond(edges[i], found, needed, newest=newest):
            break
        part = hits.parts[i]
        counts = part.document_counts
        rows = np.flatnonzero(counts)
        rows = rows[::-1] if newest else rows
        enough = int(np.searchsorted(np.cumsum(counts[rows]), needed)) + 1
        found += [
            (_time_key(hits, i, row), i, row, int(counts[row])) for row in rows[:enough].tolist()
        ]
        found.sort(reverse=newest)
    return [(i, row) for _, i, row, _ in found]


def _is_beyond(
    edge: tuple[int, int, int],
    found: list[tuple[tuple[int, int, int], int, int, int]],
    needed: int,
    *,
    newest: bool,
) -> bool:
    """Say whether a segment that begins at an edge cannot change the first documents."""
    held = 0
    for key, _, _, count in found:
        held += count
        if held >= needed:
            return edge < key if newest else edge > key
    return False


def _time_key(hits: Hits, part: int, row: int) -> tuple[int, int, int]:
    columns = hits.parts[part].view.segment.documents
    return int(columns.published[row]), int(columns.kind[row]), int(columns.key[row])


# By anything else


@dataclass(frozen=True, slots=True)
class _Flat:
    """All hits of all segments, one row each; ``document`` counts the documents with hits."""

    part: I64
    row: I64
    start: I64
    end: I64
    document: I64
    sizes: tuple[int, ...]


def _flat(hits: Hits) -> _Flat:
    known = hits.caches.get("flat")
    if isinstance(known, _Flat):
        return known
    documents = hits.documents
    number = np.repeat(np.arange(len(documents.count)), documents.count)
    spans = [part.spans for part in hits.parts]
    empty = np.empty(0, dtype=np.int64)
    flat = _Flat(
        documents.part[number],
        documents.row[number],
        np.concatenate([empty, *(s.starts for s in spans)]),
        np.concatenate([empty, *(s.ends for s in spans)]),
        number,
        tuple(len(s) for s in spans),
    )
    hits.caches["flat"] = flat
    return flat


def _permutation(hits: Hits, flat: _Flat, order: Order) -> Index:
    known = hits.caches.get(order)
    if isinstance(known, np.ndarray):
        return known
    chosen = np.arange(len(flat.start))
    if order.sample is not None:
        chosen = smallest(_random(hits, flat, order.seed), order.sample)
    newest = _document_ranks(hits)[flat.document]
    columns: list[npt.NDArray[np.integer]] = []
    for key in order.keys[:MAX_KEYS]:
        columns.extend(_sort_columns(hits, flat, order, key))
    columns.extend((newest, flat.start))
    keys = [column[chosen] for column in reversed(columns)]
    permutation = chosen[np.lexsort(keys)]
    hits.caches[order] = permutation
    return permutation


def _sort_columns(
    hits: Hits, flat: _Flat, order: Order, key: SortKey
) -> list[npt.NDArray[np.integer]]:
    """Return what one key compares: one array of shape (n_hits,) or several."""
    if key in (SortKey.NEW, SortKey.OLD):
        ranks = _document_ranks(hits)[flat.document]
        return [ranks if key is SortKey.NEW else -ranks]
    if key is SortKey.RANDOM:
        return [_random(hits, flat, order.seed)]
    if key is SortKey.PUBLICATION:
        return [_publication_ranks(hits, flat)]
    if key is SortKey.NODE:
        longest = int((flat.end - flat.start).max(initial=1))
        places = [flat.start + i for i in range(min(longest, NODE_WORDS))]
        return [_word_ranks(hits, flat, np.where(p < flat.end, p, NOTHING)) for p in places]
    distance = int(key.value[1])
    place = flat.start - distance if key.value[0] == "l" else flat.end - 1 + distance
    return [_word_ranks(hits, flat, place)]


def _document_ranks(hits: Hits) -> Index:
    """Return the rank of each document with hits, newest first."""
    documents = hits.documents
    columns = [part.view.segment.documents for part in hits.parts]
    published = _gather([c.published for c in columns], documents.part, documents.row)
    kind = _gather([c.kind for c in columns], documents.part, documents.row)
    key = _gather([c.key for c in columns], documents.part, documents.row)
    ranks = np.empty(len(published), dtype=np.intp)
    ranks[np.lexsort((key, kind, published))[::-1]] = np.arange(len(published))
    return ranks


def _gather(
    columns: Sequence[npt.NDArray[np.integer]], parts: I64, rows: I64
) -> npt.NDArray[np.int64]:
    """Return the values of rows of several segments; ``parts`` is ascending."""
    result = np.empty(len(rows), dtype=np.int64)
    for i, column in enumerate(columns):
        low, high = np.searchsorted(parts, [i, i + 1]).tolist()
        result[low:high] = column[rows[low:high]]
    return result


def _random(hits: Hits, flat: _Flat, seed: int) -> npt.NDArray[np.uint64]:
    columns = [part.view.segment.documents for part in hits.parts]
    kinds = _gather([c.kind for c in columns], flat.part, flat.row).astype(np.uint8)
    keys = _gather([c.key for c in columns], flat.part, flat.row)
    bounds = _gather([part.view.segment.bounds for part in hits.parts], flat.part, flat.row)
    return random_numbers(make_identities(kinds, keys), flat.start - bounds, seed)


def _publication_ranks(hits: Hits, flat: _Flat) -> Index:
    columns = [part.view.segment.documents.publication for part in hits.parts]
    values = _gather(columns, flat.part, flat.row)
    unique, inverse = np.unique(values, return_inverse=True)
    names = [hits.snapshot.lexicon.value(number) for number in unique.tolist()]
    return _ranks(names)[inverse]


def _word_ranks(hits: Hits, flat: _Flat, places: I64) -> Index:
    """Rank the words at some positions; outside of the text comes first."""
    lexicon = hits.snapshot.lexicon
    forms = np.full(len(places), NOTHING, dtype=np.int64)
    begin = 0
    for part, size in zip(hits.parts, flat.sizes, strict=True):
        here = slice(begin, begin + size)
        forms[here] = _forms_at(part, lexicon, places[here], flat.row[here])
        begin += size
    present = np.zeros(lexicon.size.n_forms + 1, dtype=np.bool_)
    present[forms] = True  # NOTHING is the last place
    numbers = np.flatnonzero(present[:-1])
    ranks = np.full(len(present), -1, dtype=np.intp)
    ranks[numbers] = _ranks([lexicon.form(number) for number in numbers.tolist()])
    return ranks[forms]


def _forms_at(part: SegmentHits, lexicon: LexiconView, places: I64, rows: I64) -> I64:
    """Return the lower-case form at positions that lie within their document."""
    segment = part.view.segment
    inside = (places >= segment.bounds[rows]) & (places < segment.bounds[rows + 1])
    types = segment.stream[np.where(inside, places, 0)]
    return np.where(inside, lexicon.lower[lexicon.words[types]].astype(np.int64), NOTHING)


def _ranks(names: list[str]) -> Index:
    """Rank strings in code-point order; equal ones cannot occur."""
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)
    ranks = np.empty(len(names), dtype=np.intp)
    ranks[order] = np.arange(len(names))
    return ranks
