"""One exchange on the record: into the archive, and as a row.

Archive first, row second: a row never points at bytes that are not there.
"""

import errno
from datetime import UTC, datetime

from feeds.archive.outside import is_outside, read_outside
from feeds.archive.web_archives import seen_at
from feeds.crawler.archive.warc import FILE_SUFFIX, ArchiveRecord, Original
from feeds.crawler.archive.warc_reading import (
    ArchivedExchange,
    ArchiveError,
    read_record,
    read_rendered,
)
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch, Page
from feeds.network import archive, archive_writer

# What the columns hold.
_MAX_ERROR = 500
_MAX_URL = 2048
_MAX_CONTENT_TYPE = 200
# Begins what is said of a page that came and that the browser did not draw.
NOT_DRAWN = "Not drawn by the browser: "


def archive_result(
    result: FetchResult,
    page: Page | None = None,
    digest: str = "",
    at: datetime | None = None,
) -> ArchiveRecord | None:
    """Write what came over the wire into this process' WARC file; None where nothing came.

    `at` says when that is, where the answer came long before.

    Nothing is written of a page whose rights are reserved, where the policy keeps no copy.

    A document that is the page's last one again, by a 304 or byte for byte, is not stored twice.
    Raises OSError when the disk does not take it.
    """
    if result.outcome is Outcome.RIGHTS_RESERVED:
        return None
    stamp = result.started_at.astimezone(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    subject = f"page {page.pk}" if page else "robots"
    original = _original(page, result, digest) if page else None
    return archive_writer().write(result, f"{subject} at {stamp}", original, at)


def sync_archive() -> None:
    """Bring the archive to the disk, before rows that point into it are committed."""
    archive_writer().sync()


def _original(page: Page, result: FetchResult, digest: str) -> Original | None:
    """Find the record that a repeated document can point at."""
    is_repeated = result.outcome is Outcome.OK and digest == page.content_digest
    if page.content_fetch_id is None or not (is_repeated or result.outcome is Outcome.NOT_MODIFIED):
        return None
    earlier = page.content_fetch
    if earlier is not None and is_outside(earlier.archive_file):
        return None
    exchange = read_exchange(earlier) if earlier else None
    if earlier is None or exchange is None or earlier.archive_offset is None:
        return None
    # Equal texts may have been compressed differently; only equal bytes are equal payloads.
    if is_repeated and exchange.raw_body != result.raw_body:
        return None
    return Original(earlier.archive_file, earlier.archive_offset, exchange.fetched_at)


class ArchiveAwayError(OSError):
    """Raised where the archive as a whole is not there; travels through a stage: its rows wait.

    The folder of a share that is not mounted is missing or empty. A store that does not answer is
    none: what this machine fetched itself it can read meanwhile.
    """


class RecordAwayError(Exception):
    """Raised where the copy of one fetch was archived and cannot be read here and now.

    Its file lies on another machine, is lost, cut off or damaged: no page's fault, and no reason to
    take it for one without a text.
    """


def read_archived(fetch: Fetch) -> ArchivedExchange | None:
    """Read the archived answer of a fetch; None where nothing was archived.

    Raises ArchiveAwayError or RecordAwayError where it was, and cannot be read.
    """
    if not fetch.archive_file or fetch.archive_offset is None:
        return None
    try:
        return read_of(fetch)
    except ArchiveError as error:
        places = archive()
        is_own = not is_outside(fetch.archive_file)
        if is_own and places.store is None and not any(places.folder.glob(f"*{FILE_SUFFIX}")):
            said = f"there is no archive in {places.folder}"
            raise ArchiveAwayError(errno.ESTALE, said) from error
        raise RecordAwayError(str(error)) from error


def read_of(fetch: Fetch) -> ArchivedExchange:
    """Read what a fetch points at, as a browser drew it where one did; raises ArchiveError."""
    if is_outside(fetch.archive_file):
        return read_outside(fetch)
    places, name = archive(), fetch.archive_file
    found = read_record(places, name, fetch.archive_offset or 0, fetch.archive_length)
    if fetch.rendered_offset is None:
        return found
    html = read_rendered(places, name, fetch.rendered_offset, fetch.rendered_length)
    return found.drawn(html)


def read_served(fetch: Fetch) -> ArchivedExchange:
    """Read what a server sent, whatever a browser made of it; raises ArchiveError."""
    if is_outside(fetch.archive_file):
        return read_outside(fetch)
    return read_record(
        archive(), fetch.archive_file, fetch.archive_offset or 0, fetch.archive_length
    )


def read_exchange(fetch: Fetch) -> ArchivedExchange | None:
    """Read the archived answer of a fetch; None where there is none or it cannot be read."""
    try:
        return read_archived(fetch)
    except (ArchiveAwayError, RecordAwayError):
        return None


def fetch_row(
    result: FetchResult,
    host_id: int,
    record: ArchiveRecord | None,
    page: Page | None = None,
    digest: str = "",
) -> Fetch:
    """Make the row of an exchange, not saved yet; `page` is None for robots.txt."""
    return Fetch(
        page=page,
        host_id=host_id,
        url=result.url[:_MAX_URL],
        final_url=result.final_url[:_MAX_URL],
        hops=[[exchange.status, exchange.url] for exchange in result.exchanges[:-1]],
        started_at=result.started_at,
        seen_at=seen_at(result.final_url, result.headers),
        elapsed_ms=result.elapsed_ms,
        status=result.status,
        outcome=result.outcome.value,
        error=_storable(_error(result))[:_MAX_ERROR],
        content_type=_storable(result.content_type)[:_MAX_CONTENT_TYPE],
        wire_bytes=sum(len(exchange.raw_body) for exchange in result.exchanges),
        body_bytes=len(result.document),
        digest=digest,
        archive_file=record.filename if record else "",
        archive_offset=record.offset if record else None,
        archive_length=record.length if record else None,
        rendered_offset=record.rendered_offset if record else None,
        rendered_length=record.rendered_length if record else None,
    )


def _error(result: FetchResult) -> str:
    """Give what went wrong; a page that came and could not be drawn says why."""
    if result.rendering and result.rendering.error:
        return f"{NOT_DRAWN}{result.rendering.error}"
    return result.error


def _storable(text: str) -> str:
    """Remove what PostgreSQL does not take."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
