"""An empty SQLite database with all tables, made once for all parts of a run beside each other.

The migrations take some seconds of a processor, a copy of what they make takes none. Where nothing
is made once (one part, run by hand) there is nothing to copy.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from made_once import made_once

ROOT = Path(__file__).resolve().parents[1]
DATABASE_NAME = "broadsheet.sqlite3"
# What would make the tables elsewhere.
_OTHER_PLACES = {"DATABASE_URL", "REDIS_URL", "INDEX_DIR"}


def without_servers() -> dict[str, str]:
    """Give this process's environment, to which no place of data belongs."""
    return {name: value for name, value in os.environ.items() if name not in _OTHER_PLACES}


def migrated_data() -> Path | None:
    """Give the data folder with the tables of this run, made by who comes first; None without."""
    return made_once("tables", migrate)


def migrate(data: Path) -> None:
    """Make all tables in a data folder, as a site does at its first start."""
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env=without_servers() | {"DATA_DIR": str(data)},
        check=True,
    )


def copy_tables(database: Path) -> bool:
    """Put the tables of this run at a path; says whether there were any."""
    data = migrated_data()
    if data is None:
        return False
    shutil.copyfile(data / DATABASE_NAME, database)
    return True
