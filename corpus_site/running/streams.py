"""Answers that are made while they are read: what they cost, and what they hold until their end.

The server closes an answer when it was read or when its reader has gone.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack


class Cost:
    """Seconds of processor time of one answer."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Count some more."""
        self.seconds += seconds


class Stream:
    """Pieces of an answer; counts what making them costs and gives back what is held for it."""

    def __init__(self, pieces: Iterator[bytes], cost: Cost, held: ExitStack) -> None:
        self._pieces = pieces
        self._cost = cost
        self._held = held

    def __iter__(self) -> "Stream":
        return self

    def __next__(self) -> bytes:
        began = time.thread_time()
        try:
            return next(self._pieces)
        finally:
            self._cost.add(time.thread_time() - began)

    def close(self) -> None:
        """Give back what is held; nothing happens the second time."""
        self._held.close()
