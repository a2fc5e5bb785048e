"""Trend: hits over time with the base of each point.

Input → output: hits and the documents they were looked for in → hits, tokens and texts by day,
added up by week, month or year; slope and test of the rates. Texts without a date are left out and
counted beside it. Where hits are positions in order of time, days are found by binary search of
their boundaries, without looking at the hits.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

import numpy as np
import numpy.typing as npt
from propcache.api import cached_property

from search.engine.index.hits import Hits, SegmentHits, TokenHits
from search.engine.index.joined_names import JOINED_COLUMNS, joined_names
from search.engine.index.reader import SegmentView, Snapshot
from search.engine.index.recent import Remembered
from search.engine.index.selection import Base, Selection
from search.engine.statistics.counting.hit_values import column_values
from search.engine.statistics.counting.intervals import MILLION, wilson_per_million
from search.engine.statistics.counting.periods import Periods, Unit, period_numbers
from search.engine.statistics.monotony import MonotonyTest, mann_kendall, theil_sen_slope

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

# Points that rest on fewer tokens are called thin: one hit more or less is five in a million there.
THIN_TOKENS = 200_000
MOST_POINTS = 400  # an automatic unit gives no more: three pixels a point on a wide screen
FEW_POINTS = 6  # a coarser unit with fewer says little about time
# Where that leaves none, the unit follows the span: at most so many points, thin or not.
POINTS_OF_SMALL_CORPORA = 62
FEW_LISTS = 64  # so many lists of positions are cut at the days sooner than joined


NO_TEXTS = Base(0, 0)


@dataclass(frozen=True)
class DailyBase:
    """Tokens and texts by day of publication, from the first to the last day of a selection.

    ``tokens`` and ``documents`` have shape (n_days,); without documents there are no days.
    ``undated`` is what stands in texts without a date, on no day.
    ``edges`` remembers where days begin in segments whose documents stand in order of days.
    """

    first_day: int
    tokens: I64
    documents: I64
    undated: Base = NO_TEXTS
    edges: dict[SegmentView, "DayEdges | None"] = field(default_factory=dict, repr=False)

    @property
    def last_day(self) -> int:
        """Last day; before the first if there is none."""
        return self.first_day + len(self.tokens) - 1


_DAILY_BASE: Remembered[None, DailyBase] = Remembered()


@dataclass(frozen=True, slots=True)
class DayEdges:
    """Runs of texts of one day, by position in a segment: days, ascending, and where they begin.

    A day that texts without a date stand between is several runs; their own runs are not `dated`.
    ``positions`` has one more, the end.
    """

    days: I64
    dated: Mask
    positions: npt.NDArray[np.uint32]


def daily_base(selection: Selection) -> DailyBase:
    """Count the selected tokens and texts by day; O(documents), remembered."""
    return _DAILY_BASE.of(selection).get_or(None, lambda: _daily_base(selection))


def _daily_base(selection: Selection) -> DailyBase:
    parts, undated = [], NO_TEXTS
    for days, lengths, dated in _selected_days(selection):
        if dated.all():
            parts.append((days, lengths))
            continue
        left_out = lengths[~dated]
        n_tokens = undated.n_tokens + int(left_out.sum(dtype=np.int64))
        undated = Base(n_tokens, undated.n_documents + len(left_out))
        if dated.any():
            parts.append((days[dated], lengths[dated]))
    first = min((int(days.min()) for days, _ in parts), default=0)
    n_days = max((int(days.max()) for days, _ in parts), default=first - 1) - first + 1
    tokens = np.zeros(n_days, dtype=np.int64)
    documents = np.zeros(n_days, dtype=np.int64)
    for days, lengths in parts:
        places = days.astype(np.int64) - first
        tokens += np.bincount(places, weights=lengths, minlength=n_days).astype(np.int64)
        documents += np.bincount(places, minlength=n_days)
    return DailyBase(first, tokens, documents, undated)


def _selected_days(
    selection: Selection,
) -> Iterator[tuple[npt.NDArray[np.integer], npt.NDArray[np.integer], Mask]]:
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        documents = view.segment.documents
        chosen = slice(None) if mask is None else mask
        days = documents.day[chosen]
        if len(days):
            yield days, documents.n_tokens[chosen], documents.dated[chosen]


@dataclass(frozen=True)
class Trend:
    """Hits by period.

    Parameters
    ----------
    hits, tokens, documents : ndarray of shape (n_points,)
        Hits; tokens and texts of the base.
    count_texts : callable
        Gives the texts with hits, which take longer to count.
    outer_days : tuple of int or None
        Days of the first and of the last hit; None without hits.
    undated : Base
        What was left out of the base: texts without a date.
    """

    periods: Periods
    hits: I64
    tokens: I64
    documents: I64
    count_texts: Callable[[], I64] = field(repr=False)
    outer_days: tuple[int, int] | None = None
    undated: Base = NO_TEXTS

    def __len__(self) -> int:
        return len(self.hits)

    @cached_property
    def texts(self) -> I64:
        """Texts with hits."""
        return self.count_texts()

    @cached_property
    def rates(self) -> F64:
        """Hits per million tokens; nan where there are no tokens."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.tokens > 0, MILLION * self.hits / self.tokens, np.nan)

    @cached_property
    def interval(self) -> tuple[F64, F64]:
        """Ends of the 95 % intervals of the rates (Wilson 1927)."""
        return wilson_per_million(self.hits, self.tokens)

    @cached_property
    def is_thin(self) -> Mask:
        """Which points rest on little text."""
        return self.tokens < THIN_TOKENS

    @cached_property
    def slope(self) -> float:
        """Change of the rate per period (Theil–Sen by tokens); nan with fewer than two points."""
        return theil_sen_slope(self.rates, self.tokens)

    @cached_property
    def test(self) -> MonotonyTest | None:
        """Mann–Kendall test of the rates by tokens; None with fewer than three points."""
        return mann_kendall(self.rates, self.tokens)

    @cached_property
    def n_thin(self) -> int:
        """How many of the points with text rest on little of it."""
        return int(np.count_nonzero(self.is_thin & (self.tokens > 0)))

    @cached_property
    def peak(self) -> int | None:
        """The point with the highest rate, of those that are not thin if there are such."""
        solid = np.where(self.is_thin, np.nan, self.rates)
        rates = self.rates if np.isnan(solid).all() else solid
        if not self.hits.any() or np.isnan(rates).all():
            return None
        return int(np.nanargmax(rates))


