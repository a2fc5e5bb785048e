"""Waiting for other processes: poll a condition until it holds, bounded in time.

Never used to guess a duration.
"""

import time
import urllib.request
from collections.abc import Callable

POLL_SECONDS = 0.02


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
    while not condition():
        assert time.monotonic() < deadline, f"still not true after {seconds} s"
        time.sleep(POLL_SECONDS)
