"""Tables of a trend: a row for each line, and a row for each period."""

import math
from collections.abc import Iterator

from search.result_table import Cell, Column, ColumnKind, ResultTable
from search.statistics.periods import day_of
from search.views.trend_lines import TrendLine

_INTERVAL_HELP = (
    "95 % interval of the rate by Wilson (1927), as if each token were drawn by itself; words come "
    "in bursts, so the truth is less certain."
)
_SLOPE_HELP = (
    "Theil–Sen slope (Sen 1968): the median of the changes of the rate between all pairs of "
    "periods, in hits per million tokens per {unit}."
)
_P_HELP = (
    "Mann–Kendall test (Kendall 1975): how probable a rise or fall at least as steady is if there "
    "is no trend. Small means that the trend is hardly chance."
)
_PEAK_HELP = "The period with the highest rate, among those with 200,000 tokens if there are any."


def summary_table(lines: list[TrendLine]) -> ResultTable:
    """One row a line: hits, rate, slope, test, peak, first and last hit."""
    unit = lines[0].trend.periods.unit.value
    columns = (
        Column("line", "Line"),
        Column("hits", "Hits", ColumnKind.COUNT),
        Column("rate", "Per million", ColumnKind.RATE),
        Column("tokens", "Tokens", ColumnKind.COUNT, "All tokens of the texts searched: the base."),
        Column("slope", f"Change a {unit}", ColumnKind.MEASURE, _SLOPE_HELP.format(unit=unit)),
        Column("p", "p of no trend", ColumnKind.MEASURE, _P_HELP),
        Column("peak", "Peak", help=_PEAK_HELP),
        Column("first", "First hit", ColumnKind.DATE),
        Column("last", "Last hit", ColumnKind.DATE),
    )
    rows = tuple(tuple(_summary(line)) for line in lines)
    return ResultTable("summary", "Each line in short.", columns, rows)


def _summary(line: TrendLine) -> Iterator[Cell]:
    trend = line.trend
    yield Cell(line.name, line.address)
    yield Cell(line.n_hits, line.address)
    yield Cell(1e6 * line.n_hits / line.n_tokens if line.n_tokens else None)
    yield Cell(line.n_tokens)
    yield Cell(None if math.isnan(trend.slope) or not line.n_hits else trend.slope)
    yield Cell(trend.test.p if trend.test is not None and line.n_hits else None)
    if trend.peak is None or trend.outer_days is None:
        yield from (Cell(None), Cell(None), Cell(None))
        return
    yield Cell(trend.periods.names[trend.peak], line.point_address(trend.peak))
    for day in trend.outer_days:
        yield Cell(day_of(day), line.day_address(day))


def trend_table(lines: list[TrendLine]) -> ResultTable:
    """One row a period; a single line shows its interval and texts, several stand side by side."""
    periods = lines[0].trend.periods
    several = len(lines) > 1
    columns = [Column("period", periods.unit.value.capitalize())]
    for number, line in enumerate(lines, 1):
        columns += _columns(f"{line.name}: " if several else "", f"_{number}" if several else "")
    rows = []
    for index, name in enumerate(periods.names):
        cells = [cell for line in lines for cell in _cells(line, index)]
        rows.append((Cell(name), *cells))
    caption = f"Hits by {periods.unit} of publication, with the tokens each rate rests on."
    return ResultTable("trend", caption, tuple(columns), tuple(rows))


def publication_table(lines: list[TrendLine]) -> ResultTable:
    """One row for each publication and period."""
    unit = lines[0].trend.periods.unit.value if lines else "period"
    columns = (Column("publication", "Publication"), Column("period", unit.capitalize()))
    rows = tuple(
        (Cell(line.name), Cell(name), *_cells(line, index))
        for line in lines
        for index, name in enumerate(line.trend.periods.names)
    )
    caption = f"Hits by publication and {unit}, with the tokens each rate rests on."
    return ResultTable("trend", caption, (*columns, *_columns("", "")), rows)


def _columns(before: str, after: str) -> list[Column]:
    return [
        Column(f"hits{after}", f"{before}hits" if before else "Hits", ColumnKind.COUNT),
        Column(
            f"rate{after}", f"{before}per million" if before else "Per million", ColumnKind.RATE
        ),
        Column(f"low{after}", "95 %: from", ColumnKind.RATE, _INTERVAL_HELP),
        Column(f"high{after}", "to", ColumnKind.RATE),
        Column(f"texts{after}", "Texts with hits", ColumnKind.COUNT),
        Column(f"tokens{after}", "Tokens", ColumnKind.COUNT),
    ]


def _cells(line: TrendLine, index: int) -> Iterator[Cell]:
    trend = line.trend
    has_text = bool(trend.tokens[index])
    yield Cell(int(trend.hits[index]), line.point_address(index) if trend.hits[index] else "")
    yield Cell(float(trend.rates[index]) if has_text else None)
    for end in trend.interval:
        yield Cell(float(end[index]) if has_text else None)
    yield Cell(int(trend.texts[index]))
    yield Cell(int(trend.tokens[index]))
