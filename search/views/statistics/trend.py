"""`/search/trend/`: hits over time, of one query or up to twelve, with the base of each point."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from presentation.wording.figures import counted, grouped
from search.answers.answering import hits_of, selection_of
from search.answers.crawl_marks import crawl_marks
from search.asking.request import SearchRequest
from search.asking.values import FreeText, OneOf, WrongValueError
from search.engine.index.documents import DocumentKind
from search.engine.index.joined_names import JOINED_COLUMNS, joined_names
from search.engine.query.errors import QueryError
from search.engine.statistics.counting.hit_values import NO_VALUE
from search.engine.statistics.counting.periods import Periods, Unit, day_of
from search.engine.statistics.trend import (
    THIN_TOKENS,
    Trend,
    choose_unit,
    daily_base,
    trend,
    trends_by_column,
)
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_values import NOT_GIVEN, SEVERAL, without_date
from search.views.statistics.statistic_page import Shown, StatisticPage, StatisticSpec, respond
from search.views.statistics.trend_lines import Behind, TrendLine
from search.views.statistics.trend_pictures import Marks, line_picture, marks_on, multiples
from search.wording.value_words import MARK_WORDS

MOST_POINTS = 1_500  # one pixel each on a wide screen, and a page of a quarter of a megabyte
MOST_MULTIPLES = 24  # more small pictures than that nobody compares
MOST_QUERIES = 12  # six colours, each with two kinds of strokes
MORE_QUERIES = tuple(f"q{number}" for number in range(2, MOST_QUERIES + 1))
FEW_BOXES = 4  # so many are there unasked, and one more than are filled
AUTOMATIC = "auto"
SPLITS = {"pub": "publication", "agency": "agency"}  # with a picture for each value
UNITS = (
    (AUTOMATIC, "automatic"),
    ("day", "day"),
    ("week", "week"),
    ("month", "month"),
    ("year", "year"),
)
_INTERVAL_HELP = (
    "95 % interval of the rate by Wilson (1927), as if each token were drawn by itself; words come "
    "in bursts, so the truth is less certain."
)
_SLOPE_HELP = (
    "Theil–Sen slope (Sen 1968): the median of the changes of the rate between all pairs of "
    "periods, pairs counting by their tokens, in hits per million tokens per {unit}."
)
_P_HELP = (
    "Mann–Kendall test (Kendall 1975): how probable a rise or fall at least as steady is if there "
    "is no trend, pairs of periods counting by their tokens. Small means hardly chance."
)
_AVERAGE_HELP = (
    "Hits per million tokens of {n} {unit}s taken together, this one in the middle; fewer at both "
    "ends. Slope, p and peak are those of the {unit}s themselves."
)
_PEAK_HELP = "The period with the highest rate, among those with 200,000 tokens if there are any."


def compared(page: StatisticPage) -> dict[str, object]:
    """Give the boxes of the other queries: those that are filled, and always an empty one."""
    boxes = [given for given in page.given if given.parameter.name in MORE_QUERIES]
    last = max((number for number, given in enumerate(boxes, 1) if given.text), default=0)
    return {"compared": boxes[: max(FEW_BOXES, last + 1)], "is_comparing": last > 0}


SPEC = StatisticSpec(
    "trend",
    "Trend",
    (
        OneOf("by", "By", UNITS),
        OneOf("norm", "Show", (("pm", "per million tokens"), ("hits", "hits"))),
        OneOf(
            "split",
            "Lines",
            (
                ("text", "by kind of text"),
                ("one", "one line"),
                *((name, f"by {words}") for name, words in SPLITS.items()),
            ),
        ),
        OneOf(
            "avg",
            "Smooth",
            (
                ("1", "not"),
                ("3", "over 3 periods"),
                ("5", "over 5 periods"),
                ("7", "over 7 periods"),
                ("13", "over 13 periods"),
            ),
            make=int,
        ),
        *(FreeText(name, "Compare with", most_chars=1_500) for name in MORE_QUERIES),
    ),
    template="search/trend.html",
    shows_zero=True,
    placed=MORE_QUERIES,
    always=compared,
)


@require_safe
def trend_page(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


def answer(page: StatisticPage) -> Shown:
    base = daily_base(page.selection)
    if not len(base.tokens):
        return _without_dates(page)
    unit = _unit(page)
    lines = _lines(page, unit)
    if not any(line.trend.hits.any() for line in lines):
        return _without_dates(page) if page.hits.total else Shown(context={"no_hits": True})
    if page.values["split"] in SPLITS and len(lines) == 1:
        return _in_parts(page, lines[0], unit)
    marks = _marks(page, lines[0].trend.periods)
    picture = line_picture(lines, marks, is_absolute=page.values["norm"] == "hits")
    context = {
        "picture": picture, "unit": unit, "marks": marks, "lines": lines,
        **_of_undated(page),
    }  # fmt: skip
    return Shown((summary_table(lines), trend_table(lines)), context, _about(page, unit))


def _without_dates(page: StatisticPage) -> Shown:
    """Say that all there is stands in texts without a date."""
    return Shown(context=_of_undated(page), about=_about_dates(page))


def _of_undated(page: StatisticPage) -> dict[str, str]:
    return {"left_out": without_date(page), "undated_hits": page.hits_in("undated:yes")}


def _about_dates(page: StatisticPage) -> tuple[tuple[str, str], ...]:
    words = without_date(page)
    return (("left out", words),) if words else ()


def _about(page: StatisticPage, unit: Unit) -> tuple[tuple[str, str], ...]:
    n_averaged = page.values["avg"]
    average = f"moving, over {n_averaged} {unit}s, each by its tokens"
    return (
        *_about_dates(page),
        *((("average", average),) if n_averaged > 1 else ()),
        ("unit of time", unit.value),
        ("interval", "95 %, Wilson (1927), as if tokens were drawn one by one"),
        ("slope", f"Theil–Sen (Sen 1968) by tokens, hits per million tokens per {unit}"),
        ("p", "Mann–Kendall test, two-sided, pairs by their tokens (Kendall 1975)"),
    )


def _unit(page: StatisticPage) -> Unit:
    base = daily_base(page.selection)
    wanted = page.values["by"]
    if wanted == AUTOMATIC:
        return choose_unit(base)
    n_points = len(Periods(Unit(wanted), base.first_day, base.last_day))
    if n_points > MOST_POINTS:
        raise WrongValueError(
            "by",
            f"The texts span {counted(n_points, wanted)}, more than the {grouped(MOST_POINTS)} "
            "points that a picture can hold. Choose a longer unit, or narrow the dates.",
        )
    return Unit(wanted)


def _lines(page: StatisticPage, unit: Unit) -> list[TrendLine]:
    queries, n_averaged = _queries(page), page.values["avg"]
    if len(queries) > 1:
        return [
            TrendLine(text, _trend(request, unit), number, Behind(page, text), n_averaged)
            for number, (text, request) in enumerate(queries.items(), 1)
        ]
    if len(page.texts.filter.kinds) != 1 and page.values["split"] == "text":
        kinds = trends_by_column(page.hits, page.selection, unit, "kind")
        return [
            TrendLine(_kind_words(kind), found, number, Behind(page, kind=kind), n_averaged)
            for number, (kind, found) in enumerate(sorted(kinds.items()), 1)
        ]
    found = trend(page.hits, page.selection, unit)
    return [TrendLine(page.form.address.get("q"), found, 1, Behind(page), n_averaged)]


def _kind_words(kind: int) -> str:
    return MARK_WORDS["kind"][DocumentKind(kind).label]


def _trend(request: SearchRequest, unit: Unit) -> Trend:
    return trend(hits_of(request), selection_of(request.texts), unit)


def _in_parts(page: StatisticPage, whole: TrendLine, unit: Unit) -> Shown:
    """Draw one small picture for each publication or agency, those with most hits first."""
    split = page.values["split"]
    column = SPLITS[split]
    names = page.form.publications if split == "pub" else {NO_VALUE: NOT_GIVEN}
    spell = _speller(page, column)
    found = {
        spell(value): each
        for value, each in trends_by_column(page.hits, page.selection, unit, column).items()
    }
    ranked = sorted(found.items(), key=lambda item: (-int(item[1].hits.sum()), item[0]))
    lines = [
        TrendLine(
            names.get(value, value), each, 1, Behind(page, slices=(f"{split}:{value}",)),
            whole.n_averaged,
        )
        for value, each in ranked[:MOST_MULTIPLES]
    ]  # fmt: skip
    context = {
        "multiples": multiples(lines, is_absolute=page.values["norm"] == "hits"),
        "n_left_out": len(ranked) - len(lines),
        "part": column,
        "unit": unit,
        **_of_undated(page),
    }
    tables = (summary_table([whole, *lines]), table_of_parts(lines, split))
    return Shown(tables, context, _about(page, unit))


def _speller(page: StatisticPage, column: str) -> Callable[[int], str]:
    snapshot = page.hits.snapshot
    if column in JOINED_COLUMNS:
        return joined_names(snapshot, column).spell
    return snapshot.lexicon.value


def _marks(page: StatisticPage, periods: Periods) -> Marks:
    """Look up what happened to the crawl in the days of the picture."""
    first, last = (day_of(number) for number in (periods.first_day, periods.last_day))
    kept = page.texts.filter.publications
    return marks_on(periods, crawl_marks(first, last, kept))


def _queries(page: StatisticPage) -> dict[str, SearchRequest]:
    """Give the queries to compare, the page's own first, each once.

    Raises
    ------
    WrongValueError
        If another one cannot be run.
    """
    queries = {page.form.address.get("q"): page.wanted}
    _ = page.hits  # what is wrong with the page's own query is said first
    for name in MORE_QUERIES:
        text = page.values[name]
        if text and text not in queries:
            try:
                queries[text] = page.wanted.with_query(text)
                hits_of(queries[text])
            except QueryError as error:
                place = f"character {error.position + 1}: {error.message}"
                raise WrongValueError(name, f"“{text[:80]}”, {place}") from None
    return queries


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
    return ResultTable("summary", f"Each line in short.{_thin_words(lines)}", columns, rows)


def _thin_words(lines: list[TrendLine]) -> str:
    """Qualify slope and p where all points of a line rest on little text."""
    trends = [line.trend for line in lines]
    if not any(trend.n_thin == np.count_nonzero(trend.tokens) for trend in trends):
        return ""
    return (
        f" Every point of a line rests on fewer than {grouped(THIN_TOKENS)} tokens: its change and "
        "its p say little."
    )


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
    columns += _columns(lines[0]) if len(lines) == 1 else _columns_side_by_side(lines)
    cells = _cells if len(lines) == 1 else _few_cells
    by_line = [cells(line) for line in lines]
    rows = tuple(
        (Cell(name), *(cell for of_line in by_line for cell in of_line[index]))
        for index, name in enumerate(periods.names)
    )
    caption = f"Hits by {periods.unit} of publication, with the tokens each rate rests on."
    return ResultTable("trend", caption, tuple(columns), rows)


def table_of_parts(lines: list[TrendLine], split: str) -> ResultTable:
    """One row for each publication or agency and period."""
    part = SPLITS[split]
    unit = lines[0].trend.periods.unit.value if lines else "period"
    columns = (Column(part, part.capitalize()), Column("period", unit.capitalize()))
    rows = tuple(
        (Cell(line.name), Cell(name), *cells)
        for line in lines
        for name, cells in zip(line.trend.periods.names, _cells(line), strict=True)
    )
    caption = f"Hits by {part} and {unit}, with the tokens each rate rests on."
    if split in SEVERAL:
        caption += f" {SEVERAL[split]}"
    more = _columns(lines[0]) if lines else []
    return ResultTable("trend", caption, (*columns, *more), rows)


def _columns(line: TrendLine) -> list[Column]:
    return [
        Column("hits", "Hits", ColumnKind.COUNT),
        Column("rate", "Per million", ColumnKind.RATE),
        Column("low", "95 %: from", ColumnKind.RATE, _INTERVAL_HELP),
        Column("high", "to", ColumnKind.RATE),
        Column("texts", "Texts with hits", ColumnKind.COUNT),
        Column("tokens", "Tokens", ColumnKind.COUNT),
        *_average_column(line, "average", "Smoothed"),
    ]


def _average_column(line: TrendLine, name: str, title: str) -> Iterator[Column]:
    if line.n_averaged > 1:
        words = _AVERAGE_HELP.format(n=line.n_averaged, unit=line.trend.periods.unit)
        yield Column(name, title, ColumnKind.RATE, words)


def _columns_side_by_side(lines: list[TrendLine]) -> Iterator[Column]:
    for number, line in enumerate(lines, 1):
        yield Column(f"hits_{number}", f"{line.name}: hits", ColumnKind.COUNT)
        yield Column(f"rate_{number}", f"{line.name}: per million", ColumnKind.RATE)
        yield Column(f"tokens_{number}", f"{line.name}: of tokens", ColumnKind.COUNT)
        yield from _average_column(line, f"average_{number}", f"{line.name}: smoothed")


def _cells(line: TrendLine) -> list[tuple[Cell, ...]]:
    """Give the cells of each period of a line, in the order of `_columns`."""
    trend, average = line.trend, line.average
    low, high = trend.interval
    rows = []
    for index, has_text in enumerate((trend.tokens > 0).tolist()):
        address = line.point_address(index) if trend.hits[index] else ""
        rates = [trend.rates, low, high, *([average.rates] if average else [])]
        rate, *ends = (Cell(float(each[index]) if has_text else None) for each in rates)
        texts, tokens = Cell(int(trend.texts[index])), Cell(int(trend.tokens[index]))
        hits = Cell(int(trend.hits[index]), address)
        rows.append((hits, rate, *ends[:2], texts, tokens, *ends[2:]))
    return rows


def _few_cells(line: TrendLine) -> list[tuple[Cell, ...]]:
    return [
        (hits, rate, tokens, *average) for hits, rate, _, _, _, tokens, *average in _cells(line)
    ]
