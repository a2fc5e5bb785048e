"""Tables of the statistic pages as values: what a page shows is what its export holds.

A `ResultTable` goes to the template `search/_result_table.html` and to `table_exports`.
"""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from presentation.charts.sparkline import Sparkline

Value = str | int | float | date | datetime | None


class ColumnKind(StrEnum):
    """How a column's values are written, on the page and in a spreadsheet."""

    TEXT = "text"
    COUNT = "count"  # whole numbers
    RATE = "rate"  # per million tokens
    SHARE = "share"  # 0 to 1, shown as a percentage
    MEASURE = "measure"  # a score without unit
    DATE = "date"
    BAR = "bar"  # a number with a bar beside it; the cell's `bar` is its length from 0 to 1

    @property
    def is_number(self) -> bool:
        """Whether values are aligned at the right."""
        return self not in (ColumnKind.TEXT, ColumnKind.DATE)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    `address` sorts by it; `order` is ``ascending`` or ``descending`` when it is sorted; `help` is
    one sentence that says what the number is (shown at the head). `decimals` fixes how numbers are
    written where the kind's usual way says too little.
    """

    key: str
    label: str
    kind: ColumnKind = ColumnKind.TEXT
    help: str = ""
    address: str = ""
    order: str = ""
    decimals: int | None = None

    @property
    def arrow(self) -> str:
        """Sign of the order for the eye."""
        return {"ascending": " ↑", "descending": " ↓"}.get(self.order, "")


@dataclass(frozen=True, slots=True)
class Cell:
    """A value, the address of the rows behind it, and the length of its bar.

    `lang` marks words of another language than the page's; `title` says more when pointed at;
    `spark` are values in a row, drawn as a small line before the value.
    """

    value: Value
    address: str = ""
    bar: float | None = None
    title: str = ""
    lang: str = ""
    spark: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.bar is not None and not 0 <= self.bar <= 1:
            raise ValueError(f"a bar is a share from 0 to 1, not {self.bar}")

    @property
    def sparkline(self) -> Sparkline:
        """The small line, with what it says in words."""
        return Sparkline(self.title, self.spark)


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Rows of cells in the order of the columns.

    Parameters
    ----------
    key : str
        Name of the table among those of its page; part of the export's file name.
    caption : str
        What the table shows, in words.
    columns, rows
        Each row has one cell for each column.
    n_all : int or None
        How many rows there are where only the first are shown.
    """

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_all: int | None = None

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("each row has one cell for each column")

    @property
    def pairs(self) -> list[list[tuple[Column, Cell]]]:
        """Rows of cells beside their columns, for templates."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]

    @property
    def name_column(self) -> Column | None:
        """The column that names the rows, which stays when a wide table is scrolled sideways."""
        return next((column for column in self.columns if column.kind is ColumnKind.TEXT), None)

    @property
    def explained(self) -> tuple[Column, ...]:
        """Columns that say what they mean."""
        return tuple(column for column in self.columns if column.help)

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than shown."""
        return self.n_all is not None and self.n_all > len(self.rows)
