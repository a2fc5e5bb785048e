"""Files that came through the browser: kept until their imports have ended, and then removed.

Their pages are in the archive by then. What an admin puts into the folder stays where it lies.
"""

import logging
import re
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from feeds.models import WarcImport
from feeds.uploads import write_upload
from feeds.warc_files.files import SUFFIXES
from feeds.warc_files.waiting_files import upload_folder
from presentation.wording.figures import counted

logger = logging.getLogger(__name__)
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_MAX_STEM = 80
# No import knows a file while it is being sent, which a browser does within an hour (see the form).
UNKNOWN_FOR = timedelta(days=1)


def keep_upload(name: str, chunks: Iterable[bytes]) -> Path:
    """Write an uploaded file into its folder, under a name of its own.

    Raises OSError where the disk does not take it; nothing of it is left then.
    """
    suffix = next(one for one in SUFFIXES if name.lower().endswith(one))
    stem = _NOT_IN_NAMES.sub("_", name[: -len(suffix)])[:_MAX_STEM].strip("._") or "upload"
    return write_upload(upload_folder() / f"{stem}-{uuid.uuid4().hex[:8]}{suffix}", chunks)


def remove_read(now: datetime) -> int:
    """Remove uploads whose imports have all ended, and old ones of none; returns how many went."""
    paths = {str(path.resolve()): path for path in _uploads()}
    if not paths:
        return 0
    rows = WarcImport.objects.filter(path__in=paths).order_by()
    known = set(rows.values_list("path", flat=True))
    needed = set(rows.filter(finished_at=None).values_list("path", flat=True))
    imported = rows.filter(is_look=False)
    # Whoever has looked into a file may want it for as long as one that no import knows is kept.
    looked = rows.filter(is_look=True, created_at__gt=now - UNKNOWN_FOR)
    needed |= set(looked.values_list("path", flat=True)) - set(
        imported.values_list("path", flat=True)
    )
    gone = [
        path
        for name, path in paths.items()
        if name not in needed and (name in known or _is_old(path, now))
    ]
    return sum(_is_removed(path) for path in gone)


def words_on_file(row: WarcImport) -> str:
    """Say in a sentence what becomes of the file of an import."""
    path = Path(row.path)
    if path.parent != upload_folder().resolve():
        if row.by_reference:
            n_copied = row.counts.get("copied", 0)
            copied = f" {counted(n_copied, 'record')} of it had to be copied." if n_copied else ""
            return f"Its records are read from the file: it must stay where it lies.{copied}"
        return "The file stays where it lies."
    if not path.exists():
        return "The upload is gone from the disk."
    if row.finished_at is None:
        return "The upload goes from the disk once it is read."
    return "The upload goes from the disk within minutes."


def _uploads() -> list[Path]:
    folder = upload_folder()
    return [path for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []


def _is_removed(path: Path) -> bool:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:  # the sweep has other things to do, and comes again
        logger.warning("the upload %s cannot be removed: %s", path, error)
        return False
    return True


def _is_old(path: Path, now: datetime) -> bool:
    try:
        written_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except FileNotFoundError:  # another sweep was faster
        return False
    return written_at < now - UNKNOWN_FOR
