"""Order of concordance lines.

Input → output: hits, sort keys and a stretch of lines → the places of those hits.

Newest and oldest first read the documents from the ends of the segments and look at no more hits
than the page needs. All other orders compare every hit, but sort only the first lines: each segment
gives its candidates, and the candidates are sorted (``first_in_order``). The first lines are kept
with the hits, so turning pages costs nothing. Equal lines come newest text first, then in text
order, so an order does not depend on how the corpus happens to be cut into segments.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.concordance.by_time import lines_by_time, number_by_time
from search.engine.concordance.first_in_order import first_in_order, n_before
from search.engine.concordance.places import LineReference, Places
from search.engine.concordance.sort_columns import (
    SegmentSpans,
    SortColumn,
    columns_of,
    pack,
    packed,
    random_of,
)
from search.engine.concordance.sort_keys import SortKey, SortPlace
from search.engine.index.hits import Hits, SegmentHits
from search.engine.index.recent import Remembered

I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]
Index = npt.NDArray[np.intp]

MOST_SORTED = 20_000_000  # hits: 2 s of work; about 60 bytes a hit of one segment at a time
MANY_HITS = 1_000_000  # of so many the spans are not kept: 16 MB a result
LEAST_KEPT = 5_000  # lines of an order that are sorted and kept at least: a hundred pages
MORE_KEPT = 100_000  # lines that are sorted and kept when somebody turns further pages
POOL_SIZE = 4  # times the lines wanted; the candidates are cut when there are more


class TooManyHitsError(Exception):
    """Raised when so many hits are to be sorted that it would take too long; see MOST_SORTED."""

    def __init__(self, n_hits: int) -> None:
        super().__init__(f"{n_hits} hits are too many to sort")
        self.n_hits = n_hits


@dataclass(frozen=True, slots=True)
class Order:
    """How lines are chosen and sorted.

    Parameters
    ----------
    keys : tuple of SortKey
        The first decides first; the default is newest first.
    sample : int or None
        Keep only so many random hits.
    percent : float or None
        Keep each hit with this probability instead.
    seed : int
        For the sample and for ``SortPlace.RANDOM``: equal seeds choose equal hits.
    """

    keys: tuple[SortKey, ...] = (SortKey.NEW,)
    sample: int | None = None
    percent: float | None = None
    seed: int = 1

    @property
    def is_by_time(self) -> bool:
        """Whether lines come in order of time alone, and all of them."""
        return not self.is_thinned and self.keys in ((SortKey.NEW,), (SortKey.OLD,))

    @property
    def is_thinned(self) -> bool:
        """Whether some hits are left out."""
        return self.sample is not None or self.percent is not None


@dataclass(frozen=True, slots=True)
class Ranking:
    """The first lines of an order, an entry each: segment, number of the hit in it, span."""

    part: I64
    index: I64
    start: I64
    end: I64

    def __len__(self) -> int:
        return len(self.part)

    def cut(self, low: int, high: int) -> "Ranking":
        """Return a stretch of the lines."""
        stretch = slice(low, high)
        columns = (self.part, self.index, self.start, self.end)
        return Ranking(*(column[stretch] for column in columns))


def lines_in_order(hits: Hits, order: Order, offset: int, count: int) -> Places:
    """Return a stretch of the lines of a concordance.

    Parameters
    ----------
    offset, count : int
        First line, from 0, and number of lines.

    Raises
    ------
    TooManyHitsError
    """
    if order.is_by_time:
        return lines_by_time(hits, offset, count, newest=order.keys[0] == SortKey.NEW)
    ranking = _ranking(hits, order, offset + count)
    return _places(hits, ranking.cut(offset, offset + count))


def all_in_order(
    hits: Hits, order: Order, most: int, batch: int, skip: int = 0
) -> Iterator[Places]:
    """Go through the lines of a concordance, for files; everything is sorted once.

    Parameters
    ----------
    most, batch, skip : int
        At which line to end, how many to return at a time, and which to leave out before the first.

    Raises
    ------
    TooManyHitsError
        Before the first lines.
    """
    total = min(most, n_lines(hits, order))
    ranking = None if order.is_by_time else rank(hits, order, total)
    for offset in range(skip, total, batch):
        count = min(batch, total - offset)
        if ranking is None:
            newest = order.keys[0] == SortKey.NEW
            yield lines_by_time(hits, offset, count, newest=newest)
        else:
            yield _places(hits, ranking.cut(offset, offset + count))


def n_lines(hits: Hits, order: Order) -> int:
    """Return how many lines there are: all hits, or those of the sample."""
    if order.percent is not None:
        return sum(map(len, _chosen(hits, order).values()))
    return hits.total if order.sample is None else min(hits.total, order.sample)


def number_of_line(hits: Hits, order: Order, wanted: LineReference) -> int | None:
    """Return at which place, from 0, a hit stands; None if it is not among the lines."""
    if order.is_by_time:
        return number_by_time(hits, wanted, newest=order.keys[0] == SortKey.NEW)
    lines = _Lines(hits, order)
    own = lines.find(wanted)
    if own is None:
        return None
    columns = pack(columns_of(hits, order.keys, order.seed))
    values = [packed(group, own)[0] for group in columns]
    before = 0
    for part in lines.parts():
        keys = _keys(columns, [part])
        earlier, equal = n_before(keys, len(part), values)
        if part.part == own.part:
            same = (part.starts[equal] == wanted.start) & (part.ends[equal] == wanted.end)
            earlier += int(np.flatnonzero(same)[0])
        before += earlier
    return before


def _places(hits: Hits, ranking: Ranking) -> Places:
    row = np.empty(len(ranking), dtype=np.int64)
    for i in np.unique(ranking.part).tolist():
        at = np.flatnonzero(ranking.part == i)
        row[at] = hits.parts[i].view.segment.document_of(ranking.start[at])
    return Places(ranking.part, row, ranking.start, ranking.end)


def rank(hits: Hits, order: Order, k: int) -> Ranking:
    """Return the first k lines of an order.

    Raises
    ------
    TooManyHitsError
    """
    if hits.total > MOST_SORTED:
        raise TooManyHitsError(hits.total)
    columns = pack(columns_of(hits, order.keys, order.seed))
    return _first(_Lines(hits, order).parts(), columns, k)


def _let_go(hits: Hits, part: SegmentHits) -> None:
    """Forget the spans of very many hits where they can be read again from the postings.

    Results are kept for whoever turns the page; 16 bytes a hit for each would be too much.
    """
    is_made_again = isinstance(getattr(type(part), "spans", None), cached_property)
    if hits.total > MANY_HITS and is_made_again:
        vars(part).pop("spans", None)


# Of one result, for whoever tries one order after the other.
_RANKINGS: Remembered[Order, Ranking] = Remembered(4)


def _ranking(hits: Hits, order: Order, needed: int) -> Ranking:
    """Return the first lines, remembered with the hits."""
    recent = _RANKINGS.of(hits)
    known = recent.get(order)
    if known is not None and len(known) >= min(needed, n_lines(hits, order)):
        return known
    ranking = rank(hits, order, LEAST_KEPT if needed <= LEAST_KEPT else max(MORE_KEPT, needed))
    recent.put(order, ranking)
    return ranking


class _Lines:
    """The hits that are lines: all of them, or the sample."""

    def __init__(self, hits: Hits, order: Order) -> None:
        self._hits = hits
        self._chosen = _chosen(hits, order) if order.is_thinned else None

    def parts(self) -> Iterator[SegmentSpans]:
        """Go through the lines of each segment."""
        if self._chosen is None:
            yield from _all_parts(self._hits)
            return
        for i, index in self._chosen.items():
            yield _spans(self._hits, i).take(index)
            _let_go(self._hits, self._hits.parts[i])

    def find(self, wanted: LineReference) -> SegmentSpans | None:
        """Return one line alone."""
        part = _spans(self._hits, wanted.part)
        low, high = np.searchsorted(part.starts, [wanted.start, wanted.start + 1]).tolist()
        found = low + np.flatnonzero(part.ends[low:high] == wanted.end)
        if self._chosen is not None:
            chosen = self._chosen.get(wanted.part, np.empty(0, dtype=np.intp))
            found = found[np.isin(found, chosen)]
        return part.take(found[:1]) if len(found) else None


def _spans(hits: Hits, number: int) -> SegmentSpans:
    part = hits.parts[number]
    return SegmentSpans(number, part.view.segment, part.spans, part.document_counts)


def _all_parts(hits: Hits) -> Iterator[SegmentSpans]:
    """Go through the hits of each segment; of very many, those of one segment at a time."""
    for i, part in enumerate(hits.parts):
        yield _spans(hits, i)
        _let_go(hits, part)


# By size, share and seed.
_SAMPLES: Remembered[tuple[int | None, float | None, int], dict[int, Index]] = Remembered(4)


def _chosen(hits: Hits, order: Order) -> dict[int, Index]:
    """Return the numbers of the sample's hits by segment, ascending; remembered with the hits."""
    key = (order.sample, order.percent, order.seed)
    return _SAMPLES.of(hits).get_or(key, lambda: _choose(hits, order))


