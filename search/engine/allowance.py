"""What one question may use while somebody waits: processor time, and whose turn it is.

Who asks opens an allowance around the question; what works for long looks at it between blocks of
work (`go_on`). Programs on the terminal open none and work as long as it takes. Costs that can be
told before the work are refused before it, in words of their own; this is for all that is left.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

# Looks that come sooner are not taken: reading the time of a thread costs six times as much as the
# clock, and was a third of a list of 100,000 long hits.
LOOK_SECONDS = 0.001

Item = TypeVar("Item")
Result = TypeVar("Result")


class AllowanceUsedError(Exception):
    """Raised when a question has used what it may; said to who asked.

    Parameters
    ----------
    happened, to_do : str
        A sentence each.
    wait_seconds : int
        After which the same may be asked again; 0 where it would be refused again.
    """

    def __init__(self, happened: str, to_do: str, wait_seconds: int = 0) -> None:
        super().__init__(happened)
        self.happened = happened
        self.to_do = to_do
        self.wait_seconds = wait_seconds


class Asker:
    """Who asks: hears what its work has used, and waits for the work of others.

    This one just works; who has a turn gives it up meanwhile.
    """

    def __init__(self) -> None:
        # Each tells what is counted against the first of those who wait for some work of this one.
        self.lenders: list[Callable[[], float]] = []

    @property
    def spent(self) -> float:
        """Seconds that count against it, or against whoever waits for it where that is less."""
        return min((self.own_spent, *(lent() for lent in tuple(self.lenders))))

    @property
    def own_spent(self) -> float:
        """Seconds that count against it."""
        return 0.0

    def hear(self, used: float) -> None:
        """Hear in the asking thread how many seconds were used; may raise to end the question."""

    def rest(self, wait: Callable[[], None]) -> None:
        """Wait for something that another works at."""
        wait()


class Allowance:
    """Seconds of processor time, of the asking thread and of all that work for it.

    Parameters
    ----------
    seconds : float
        Of all threads together.
    asker : Asker
        Hears of them.
    """

    def __init__(self, seconds: float, asker: Asker) -> None:
        self.seconds = seconds
        self.asker = asker
        self._used = 0.0
        self._lock = threading.Lock()

    def count(self, seconds: float) -> float:
        """Count what one thread has used, and tell what all have."""
        with self._lock:
            self._used += seconds
            return self._used

    @property
    def used(self) -> float:
        """Seconds that were counted so far."""
        return self.count(0.0)


@dataclass(slots=True)
class _Worker:
    """One thread at one question, and up to where its time was counted."""

    allowance: Allowance
    is_asking: bool
    counted_at: float = field(default_factory=time.thread_time)
    looked_at: float = 0.0  # by the clock

    def is_soon(self) -> bool:
        """Whether the last look was a moment ago."""
        now = time.monotonic()
        if now - self.looked_at < LOOK_SECONDS:
            return True
        self.looked_at = now
        return False

    def count(self) -> float:
        now = time.thread_time()
        used = self.allowance.count(now - self.counted_at)
        self.counted_at = now
        return used


_present: ContextVar[_Worker | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(seconds: float, asker: Asker | None = None) -> Iterator[Allowance]:
    """Bound what is asked inside to some seconds of processor time."""
    allowance = Allowance(seconds, asker or Asker())
    with _at_work(_Worker(allowance, is_asking=True)):
        yield allowance


def present_asker() -> Asker | None:
    """Return who asks in this thread; None in those that work for it, and on the terminal."""
    worker = _present.get()
    return worker.allowance.asker if worker is not None and worker.is_asking else None


def for_threads(work: Callable[[Item], Result]) -> Callable[[Item], Result]:
    """Make work, done in other threads, use the allowance of the thread that asks for it."""
    asking = _present.get()
    if asking is None:
        return work
    allowance = asking.allowance

    def counted(item: Item) -> Result:
        with _at_work(_Worker(allowance, is_asking=False)):
            go_on()
            return work(item)

    return counted


@contextmanager
def _at_work(worker: _Worker) -> Iterator[None]:
    mark = _present.set(worker)
    try:
        yield
    finally:
        _present.reset(mark)
        worker.count()


def go_on() -> None:
    """Look between two blocks of work whether the question may use more.

    Raises
    ------
    AllowanceUsedError
        If its seconds are used up; whatever the asker raises.
    """
    worker = _present.get()
    if worker is None or worker.is_soon():
        return
    used, allowance = worker.count(), worker.allowance
    if worker.is_asking:
        allowance.asker.hear(used)
    if used > allowance.seconds:
        raise AllowanceUsedError(
            f"This question would need more than {allowance.seconds:g} seconds of work.",
            "Narrow it by a shorter period, fewer publications or a more specific query.",
        )
