"""A concordance as a file: first rows that say what it is, then a line a row.

Cells that a spreadsheet would take for a formula get an apostrophe before them (OWASP, CSV
injection).
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

MAX_LINES = 1_000
_FORMULA_SIGNS = ("=", "+", "-", "@")
COLUMNS = (
    "number",
    "published",
    "publication",
    "text type",
    "title",
    "author",
    "left",
    "node",
    "right",
    "address",
    "original",
)


class ExportFormat(StrEnum):
    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"

    @property
    def media_type(self) -> str:
        return {"csv": "text/csv", "tsv": "text/tab-separated-values"}.get(
            self.value, "application/jsonl"
        )


@dataclass(frozen=True, slots=True)
class ExportTable:
    """What the file is about, as pairs of name and value, and its rows in the order of COLUMNS."""

    about: tuple[tuple[str, str], ...]
    rows: Iterable[Sequence[str | int]]


def write_table(table: ExportTable, form: ExportFormat) -> Iterator[str]:
    """Write a file piece by piece."""
    if form is ExportFormat.JSONL:
        yield _json(dict(table.about))
        for row in table.rows:
            yield _json(dict(zip(COLUMNS, row, strict=True)))
        return
    write = _csv_line if form is ExportFormat.CSV else _tsv_line
    for pair in table.about:
        yield write(pair)
    yield write(())
    yield write(COLUMNS)
    for row in table.rows:
        yield write(row)


def harmless(value: str | int) -> str:
    """Make sure that a spreadsheet reads a cell as text.

    Examples
    --------
    >>> harmless("=1+1"), harmless(" @a"), harmless("a-b"), harmless(-3)
    ("'=1+1", "' @a", 'a-b', '-3')
    """
    if isinstance(value, int):
        return str(value)
    text = value.replace("\r\n", " ").replace("\r", " ").replace("\n", " ").replace("\t", " ")
    return f"'{text}" if text.lstrip().startswith(_FORMULA_SIGNS) else text


def _csv_line(cells: Sequence[str | int]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([harmless(cell) for cell in cells])
    return buffer.getvalue()


def _tsv_line(cells: Sequence[str | int]) -> str:
    return "\t".join(harmless(cell) for cell in cells) + "\r\n"


def _json(record: dict[str, str | int] | dict[str, str]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
