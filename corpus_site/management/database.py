"""What commands say about a database without tables, instead of a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import Error, OperationalError, ProgrammingError, connection

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
    """Refuse to begin where the tables were never made.

    Processes that wait for a lost database to come back would wait for these for ever.
    """
    try:
        tables = connection.introspection.table_names()
    except Error:
        return  # lost, not empty: whoever needs it tries again
    if Worker._meta.db_table not in tables:
        raise CommandError("The database has no tables yet; “manage.py migrate” makes them.")
