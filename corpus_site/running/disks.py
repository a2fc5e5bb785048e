"""Room on the disks, and which errors are the machine's own rather than the work's.

Without room the work pauses and goes on by itself once there is some. What a stage held when its
disk was full or its database went away is given back: an attempt that the machine spoilt is no
fault of the row's, and three of them must not put it aside.
"""

import errno
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.models import F
from django.db.models.functions import Greatest

from feeds.models import Work
from presentation.wording.figures import size

# Full, over quota, larger than the process may write, read-only after an error, gone.
_DISK_ERRORS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.ESTALE}
)
# What SQLite says of its disk; it has no numbers in Python's interface before 3.11's attributes,
# which Django's wrapper hides.
_SQLITE_TROUBLES = ("disk is full", "disk i/o error", "unable to open", "readonly database")
# What disks and database servers raise; `is_machines_fault` tells whether it was theirs.
TROUBLES = (OSError, OperationalError, InterfaceError)
# PostgreSQL: connection lost, resources used up (its own disk among them), server stopping.
_POSTGRES_TROUBLES = ("08", "53", "57P")


@dataclass(frozen=True, slots=True)
class Shortage:
    """A folder whose disk has less room than the work may use."""

    folder: Path
    free_bytes: int
    wanted_bytes: int

    def __str__(self) -> str:
        return (
            f"{size(self.free_bytes)} are free on the disk of {self.folder}, and the last "
            f"{size(self.wanted_bytes)} are kept clear (MIN_FREE_DISK_BYTES)"
        )


def shortage() -> Shortage | None:
    """Say which folder is short of room, if one is; one that cannot be asked has none left."""
    for folder in dict.fromkeys((settings.DATA_DIR, settings.INDEX_DIR)):
        try:
            free = shutil.disk_usage(_existing(folder)).free
        except OSError:
            free = 0
        if free < settings.MIN_FREE_DISK_BYTES:
            return Shortage(folder, free, settings.MIN_FREE_DISK_BYTES)
    return None


def _existing(folder: Path) -> Path:
    """Find the nearest folder upwards that is there: the index is made by its first writer."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def is_machines_fault(error: BaseException) -> bool:
    """Whether a disk or the database's server failed, not the work that met it."""
    if isinstance(error, OperationalError | InterfaceError):
        code = getattr(error.__cause__, "pgcode", "") or ""
        if code:
            return code.startswith(_POSTGRES_TROUBLES)
        words = str(error).lower()
        is_lost = "connection" in words  # libpq speaks in sentences when it has no code
        return is_lost or any(trouble in words for trouble in _SQLITE_TROUBLES)
    return isinstance(error, OSError) and error.errno in _DISK_ERRORS


def give_back(models: Iterable[type[Work]], owner: str) -> int:
    """Return all rows that a process holds, with their attempts uncounted; returns how many."""
    return sum(
        model._default_manager.filter(lease_owner=owner).update(
            lease_until=None, lease_owner="", attempts=Greatest(F("attempts") - 1, 0)
        )
        for model in models
    )
