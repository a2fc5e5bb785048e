"""Uploaded files of texts, until they have been read."""

import uuid
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from feeds.uploads import write_upload
from search.engine.given.files import TAKEN_SUFFIXES
from search.models import TextImport

FOLDER = "given"
# A browser that sends more is at it for an hour; the command takes any size.
MAX_UPLOAD_BYTES = 1_000_000_000


def upload_folder() -> Path:
    """Return the folder below DATA_DIR where uploads wait."""
    return Path(settings.DATA_DIR) / FOLDER


def ending_of(name: str) -> str:
    """Give the ending by which the format of an upload is known; "" for one that is not taken.

    Examples
    --------
    >>> ending_of("News of May.CSV.gz"), ending_of("news.pdf")
    ('.csv.gz', '')
    """
    suffixes = [suffix.lower() for suffix in Path(name).suffixes[-2:]]
    while suffixes and suffixes[0] not in TAKEN_SUFFIXES:
        del suffixes[0]
    return "".join(suffixes) if suffixes and suffixes[-1] in TAKEN_SUFFIXES else ""


def keep_upload(name: str, chunks: Iterable[bytes]) -> Path:
    """Write an uploaded file into the folder, under a name of its own.

    Raises OSError where the disk does not take it; nothing of it is left then.
    """
    return write_upload(upload_folder() / f"{uuid.uuid4().hex}{ending_of(name)}", chunks)


def forget_upload(row: TextImport) -> None:
    """Delete the file of an import that has ended, where it came through the browser."""
    if row.is_upload and Path(row.path).parent == upload_folder().resolve():
        Path(row.path).unlink(missing_ok=True)
