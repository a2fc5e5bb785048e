"""Tables of a trend: a row for each line, and a row for each period."""

import math
from collections.abc import Iterator

from search.engine.statistics.counting.periods import day_of
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
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
    columns = [Column("period", periods.unit.value.capitalize())]
    columns += _columns() if len(lines) == 1 else _columns_side_by_side(lines)
    cells = _cells if len(lines) == 1 else _few_cells
    rows = tuple(
        (Cell(name), *(cell for line in lines for cell in cells(line, index)))
        for index, name in enumerate(periods.names)
    )
    caption = f"Hits by {periods.unit} of publication, with the tokens each rate rests on."
    return ResultTable("trend", caption, tuple(columns), rows)


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
    return ResultTable("trend", caption, (*columns, *_columns()), rows)


def _columns() -> list[Column]:
    return [
        Column("hits", "Hits", ColumnKind.COUNT),
        Column("rate", "Per million", ColumnKind.RATE),
        Column("low", "95 %: from", ColumnKind.RATE, _INTERVAL_HELP),
        Column("high", "to", ColumnKind.RATE),
        Column("texts", "Texts with hits", ColumnKind.COUNT),
        Column("tokens", "Tokens", ColumnKind.COUNT),
    ]


def _columns_side_by_side(lines: list[TrendLine]) -> Iterator[Column]:
    for number, line in enumerate(lines, 1):
        yield Column(f"hits_{number}", f"{line.name}: hits", ColumnKind.COUNT)
        yield Column(f"rate_{number}", f"{line.name}: per million", ColumnKind.RATE)
        yield Column(f"tokens_{number}", f"{line.name}: of tokens", ColumnKind.COUNT)


def _cells(line: TrendLine, index: int) -> Iterator[Cell]:
    trend = line.trend
    has_text = bool(trend.tokens[index])
    yield Cell(int(trend.hits[index]), line.point_address(index) if trend.hits[index] else "")
    yield Cell(float(trend.rates[index]) if has_text else None)
    for end in trend.interval:
        yield Cell(float(end[index]) if has_text else None)
    yield Cell(int(trend.texts[index]))
    yield Cell(int(trend.tokens[index]))


def _few_cells(line: TrendLine, index: int) -> Iterator[Cell]:
    hits, per_million, _, _, _, tokens = _cells(line, index)
    yield from (hits, per_million, tokens)
