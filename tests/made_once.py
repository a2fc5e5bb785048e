"""What is dear to make and the same for all parts of a run: made by who comes first, for all.

Where `FOLDER_VARIABLE` names no folder (one part, run by hand) nothing is shared.
"""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

FOLDER_VARIABLE = "MADE_ONCE_DIR"


def made_once(name: str, make: Callable[[Path], object]) -> Path | None:
    """Give the folder of this run that `make` has filled, here or elsewhere; None without."""
    shared = os.environ.get(FOLDER_VARIABLE)
    if not shared:
        return None
    folder, made = Path(shared) / name, Path(shared) / f"{name}.made"
    with (Path(shared) / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(folder)
            made.touch()
    return folder
