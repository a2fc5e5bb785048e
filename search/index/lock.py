"""One writer at a time: an advisory lock on a file of the index folder.

The kernel drops the lock when its process ends, however it ends, so there is nothing to clean up.
"""

import fcntl
import os
import time
from pathlib import Path

from search.index.errors import IndexLockedError

LOCK_NAME = "writer.lock"
POLL_SECONDS = 0.01  # a commit takes 10 to 20 ms


class WriterLock:
    """An exclusive lock on an index folder, or on one kind of work in it."""

    def __init__(self, folder: Path, name: str = LOCK_NAME) -> None:
        self._path = folder / name
        self._descriptor: int | None = None

    @property
    def is_held(self) -> bool:
        """True between acquire and release."""
        return self._descriptor is not None

    def acquire(self, timeout_seconds: float) -> None:
        """Take the lock, waiting for another holder up to a limit.

        Raises
        ------
        IndexLockedError
            If it was not free in time.
        """
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        deadline = time.monotonic() + timeout_seconds
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    raise IndexLockedError(f"{self._path} is held by another process") from None
                time.sleep(POLL_SECONDS)
            else:
                self._descriptor = descriptor
                return

    def release(self) -> None:
        """Give the lock back; harmless when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
