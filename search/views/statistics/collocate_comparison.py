"""Collocates beside those of another query, period or kind of text: two columns, the difference."""

from dataclasses import dataclass
from typing import Any

from presentation.wording.figures import grouped
from search.answers.answering import hits_of, selection_of
from search.asking.request import SearchRequest, request_of
from search.asking.values import WrongValueError, one_publication_words
from search.engine.index.hits import Hits
from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.query.errors import QueryError
from search.engine.statistics.collocation.collocate_comparison import (
    CollocateComparison,
    ComparedCollocate,
    ComparedHits,
    ComparedSide,
    compare_collocates,
)
from search.engine.statistics.collocation.collocates import CollocateRequest
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_links import window_slice
from search.views.statistics.statistic_page import StatisticPage

# Own parameters, and those of every search whose place they take there.
PLACES = {
    "q2": "q",
    "in2": "in",
    "from2": "from",
    "to2": "to",
    "pub2": "pub",
    "sub2": "sub",
}


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """The table, and what stands against what in words."""

    table: ResultTable
    words: str


def is_compared(page: StatisticPage) -> bool:
    """Say whether the address asks for something to compare with."""
    return any(page.values[name] for name in PLACES)


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
    found = _remembered(*_sides(page, _other_request(page)), wanted)
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


# Kept with the hits of the first side, by what was counted and the marks of the other side.
_COMPARED: Remembered[tuple[CollocateRequest, object, object], CollocateComparison] = Remembered(4)
_MARK: Remembered[None, object] = Remembered()


def _remembered(
    here: ComparedHits, there: ComparedHits, wanted: CollocateRequest
) -> CollocateComparison:
    """Compare two sides, or take what was found before of the very same ones."""
    key = wanted, _mark(there.hits), _mark(there.selection)
    return _COMPARED.of(here.hits).get_or(key, lambda: compare_collocates(here, there, wanted))


def _mark(owner: Hits | Selection) -> object:
    """Return what stands for hits or documents in a key, without keeping them."""
    return _MARK.of(owner).get_or(None, object)


def _changes(page: StatisticPage) -> dict[str, Any]:
    """Return what the other side changes in the address; a subcorpus says its own publications."""
    given = {name: text for name in PLACES if (text := page.values[name])}
    changes: dict[str, Any] = {"pub": ()} if "sub2" in given else {}
    return changes | {PLACES[name]: text for name, text in given.items()}


def _address_changes(page: StatisticPage) -> dict[str, Any]:
    """Return the changes as addresses take them: with `in_` and `from_` for Python's keywords."""
    keywords = {"in": "in_", "from": "from_"}
    return {keywords.get(name, name): value for name, value in _changes(page).items()}


def _other_request(page: StatisticPage) -> SearchRequest:
    """Make the request to compare with.

    Raises
    ------
    WrongValueError
        If a value of it is wrong, or its query cannot be read.
    """
    form = page.kept_form.like(page.kept.change(**_address_changes(page)))
    own = {place: name for name, place in PLACES.items() if page.values[name]}
    for name, message in form.errors.items():
        if name in own:
            raise WrongValueError(own[name], message)
    try:
        return request_of(form)
    except QueryError as error:
        raise WrongValueError("q2", error.message) from None


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
    return (
        Cell(row.value),
        _hits_cell(row.first, page.hits_in(here)),
        Cell(row.first.score),
        _hits_cell(row.second, page.hits_in(here, **_address_changes(page))),
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
    if values["pub2"]:
        parts.append(f"of {one_publication_words(values['pub2'], page.form.publications)}")
    if values["sub2"]:
        parts.append(f"in the subcorpus {values['sub2']}")
    if values["from2"]:
        parts.append(f"from {values['from2']}")
    if values["to2"]:
        parts.append(f"to {values['to2']}")
    return " ".join(parts)