@dataclass(frozen=True, slots=True)
class MovingAverage:
    """A trend without its ups and downs: shape (n_points,) each, nan at points without text.

    ``rates`` are hits per million tokens of the periods around each point taken together, so that
    each counts by its tokens; ``hits`` are the mean of the periods among them that have text.
    """

    rates: F64
    hits: F64


def moving_average(trend: Trend, n_periods: int) -> MovingAverage:
    """Average each point with its neighbours.

    Parameters
    ----------
    n_periods : int
        Odd: so many periods, the point's own in the middle; at both ends, those there are.
    """
    places = np.arange(len(trend))
    first = np.maximum(places - n_periods // 2, 0)
    behind = np.minimum(places + n_periods // 2 + 1, len(trend))

    def sums(values: npt.NDArray[np.generic]) -> F64:
        up_to = np.concatenate([[0], np.cumsum(values)])
        own: F64 = np.where(trend.tokens > 0, up_to[behind] - up_to[first], np.nan)
        return own

    hits = sums(trend.hits)
    return MovingAverage(MILLION * hits / sums(trend.tokens), hits / sums(trend.tokens > 0))


def choose_unit(base: DailyBase) -> Unit:
    """Choose the finest unit of which most points are not thin.

    Units with more than `MOST_POINTS` points are passed over, and all but days with fewer than
    `FEW_POINTS`. Where that leaves none, it is the finest with at most `POINTS_OF_SMALL_CORPORA`.
    """
    units = []
    for unit in Unit:
        periods = Periods(unit, base.first_day, base.last_day)
        if len(periods) > MOST_POINTS:
            continue
        units.append((unit, len(periods)))
        if unit is not Unit.DAY and len(periods) < FEW_POINTS:
            break
        tokens = periods.sums(base.tokens)
        present = tokens[tokens > 0]
        if len(present) and float(np.median(present)) >= THIN_TOKENS:
            return unit
    fitting = [unit for unit, n_points in units if n_points <= POINTS_OF_SMALL_CORPORA]
    return fitting[0] if fitting else Unit.YEAR


def trend(hits: Hits, selection: Selection, unit: Unit) -> Trend:
    """Count hits by period.

    Parameters
    ----------
    selection : Selection
        The documents they were looked for in; from its first to its last day each period is a
        point, with or without hits.

    Returns
    -------
    Trend
        O(documents); hits of few types in unfiltered segments cost O(days log hits) instead.
    """
    base = daily_base(selection)
    periods = Periods(unit, base.first_day, base.last_day)
    by_day = daily_hits(hits, base)
    days = np.flatnonzero(by_day) + base.first_day
    return Trend(
        periods,
        periods.sums(by_day),
        periods.sums(base.tokens),
        periods.sums(base.documents),
        lambda: periods.sums(daily_texts(hits, base)),
        (int(days[0]), int(days[-1])) if len(days) else None,
        base.undated,
    )


def daily_hits(hits: Hits, base: DailyBase) -> I64:
    """Count hits by day of the base: shape (n_days,)."""
    counts = np.zeros(len(base.tokens), dtype=np.int64)
    for part in hits.parts:
        lists = _lists(part)
        edges = _day_edges(part.view, base) if lists is not None else None
        if lists is None or edges is None:
            _add_by_document(counts, part, base)
            continue
        before = np.zeros(len(edges.positions), dtype=np.int64)
        for positions in lists:
            before += positions.searchsorted(edges.positions)
        n = np.diff(before)
        np.add.at(counts, edges.days[edges.dated] - base.first_day, n[edges.dated])
    return counts


def _lists(part: SegmentHits) -> Sequence[npt.NDArray[np.integer]] | None:
    """Ascending positions that together are the hits; None where they would have to be made."""
    if not isinstance(part, TokenHits) or part.mask is not None:
        return None
    postings = part.view.segment.postings
    few = len(part.rows) <= FEW_LISTS
    return [postings.of_row(row) for row in part.rows.tolist()] if few else None


def _day_edges(view: SegmentView, base: DailyBase) -> DayEdges | None:
    """Return where days begin in a segment, all of which belongs to the base.

    None if the segment's documents are not in order of days.
    """
    if view not in base.edges:
        days, dated = view.segment.documents.day, view.segment.documents.dated
        steps = np.diff(days)
        begins = np.append(True, (steps != 0) | (dated[1:] != dated[:-1]))
        first_rows = np.flatnonzero(begins) if len(days) else steps
        edges = view.segment.bounds[np.append(first_rows, len(days))].astype(np.uint32)
        in_order = not bool((steps < 0).any())
        runs = DayEdges(days[first_rows].astype(np.int64), dated[first_rows], edges)
        base.edges[view] = runs if in_order else None
    return base.edges[view]


def _add_by_document(counts: I64, part: SegmentHits, base: DailyBase) -> None:
    rows = _dated_rows(part)
    places = part.view.segment.documents.day[rows].astype(np.int64) - base.first_day
    sums = np.bincount(places, weights=part.document_counts[rows], minlength=len(counts))
    counts += sums.astype(np.int64)


def _dated_rows(part: SegmentHits) -> npt.NDArray[np.intp]:
    """Return the documents with hits that have a date."""
    return np.flatnonzero((part.document_counts > 0) & part.view.segment.documents.dated)


def daily_texts(hits: Hits, base: DailyBase) -> I64:
    """Count texts with hits by day of the base: shape (n_days,)."""
    counts = np.zeros(len(base.tokens), dtype=np.int64)
    for part in hits.parts:
        rows = _dated_rows(part)
        places = part.view.segment.documents.day[rows].astype(np.int64) - base.first_day
        counts += np.bincount(places, minlength=len(counts))
    return counts


def trends_by_column(hits: Hits, selection: Selection, unit: Unit, column: str) -> dict[int, Trend]:
    """Count hits by period for each value of a document column (``publication``, ``agency`` …).

    Returns
    -------
    dict
        Trends by value number, all over the same periods; values without documents that have a
        date are left out. A text of several authors or agencies is in the trend of each; their
        numbers are those of `joined_names`.
    """
    base = daily_base(selection)
    periods = Periods(unit, base.first_day, base.last_day)
    if not len(periods):
        return {}
    values = _values_of(selection, column)
    table = np.zeros((len(_LINES), len(values), len(periods)), dtype=np.int64)
    for counted in chain(_found(hits), _base(selection)):
        rows, numbers, weights = _with_values(counted, selection.snapshot, column)
        group = np.searchsorted(values, numbers)
        days = counted.view.segment.documents.day[rows]
        places = group * len(periods) + period_numbers(days, unit) - periods.numbers[0]
        sums = np.bincount(places, weights=weights, minlength=table[0].size)
        table[_LINES.index(counted.line)] += sums.reshape(table.shape[1:]).astype(np.int64)
    outer = _outer_days(hits, values, column)
    trends = {}
    for i, value in enumerate(values.tolist()):
        n_hits, texts, tokens, documents = table[:, i]
        trends[value] = Trend(
            periods, n_hits, tokens, documents, partial(np.asarray, texts), outer[i], base.undated
        )
    return trends


def _values_of(selection: Selection, column: str) -> I64:
    """Return the numbers of the values that dated documents have, ascending."""
    found = [
        np.unique(_with_values(counted, selection.snapshot, column)[1])
        for counted in _base(selection)
    ]
    return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *found])).astype(np.int64)


