"""Few heavy questions at a time: seats of this process, and of all on this machine.

A question takes a seat when it turns out to be heavy and gives it back with its answer. Nobody has
two, so that one reader keeps none from others; who finds none free waits a moment, where not
enough wait already: a thread that waits answers nobody.
"""

import fcntl
import math
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import IO

SEATS = 2  # of a machine; a third question would take its time from pages that cost little
MOST_WAITING = 2
WAIT_SECONDS = 2.0
MOST_SPENDERS = 10_000  # a megabyte; who spent longest ago is forgotten first
# What a question counts for until its cost is known.
PAGE_SECONDS = 0.1
# Of what counts where some go first so much comes back: a page every second of who reads fast.
RANK_PER_MINUTE = 6.0
_MINUTE = 60.0


class Seats:
    """Seats for heavy questions; safe between threads."""

    def __init__(self, n_seats: int = SEATS, wait_seconds: float = WAIT_SECONDS) -> None:
        self._n_seats = n_seats
        self._wait_seconds = wait_seconds
        self._holders: set[str] = set()
        self._n_waiting = 0
        self._changed = threading.Condition()

    @contextmanager
    def taken(self, key: str, folder: Path, *, may_wait: bool = True) -> Iterator[bool]:
        """Hold a seat for one who asks, or tell that none is free.

        Parameters
        ----------
        key : str
            Who asks.
        folder : Path
            Where all processes of the machine keep the files of their seats.
        may_wait : bool
            Whether there is a thread to spare for waiting.
        """
        if not self._take(key, may_wait=may_wait):
            yield False
            return
        try:
            with ExitStack() as held:
                file = _locked(folder, self._n_seats)
                if file is not None:
                    held.enter_context(file)
                yield file is not None
        finally:
            with self._changed:
                self._holders.discard(key)
                self._changed.notify_all()

    def _take(self, key: str, *, may_wait: bool) -> bool:
        with self._changed:
            if not self._is_free(key) and not (may_wait and self._wait(key)):
                return False
            self._holders.add(key)
            return True

    def _is_free(self, key: str) -> bool:
        return key not in self._holders and len(self._holders) < self._n_seats

    def _wait(self, key: str) -> bool:
        if self._n_waiting >= MOST_WAITING:
            return False
        self._n_waiting += 1
        try:
            return self._changed.wait_for(lambda: self._is_free(key), self._wait_seconds)
        finally:
            self._n_waiting -= 1


def _locked(folder: Path, n_seats: int) -> IO[bytes] | None:
    """Lock the file of a free seat of the machine; it ends with the process at the latest."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(n_seats):
        file = (folder / str(number)).open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
        else:
            return file
    return None


class Spending:
    """What each has spent of an allowance that comes back evenly, and how many wait for answers."""

    def __init__(self) -> None:
        self._spent: dict[str, tuple[float, float, float]] = {}
        self._asking: dict[str, int] = {}
        self._lock = threading.Lock()

    def wait(self, key: str, per_minute: float) -> int:
        """Tell the whole seconds until somebody may ask again; 0 for now."""
        with self._lock:
            over = self._level(key, per_minute) - per_minute
            return max(0, math.ceil(over * _MINUTE / per_minute))

    def level(self, key: str, per_minute: float) -> float:
        """Tell the seconds that somebody has spent and that have not come back."""
        with self._lock:
            return self._level(key, per_minute)

    def rank(self, key: str) -> float:
        """Tell the seconds that count where some go first: more slowly forgotten than a level.

        Of whom nothing is known it is a page's.
        """
        with self._lock:
            return self._rank(key)

    def begin(self, key: str, most: float) -> int:
        """Count one more question that is being answered, and tell how many were before.

        Where `most` are it is not counted: -1.
        """
        with self._lock:
            n_before = self._asking.get(key, 0)
            if n_before >= most:
                return -1
            self._asking[key] = n_before + 1
            return n_before

    def end(self, key: str, seconds: float, per_minute: float) -> None:
        """Count one question less, and what it cost."""
        with self._lock:
            n_asking = self._asking.pop(key, 0) - 1
            if n_asking > 0:
                self._asking[key] = n_asking
            level = self._level(key, per_minute) + seconds
            rank = (self._rank(key) if key in self._spent else 0.0) + seconds
            self._spent.pop(key, None)
            self._spent[key] = level, rank, monotonic()
            while len(self._spent) > MOST_SPENDERS:
                del self._spent[next(iter(self._spent))]

    def clear(self) -> None:
        """Forget what was spent, and who asks."""
        with self._lock:
            self._spent.clear()
            self._asking.clear()

    def _level(self, key: str, per_minute: float) -> float:
        level, _, at = self._spent.get(key, (0.0, 0.0, 0.0))
        return max(0.0, level - (monotonic() - at) * per_minute / _MINUTE)

    def _rank(self, key: str) -> float:
        _, rank, at = self._spent.get(key, (0.0, PAGE_SECONDS, monotonic()))
        return max(0.0, rank - (monotonic() - at) * RANK_PER_MINUTE / _MINUTE)