def _choose(hits: Hits, order: Order) -> dict[int, Index]:
    if hits.total > MOST_SORTED:
        raise TooManyHitsError(hits.total)
    return _thinned(hits, order) if order.sample is None else _sampled(hits, order)


def _sampled(hits: Hits, order: Order) -> dict[int, Index]:
    """Keep the hits with the smallest random numbers."""
    columns = pack(columns_of(hits, (SortKey(SortPlace.RANDOM),), order.seed))
    found = _first(_all_parts(hits), columns, order.sample or 0)
    return {i: np.sort(found.index[found.part == i]) for i in np.unique(found.part).tolist()}


def _thinned(hits: Hits, order: Order) -> dict[int, Index]:
    """Keep the hits whose random numbers lie in the first part of all numbers."""
    limit = np.uint64(min((1 << 64) - 1, int((order.percent or 0.0) / 100 * (1 << 64))))
    return {
        part.part: np.flatnonzero(random_of(part, order.seed) < limit) for part in _all_parts(hits)
    }


def _first(parts: Iterable[SegmentSpans], columns: list[list[SortColumn]], k: int) -> Ranking:
    """Return the first k lines: segment after segment, with those that may still be among them."""
    pool: list[SegmentSpans] = []
    edge: np.uint64 | None = None
    for part in parts:
        found = (
            part if edge is None else part.take(np.flatnonzero(packed(columns[0], part) <= edge))
        )
        pool.append(found.take(first_in_order(_keys(columns, [found]), len(found), k)))
        if sum(map(len, pool)) > POOL_SIZE * k:
            pool, edge = _cut(pool, columns, k)
    pool, _ = _cut(pool, columns, k)
    if not pool:
        return Ranking(_NONE, _NONE, _NONE, _NONE)
    order = np.lexsort([key(None) for key in reversed(_keys(columns, pool))])
    number = np.repeat([part.part for part in pool], [len(part) for part in pool])
    columns_found = (
        number,
        np.concatenate([part.numbers for part in pool]),
        np.concatenate([part.starts for part in pool]),
        np.concatenate([part.ends for part in pool]),
    )
    return Ranking(*(column[order] for column in columns_found))


