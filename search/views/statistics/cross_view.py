"""A cross table as a page: cells tinted by their share of the column, each opening its hits."""

from collections.abc import Iterator
from dataclasses import dataclass

from presentation.wording.figures import percent
from search.engine.statistics.counting.hit_values import Key
from search.engine.statistics.cross_table import CrossTable
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.counted_values import hits_address, text_of
from search.views.statistics.statistic_page import Shown, StatisticPage
from search.wording.value_words import key_words, value_words

TINTS = 6  # steps above none, each its own class in the style sheet


@dataclass(frozen=True, slots=True)
class CrossCell:
    """A count, the address of its hits, the step of its tint and what it says when pointed at."""

    n: int
    address: str
    tint: int
    title: str


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

    @property
    def margins(self) -> tuple[tuple[Cell, int], ...]:
        """Heads of the columns with all their hits."""
        return tuple(zip(self.heads, self.totals, strict=True))


def cross_answer(page: StatisticPage, keys: tuple[Key, Key], table: CrossTable) -> Shown:
    """Show a cross table; its export holds the same numbers."""
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
    )
    return Shown((_export(view),), {"cross": view})


def _heads(page: StatisticPage, key: Key, values: tuple[str, ...]) -> Iterator[Cell]:
    for value in values:
        words = value_words(key, value, page.form.publications)
        yield Cell(words, hits_address(page, (key,), (value,)))


def _rows(page: StatisticPage, keys: tuple[Key, Key], table: CrossTable) -> Iterator[CrossRow]:
    heads = list(_heads(page, keys[0], table.rows.values))
    shares = table.counts / [max(1, total) for total in table.columns.totals]
    top = float(shares.max(initial=0)) or 1.0
    for i, (value, head) in enumerate(zip(table.rows.values, heads, strict=True)):
        cells = (
            CrossCell(
                int(n),
                hits_address(page, keys, (value, other)) if n else "",
                round(TINTS * float(shares[i, j]) / top),
                f"{percent(float(shares[i, j]), 1)} of the column",
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
