"""Guards against work that explodes, on machines of any speed where a measurement may stall.

Bounds are seconds of a machine that does the known work below in `KNOWN_SECONDS`: another one gets
as much more or less as it is slower or faster.
"""

import time
from collections.abc import Callable
from functools import cache

TRIES = 5
# The known work's processor time where the bounds of the tests were set.
KNOWN_SECONDS = 0.045


def seconds_of(work: Callable[[], object]) -> float:
    """Processor time of one run."""
    began = time.process_time()
    work()
    return time.process_time() - began


def _known_work() -> list[str]:
    words = {f"word {number}": str(number) * 9 for number in range(60_000)}
    return sorted(f"{key[::-1]}{value}" for key, value in words.items())


@cache
def slowness() -> float:
    """How many times longer this machine takes for known work; the best of several runs."""
    return min(seconds_of(_known_work) for _ in range(TRIES)) / KNOWN_SECONDS


def takes_less(seconds: float, work: Callable[[], object]) -> bool:
    """Say whether one of several runs needs less processor time than a bound.

    A machine may become slower while tests run, since others work on it: after a run that took
    longer than the bound, the known work is done anew.
    """
    if seconds_of(work) < seconds * slowness():
        return True
    return any(seconds_of(work) < seconds * _slowness_now() for _ in range(TRIES))


def takes_at_most(fold: float, work: Callable[[], object], known: Callable[[], object]) -> bool:
    """Say whether work needs at most so many times what other work needs, run beside it."""
    return any(seconds_of(work) <= fold * seconds_of(known) for _ in range(TRIES))


def _slowness_now() -> float:
    return max(slowness(), seconds_of(_known_work) / KNOWN_SECONDS)