def _with_values(
    counted: "_Counted", snapshot: Snapshot, column: str
) -> tuple[npt.NDArray[np.intp], I64, npt.NDArray[np.generic] | None]:
    """Give documents, the number of the value of each and what each adds, once for each name."""
    numbers = column_values(counted.view.segment.documents, column)[counted.rows]
    if column not in JOINED_COLUMNS:
        return counted.rows, numbers, counted.weights
    places, numbers = joined_names(snapshot, column).parted(numbers)
    weights = None if counted.weights is None else counted.weights[places]
    return counted.rows[places], numbers, weights


def _outer_days(hits: Hits, values: I64, column: str) -> list[tuple[int, int] | None]:
    """Return the days of the first and last hit of each value."""
    far = np.iinfo(np.int64).max
    first, last = np.full(len(values), far), np.full(len(values), -far)
    for found in _found(hits):
        rows, numbers, _ = _with_values(found, hits.snapshot, column)
        group = np.searchsorted(values, numbers)
        days = found.view.segment.documents.day[rows].astype(np.int64)
        np.minimum.at(first, group, days)
        np.maximum.at(last, group, days)
    pairs = zip(first.tolist(), last.tolist(), strict=True)
    return [None if start == far else (start, end) for start, end in pairs]


_LINES = ("hits", "texts", "tokens", "documents")  # in the order of Trend


@dataclass(frozen=True, slots=True)
class _Counted:
    """What some documents of a segment add to a line of the table."""

    line: str
    view: SegmentView
    rows: npt.NDArray[np.intp]
    weights: npt.NDArray[np.generic] | None


def _base(selection: Selection) -> Iterator[_Counted]:
    for view, mask in zip(selection.snapshot.segments, selection.masks, strict=True):
        documents = view.segment.documents
        rows = np.flatnonzero(documents.dated if mask is None else mask & documents.dated)
        yield _Counted("tokens", view, rows, documents.n_tokens[rows])
        yield _Counted("documents", view, rows, None)


def _found(hits: Hits) -> Iterator[_Counted]:
    for part in hits.parts:
        rows = _dated_rows(part)
        yield _Counted("hits", part.view, rows, part.document_counts[rows])
        yield _Counted("texts", part.view, rows, None)