_NONE: I64 = np.empty(0, dtype=np.int64)


def _cut(
    pool: list[SegmentSpans], columns: list[list[SortColumn]], k: int
) -> tuple[list[SegmentSpans], np.uint64 | None]:
    """Return the first k lines of a pool, and beyond which first number no line can be one."""
    keys = _keys(columns, pool)
    kept = first_in_order(keys, sum(map(len, pool)), k)
    edge = keys[0](kept).max() if len(kept) == k and k else None
    return _split(pool, kept), edge


def _keys(columns: list[list[SortColumn]], pool: list[SegmentSpans]) -> list[partial[U64]]:
    """Return what makes each number of some lines of a pool, or of all."""
    return [partial(_packed, group, pool) for group in columns]


def _packed(group: list[SortColumn], pool: list[SegmentSpans], chosen: Index | None) -> U64:
    parts = pool if chosen is None else _split(pool, chosen)
    return np.concatenate([np.empty(0, dtype=np.uint64), *(packed(group, part) for part in parts)])


def _split(pool: list[SegmentSpans], chosen: Index) -> list[SegmentSpans]:
    """Return the chosen lines of a pool, by segment; the numbers ascend."""
    ends = np.cumsum([len(part) for part in pool])
    cuts = np.searchsorted(chosen, ends).tolist()
    found, low = [], 0
    for part, end, high in zip(pool, ends.tolist(), cuts, strict=True):
        if high > low:
            found.append(part.take(chosen[low:high] - (end - len(part))))
        low = high
    return found
