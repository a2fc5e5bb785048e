"""Closed files of this machine's archive, taken to the object store and, later, off the disk.

Folder → store, one file after the other. A file is closed once nobody has written to it for as long
as a writer goes on with one (`WarcWriter`). It is stored whole under its name, its size is asked
for, and only then its row says so; killed at any moment, the same bytes are stored again. The disk
keeps it for some days, in which its own pages are read without a request.
"""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from feeds.crawler.archive.store_address import StoreAwayError
from feeds.crawler.archive.warc import FILE_SUFFIX
from feeds.models import ArchiveFile
from feeds.network import archive_folder, archive_store

if TYPE_CHECKING:
    from feeds.crawler.archive.object_store import ObjectStore

UPLOADER = "uploader"  # kind of the process that does it, which works on no stage
_HASHED_BYTES = 1024 * 1024  # at a time
_MAX_ERROR = 500
_MOST_TRIES = 5  # of a file that is erased from while it is stored


@dataclass(frozen=True, slots=True)
class UploadReport:
    """What a turn came to; `problem` is a sentence where the store did not take a file."""

    n_uploaded: int = 0
    n_bytes: int = 0
    n_removed: int = 0
    n_waiting: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FilesWaiting:
    """Closed files that are not in the store: how many, since when the first, what was said."""

    n_files: int
    machines: tuple[str, ...]
    since: datetime
    example: str


def upload_closed(now: datetime) -> UploadReport:
    """Store this machine's closed files, and remove those that have been there for long."""
    store = archive_store()
    if store is None:
        return UploadReport()
    paths = sorted(archive_folder().glob(f"*{FILE_SUFFIX}"))
    rows = _rows_of(paths)
    n_uploaded, n_bytes, n_removed, waiting = 0, 0, 0, []
    problem = ""
    for path in paths:
        row = rows.get(path.name)
        if row is not None and _is_in_the_store(path, row):
            n_removed += _remove(path, row, store, now)
        elif _modified_at(path) > now - timedelta(seconds=settings.ARCHIVE_UPLOAD_SECONDS):
            continue
        elif problem:
            waiting.append(path)
        else:
            problem = _try_upload(path, store, now)
            n_uploaded += not problem
            n_bytes += 0 if problem else path.stat().st_size
            waiting += [path] if problem else []
    _note_waiting(waiting, problem, now)
    return UploadReport(n_uploaded, n_bytes, n_removed, len(waiting), problem)


def note_rewritten(names: Collection[str], now: datetime) -> None:
    """Say that the store's copies are newer than those that the machines have which wrote them."""
    others = ArchiveFile.objects.filter(name__in=names, uploaded_at__isnull=False)
    others.exclude(machine=settings.MACHINE_NAME).update(rewritten_at=now, sha256="")


def files_waiting(before: datetime) -> FilesWaiting | None:
    """Find what all machines should have stored before a moment; None where nothing waits."""
    if not settings.ARCHIVE_URL:
        return None
    rows = ArchiveFile.objects.filter(uploaded_at=None, waits_since__lt=before)
    first = rows.order_by("waits_since").first()
    if first is None:
        return None
    machines = rows.order_by("machine").values_list("machine", flat=True).distinct()
    return FilesWaiting(rows.count(), tuple(machines), first.waits_since, first.last_error)


def _rows_of(paths: list[Path]) -> dict[str, ArchiveFile]:
    """Rows of the files that lie here."""
    names = [path.name for path in paths]
    return {row.name: row for row in ArchiveFile.objects.filter(name__in=names)}


def _modified_at(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _is_in_the_store(path: Path, row: ArchiveFile) -> bool:
    """Whether what was stored is what lies here, or newer."""
    if row.uploaded_at is None:
        return False
    if row.rewritten_at is not None:
        return True
    return path.stat().st_size == row.n_bytes and _modified_at(path) <= row.uploaded_at


def _remove(path: Path, row: ArchiveFile, store: "ObjectStore", now: datetime) -> bool:
    """Remove a file from the disk that the store has had for long, or has in a newer form."""
    kept = timedelta(days=settings.ARCHIVE_LOCAL_DAYS)
    if row.uploaded_at is None or (row.rewritten_at is None and row.uploaded_at > now - kept):
        return False
    try:
        if store.size(path.name) != row.n_bytes:
            return False
    except (FileNotFoundError, StoreAwayError):
        return False  # it is the only copy, as far as we know
    path.unlink()
    return True


def _try_upload(path: Path, store: "ObjectStore", now: datetime) -> str:
    """Store one file and write its row; what went wrong, empty for nothing."""
    try:
        digest = _stored(path, store)
    except StoreAwayError as error:
        return str(error)
    stored = {"uploaded_at": now, "sha256": digest, "n_bytes": path.stat().st_size}
    ArchiveFile.objects.update_or_create(
        name=path.name,
        defaults=stored | {"last_error": "", "rewritten_at": None},
        create_defaults=stored | {"machine": settings.MACHINE_NAME, "waits_since": now},
    )
    return ""


def _stored(path: Path, store: "ObjectStore") -> str:
    """Store a file as it is in the end, should it be erased from meanwhile; its SHA-256."""
    for _ in range(_MOST_TRIES):
        before = path.stat()
        digest = _sha256(path)
        store.put(path, path.name)
        after = path.stat()
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            continue
        if store.size(path.name) != after.st_size:
            raise StoreAwayError(f"The store holds {path.name} in another size than was sent.")
        return digest
    raise StoreAwayError(f"{path.name} is being changed: it is stored later.")


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_HASHED_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _note_waiting(paths: list[Path], problem: str, now: datetime) -> None:
    """Keep rows of what the store did not take, with what was said of the first."""
    for path in paths:
        ArchiveFile.objects.update_or_create(
            name=path.name,
            defaults={"last_error": problem[:_MAX_ERROR]},
            create_defaults={
                "machine": settings.MACHINE_NAME,
                "n_bytes": path.stat().st_size,
                "waits_since": now,
                "last_error": problem[:_MAX_ERROR],
            },
        )
