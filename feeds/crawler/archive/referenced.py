"""One record of another crawler's file, read where it stands: its bytes → the exchange."""

import io

from feeds.crawler.archive.foreign_answers import ForeignRecordError, answer_of
from feeds.crawler.archive.foreign_warc import Seekable, Span, records
from feeds.crawler.archive.warc_reading import ArchivedExchange, ArchiveError
from feeds.crawler.timing.conditional import header


def read_referenced(file: Seekable, span: Span) -> ArchivedExchange:
    """Read one answer.

    Parameters
    ----------
    file : Seekable
        Open for reading.
    span : Span
        As it was found by `records`.

    Raises
    ------
    ArchiveError
        With a sentence, where no sound answer stands there, as of a file that was changed.
    OSError
        Where the file cannot be read.
    """
    file.seek(span.offset)
    record = next(records(io.BytesIO(file.read(span.length))), None)
    if record is None or record.problem:
        raise ArchiveError(f"There is no sound record at {span.offset} of it any more.")
    try:
        answer = answer_of(record)
    except ForeignRecordError as error:
        raise ArchiveError(f"The record at {span.offset} of it: {error}.") from error
    if answer is None:
        raise ArchiveError(f"The record at {span.offset} of it holds no answer of a server.")
    last = answer.exchanges[-1]
    return ArchivedExchange(
        url=last.url,
        status=last.status,
        reason=last.reason,
        headers=last.headers,
        raw_body=last.raw_body,
        encoding=header(last.headers, "content-encoding") or "",
        fetched_at=answer.started_at,
        kind=record.kind,
        truncated=last.truncated,
    )
