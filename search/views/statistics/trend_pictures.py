"""Pictures of a trend: one wide chart, or a small one for each publication."""

from dataclasses import dataclass

import numpy as np

from presentation.charts.axes import Event, Note
from presentation.charts.lines import NAMED, SMALL, WIDE, Curve, LineChart, LinePoint
from presentation.charts.svg import Mark
from presentation.wording.figures import counted, rate
from presentation.wording.times import day_of_year
from search.answers.crawl_marks import CrawlMark, CrawlMarks
from search.engine.index.documents import UNIX_EPOCH
from search.engine.statistics.counting.periods import Periods, period_numbers
from search.views.statistics.trend_lines import TrendLine

FEW_POINTS = 12  # so many have their values printed beside them
_NAME_CHARS = 20
ROOM_ABOVE = 1.25  # of the highest value, for bands


@dataclass(frozen=True, slots=True)
class Marks:
    """Events of the crawl: under the axis by number of the period, and as a list."""

    under: tuple[Event, ...] = ()
    listed: tuple[CrawlMark, ...] = ()
    n_left_out: int = 0


@dataclass(frozen=True, slots=True)
class Multiple:
    """A small picture with its heading."""

    name: str
    address: str
    n_hits: int
    picture: LineChart


def marks_on(periods: Periods, marks: CrawlMarks) -> Marks:
    """Put events at their periods; those of one period share a mark."""
    words: dict[int, list[str]] = {}
    addresses: dict[int, str] = {}
    for mark in marks.listed:
        day = (mark.day - UNIX_EPOCH).days
        index = int(period_numbers(day, periods.unit)) - int(periods.numbers[0])
        words.setdefault(index, []).append(f"{day_of_year(mark.day)}: {mark.words}")
        addresses[index] = mark.address
    under = (Event(index, "; ".join(said), addresses[index]) for index, said in words.items())
    return Marks(tuple(under), marks.listed, marks.n_left_out)


def line_picture(lines: list[TrendLine], marks: Marks, *, is_absolute: bool) -> LineChart:
    """Draw the lines; a single one with its band, if it is not smoothed, and its peak named.

    Bands of several lines lie on one another in one grey, and nobody could say whose they are.
    """
    is_single = len(lines) == 1
    has_band = is_single and lines[0].n_averaged == 1
    periods = lines[0].trend.periods
    top = ROOM_ABOVE * _highest(lines, is_absolute=is_absolute)
    return LineChart(
        _sentence(lines, is_absolute=is_absolute),
        periods.names,
        tuple(_line(line, top, is_absolute=is_absolute, has_band=has_band) for line in lines),
        _peak(lines[0], is_absolute=is_absolute) if is_single else (),
        frame=WIDE if is_single else NAMED,
        events=marks.under,
    )


def multiples(lines: list[TrendLine], *, is_absolute: bool) -> list[Multiple]:
    """Draw each line by itself, all on the scale of the highest rate."""
    top = _highest(lines, is_absolute=is_absolute)
    return [
        Multiple(
            line.name,
            line.address,
            line.n_hits,
            LineChart(
                _sentence([line], is_absolute=is_absolute),
                line.trend.periods.names,
                (_line(line, top, is_absolute=is_absolute, has_band=False),),
                frame=SMALL,
                top=top,
            ),
        )
        for line in lines
    ]


def _highest(lines: list[TrendLine], *, is_absolute: bool) -> float:
    values = (_values(line, is_absolute=is_absolute) for line in lines)
    return max((float(np.nanmax(each, initial=0)) for each in values), default=0)


def _values(line: TrendLine, *, is_absolute: bool) -> "np.typing.NDArray[np.float64]":
    trend = line.trend
    if is_absolute:
        return np.where(trend.tokens > 0, trend.hits, np.nan)
    return trend.rates


def _line(line: TrendLine, top: float, *, is_absolute: bool, has_band: bool = True) -> Curve:
    """Make a line; bands end at the top, or one of ten tokens would flatten all lines."""
    values = _values(line, is_absolute=is_absolute)
    low, high = line.trend.interval
    points: list[LinePoint | None] = []
    for index, value in enumerate(values.tolist()):
        if np.isnan(value):
            points.append(None)
            continue
        has_ends = has_band and not is_absolute
        points.append(
            LinePoint(
                _mark(line, index, value),
                float(low[index]) if has_ends else None,
                min(float(high[index]), max(top, value)) if has_ends else None,
                is_thin=bool(line.trend.is_thin[index]),
            )
        )
    name, average = line.name, line.average
    short = name if len(name) <= _NAME_CHARS else f"{name[: _NAME_CHARS - 1]}…"
    averages: list[float] = []
    if average is not None:
        averages = (average.hits if is_absolute else average.rates).tolist()
    return Curve(short, tuple(points), line.series, tuple(averages))


def _mark(line: TrendLine, index: int, value: float) -> Mark:
    """Make the mark of a point; the table below holds the same links."""
    words, address = point_words(line, index), line.point_address(index)
    return Mark(value, words, address, line.series, is_tab_stop=False)


def point_words(line: TrendLine, index: int) -> str:
    """Say what a point stands for: `Sep 2026: 12 hits, 96.8 per million of 124 000 tokens`."""
    trend = line.trend
    hits = counted(int(trend.hits[index]), "hit")
    tokens = counted(int(trend.tokens[index]), "token")
    name = trend.periods.names[index]
    return f"{name}, {line.name}: {hits}, {rate(float(trend.rates[index]))} per million of {tokens}"


def _peak(line: TrendLine, *, is_absolute: bool) -> tuple[Note, ...]:
    peak = line.trend.peak
    if peak is None or is_absolute or len(line.trend) <= FEW_POINTS:
        return ()
    value = rate(float(line.trend.rates[peak]))
    return (Note(peak, f"{line.trend.periods.names[peak]}: {value}"),)


def _sentence(lines: list[TrendLine], *, is_absolute: bool) -> str:
    periods = lines[0].trend.periods
    what = "Hits" if is_absolute else "Hits per million tokens"
    span = f"{periods.names[0]} to {periods.names[-1]}" if len(periods) > 1 else periods.names[0]
    parts = []
    for line in lines:
        peak = line.trend.peak
        highest = f", highest in {line.trend.periods.names[peak]}" if peak is not None else ""
        parts.append(f"{line.name}, {counted(line.n_hits, 'hit')}{highest}")
    return f"{what} by {periods.unit}, {span}: {'; '.join(parts)}"
