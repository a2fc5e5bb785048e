"""The archive as a whole: is every file sound, and does every row of a fetch find its record.

The folder and the rows → a report for each file. A truncated record at the end of a file is what a
killed process leaves behind; it is told, and is a fault only if a row points at it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from feeds.archive.outside import is_outside, path_of, read_outside
from feeds.crawler.archive.warc import FILE_SUFFIX
from feeds.crawler.archive.warc_reading import ArchiveError, RecordProblem, WalkedRecord, walk
from feeds.models import Fetch
from feeds.network import archive, archive_folder

# Records that a fetch's row may point at.
_ANSWERS = frozenset({"response", "revisit", "conversion"})


@dataclass(frozen=True, slots=True)
class FileReport:
    """What a walk over one file found.

    `lost` are ids of fetches whose record is not there or not sound.
    """

    filename: str
    n_bytes: int
    n_records: int
    n_fetches: int
    problems: tuple[WalkedRecord, ...] = ()
    lost: tuple[int, ...] = ()
    is_missing: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether everything that a row points at can be read back, and nothing is damaged."""
        only_tail = all(item.problem is RecordProblem.TRUNCATED for item in self.problems)
        return only_tail and not self.lost and not self.is_missing


def verify() -> Iterator[FileReport]:
    """Walk every file of the archive, and every file that rows name; in the order of names.

    What lies in the object store alone is fetched for as long as it is walked over. A store that
    is away raises StoreAwayError.
    """
    present = {path.name for path in archive_folder().glob(f"*{FILE_SUFFIX}")}
    named = Fetch.objects.exclude(archive_file="").order_by().values_list("archive_file", flat=True)
    for filename in sorted(present | set(named.distinct())):
        if is_outside(filename):
            yield _verify_outside(filename)
            continue
        try:
            with archive().whole(filename) as path:
                yield _verify_file(filename, path if path.exists() else None)
        except FileNotFoundError:
            yield _verify_file(filename, None)


def _verify_outside(filename: str) -> FileReport:
    """Read each record to which rows refer in a file of another crawler, and no others."""
    path = Path(path_of(filename) or filename)
    fetches = list(Fetch.objects.filter(archive_file=filename).order_by("archive_offset"))
    if not path.is_file():
        lost = tuple(fetch.pk for fetch in fetches)
        return FileReport(str(path), 0, 0, len(fetches), lost=lost, is_missing=True)
    lost = tuple(fetch.pk for fetch in fetches if not _is_readable(fetch))
    n_sound = len(fetches) - len(lost)
    return FileReport(str(path), path.stat().st_size, n_sound, len(fetches), lost=lost)


def _is_readable(fetch: Fetch) -> bool:
    try:
        read_outside(fetch)
    except ArchiveError:
        return False
    return True


def _verify_file(filename: str, path: Path | None) -> FileReport:
    rows = Fetch.objects.filter(archive_file=filename).order_by("archive_offset")
    columns = ("archive_offset", "archive_length", "rendered_offset", "rendered_length")
    places = [
        (pk, ((offset or 0, length), *([(drawn, drawn_length)] if drawn is not None else [])))
        for pk, offset, length, drawn, drawn_length in rows.values_list("pk", *columns)
    ]
    if path is None:
        lost = tuple(pk for pk, _ in places)
        return FileReport(filename, 0, 0, len(places), lost=lost, is_missing=True)
    sound: dict[int, int] = {}
    problems = []
    n_records = 0
    for record in walk(path):
        n_records += 1
        if record.problem is not None:
            problems.append(record)
        elif record.kind in _ANSWERS:
            sound[record.offset] = record.length
    lost = tuple(
        pk for pk, own in places if any(sound.get(offset) != length for offset, length in own)
    )
    return FileReport(
        filename=filename,
        n_bytes=path.stat().st_size,
        n_records=n_records,
        n_fetches=len(places),
        problems=tuple(problems),
        lost=lost,
    )
