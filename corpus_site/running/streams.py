"""Answers that are made while they are read: what they cost, and what they hold until their end.

The server closes an answer when it was read or when its reader has gone.
"""

import errno
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

# A reader who takes a file slower than this line would hold its seat for ever, and others' with it.
LEAST_BYTES_A_SECOND = 4_000
PATIENCE_SECONDS = 30.0


class Cost:
    """Seconds of processor time of one answer."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Count some more."""
        self.seconds += seconds


class Stream:
    """Pieces of an answer; counts what making them costs and gives back what is held for it.

    A reader who is slower than the slowest line is sent away: ConnectionResetError, which the
    server takes for a reader who has gone.
    """

    def __init__(
        self,
        pieces: Iterator[bytes],
        cost: Cost,
        held: ExitStack,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pieces = pieces
        self._cost = cost
        self._held = held
        self._now = now
        self._given_at = now()
        self._spare = PATIENCE_SECONDS  # seconds that the reader may still take

    def __iter__(self) -> "Stream":
        return self

    def __next__(self) -> bytes:
        self._spare -= self._now() - self._given_at
        if self._spare < 0:
            raise ConnectionResetError(errno.ECONNRESET, "The reader of a file is too slow.")
        began = time.thread_time()
        try:
            piece = next(self._pieces)
        finally:
            self._cost.add(time.thread_time() - began)
            self._given_at = self._now()
        self._spare += len(piece) / LEAST_BYTES_A_SECOND
        return piece

    def close(self) -> None:
        """Give back what is held; nothing happens the second time."""
        self._held.close()
