"""From SQLite to PostgreSQL: every row of every table, by COPY, in one transaction.

SQLite file and a PostgreSQL connection whose tables are made → the rows in it, counted, and its
sequences set. Values are taken as SQLite holds them and written as PostgreSQL reads them, by the
type of the target's column; tables without a Django model (fingerprints) go the same way.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from corpus_site.copies.database_copies import CopyError, count_sqlite

# Written by `migrate` on either side.
_NOT_MOVED = frozenset({"django_migrations"})
_COLUMNS = (
    "SELECT table_name, column_name, data_type FROM information_schema.columns"
    " WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"
)
_SEQUENCES = (
    "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = current_schema()"
    " AND (is_identity = 'YES' OR column_default LIKE 'nextval(%%')"
)
_ROWS_PER_CHUNK = 2_000  # some megabytes in memory, and no more round trips than needed
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": None})

Write = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table of the target: its columns and how a value of each is written for COPY."""

    name: str
    columns: tuple[str, ...]
    writers: tuple[Write, ...]


def move(source: Path, target: BaseDatabaseWrapper, say: Callable[[str], None]) -> dict[str, int]:
    """Copy all rows into the tables of `target`, whose own are replaced; returns rows by table.

    Raises CopyError when tables or columns differ, or the counts do afterwards; the target is then
    as it was.
    """
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as base:
        base.execute("BEGIN")  # one moment of the source
        tables = _tables(base, target)
        wanted = {name: n for name, n in count_sqlite(base).items() if name not in _NOT_MOVED}
        with target.cursor() as cursor:
            quoted = ", ".join(f'"{table.name}"' for table in tables)
            cursor.execute(f"TRUNCATE {quoted}")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
            for table in tables:
                _copy(base, cursor, table)
                say(f"{table.name}: {wanted[table.name]} rows")
            _set_sequences(cursor)
            moved = {table.name: _count(cursor, table.name) for table in tables}
    if moved != wanted:
        wrong = sorted(name for name in wanted if moved.get(name) != wanted[name])
        raise CopyError(f"Not all rows arrived in {', '.join(wrong)}; nothing was kept.")
    return moved


def _tables(base: sqlite3.Connection, target: BaseDatabaseWrapper) -> list[MovedTable]:
    with target.cursor() as cursor:
        cursor.execute(_COLUMNS)
        types: dict[str, dict[str, str]] = {}
        for table, column, kind in cursor.fetchall():
            types.setdefault(table, {})[column] = kind
    theirs = {name: set(columns) for name, columns in types.items() if name not in _NOT_MOVED}
    ours = {
        name: {row[1] for row in base.execute(f'PRAGMA table_info("{name}")')}
        for name in count_sqlite(base)
        if name not in _NOT_MOVED
    }
    if ours != theirs:
        names = sorted(
            name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)
        )
        raise CopyError(f"These tables differ on the two sides: {', '.join(names)}.")
    return [
        MovedTable(name, tuple(types[name]), tuple(_writer(kind) for kind in types[name].values()))
        for name in sorted(ours)
    ]


def _copy(base: sqlite3.Connection, cursor: Any, table: MovedTable) -> None:
    columns = ", ".join(f'"{column}"' for column in table.columns)
    rows = base.execute(f'SELECT {columns} FROM "{table.name}"')  # noqa: S608 (from the catalogue)
    statement = f'COPY "{table.name}" ({columns}) FROM STDIN'
    cursor.copy_expert(statement, _Lines(_lines(rows, table.writers)))


def _lines(rows: sqlite3.Cursor, writers: Sequence[Write]) -> Iterator[str]:
    while chunk := rows.fetchmany(_ROWS_PER_CHUNK):
        yield "".join(
            "\t".join(
                "\\N" if value is None else write(value)
                for value, write in zip(row, writers, strict=True)
            )
            + "\n"
            for row in chunk
        )


class _Lines:
    """Text in pieces as the file that COPY reads from."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._rest = b""

    def read(self, size: int) -> bytes:
        while len(self._rest) < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._rest += piece.encode()
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def _writer(kind: str) -> Write:
    """Choose how a column's values are written, by PostgreSQL's name of its type."""
    if kind == "boolean":
        return lambda value: "t" if value else "f"
    if kind == "bytea":
        return lambda value: "\\\\x" + bytes(value).hex()
    if kind == "timestamp with time zone":
        return lambda value: f"{value}+00"  # Django keeps UTC in SQLite
    if kind == "interval":
        return lambda value: f"{value} microseconds"
    if kind == "jsonb":
        # U+0000 may stand in JSON text, not in PostgreSQL's.
        return lambda value: str(value).replace("\\u0000", "").translate(_ESCAPES)
    return lambda value: str(value).translate(_ESCAPES)


def _set_sequences(cursor: Any) -> None:
    cursor.execute(_SEQUENCES)
    for table, column in cursor.fetchall():
        cursor.execute(
            f"SELECT setval(pg_get_serial_sequence('\"{table}\"', '{column}'),"  # noqa: S608 (catalogue)
            f' coalesce(max("{column}"), 0) + 1, false) FROM "{table}"'
        )


def _count(cursor: Any, table: str) -> int:
    cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608 (a name from the catalogue)
    return int(cursor.fetchone()[0])
