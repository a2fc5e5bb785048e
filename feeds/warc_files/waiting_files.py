"""Files that wait on this machine to be imported, as an admin has put them there."""

from pathlib import Path

from django.conf import settings

from feeds.warc_files.files import SUFFIXES

FOLDER = "imports"
UPLOADS = "uploads"
# A list of more is not read by anybody; the command takes a whole folder.
MAX_LISTED = 200


def import_folder() -> Path:
    """Return the folder below DATA_DIR whose files can be chosen in the browser."""
    return Path(settings.DATA_DIR) / FOLDER


def upload_folder() -> Path:
    """Return the folder for what comes through the browser: it goes by itself, so is no choice."""
    return import_folder() / UPLOADS


def waiting_names() -> list[str]:
    """List the files of the folder by name, as the browser offers them."""
    folder = import_folder()
    if not folder.is_dir():
        return []
    found = (item for item in folder.rglob("*") if item.name.lower().endswith(SUFFIXES))
    names = (
        str(item.relative_to(folder))
        for item in found
        if item.is_file() and item.parent != upload_folder()
    )
    return sorted(names)[:MAX_LISTED]
