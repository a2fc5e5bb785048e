"""Tables of a statistic page as a file: CSV, XLSX or JSON with exactly the rows that were shown.

The first rows say what the file is about (query, base, generation, date, address). Numbers stay
numbers in full precision; texts that a spreadsheet would take for a formula are made harmless.
"""

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import chain
from typing import Any

import xlsxwriter

from search.engine.allowance import AllowanceUsedError, go_on
from search.engine.tables.exports import data_name, harmless
from search.engine.tables.result_table import ColumnKind, ResultTable, Value

_SHEET_NAME_CHARS = 31  # Excel's limit
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\']+")  # Excel's too; of ' only at either end
_TAKEN_SHEET_NAMES = {"", "about", "history"}  # ours of each file; one that Excel keeps to itself
_FIRST_COUNTED_DAY = "1900-03-01"  # Excel counts a 29 February before it, and nothing before 1900
_CELL_CHARS = 32_767  # Excel's limit
# Packing takes half a second for these, and cannot be ended once it began.
_MOST_WORKBOOK_CHARS = 5_000_000
_ROWS_BETWEEN_LOOKS = 1_000  # at what the question has used
# In characters.
_WIDTHS = {ColumnKind.TEXT: 28, ColumnKind.DATE: 12}
_NUMBER_WIDTH = 14
_FORMATS = {
    ColumnKind.COUNT: "#,##0",
    ColumnKind.RATE: "#,##0.00",
    ColumnKind.SHARE: "0.0%",
    ColumnKind.MEASURE: "0.000",
    ColumnKind.DATE: "yyyy-mm-dd",
}


class TableFormat(StrEnum):
    """Kinds of files."""

    CSV = "csv"
    XLSX = "xlsx"
    JSON = "json"
    DATA_CSV = "data.csv"
    DATA_TSV = "data.tsv"

    @property
    def ending(self) -> str:
        """Last part of the file's name."""
        return self.value.rpartition(".")[2]

    @property
    def is_data(self) -> bool:
        """Whether the file is one table from its first row on, for R and pandas."""
        return self.value.startswith("data.")

    @property
    def media_type(self) -> str:
        """Content type of the answer."""
        return {
            "csv": "text/csv; charset=utf-8",
            "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "json": "application/json",
            "tsv": "text/tab-separated-values; charset=utf-8",
        }[self.ending]


@dataclass(frozen=True, slots=True)
class TableFile:
    """What a file holds: pairs of name and value about the numbers, then the tables."""

    about: tuple[tuple[str, str], ...]
    tables: tuple[ResultTable, ...]


def write_tables(file: TableFile, form: TableFormat) -> bytes:
    """Write the tables of a page into one file.

    Raises
    ------
    AllowanceUsedError
        If the question has no time left for it, or its texts do not go into a workbook.
    """
    if form is TableFormat.JSON:
        return _json(file)
    if form.is_data:
        return _data(file.tables[:1], "," if form is TableFormat.DATA_CSV else "\t")
    return _csv(file) if form is TableFormat.CSV else _xlsx(file)


def _json(file: TableFile) -> bytes:
    record = {"about": dict(file.about), "tables": [record_of(table) for table in file.tables]}
    return json.dumps(record, ensure_ascii=False, indent=1).encode()


def record_of(table: ResultTable) -> dict[str, Any]:
    return {
        "name": table.key,
        "caption": table.caption,
        "n_all": len(table.rows) if table.n_all is None else table.n_all,
        "is_complete": not table.is_cut,
        "columns": [
            {"key": column.key, "label": column.label, "kind": column.kind.value}
            for column in table.columns
        ],
        "rows": [
            {column.key: _plain(cell.value) for column, cell in row} for row in table.pairs
        ],
    }  # fmt: skip


def _plain(value: Value) -> str | int | float | None:
    return value.isoformat() if isinstance(value, date | datetime) else value


def _csv(file: TableFile) -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    for name, value in file.about:
        writer.writerow((name, harmless(value)))
    for table in file.tables:
        writer.writerow(())
        if len(file.tables) > 1:
            writer.writerow((harmless(table.caption),))
        writer.writerow([harmless(column.label) for column in table.columns])
        for number, row in enumerate(table.rows):
            _look(number)
            writer.writerow([_csv_cell(cell.value) for cell in row])
    return buffer.getvalue().encode()


