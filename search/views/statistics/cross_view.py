"""A cross table as a page: cells tinted by their share of the column, each opening its hits."""

from collections.abc import Iterator
from dataclasses import dataclass

from presentation.wording.figures import percent, rate
from search.engine.statistics.counting.hit_values import Key
from search.engine.statistics.cross_table import CrossTable
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_values import hits_address, text_of
from search.views.statistics.statistic_page import Shown, StatisticPage
from search.wording.value_words import key_words, value_words

TINTS = 6  # steps above none, each its own class in the style sheet


@dataclass(frozen=True, slots=True)
class CrossCell:
    """A count, its rate, the address of its hits, its tint and what it says when pointed at."""

    n: int
    per_million: float
    address: str
    tint: int
    title: str

    @property
    def rate(self) -> str:
        """Its rate in figures."""
        return rate(self.per_million)


@dataclass(frozen=True, slots=True)
class CrossRow:
    head: Cell
    cells: tuple[CrossCell, ...]
    total: int


@dataclass(frozen=True, slots=True)
class CrossView:
    corner: str
    heads: tuple[Cell, ...]
    rows: tuple[CrossRow, ...]
    totals: tuple[int, ...]
    n_hits: int
    n_rows: int
    n_columns: int
    as_list: str
    turned: str
    shows_rates: bool
    rates: str
    other: tuple[str, str]

    @property
    def margins(self) -> tuple[tuple[Cell, int], ...]:
        """Heads of the columns with all their hits."""
        return tuple(zip(self.heads, self.totals, strict=True))


def cross_answer(
    page: StatisticPage, keys: tuple[Key, Key], table: CrossTable, rates: str
) -> Shown:
    """Show a cross table with hits or rates in its cells; its export holds both.

    ``rates`` says what the rates refer to.
    """
    shows_rates = page.values["cells"] == "rate"
    other = ("hits", "hits") if shows_rates else ("rate", "rates per million")
    view = CrossView(
        f"{key_words(keys[0])} \\ {key_words(keys[1])}",
        tuple(_heads(page, keys[1], table.columns.values)),
        tuple(_rows(page, keys, table)),
        table.columns.totals,
        table.n_hits,
        table.rows.n_values,
        table.columns.n_values,
        page.at(form="list"),
        page.at(by=text_of(keys[1]), by2=text_of(keys[0])),
        shows_rates,
        rates,
        (other[1], page.at(cells=other[0])),
    )
    return Shown((_export(view), _export_of_rates(view)), {"cross": view}, (("rates", rates),))


def _heads(page: StatisticPage, key: Key, values: tuple[str, ...]) -> Iterator[Cell]:
    for value in values:
        words = value_words(key, value, page.form.publications)
        yield Cell(words, hits_address(page, (key,), (value,)))


def _rows(page: StatisticPage, keys: tuple[Key, Key], table: CrossTable) -> Iterator[CrossRow]:
    heads = list(_heads(page, keys[0], table.rows.values))
    shares = table.counts / [max(1, total) for total in table.columns.totals]
    rates = table.per_million
    top = float(shares.max(initial=0)) or 1.0
    for i, (value, head) in enumerate(zip(table.rows.values, heads, strict=True)):
        cells = (
            CrossCell(
                int(n),
                float(rates[i, j]),
                hits_address(page, keys, (value, other)) if n else "",
                round(TINTS * float(shares[i, j]) / top),
                f"{percent(float(shares[i, j]), 1)} of the column, "
                f"{rate(float(rates[i, j]))} per million",
            )
            for j, (other, n) in enumerate(
                zip(table.columns.values, table.counts[i].tolist(), strict=True)
            )
        )
        yield CrossRow(head, tuple(cells), table.rows.totals[i])


def _export(view: CrossView) -> ResultTable:
    columns = (
        Column("row", view.corner),
        *(
            Column(f"column{number}", str(head.value), ColumnKind.COUNT)
            for number, head in enumerate(view.heads)
        ),
        Column("total", "All", ColumnKind.COUNT),
    )
    rows = [
        (row.head, *(Cell(cell.n, cell.address) for cell in row.cells), Cell(row.total))
        for row in view.rows
    ]
    rows.append((Cell("All"), *(Cell(total) for total in view.totals), Cell(view.n_hits)))
    caption = "Hits by row and column; margins count what is not shown too."
    return ResultTable("cross", caption, columns, tuple(rows), view.n_rows + 1)


def _export_of_rates(view: CrossView) -> ResultTable:
    columns = (
        Column("row", view.corner),
        *(
            Column(f"column{number}", str(head.value), ColumnKind.RATE)
            for number, head in enumerate(view.heads)
        ),
    )
    rows = (
        (row.head, *(Cell(cell.per_million, cell.address) for cell in row.cells))
        for row in view.rows
    )
    return ResultTable("rates", view.rates, columns, tuple(rows), view.n_rows)
