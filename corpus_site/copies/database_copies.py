"""A copy of the database as it was at one moment, while everything goes on; and putting it back.

SQLite: its own online copy under one read transaction. PostgreSQL: pg_dump on an exported snapshot,
in which the rows are counted too. So the counts are those of the copy, whatever is written
meanwhile.
"""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.backends.postgresql.client import DatabaseClient

SQLITE_NAME = "broadsheet.sqlite3"
POSTGRES_NAME = "database.dump"
Counts = dict[str, int]
_POSTGRES_TABLES = (
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
)
_SQLITE_TABLES = (
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
)


class CopyError(Exception):
    """Raised here with a sentence, shown by the commands of backup and restore."""


def copy_out(folder: Path) -> Counts:
    """Write a copy of the database into a folder; returns the rows of each table in it."""
    if connection.vendor == "postgresql":
        return _dump(folder / POSTGRES_NAME)
    path = folder / SQLITE_NAME
    source = f"file:{connection.settings_dict['NAME']}?mode=ro"
    with closing(sqlite3.connect(source, uri=True)) as live, closing(sqlite3.connect(path)) as copy:
        live.backup(copy)  # all pages in one step: one read transaction, writers go on
        # The copy is one file, and opens from a folder that cannot be written to.
        copy.execute("PRAGMA journal_mode=DELETE")
        return count_sqlite(copy)


def copy_in(folder: Path) -> Counts:
    """Put a copy in the place of the empty database; returns the rows of each table."""
    if connection.vendor == "postgresql":
        _run("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error",
             "--single-transaction", "--dbname={name}", str(folder / POSTGRES_NAME))  # fmt: skip
        return count_rows()
    path = Path(connection.settings_dict["NAME"])
    connection.close()
    for leftover in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        leftover.unlink(missing_ok=True)
    staged = path.with_name(f"{path.name}.restoring")
    shutil.copyfile(folder / SQLITE_NAME, staged)
    staged.replace(path)
    return count_rows()


def is_empty() -> bool:
    return not connection.introspection.table_names()


def count_rows() -> Counts:
    """Count the rows of every table of the present database."""
    with connection.cursor() as cursor:
        cursor.execute(_POSTGRES_TABLES if connection.vendor == "postgresql" else _SQLITE_TABLES)
        names = [name for (name,) in cursor.fetchall()]
        return {name: _count(cursor, name) for name in names}


def count_sqlite(base: sqlite3.Connection) -> Counts:
    """Count the rows of every table of a SQLite file."""
    cursor = base.cursor()
    names = [name for (name,) in cursor.execute(_SQLITE_TABLES)]
    return {name: _count(cursor, name) for name in names}


def _count(cursor: Any, table: str) -> int:
    cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608 (a name from the catalogue)
    return int(cursor.fetchone()[0])


def _dump(path: Path) -> Counts:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        _run("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={path}", "{name}")
        return count_rows()


def _run(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs on the present database; `{name}` stands for its name."""
    found = shutil.which(program)
    if found is None:
        raise CopyError(
            f"{program} is not installed here: it comes with PostgreSQL's client programs, "
            "of the server's version or newer."
        )
    psql, environment = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    *login, name = psql[1:]
    command = [found, *login, *(argument.replace("{name}", name) for argument in arguments)]
    done = subprocess.run(  # noqa: S603 (PostgreSQL's own program)
        command,
        env={**os.environ, **(environment or {})},
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        said = done.stderr.strip() or f"exit code {done.returncode}"
        raise CopyError(f"{program} failed: {said}")
