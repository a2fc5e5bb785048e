"""A lasting trouble in the log: at once, then once a minute, and when it is over.

A disk that is full for a night would otherwise fill the log of a worker that tries every second.
"""

import logging
import time
from dataclasses import dataclass

EVERY_SECONDS = 60.0  # a night is 500 lines


@dataclass(slots=True)
class TroubleLog:
    """What one process says of one kind of trouble."""

    logger: logging.Logger
    began_at: float | None = None
    said_at: float = 0.0

    def note(self, sentence: str, clock: float | None = None) -> None:
        """Say it unless it was said within the last minute."""
        clock = time.monotonic() if clock is None else clock
        if self.began_at is None:
            self.began_at = clock
        elif clock - self.said_at < EVERY_SECONDS:
            return
        self.said_at = clock
        self.logger.error("%s", sentence)

    def over(self, sentence: str, clock: float | None = None) -> None:
        """Say that it is over, if there was any."""
        if self.began_at is None:
            return
        clock = time.monotonic() if clock is None else clock
        self.logger.warning("%s (after %d s)", sentence, clock - self.began_at)
        self.began_at = None
