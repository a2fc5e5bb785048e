"""Imports of texts, a slice at a time; writes `TextImport`, and articles through the extraction.

A slice reads items of a file, texts and faults, and then writes in one transaction what is new and
how far it came, so that a slice may be done again. A process keeps the file open between slices;
another one that goes on passes by what was read. What a killed process had not handed on is handed
on by the next slice.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from extraction.stage import collected_rows
from extraction.stage.collected_rows import Collected, TextToCollect
from extraction.text.normalize import normalize_text
from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    TOO_MUCH_OF_FILE,
    WorkEndedError,
    run_limited,
)
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import Publication
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from search.collecting.dates import moment_of
from search.collecting.uploads import forget_upload
from search.engine.given.columns import chosen_columns
from search.engine.given.files import GivenFile, files_of
from search.engine.given.lines import DEFAULT_ENCODING
from search.engine.given.reading import ReadingTerms, read_given
from search.engine.given.texts import FileProblem, GivenText, Problem, Understood
from search.models import TextImport

# Of one slice; far below a lease, so that what a killed worker did is soon done again.
SLICE_TEXTS = 500
SLICE_CHARACTERS = 5_000_000
SLICE_SECONDS = 15.0
# Faults that are kept with their words; all are counted.
MAX_PROBLEMS = 100
# What is counted: of the texts some are new or changed and the others were known; undated ones
# have a date that is not understood, broken is what could not be read.
COUNTED = ("texts", "new", "changed", "known", "erased", "undated", "broken")
_MAX_WORDS = 300
OWN = "a column of its own"
_ITEMS_LOOKED_AT = 20
_MAX_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class TextWish:
    """Who gives what to which collection, and how it is read where the file does not say it."""

    collection: Publication
    language: str = ""
    encoding: str = ""
    columns: str = ""
    asked_by_id: int | None = None


@dataclass(slots=True)
class _Reading:
    """The files of an import, read on from a place; kept open between slices."""

    files: list[GivenFile]
    n_files: int = 0
    n_passed: int = 0
    told: Understood = field(default_factory=Understood)
    items: Iterator[GivenText | Problem] | None = None

    @property
    def place(self) -> tuple[int, int]:
        return self.n_files, self.n_passed


@dataclass(slots=True)
class _Slice:
    """What was read, and what is wrong with it."""

    texts: list[TextToCollect] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[list[object]] = field(default_factory=list)
    is_last: bool = False

    def find(self, file: str, problem: Problem) -> None:
        self.counts["broken"] += 1
        self.problems.append([file, problem.line, problem.words[:_MAX_WORDS]])


# Files that this process is at, by import: one alone, for others go on elsewhere.
_open_readings: dict[int, _Reading] = {}


def offer(
    path: Path, wish: TextWish, now: datetime, file_name: str = "", *, is_upload: bool = False
) -> TextImport:
    """Make a file due to be imported; one whose import has not ended goes on where it was.

    Raises
    ------
    FileProblem
        Where there is no file.
    ValueError
        Where the columns are not written as they must be.
    """
    chosen_columns(wish.columns)
    try:
        n_bytes = path.stat().st_size if path.is_file() else None
    except OSError as error:
        raise FileProblem(f"{path} cannot be read: {error.strerror}.") from error
    if n_bytes is None:
        raise FileProblem(f"{path} is no file.")
    asked = {
        "path": str(path.resolve()),
        "n_bytes": n_bytes,
        "collection": wish.collection,
        "language": wish.language,
        "encoding": wish.encoding,
        "columns": wish.columns,
    }
    same = TextImport.objects.filter(**asked, finished_at=None)
    row = same.first()
    if row is None:
        return TextImport.objects.create(
            **asked,
            file_name=(file_name or path.name)[-300:],
            is_upload=is_upload,
            asked_by_id=wish.asked_by_id,
            created_at=now,
            due_at=now,
        )
    leases.release_quarantine(same.filter(pk=row.pk), now)
    leases.resume(same.filter(pk=row.pk, due_at=None), now)
    return row


def first_fault(path: Path, wish: TextWish) -> str:
    """Say why a file gives no text, looking at its first items; "" where it gives one.

    A zip is looked into by its import alone: one of its files may be read though others may not.
    It is read in a child, for somebody waits and it may be made against us.
    """
    try:
        return run_limited(lambda: _first_fault(path, wish), FOR_A_REQUEST)
    except WorkEndedError:
        return TOO_MUCH_OF_FILE.rstrip(".")


def _first_fault(path: Path, wish: TextWish) -> str:
    terms = ReadingTerms(wish.encoding or DEFAULT_ENCODING, chosen_columns(wish.columns))
    try:
        files = files_of(str(path))
    except FileProblem as error:
        return str(error)
    if files[0].member:
        return ""
    faults = []
    for item in islice(read_given(files[0], terms, Understood()), _ITEMS_LOOKED_AT):
        if isinstance(item, GivenText):
            return ""
        faults.append(f"Line {item.line}: {item.words}" if item.line else item.words)
    return faults[0]


def run(limit: int, terms: Claim) -> Report:
    """Claim imports and work on the next slice of each; new and changed articles go on."""
    return run_each(TextImport.objects.select_related("collection"), limit, terms, _import_slice)


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest imports."""
    for row in TextImport.objects.select_related("asked_by", "collection")[:JOBS_PER_KIND]:
        yield Job(
            kind="Import of texts",
            subject=str(row),
            address=reverse("collection", args=[row.collection.slug]),
            n_done=row.n_files,
            n_all=row.n_all_files or 0,
            unit="file,files",
            now=now,
            row=row,
            asked_by=row.asked_by,
            asked_at=row.created_at,
            since=row.began_at,
        )


