"""What commands say about a database without tables, or of another version, before they begin."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import Error, OperationalError, ProgrammingError, connection
from django.db.migrations.loader import MigrationLoader

from feeds.models import Worker


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


def refuse_newer(loader: MigrationLoader) -> None:
    """Refuse a database that a newer version has changed: ours would misread it.

    Raises CommandError. Migrations of apps that this program does not have are nobody's business.
    """
    ours = loader.migrated_apps
    known = loader.disk_migrations or {}
    newer = sorted(
        name for name in loader.applied_migrations if name[0] in ours and name not in known
    )
    if newer:
        names = ", ".join(".".join(name) for name in newer)
        raise CommandError(
            f"The database was changed by a newer version of Broadsheet ({names}), which this "
            "version does not know. Go on with the newer one, or restore a backup that was made "
            "before the upgrade; nothing was changed."
        )
