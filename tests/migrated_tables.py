"""An empty SQLite database with all tables, made once for all parts of a run beside each other.

The migrations take some ten seconds of a processor, a copy of what they make takes none. Where
`FOLDER_VARIABLE` names no folder (one part, run by hand) there is nothing to copy.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER_VARIABLE = "MIGRATED_TABLES_DIR"
DATABASE_NAME = "broadsheet.sqlite3"
# What would make the tables elsewhere.
_OTHER_PLACES = {"DATABASE_URL", "REDIS_URL", "INDEX_DIR"}


def without_servers() -> dict[str, str]:
    """Give this process's environment, to which no place of data belongs."""
    return {name: value for name, value in os.environ.items() if name not in _OTHER_PLACES}


def migrated_data() -> Path | None:
    """Give the data folder with the tables of this run, made by who comes first; None without."""
    name = os.environ.get(FOLDER_VARIABLE)
    if not name:
        return None
    data = Path(name) / "data"
    with (Path(name) / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (Path(name) / "made").exists():
            migrate(data)
            (Path(name) / "made").touch()
    return data


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
