"""Memory of processes that live long: how seldom it is searched for garbage, and its return.

Loads nothing of the site, since gunicorn's first process reads this too.
"""

import ctypes
import gc
import os
import sys
from dataclasses import dataclass
from pathlib import Path

# Objects more than at the last collection before there is another: with Python's 700 a crawl of
# 689 articles is interrupted 6,000 times, for a tenth of its processor time.
COLLECTOR_THRESHOLDS = (20_000, 20, 20)
# Each thread would take memory from heaps of its own, eight a processor, which keep what was freed:
# 78 heavy questions one by one left 820 MB in the web process, where one thread keeps 240.
MOST_HEAPS = 2
# What a process has beyond this is looked at when it has grown by as much again: what large
# answers, batches and merges have freed goes back at once, not when there is nothing to do.
TRIM_STEP_BYTES = 64 << 20
_M_ARENA_MAX = -8  # mallopt(3)


def collect_seldom() -> None:
    """Search less often than Python would: while a program loads, nothing is garbage.

    Two searches of all that was loaded are a tenth of the start of a worker (1.45 s of processor
    time, 1.35 so).
    """
    gc.set_threshold(*COLLECTOR_THRESHOLDS)


def settle() -> None:
    """Leave what is loaded out of all collections, and collect more seldom; once a process.

    To be called before there are threads.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, MOST_HEAPS)
    gc.collect()
    gc.freeze()
    collect_seldom()


def return_free() -> None:
    """Give the system back what nothing uses any more (Linux; elsewhere it is collected only)."""
    gc.collect()
    trim()


def trim() -> None:
    """Give the system back what was freed, without looking for more (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


def resident_bytes() -> int:
    """Tell how much of the machine's memory this process has (Linux; elsewhere 0)."""
    if sys.platform != "linux":
        return 0
    n_pages = int(Path("/proc/self/statm").read_text().split()[1])
    return n_pages * os.sysconf("SC_PAGE_SIZE")


@dataclass(slots=True)
class FreeMemory:
    """What a process has freed and still holds; looked at after each of its pieces of work."""

    held_bytes: int = 0  # after the last look

    def give_back(self) -> None:
        """Give it back to the system where the process has grown by a step since it last did."""
        present = resident_bytes()
        if present > self.held_bytes + TRIM_STEP_BYTES:
            trim()
            present = self.held_bytes = resident_bytes()
        self.held_bytes = min(self.held_bytes, present)
