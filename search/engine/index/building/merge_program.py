"""`python -m search.engine.index.building.merge_program FOLDER PARENT`: the merges that are due.

A program of its own stands on 15 MB where a worker has hundreds, and what a merge takes, up to half
a gigabyte, goes back when it ends. It works at the lowest priority and ends with its parent (Linux;
elsewhere after its merge): what it leaves, the next merge deletes (see `merging`). Where manifest
or lexicon cannot be read it says so and ends with `DAMAGED`.
"""

import ctypes
import os
import signal
import sys
from pathlib import Path

from search.engine.index.building.merging import merge_step
from search.engine.index.errors import DamagedFileError

LOWEST_PRIORITY = 19
DAMAGED = 3  # as an exit code
_PR_SET_PDEATHSIG = 1  # of Linux (sys/prctl.h)


def main(folder: Path, parent: int) -> int:
    """Merge until nothing is due; gives the exit code."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            return 0
    os.nice(LOWEST_PRIORITY)
    try:
        while merge_step(folder):
            pass
    except DamagedFileError as error:
        sys.stderr.write(f"{error}\n")
        return DAMAGED
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
