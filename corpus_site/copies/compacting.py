"""Compacting the database: what deleted rows leave in free pages and in the log is overwritten.

SQLite zeroes what it deletes (`secure_delete`), but rows that moved between pages may leave a copy
in a page's slack, and the write-ahead log holds pages as they were: the file is written anew and
the log cut to nothing. PostgreSQL keeps dead rows until a vacuum; `VACUUM FULL` writes each table
anew and locks it meanwhile. Both take twice the room while they last.
"""

import logging
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.db import connection

_TIMEOUT_SECONDS = 20.0

logger = logging.getLogger(__name__)


def compact_small() -> bool:
    """Compact a small SQLite database at once; larger ones are left to `manage.py compact`.

    Returns
    -------
    bool
        False where somebody has read all the while, so that it is to be tried again.
    """
    path = _sqlite_file()
    if path is None:
        return True
    if path.stat().st_size > settings.COMPACT_BELOW_BYTES:
        logger.warning("erased rows leave free pages in %s: run manage.py compact", path)
        return True
    return compact_sqlite(path)


def compact() -> bool:
    """Compact the whole database, whatever its size; False as `compact_small`."""
    path = _sqlite_file()
    if path is not None:
        return compact_sqlite(path)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM FULL")
    return True


def compact_sqlite(path: Path) -> bool:
    """Write a database file anew and cut its log; False where it is in use."""
    if shutil.disk_usage(path.parent).free < 2 * path.stat().st_size:
        raise OSError(f"{path} has no room beside it to be written anew")
    base = sqlite3.connect(path, timeout=_TIMEOUT_SECONDS, isolation_level=None)
    with closing(base):
        try:
            base.execute("VACUUM")
            is_busy, _, _ = base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return False
    return not is_busy


def _sqlite_file() -> Path | None:
    """Give the file of a database that has one."""
    if connection.vendor != "sqlite" or cast("Any", connection).is_in_memory_db():
        return None
    return Path(str(connection.settings_dict["NAME"]))