def _import_slice(row: TextImport, terms: Claim) -> Report:
    began = time.monotonic()
    if row.n_all_files is not None and row.n_files >= row.n_all_files:
        return _finish(row, terms)
    read = _Slice()
    reading = _reading_of(row, read)
    _read(row, reading, read)
    report = _write(row, reading, read, terms, time.monotonic() - began)
    if not read.is_last:
        _open_readings.clear()
        _open_readings[row.pk] = reading
    return report


def _finish(row: TextImport, terms: Claim) -> Report:
    """Hand on what the last slice has written, and end."""
    leases.complete(row, terms.owner, finished_at=terms.now, handed_on=[])
    forget_upload(row)
    return Report(next_ids={"articles": tuple(row.handed_on)})


def _reading_of(row: TextImport, read: _Slice) -> _Reading:
    """Go on with the file that is open here, or pass by what was read of it."""
    kept = _open_readings.pop(row.pk, None)
    if kept is not None and kept.place == (row.n_files, row.n_passed):
        return kept
    try:
        files = files_of(row.path)
    except FileProblem as error:
        read.find(row.file_name, error.problem)
        files = []
    reading = _Reading(files, row.n_files)
    if row.n_passed and row.n_files < len(files):
        reading.items = _items(row, reading)
        for _ in range(row.n_passed):
            next(reading.items, None)
        reading.n_passed = row.n_passed
    return reading


def _items(row: TextImport, reading: _Reading) -> Iterator[GivenText | Problem]:
    terms = ReadingTerms(row.encoding or DEFAULT_ENCODING, chosen_columns(row.columns))
    return read_given(reading.files[reading.n_files], terms, reading.told)


def _read(row: TextImport, reading: _Reading, read: _Slice) -> None:
    """Read items until a slice is full."""
    until = time.monotonic() + SLICE_SECONDS
    n_characters = n_items = 0
    while reading.n_files < len(reading.files):
        if reading.items is None:
            reading.items = _items(row, reading)
        file = _shown_name(row, reading)
        for item in reading.items:
            reading.n_passed += 1
            n_items += 1
            n_characters += len(item.text) if isinstance(item, GivenText) else 0
            _take(row, item, file, read)
            is_full = n_items >= SLICE_TEXTS or n_characters > SLICE_CHARACTERS
            if is_full or time.monotonic() > until:
                return
        reading.n_files, reading.n_passed, reading.items = reading.n_files + 1, 0, None
    read.is_last = True


def _shown_name(row: TextImport, reading: _Reading) -> str:
    """Name a file as whoever gave it does: that of an upload lies under a name of its own."""
    return reading.files[reading.n_files].member or row.file_name


def _take(row: TextImport, item: GivenText | Problem, file: str, read: _Slice) -> None:
    if isinstance(item, Problem):
        read.find(file, item)
        return
    text = normalize_text(item.text)
    if not text:
        read.find(file, Problem(item.line, "the text is empty"))
        return
    zone = timezone.get_default_timezone()
    published_at = moment_of(item.date, zone) if item.date else None
    read.counts["texts"] += 1
    if item.date and published_at is None:
        if not read.counts["undated"]:
            words = f"the date “{item.date[:40]}” is not like 2026-11-20; the text is taken without"
            read.problems.append([file, item.line, words])
        read.counts["undated"] += 1
    read.texts.append(
        TextToCollect(
            text=text,
            file_name=file,
            name=normalize_text(_name_of(item, row, file)),
            title=normalize_text(item.title),
            standfirst=normalize_text(item.standfirst),
            authors=tuple(map(normalize_text, item.authors)),
            section=normalize_text(item.section),
            tags=tuple(map(normalize_text, item.tags)),
            language=(item.language or row.language).replace("_", "-").partition("-")[0].lower(),
            expected=(row.language,) if row.language else (),
            url=item.url if item.url.startswith(("http://", "https://")) else "",
            published_at=published_at,
            own=tuple((name, normalize_text(value)) for name, value in item.own),
        )
    )


def _name_of(item: GivenText, row: TextImport, file: str) -> str:
    """Name a text; that of a plain file is the file's, whatever an upload lies under."""
    return file if item.name and item.name == Path(row.path).name else item.name or item.url


def _write(
    row: TextImport, reading: _Reading, read: _Slice, terms: Claim, seconds: float
) -> Report:
    collected_rows.prepare(row.collection, read.texts)
    with transaction.atomic():
        found = (
            collected_rows.store(row.collection, read.texts, row.pk, terms.now)
            if read.texts
            else Collected([], [])
        )
        counts = Counter(row.counts) + read.counts
        counts += Counter(
            new=len(found.new),
            changed=len(found.changed),
            known=found.n_known,
            erased=found.n_erased,
        )
        ids = [*found.new, *found.changed]
        n_files, n_passed = reading.place
        leases.complete_or_undo(
            row,
            terms.owner,
            due_at=terms.now,
            n_all_files=len(reading.files),
            n_files=n_files,
            n_passed=n_passed,
            understood=_understood(row, reading.told),
            counts=dict(counts),
            problems=[*row.problems, *read.problems][:MAX_PROBLEMS],
            handed_on=ids,
            began_at=row.began_at or terms.now,
            worked_seconds=row.worked_seconds + seconds,
        )
    return Report(
        done=Counter(texts=len(read.texts), stored=len(ids)),
        next_ids={"articles": (*row.handed_on, *ids)},
    )


def _understood(row: TextImport, told: Understood) -> dict[str, str]:
    """Say of the columns that were met which field each is, "" for those that are not kept."""
    own = dict.fromkeys(told.own, OWN)
    met = {**row.understood, **dict.fromkeys(told.not_kept, ""), **own, **told.columns}
    return dict(sorted(met.items(), key=lambda item: not item[1])[:_MAX_COLUMNS])
