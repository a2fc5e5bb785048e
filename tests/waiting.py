"""Waiting for other processes: poll a condition until it holds, bounded in time.

Never used to guess a duration.
"""

import time
import urllib.request
from collections.abc import Callable

POLL_SECONDS = 0.02
# A condition that asks a whole program would else take a processor from what it waits for.
RESTS_PER_LOOK = 3
LONGEST_REST_SECONDS = 10.0


def answers(address: str) -> bool:
    """Whether an address answers with 200 now."""
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status == 200
    except OSError:
        return False


def wait_until(condition: Callable[[], object], seconds: float = 120.0) -> None:
    """Return as soon as `condition()` is true; AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        if condition():
            return
        now = time.monotonic()
        assert now < deadline, f"still not true after {seconds} s"
        rest = RESTS_PER_LOOK * (now - began)
        time.sleep(min(max(POLL_SECONDS, rest), LONGEST_REST_SECONDS))
