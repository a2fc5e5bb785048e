"""Tables: CSV (RFC 4180) and files with tabs; the first line names the columns.

Between columns stands what stands most often in the first line: a comma, semicolon, tab or bar.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping

from search.engine.given.columns import TEXT, fields_of, own_values, text_of
from search.engine.given.lines import Line
from search.engine.given.texts import (
    MAX_TEXT_BYTES,
    FileProblem,
    GivenText,
    Problem,
    Understood,
)

_DELIMITERS = ",;\t|"
_QUOTE = '"'
# Of a row, all its cells and lines: a text, and as much about it.
MAX_ROW_CHARACTERS = 2 * MAX_TEXT_BYTES
csv.field_size_limit(MAX_TEXT_BYTES)


class _Lines:
    """Lines as the csv module takes them: notes the number of the last, and the first bad one."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self.number = 0
        self._n_characters = 0
        self.problem: Problem | None = None

    def __iter__(self) -> "_Lines":
        return self

    def begin_row(self) -> None:
        self._n_characters = 0

    def __next__(self) -> str:
        self.number, line = next(self._lines)
        if isinstance(line, Problem):
            self.problem = self.problem or line
            return "\n"
        self._n_characters += len(line) + 1
        if self._n_characters > MAX_ROW_CHARACTERS:
            words = (
                f"a row of more than {MAX_ROW_CHARACTERS:,} characters: quotes that never close?"
            )
            raise FileProblem(words, self.number)
        return line + "\n"


def read_table(
    lines: Iterable[Line], chosen: Mapping[str, str], told: Understood
) -> Iterator[GivenText | Problem]:
    """Read a text a row.

    Raises
    ------
    FileProblem
        Where the first line names no column of texts.
    """
    source = _Lines(lines)
    head = next(source, "")
    if source.problem:
        raise FileProblem(source.problem.words, 1)
    if not head.strip():
        raise FileProblem("the file is empty, or its first line, which names the columns, is")
    delimiter = max(_DELIMITERS, key=head.count)
    columns = _cells(head, delimiter)
    fields = fields_of(columns, chosen, told)
    for first, cells in _rows(source, delimiter):
        if not isinstance(cells, Problem):
            named = zip(columns, fields, cells, strict=False)
            own = own_values(((name, cell) for name, field, cell in named if not field), told)
        else:
            own = ()
        yield source.problem or _text_of(cells, fields, first, own)
        source.problem = None


def _rows(source: _Lines, delimiter: str) -> Iterator[tuple[int, list[str] | Problem]]:
    """Read rows with the number of the line where each begins; empty ones are passed over."""
    reader = csv.reader(source, delimiter=delimiter, strict=False) if delimiter != "\t" else None
    while True:
        first = source.number + 1
        source.begin_row()
        try:
            cells = _cells(next(source), delimiter) if reader is None else next(reader)
        except StopIteration:
            return
        except csv.Error:
            words = "a field is longer than a text may be: a quote that is never closed?"
            yield first, Problem(first, f"{words} Lines {first} to {source.number} are left out.")
            continue
        if any(cells) or source.problem:
            yield first, cells


def _text_of(
    cells: list[str] | Problem, fields: list[str], line: int, own: tuple[tuple[str, str], ...]
) -> GivenText | Problem:
    if isinstance(cells, Problem):
        return cells
    if len(cells) > len(fields):
        return Problem(line, f"{len(cells)} columns instead of {len(fields)}")
    # Short rows end with empty cells that were not written.
    values = {field: cell for field, cell in zip(fields, cells, strict=False) if field}
    if not values.get(TEXT, "").strip():
        return Problem(line, "the row has no text")
    return text_of(values, line, own)


def _cells(line: str, delimiter: str) -> list[str]:
    """Cut a line; between tabs a quote is a sign like others, unless quotes stand around a cell."""
    if delimiter != "\t":
        return next(csv.reader([line], delimiter=delimiter))
    return [_unquoted(cell) for cell in line.rstrip("\n").split("\t")]


def _unquoted(cell: str) -> str:
    is_quoted = len(cell) > 1 and cell.startswith(_QUOTE) and cell.endswith(_QUOTE)
    return cell[1:-1].replace(_QUOTE * 2, _QUOTE) if is_quoted else cell
