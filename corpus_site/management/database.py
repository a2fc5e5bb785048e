"""What commands say about a database without tables, or of another version, before they begin."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import Error, OperationalError, ProgrammingError, connection
from django.db.migrations.loader import MigrationLoader

from feeds.models import Worker

_STANDS_IN = "_squashed_"  # in names, as Django gives them


@contextmanager
def usable_database() -> Iterator[None]:
    """Turn a lost or empty database into a sentence."""
    try:
        yield
    except (OperationalError, ProgrammingError) as error:
        sentence = f"The database cannot be used ({error}); “manage.py migrate” makes its tables."
        raise CommandError(sentence) from error


def demand_tables() -> None:
    """Refuse to begin where the tables were never made, or are of another version.

    Processes that wait for a lost database to come back would wait for these for ever.
    """
    try:
        tables = connection.introspection.table_names()
        if Worker._meta.db_table not in tables:
            raise CommandError("The database has no tables yet; “manage.py migrate” makes them.")
        loader = MigrationLoader(connection)
    except Error:
        return  # lost, not empty: whoever needs it tries again
    refuse_newer(loader)
    if missing := sorted(loader.graph.nodes.keys() - loader.applied_migrations.keys()):
        names = ", ".join(".".join(name) for name in missing)
        raise CommandError(
            f"The database is of an older version (without {names}); "
            "“manage.py migrate” brings it up to date."
        )


def has_tables_of_today() -> bool:
    """Say whether the database's tables are exactly those of this version."""
    try:
        loader = MigrationLoader(connection)
    except Error:
        return False
    applied = loader.applied_migrations
    return loader.graph.nodes.keys() <= applied.keys() and not unknown_migrations(loader, applied)


def refuse_newer(loader: MigrationLoader) -> None:
    """Refuse a database that a newer version has changed: ours would misread it.

    Raises CommandError.
    """
    if newer := unknown_migrations(loader, loader.applied_migrations):
        names = ", ".join(newer)
        raise CommandError(
            f"The database was changed by a newer version of Broadsheet ({names}), which this "
            "version does not know. Go on with the newer one, or restore a backup that was made "
            "before the upgrade; nothing was changed."
        )


def unknown_migrations(loader: MigrationLoader, applied: Iterable[tuple[str, str]]) -> list[str]:
    """Name the migrations of our apps among those applied that this program does not have.

    One that stood in for others is not asked for: a later one stands in for more, and each of them
    is written down as applied too.
    """
    known = loader.disk_migrations or {}
    return sorted(
        f"{app}.{name}"
        for app, name in applied
        if app in loader.migrated_apps and (app, name) not in known and _STANDS_IN not in name
    )
