"""A backup put back: into an empty data folder and an empty database, and counted.

The database comes last and by one rename (or one transaction), so a restore that was broken off has
no database and cannot be taken for a whole one.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from corpus_site.copies import database_copies
from corpus_site.copies.backup import ARCHIVE, INDEX, KEPT_FILES, BackupError, BackupReport
from corpus_site.copies.erased_since import digests_beside, erase_again
from corpus_site.copies.file_copies import copy_files, copy_languages, folder_size
from corpus_site.copies.register_since import (
    RegisterError,
    apply_register,
    newest_register,
    read_register,
)
from corpus_site.management.database import unknown_migrations
from extraction.withdrawal.erasing import HeldError
from feeds.crawler.archive.warc import FILE_SUFFIX
from search.apps import LANGUAGES_FOLDER, languages_folder
from search.engine.index.manifest import load_manifest


def restore(folder: Path, say: Callable[[str], None]) -> BackupReport:
    """Put a backup back; BackupError, with nothing changed, where that cannot be done."""
    report = BackupReport.read(folder)
    _refuse_other_database(report)
    _refuse_newer(report)
    _refuse_occupied()
    _refuse_full_disk(folder)
    copy_files(folder / ARCHIVE, settings.ARCHIVE_DIR, None)
    copy_files(folder / INDEX, settings.INDEX_DIR, None)
    copy_languages(folder / LANGUAGES_FOLDER, languages_folder())
    for name in KEPT_FILES:
        if (folder / name).exists():
            shutil.copy2(folder / name, settings.DATA_DIR / name)
    rows = database_copies.copy_in(folder)
    _compare(report, rows)
    say(f"archive: {report.archive_files} files, {report.archive_bytes} bytes")
    say(f"index: generation {report.generation}")
    say(f"database: {sum(rows.values())} rows in {len(rows)} tables, as many as were saved")
    return report


def catch_up(folder: Path, register_file: Path | None, say: Callable[[str], None]) -> None:
    """Do again what was withdrawn, put back and erased since the backup was made.

    Call it when the tables are up to date. The register is that of a file, else of the newest
    backup beside this one; BackupError where it cannot be read, or a legal hold keeps what was
    erased.
    """
    path = register_file or newest_register(folder)
    try:
        changed = apply_register(read_register(path), timezone.now()) if path else {}
        n_again = erase_again(digests_beside(folder), timezone.now())
    except RegisterError as error:
        raise BackupError(f"The backup is put back, but {error}") from error
    except HeldError as error:
        raise BackupError(
            f"The backup is put back, but what was erased since could not be again: {error}"
        ) from error
    for words, n in changed.items():
        say(f"since then: {n} {words}")
    if n_again:
        say(f"since then: {n_again} more articles erased, which the workers do")


def _refuse_other_database(report: BackupReport) -> None:
    if report.database == connection.vendor:
        return
    if report.database == "sqlite":
        raise BackupError(
            "This backup holds a SQLite database. Restore it without DATABASE_URL, then bring it "
            "to PostgreSQL with “manage.py move_database”."
        )
    raise BackupError("This backup holds a PostgreSQL database: set DATABASE_URL to an empty one.")


def _refuse_newer(report: BackupReport) -> None:
    loader = MigrationLoader(connection, ignore_no_migrations=True)
    applied = [(app, name) for app, _, name in (one.partition(".") for one in report.migrations)]
    if newer := unknown_migrations(loader, applied):
        raise BackupError(
            f"This backup was made by a newer version of Broadsheet ({', '.join(newer)}): "
            "install that version or a later one."
        )


def _refuse_occupied() -> None:
    if not database_copies.is_empty():
        raise BackupError("The database is not empty; a backup is only put into an empty one.")
    occupied = [
        folder
        for folder, pattern in (
            (settings.ARCHIVE_DIR, f"*{FILE_SUFFIX}"),
            (settings.INDEX_DIR, "*"),
        )
        if any(folder.glob(pattern))
    ]
    if occupied:
        raise BackupError(f"{occupied[0]} is not empty; a backup is only put into an empty folder.")


def _refuse_full_disk(folder: Path) -> None:
    wanted, free = folder_size(folder), shutil.disk_usage(settings.DATA_DIR).free
    if wanted > free:
        raise BackupError(
            f"The backup takes {wanted} bytes, and {free} are free in {settings.DATA_DIR}."
        )


def _compare(report: BackupReport, rows: dict[str, int]) -> None:
    archive = sorted(settings.ARCHIVE_DIR.glob(f"*{FILE_SUFFIX}"))
    n_bytes = sum(path.stat().st_size for path in archive)
    manifest = load_manifest(settings.INDEX_DIR)
    found = {
        "rows": rows,
        "archive files": len(archive),
        "archive bytes": n_bytes,
        "generation": manifest.generation if manifest else 0,
    }
    saved = {
        "rows": report.rows,
        "archive files": report.archive_files,
        "archive bytes": report.archive_bytes,
        "generation": report.generation,
    }
    wrong = [name for name, value in saved.items() if found[name] != value]
    if wrong:
        raise BackupError(
            f"What was restored differs from what was saved: {', '.join(wrong)}. The backup is "
            "damaged; use another one."
        )
