"""Progress of a long command on standard error: a running line on terminals, else now and then.

Input → output: what has been done so far → a line, not more often than people can read.
"""

import sys
import time
from dataclasses import dataclass, field

TERMINAL_SECONDS = 0.2
FILE_SECONDS = 10.0


@dataclass(slots=True)
class Progress:
    """Counts on standard error."""

    noun: str
    is_quiet: bool = False
    started: float = field(default_factory=time.monotonic)
    shown: float = field(default_factory=time.monotonic)
    has_line: bool = False

    def __call__(self, n_texts: int, n_lines: int) -> None:
        """Show the counts if the last ones have stood for a while."""
        now = time.monotonic()
        is_terminal = sys.stderr.isatty()
        if self.is_quiet or now - self.shown < (TERMINAL_SECONDS if is_terminal else FILE_SECONDS):
            return
        self.shown = now
        said = f"{n_texts:,} texts, {n_lines:,} {self.noun}, {now - self.started:.0f} s"
        sys.stderr.write(f"\r{said}" if is_terminal else f"{said}\n")
        sys.stderr.flush()
        self.has_line = is_terminal

    def end(self) -> None:
        """Leave the running line."""
        if self.has_line:
            sys.stderr.write("\n")
            self.has_line = False
