"""What one question may use while somebody waits: processor time, and whose turn it is.

Who asks opens an allowance around the question; what works for long looks at it between blocks of
work (`go_on`). Programs on the terminal open none and work as long as it takes. Costs that can be
told before the work are refused before it, in words of their own; this is for all that is left.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


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


@dataclass(frozen=True, slots=True)
class Allowance:
    """Seconds of processor time of the asking thread, and what hears how many were used.

    ``heard`` may raise to end the question, for others who wait as long.
    """

    seconds: float
    heard: Callable[[float], None] = lambda _: None
    began: float = 0.0


_present: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(seconds: float, heard: Callable[[float], None] = lambda _: None) -> Iterator[None]:
    """Bound what is asked inside to some seconds of this thread's processor time."""
    mark = _present.set(Allowance(seconds, heard, time.thread_time()))
    try:
        yield
    finally:
        _present.reset(mark)


def go_on() -> None:
    """Look between two blocks of work whether the question may use more.

    Raises
    ------
    AllowanceUsedError
        If its seconds are used up; whatever ``heard`` raises.
    """
    allowance = _present.get()
    if allowance is None:
        return
    used = time.thread_time() - allowance.began
    allowance.heard(used)
    if used > allowance.seconds:
        raise AllowanceUsedError(
            f"This question would need more than {allowance.seconds:g} seconds of work.",
            "Narrow it by a shorter period, fewer publications or a more specific query.",
        )
