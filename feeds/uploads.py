"""Files that come through the browser, written whole or not at all."""

from collections.abc import Iterable
from pathlib import Path


def write_upload(path: Path, chunks: Iterable[bytes]) -> Path:
    """Write a file of a name of its own, and the folders that it needs; returns its path.

    Raises OSError where the disk does not take it; nothing of it is left then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("xb") as file:
            file.writelines(chunks)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path
