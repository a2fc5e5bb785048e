"""Migrations one by one, as an older database knows them, without those that stand in for many."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader


class _StepLoader(MigrationLoader):
    """All migrations but those that stand in for others."""

    def load_disk(self) -> None:
        super().load_disk()
        known = self.disk_migrations or {}
        self.disk_migrations = {key: one for key, one in known.items() if not one.replaces}


def steps() -> MigrationExecutor:
    """Give an executor that goes step by step."""
    executor = MigrationExecutor(connection)
    executor.loader = _StepLoader(connection)
    return executor


@contextmanager
def empty_database(folder: Path) -> Iterator[None]:
    """Go on with a database of the same kind without tables, in the place of the tests' own."""
    name = str(folder / "steps.sqlite3")
    if connection.vendor == "postgresql":
        name = f"{connection.settings_dict['NAME']}_steps"
        _by_postgres(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}")
    own = connections[DEFAULT_DB_ALIAS]
    other = own.copy()
    other.settings_dict["NAME"] = name
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield
    finally:
        other.close()
        connections[DEFAULT_DB_ALIAS] = own
        if own.vendor == "postgresql":
            _by_postgres(f"DROP DATABASE {name}")


def _by_postgres(*statements: str) -> None:
    """Run what PostgreSQL refuses in a transaction."""
    with connection._nodb_cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
