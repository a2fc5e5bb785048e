"""A slice of a file of another crawler: records → answers that are chosen, and findings."""

import hashlib
import time
from collections import Counter
from dataclasses import dataclass, field

from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.archive.foreign_answers import ForeignRecordError, answer_of
from feeds.crawler.archive.foreign_warc import ForeignRecord, Place, Span, records
from feeds.crawler.fetching.exchange import FetchResult
from feeds.models import WarcImport
from feeds.warc_files.choosing import WarcChoice, hosts_of, languages_of
from feeds.warc_files.files import opened, start_of

# Of one slice; far below a lease, so that what a killed worker did is soon done again.
SLICE_PAGES = 200
SLICE_SECONDS = 15.0
_MAX_WORDS = 200


@dataclass(frozen=True, slots=True)
class Found:
    """An answer that is taken; `span` where its record may stay in the path."""

    address: CanonicalUrl
    result: FetchResult
    span: Span | None

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.result.body).hexdigest()


@dataclass(slots=True)
class Slice:
    """What was read of a file."""

    place: Place
    # By key of the page, in the order of the file.
    pages: dict[str, list[Found]] = field(default_factory=dict)
    n_found: int = 0
    start: int | None = None  # of the file in the path
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[list[object]] = field(default_factory=list)
    is_last: bool = False

    def find(self, words: str) -> None:
        self.counts["broken"] += 1
        # PostgreSQL keeps no NUL in JSON.
        self.problems.append([self.place.offset, words[:_MAX_WORDS].replace("\0", "\ufffd")])


def choice_of(row: WarcImport) -> WarcChoice:
    """Give what was chosen with an import."""
    return WarcChoice(
        hosts_of(row.hosts),
        row.address_pattern,
        languages_of(row.languages),
        row.first_day,
        row.last_day,
    )


def read_slice(row: WarcImport) -> Slice:
    """Read records until a slice is full; a file that is gone is a finding and ends the import."""
    read = Slice(Place(row.offset, row.n_passed))
    choice = choice_of(row)
    until = time.monotonic() + SLICE_SECONDS
    try:
        with opened(row.path, row.member) as file:
            read.start = start_of(file) if row.by_reference else None
            for record in records(file, read.place):
                _take(record, choice, read)
                if read.n_found >= SLICE_PAGES or time.monotonic() > until:
                    return read
    except OSError as error:
        read.find(f"the file cannot be read: {error.strerror or error}")
    read.place = Place(max(row.n_bytes, read.place.offset))
    read.is_last = True
    return read


def _take(record: ForeignRecord, choice: WarcChoice, read: Slice) -> None:
    """Count a record, and keep the page that it holds."""
    read.counts["records"] += 1
    if record.problem:
        read.find(f"{record.url}: {record.problem}" if record.url else record.problem)
        read.place = record.next_place
        return
    try:
        result = None if record.is_too_large else answer_of(record)
        address = canonicalize(result.url) if result else None
    except (ForeignRecordError, BadUrl) as error:
        read.find(f"{record.url[:_MAX_WORDS]}: {error}")
        result = address = None
    read.place = record.next_place
    read.counts["filtered"] += record.is_too_large
    if result is None or address is None:
        return
    if choice.reason_against(result):
        read.counts["filtered"] += 1
        return
    read.counts["pages"] += 1
    span = None
    if read.start is not None and record.span is not None:
        span = Span(read.start + record.span.offset, record.span.length)
    read.n_found += 1
    read.pages.setdefault(address.key, []).append(Found(address, result, span))
