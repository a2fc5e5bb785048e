"""Work that several may want and one does at a time: a lock whose waiters lend their rank.

Who holds a plain lock and stands aside for others keeps all who wait for the lock from working,
and with them whoever waits for their turns (priority inversion). Here who waits gives its turn
back, and who works goes as soon as the first of those who wait for it would (priority inheritance:
Sha, Rajkumar and Lehoczky 1990, Priority Inheritance Protocols, IEEE Transactions on Computers
39(9)).
"""

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from search.engine.allowance import Asker, present_asker


class SharedWork:
    """A lock around work that may stand aside; safe between threads."""

    def __init__(self) -> None:
        self._working = threading.Lock()
        self._waiting: list[Asker] = []
        self._lock = threading.Lock()  # of the list

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Do the work while nobody else does; where nobody asks it is a lock like any other."""
        asker = present_asker() or Asker()
        if self._working.acquire(blocking=False):
            asker.lenders.append(self._least_spent)
        else:
            self._wait(asker)
        try:
            yield
        finally:
            asker.lenders.remove(self._least_spent)
            self._working.release()

    def _wait(self, asker: Asker) -> None:
        def take() -> None:
            self._working.acquire()
            with self._lock:
                self._waiting.remove(asker)
            asker.lenders.append(self._least_spent)

        with self._lock:
            self._waiting.append(asker)
        asker.rest(take)

    def _least_spent(self) -> float:
        """Tell what is counted against the first of those who wait; infinite where nobody does."""
        with self._lock:
            waiting = tuple(self._waiting)
        return min((each.spent for each in waiting), default=math.inf)
