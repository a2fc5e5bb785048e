"""A backup of everything: index, database and archive, consistent while all of it goes on.

Folder → a dated folder in it. The order makes it consistent: the index first, so that it never
holds a text of which the database does not know (what it lacks the database finds and makes due);
the database at one moment; the archive last, which only grows, so that every row finds its record.
A folder has its name only when it is whole. What has not changed since the last one is linked.
"""

import fcntl
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from corpus_site.copies import database_copies
from corpus_site.copies.erased_since import write_digests
from corpus_site.copies.file_copies import (
    copy_file,
    copy_files,
    copy_index,
    copy_languages,
    folder_size,
    sync_folders,
)
from corpus_site.copies.register_since import write_register
from feeds.crawler.archive.warc import FILE_SUFFIX
from feeds.models import OutsideFile
from presentation.wording.figures import counted
from search.apps import LANGUAGES_FOLDER, languages_folder

FORMAT = 1
REPORT_NAME = "backup.json"
ARCHIVE, INDEX = "archive", "index"
# Small files of the data folder: without the keys everybody is signed out, and nothing sealed can
# be read; the demo's ports.
KEPT_FILES = ("secret_key", "secrets_key", "newsstand.json")
_UNFINISHED = ".partial"
_STAMP = "%Y%m%dT%H%M%SZ"


class BackupError(Exception):
    """Raised here and by `restore` with a sentence, shown by their commands."""


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup holds; kept in it as JSON, and compared by whoever restores it."""

    database: str
    rows: dict[str, int]
    migrations: list[str]
    generation: int
    archive_files: int
    archive_bytes: int

    @classmethod
    def read(cls, folder: Path) -> "BackupReport":
        """Read a backup's report; BackupError where there is none that we understand."""
        try:
            plain: dict[str, Any] = json.loads((folder / REPORT_NAME).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BackupError(f"{folder} is no whole backup: {error}.") from error
        if plain.pop("format", 0) != FORMAT:
            raise BackupError(f"{folder} was made by another version of this command.")
        return cls(**plain)

    def write(self, folder: Path) -> None:
        plain = {"format": FORMAT} | {
            name: getattr(self, name) for name in self.__dataclass_fields__
        }
        (folder / REPORT_NAME).write_text(json.dumps(plain, indent=1), encoding="utf-8")


def make_backup(destination: Path, now: datetime, say: Callable[[str], None]) -> Path:
    """Make a backup in a dated folder of `destination`; returns that folder."""
    _refuse_own_folder(destination)
    destination.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _only_one(destination):
        for leftover in destination.glob(f"*{_UNFINISHED}"):
            shutil.rmtree(leftover)
        earlier = newest_backup(destination)
        unfinished = destination / f"{now.strftime(_STAMP)}{_UNFINISHED}"
        unfinished.mkdir(mode=0o700)  # password hashes and the key are inside
        report = _copy_all(unfinished, earlier, say)
        report.write(unfinished)
        sync_folders(unfinished)
        finished = unfinished.with_suffix("")
        unfinished.rename(finished)
        sync_folders(destination)
    return finished


def newest_backup(destination: Path) -> Path | None:
    """Find the last whole backup of a folder."""
    whole = [path.parent for path in destination.glob(f"*/{REPORT_NAME}")]
    return max((path for path in whole if path.suffix != _UNFINISHED), default=None)


def applied_migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(".".join(name) for name in applied)


def _copy_all(folder: Path, earlier: Path | None, say: Callable[[str], None]) -> BackupReport:
    manifest = copy_index(settings.INDEX_DIR, folder / INDEX, earlier / INDEX if earlier else None)
    generation = manifest.generation if manifest else 0
    say(f"index: generation {generation}, {folder_size(folder / INDEX)} bytes")
    migrations = applied_migrations()
    rows = database_copies.copy_out(folder)
    write_digests(folder)
    write_register(folder)
    say(f"database: {sum(rows.values())} rows in {len(rows)} tables")
    old_archive = earlier / ARCHIVE if earlier else None
    archive = folder / ARCHIVE
    n_new = copy_files(settings.ARCHIVE_DIR, archive, old_archive, f"*{FILE_SUFFIX}")
    n_files, n_bytes = len(list(archive.iterdir())), folder_size(archive)
    say(f"archive: {n_files} files, {n_bytes} bytes, {n_new} of them new")
    if outside := OutsideFile.objects.count():
        say(
            f"not in it: {counted(outside, 'file')} imported by reference; back up their "
            "folders beside it (their paths: manage.py archive outside)"
        )
    old_languages = earlier / LANGUAGES_FOLDER if earlier else None
    copy_languages(languages_folder(), folder / LANGUAGES_FOLDER, old_languages)
    for name in KEPT_FILES:
        if (settings.DATA_DIR / name).exists():
            copy_file(settings.DATA_DIR / name, folder / name)
    return BackupReport(
        database=connection.vendor,
        rows=rows,
        migrations=migrations,
        generation=generation,
        archive_files=n_files,
        archive_bytes=n_bytes,
    )


def _refuse_own_folder(destination: Path) -> None:
    for own in (settings.ARCHIVE_DIR, settings.INDEX_DIR):
        if destination.resolve().is_relative_to(own):
            raise BackupError(f"{destination} lies in {own}, which is to be copied.")


@contextmanager
def _only_one(destination: Path) -> Iterator[None]:
    with (destination / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(f"Another backup is being made in {destination}.") from None
        yield
