"""Collocates beside those of another query, period or kind of text: two columns, the difference."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from presentation.wording.figures import grouped
from search.answers.answering import hits_of, selection_of
from search.asking.base_words import KINDS
from search.asking.request import SearchRequest
from search.asking.values import WrongValueError
from search.engine.query.errors import QueryError
from search.engine.statistics.collocation.collocate_comparison import (
    ComparedCollocate,
    ComparedHits,
    ComparedSide,
    compare_collocates,
)
from search.engine.statistics.collocation.collocates import CollocateRequest
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_links import window_slice
from search.views.statistics.statistic_page import StatisticPage
from search.wording.periods import PeriodError, first_day, last_day

_PARAMETERS = ("q2", "in2", "from2", "to2")


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """The table, and what stands against what in words."""

    table: ResultTable
    words: str


def is_compared(page: StatisticPage) -> bool:
    """Say whether the address asks for something to compare with."""
    return any(page.values[name] for name in _PARAMETERS)


def comparison(
    page: StatisticPage, wanted: CollocateRequest, measure: str
) -> ComparisonView | None:
    """Compare as the address asks; None if it does not.

    Raises
    ------
    WrongValueError
        At the control whose value cannot be used.
    """
    if not is_compared(page):
        return None
    other = _other_request(page)
    found = compare_collocates(*_sides(page, other), wanted)
    columns = (
        Column("collocate", "Collocate"),
        Column("hits", "Hits with it", ColumnKind.COUNT),
        Column("score", measure, ColumnKind.MEASURE),
        Column("hits2", "Hits there", ColumnKind.COUNT),
        Column("score2", f"{measure} there", ColumnKind.MEASURE),
        Column("difference", "Difference", ColumnKind.MEASURE, order="descending"),
    )
    rows = tuple(_row(page, row) for row in found.rows)
    words = _words(page)
    shown = len(rows)
    which = "All" if shown == found.n_collocates else f"Both ends, {shown} of"
    caption = (
        f"{which} {grouped(found.n_collocates)} collocates here and {words}, most typical of here "
        "first."
    )
    return ComparisonView(ResultTable("comparison", caption, columns, rows), words)


def _other_request(page: StatisticPage) -> SearchRequest:
    """Make the request to compare with.

    Raises
    ------
    WrongValueError
        If a day is none, or its query cannot be read.
    """
    values, wanted = page.values, page.texts.filter
    if values["in2"]:
        wanted = replace(wanted, kinds=KINDS[values["in2"]])
    if values["from2"]:
        wanted = replace(wanted, first_day=_day(page, "from2", first_day))
    if values["to2"]:
        wanted = replace(wanted, last_day=_day(page, "to2", last_day))
    request = replace(page.wanted, texts=replace(page.texts, filter=wanted))
    try:
        return request.with_query(values["q2"]) if values["q2"] else request
    except QueryError as error:
        raise WrongValueError("q2", error.message) from None


def _day(page: StatisticPage, name: str, read: Callable[[str, date], date]) -> date:
    try:
        return read(page.values[name], page.form.reader.today)
    except PeriodError as error:
        raise WrongValueError(name, str(error)) from None


def _sides(page: StatisticPage, other: SearchRequest) -> tuple[ComparedHits, ComparedHits]:
    """Run the other query on the snapshot of the page."""
    try:
        hits = hits_of(other, page.snapshot)
    except QueryError as error:
        raise WrongValueError("q2", error.message) from None
    there = ComparedHits(hits, selection_of(other.texts, page.snapshot))
    return ComparedHits(page.hits, page.selection), there


def _row(page: StatisticPage, row: ComparedCollocate) -> tuple[Cell, ...]:
    here = window_slice(page.values["win"], page.values["by"], row.value)
    changes = {
        name: page.values[parameter]
        for name, parameter in (("q", "q2"), ("in_", "in2"), ("from_", "from2"), ("to", "to2"))
        if page.values[parameter]
    }
    return (
        Cell(row.value),
        _hits_cell(row.first, page.hits_in(here)),
        Cell(row.first.score),
        _hits_cell(row.second, page.hits_in(here, **changes)),
        Cell(row.second.score),
        Cell(row.difference),
    )


def _hits_cell(side: ComparedSide, address: str) -> Cell:
    return Cell(side.n_hits, address if side.n_hits else "")


def _words(page: StatisticPage) -> str:
    values = page.values
    parts = [f"those of “{values['q2']}”" if values["q2"] else "those of the same query"]
    if values["in2"]:
        parts.append(f"in {values['in2']}")
    if values["from2"]:
        parts.append(f"from {values['from2']}")
    if values["to2"]:
        parts.append(f"to {values['to2']}")
    return " ".join(parts)
