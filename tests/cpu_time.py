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
    """Say whether one of several runs needs less processor time than a bound."""
    bound = seconds * slowness()
    return any(seconds_of(work) < bound for _ in range(TRIES))
