"""Writes that a page can do without: no longer behind another's lock than a reader would notice."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def briefly(seconds: float) -> Iterator[None]:
    """Run a transaction that gives up where others hold their locks for longer.

    SQLite has one writer at a time, and a page would wait 20 s for a busy crawl; on PostgreSQL only
    who writes the same rows can be in the way.

    Raises
    ------
    OperationalError
        Nothing is written then.
    """
    milliseconds = max(1, round(1000 * seconds))
    if connection.vendor != "sqlite":
        with transaction.atomic():
            _run(f"SET LOCAL lock_timeout = {milliseconds}")
            yield
        return
    usual = _run("PRAGMA busy_timeout")
    _run(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        with transaction.atomic():
            yield
    finally:
        _run(f"PRAGMA busy_timeout = {usual}")


def _run(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    return row[0] if row else 0
