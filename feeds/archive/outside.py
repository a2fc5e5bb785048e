"""Records that stay in files of other crawlers: read where they lie, looked for, never changed.

A row of a fetch names such a file by the key of its `OutsideFile`, which knows its path: so a file
that was moved is told once. What is read must have the digest that the document had when it was
imported. A file that is gone, shorter or another is a record that cannot be read now, and no
result.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from feeds.crawler.archive.foreign_warc import Span
from feeds.crawler.archive.referenced import read_referenced
from feeds.crawler.archive.warc_reading import ArchivedExchange, ArchiveError
from feeds.models import Fetch, OutsideFile
from feeds.models.outside_file import OUTSIDE

# A file is looked for once an hour; what is read finds out at once.
_LOOKED_EVERY = timedelta(hours=1)
_LOOKED_AT = 200  # of a sweep
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class FilesAway:
    """Files that are gone or shorter than they were: how many, since when the first, some paths."""

    n_files: int
    n_fetches: int
    since: datetime
    paths: tuple[str, ...]


def is_outside(name: str) -> bool:
    """Whether what a fetch calls its file is none of ours."""
    return name.startswith(OUTSIDE)


def note_file(path: str, now: datetime) -> OutsideFile:
    """Give the row of a file to which an import refers; raises OSError where it is not there."""
    n_bytes = Path(path).stat().st_size
    row, is_new = OutsideFile.objects.get_or_create(
        path=path, defaults={"n_bytes": n_bytes, "added_at": now, "looked_at": now}
    )
    if not is_new and (row.n_bytes != n_bytes or row.away_since):
        row.n_bytes, row.looked_at, row.away_since = n_bytes, now, None
        row.save(update_fields=["n_bytes", "looked_at", "away_since"])
    return row


def read_outside(fetch: Fetch) -> ArchivedExchange:
    """Read the record of a fetch in the file of another crawler.

    Raises
    ------
    ArchiveError
        With a sentence that names the file, where it is gone, changed or not readable.
    """
    path = path_of(fetch.archive_file)
    if not path:
        raise ArchiveError("The file of its record is not known any more.")
    named = f"The file {path}, imported by reference,"
    span = Span(fetch.archive_offset or 0, fetch.archive_length or 0)
    try:
        with Path(path).open("rb") as file:
            found = read_referenced(file, span)
    except OSError as error:
        raise ArchiveError(f"{named} is away: {error.strerror or error}.") from error
    except ArchiveError as error:
        raise ArchiveError(f"{named} was changed. {error}") from error
    if fetch.digest and hashlib.sha256(found.body).hexdigest() != fetch.digest:
        raise ArchiveError(f"{named} was changed: at {span.offset} stands another document.")
    return found


def path_of(name: str) -> str:
    """Give the path of a file by its name in rows of fetches; "" where none is known."""
    number = name.removeprefix(OUTSIDE)
    if not (number.isascii() and number.isdecimal()):
        return ""
    return OutsideFile.objects.filter(pk=int(number)).values_list("path", flat=True).first() or ""


def look_for_files(now: datetime) -> int:
    """Look whether some files are there, those first that were not looked for longest.

    Returns how many were found to be away, or back.
    """
    rows = OutsideFile.objects.filter(looked_at__lte=now - _LOOKED_EVERY).order_by("looked_at")
    n_changed = 0
    for row in rows[:_LOOKED_AT]:
        is_away = _is_away(row)
        n_changed += is_away != (row.away_since is not None)
        row.away_since = (row.away_since or now) if is_away else None
        row.looked_at = now
        row.save(update_fields=["away_since", "looked_at"])
    return n_changed


def files_away() -> FilesAway | None:
    """Count the files that are away; None where all are there."""
    rows = list(OutsideFile.objects.filter(away_since__isnull=False).order_by("away_since"))
    if not rows:
        return None
    fetches = Fetch.objects.filter(archive_file__in=[row.name for row in rows])
    since = rows[0].away_since or rows[0].looked_at
    paths = tuple(row.path for row in rows[:_SHOWN])
    return FilesAway(len(rows), fetches.count(), since, paths)


def move_files(old: str, new: str, now: datetime) -> int:
    """Look for files in another place from now on: a path, or a folder with all below it.

    Returns how many rows were changed. A file that another row names in the new place is left.
    """
    n_moved = 0
    for row in OutsideFile.objects.filter(path__startswith=old):
        rest = row.path.removeprefix(old)
        if rest and not rest.startswith("/") and not old.endswith("/"):
            continue
        path = f"{new}{rest}"
        if OutsideFile.objects.filter(path=path).exists():
            continue
        row.path, row.looked_at = path, now
        row.away_since = (row.away_since or now) if _is_away(row) else None
        row.save(update_fields=["path", "looked_at", "away_since"])
        n_moved += 1
    return n_moved


def count_outside(page_ids: "Collection[int] | QuerySet[Any]") -> int:
    """Count the records of pages that lie in files of others, which erasing leaves as they are."""
    return Fetch.objects.filter(page__in=page_ids, archive_file__startswith=OUTSIDE).count()


def _is_away(row: OutsideFile) -> bool:
    try:
        return Path(row.path).stat().st_size < row.n_bytes
    except OSError:
        return True
