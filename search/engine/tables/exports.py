"""A concordance as a file: first rows that say what it is, then a line a row.

Cells that a spreadsheet would take for a formula get an apostrophe before them (OWASP, CSV
injection).
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import xlsxwriter

from search.engine.tables.parquet import write_parquet

READER_LINES = 1_000  # of a file for somebody who may only read
MAX_LINES = 1_000_000  # for all others; Excel has 1,048,576 rows
WHOLE_LINES = 10_000_000  # of a list, in files that go on with one another; hashed in 8 to 40 s
XLSX_LINES = 100_000  # a workbook is made whole before it is sent: about 10 s for so many
_CELL_CHARS = 32_767  # Excel's limit
# Of `COLUMNS`, in characters.
_WIDTHS = (12, 18, 22, 9, 32, 20, 12, 60, 18, 60, 32, 32, 10, 18, 9, 9, 18)
_BREAKS = re.compile(r"\r\n|[\r\n\t]")
_FORMULA_SIGNS = ("=", "+", "-", "@")
COLUMNS = (
    "number",
    "published",
    "publication",
    "text type",
    "title",
    "author",
    "agency",
    "left",
    "node",
    "right",
    "address",
    "original",
    "rights",
    "text",
    "position",
    "tokens",
    "seen",
)
_NUMBERS = frozenset(("number", "position", "tokens"))


class ExportFormat(StrEnum):
    """Kinds of files; data alone are a table from the first row on, for R and pandas."""

    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    XLSX = "xlsx"
    DATA_CSV = "data.csv"
    DATA_TSV = "data.tsv"
    PARQUET = "parquet"

    @property
    def ending(self) -> str:
        """Last part of the file's name."""
        return self.value.rpartition(".")[2]

    @property
    def is_data(self) -> bool:
        """Whether nothing stands above the names of the columns."""
        return self.value.startswith("data.")

    @property
    def is_lines(self) -> bool:
        """Whether each row is a line, so that a file that broke off can be gone on with."""
        return self not in (ExportFormat.XLSX, ExportFormat.PARQUET)

    @property
    def media_type(self) -> str:
        return {
            "csv": "text/csv; charset=utf-8",
            "tsv": "text/tab-separated-values; charset=utf-8",
            "jsonl": "application/jsonl; charset=utf-8",
            "parquet": "application/vnd.apache.parquet",
            "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }[self.ending]


@dataclass(frozen=True, slots=True)
class ExportTable:
    """What the file is about, as pairs of name and value, and its rows in the order of columns."""

    about: tuple[tuple[str, str], ...]
    rows: Iterable[Sequence[str | int]]
    columns: tuple[str, ...] = COLUMNS


def write_table(table: ExportTable, form: ExportFormat, *, has_head: bool = True) -> Iterator[str]:
    """Write a file of lines piece by piece; without its head it goes on with one that broke off."""
    if form is ExportFormat.JSONL:
        if has_head:
            yield _json(dict(table.about))
        for row in table.rows:
            yield _json(dict(zip(table.columns, row, strict=True)))
        return
    write = _csv_line if form.ending == "csv" else _tsv_line
    if not has_head:
        pass
    elif form.is_data:
        yield write([data_name(name) for name in table.columns])
    else:
        for pair in table.about:
            yield write(pair)
        yield write(())
        yield write(table.columns)
    for row in table.rows:
        yield write(row)


def write_columns(table: ExportTable) -> Iterator[bytes]:
    """Write a Parquet file piece by piece; what it is about stands in its metadata."""
    kinds = {data_name(name): int if name in _NUMBERS else str for name in table.columns}
    return write_parquet(kinds, table.rows, dict(table.about))


def data_name(label: str) -> str:
    """Name a column as programs do.

    Examples
    --------
    >>> data_name("text type"), data_name("Per million"), data_name("95 %: from"), data_name("#")
    ('text_type', 'per_million', '95_from', '')
    """
    return re.sub(r"\W+", "_", label.lower()).strip("_")


def write_workbook(table: ExportTable, path: Path) -> None:
    """Write an Excel file row by row, in constant memory; no cell is a formula or a link."""
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(path, {**options, "strings_to_numbers": False}) as book:
        bold = book.add_format({"bold": True})
        sheet = book.add_worksheet("Concordance")
        for at, width in enumerate(_WIDTHS):
            sheet.set_column(at, at, width)
        for number, (name, value) in enumerate(table.about):
            sheet.write_string(number, 0, name, bold)
            sheet.write_string(number, 1, value)
        first = len(table.about) + 1
        for at, name in enumerate(table.columns):
            sheet.write_string(first, at, name, bold)
        for number, row in enumerate(table.rows, first + 1):
            for at, cell in enumerate(row):
                _write_cell(sheet, (number, at), cell)


def _write_cell(sheet: Any, place: tuple[int, int], value: str | int) -> None:
    if isinstance(value, int):
        sheet.write_number(*place, value)
    else:
        sheet.write_string(*place, value[:_CELL_CHARS])


def harmless(value: str | int) -> str:
    """Make sure that a spreadsheet reads a cell as text.

    Examples
    --------
    >>> harmless("=1+1"), harmless(" @a"), harmless("a-b"), harmless(-3)
    ("'=1+1", "' @a", 'a-b', '-3')
    """
    if isinstance(value, int):
        return str(value)
    text = _BREAKS.sub(" ", value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_SIGNS) else text


def _csv_line(cells: Sequence[str | int]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([harmless(cell) for cell in cells])
    return buffer.getvalue()


def _tsv_line(cells: Sequence[str | int]) -> str:
    return "\t".join(harmless(cell) for cell in cells) + "\r\n"


def _json(record: dict[str, str | int] | dict[str, str]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