def _data(tables: Sequence[ResultTable], separator: str) -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator)
    for table in tables:
        writer.writerow(_data_names(table))
        for number, row in enumerate(table.rows):
            _look(number)
            writer.writerow([_csv_cell(cell.value) for cell in row])
    return buffer.getvalue().encode()


def _data_names(table: ResultTable) -> list[str]:
    """Name the columns by their labels; by their keys where that is no name, or one twice."""
    names = [data_name(column.label) for column in table.columns]
    return [
        name if name[:1].isalpha() and names.count(name) == 1 else data_name(column.key)
        for name, column in zip(names, table.columns, strict=True)
    ]


def _look(number: int) -> None:
    if number % _ROWS_BETWEEN_LOOKS == 0:
        go_on()


def _csv_cell(value: Value) -> str:
    plain = _plain(value)
    if plain is None:
        return ""
    return harmless(plain) if isinstance(plain, str) else str(plain)


def _xlsx(file: TableFile) -> bytes:
    _check_texts(file.tables)
    buffer = io.BytesIO()
    options = {"constant_memory": True, "strings_to_formulas": False}
    with xlsxwriter.Workbook(buffer, {**options, "strings_to_urls": False}) as book:
        formats = {kind: book.add_format({"num_format": f}) for kind, f in _FORMATS.items()}
        bold = book.add_format({"bold": True})
        about = book.add_worksheet("About")
        about.set_column(0, 0, _WIDTHS[ColumnKind.DATE])
        for row, (label, value) in enumerate(file.about):
            about.write_string(row, 0, label, bold)
            about.write_string(row, 1, value)
        for table, name in zip(file.tables, _sheet_names(file.tables), strict=True):
            _write_sheet(book.add_worksheet(name), table, formats, bold)
    return buffer.getvalue()


def _check_texts(tables: Sequence[ResultTable]) -> None:
    cells = chain.from_iterable(chain.from_iterable(table.rows for table in tables))
    lengths = [len(cell.value) for cell in cells if isinstance(cell.value, str)]
    if sum(lengths) > _MOST_WORKBOOK_CHARS or max(lengths, default=0) > _CELL_CHARS:
        raise AllowanceUsedError(
            f"This list has {sum(lengths):,} characters, a workbook takes {_MOST_WORKBOOK_CHARS:,} "
            f"here and {_CELL_CHARS:,} in one cell.",
            "Take it as CSV, which every spreadsheet opens, or ask for a shorter list.",
        )


def _sheet_names(tables: Sequence[ResultTable]) -> list[str]:
    """Name the sheets by the tables' keys, numbered so that no two are alike."""
    names = [_NOT_IN_SHEET_NAMES.sub(" ", table.key).strip() for table in tables]
    if len(names) != 1 or names[0].lower() in _TAKEN_SHEET_NAMES:
        names = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return [name[:_SHEET_NAME_CHARS].strip() for name in names]


def _write_sheet(sheet: Any, table: ResultTable, formats: dict[ColumnKind, Any], bold: Any) -> None:
    for place, column in enumerate(table.columns):
        sheet.set_column(place, place, _WIDTHS.get(column.kind, _NUMBER_WIDTH))
    sheet.freeze_panes(1, 0)
    for place, column in enumerate(table.columns):
        sheet.write_string(0, place, column.label, bold)
    for number, row in enumerate(table.pairs, 1):
        _look(number - 1)
        for place, (column, cell) in enumerate(row):
            _write_cell(sheet, (number, place), cell.value, formats.get(column.kind))


def _write_cell(sheet: Any, place: tuple[int, int], value: Value, form: Any) -> None:
    if value is None:
        return
    if isinstance(value, date | datetime) and value.isoformat() >= _FIRST_COUNTED_DAY:
        sheet.write_datetime(*place, value, form)
    elif isinstance(value, date | datetime):
        sheet.write_string(*place, value.isoformat())
    elif isinstance(value, str):
        sheet.write_string(*place, value)  # never a formula, whatever it begins with
    else:
        sheet.write_number(*place, value, form)
