"""Files that wait on this machine to be imported: uploads, and what an admin has put there."""

import re
import uuid
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from feeds.warc_files.files import SUFFIXES

FOLDER = "imports"
# A list of more is not read by anybody; the command takes a whole folder.
MAX_LISTED = 200
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_MAX_STEM = 80


def import_folder() -> Path:
    """Return the folder below DATA_DIR whose files can be chosen in the browser."""
    return Path(settings.DATA_DIR) / FOLDER


def waiting_names() -> list[str]:
    """List the files of the folder by name, as the browser offers them."""
    folder = import_folder()
    if not folder.is_dir():
        return []
    found = (item for item in folder.rglob("*") if item.name.lower().endswith(SUFFIXES))
    return sorted(str(item.relative_to(folder)) for item in found if item.is_file())[:MAX_LISTED]


def keep_upload(name: str, chunks: Iterable[bytes]) -> Path:
    """Write an uploaded file into the folder, under a name of its own.

    Raises OSError where the disk does not take it; nothing of it is left then.
    """
    suffix = next(one for one in SUFFIXES if name.lower().endswith(one))
    stem = _NOT_IN_NAMES.sub("_", name[: -len(suffix)])[:_MAX_STEM].strip("._") or "upload"
    folder = import_folder()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem}-{uuid.uuid4().hex[:8]}{suffix}"
    try:
        with path.open("xb") as file:
            file.writelines(chunks)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path
