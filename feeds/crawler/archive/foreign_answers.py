"""What a server answered, out of a record that another crawler wrote: record → `FetchResult`."""

import re
from datetime import UTC, datetime

from feeds.crawler.archive.foreign_warc import ForeignRecord
from feeds.crawler.fetching.decoding import BodyDecoder
from feeds.crawler.fetching.exchange import (
    MAX_PAGE_BYTES,
    Exchange,
    FetchResult,
    FetchStoppedError,
)
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.conditional import Headers, header

_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})(?: ([^\r\n]*))?")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]{0,100}\r?\n")
_OK = 200
# Blanks before the first tag of a document; no compressed stream begins with blanks and "<".
_START_BYTES = 200
_DECODED = {"content-encoding": "X-Orig-Content-Encoding"}


class ForeignRecordError(ValueError):
    """A record that holds no answer as its kind promises; says why in a sentence."""


def answer_of(record: ForeignRecord) -> FetchResult | None:
    """Read the answer that a record holds.

    Parameters
    ----------
    record : ForeignRecord
        A sound one.

    Returns
    -------
    FetchResult or None
        None for what is no answer (requests, metadata, repeated documents without a body). The
        body is decoded; an answer of another status than 200 comes without one.

    Raises
    ------
    ForeignRecordError
        When it says that it is an answer and is none.
    """
    if record.kind == "response" and record.url.startswith(("http://", "https://")):
        return _result(record, *_parsed_answer(record.block))
    if record.kind == "resource" and record.url.startswith(("http://", "https://")):
        kind = record.headers.get("content-type", "")
        return _result(record, _OK, "OK", (("Content-Type", kind),), record.block)
    return None


def captured_at(record: ForeignRecord) -> datetime:
    """Give the moment of the capture; raises ForeignRecordError where the record has none."""
    said = record.headers.get("warc-date", "")
    try:
        moment = datetime.fromisoformat(said)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError) as error:  # the year 0 or 10000 in UTC
        raise ForeignRecordError(f"“{said[:40]}” is not the date of a record") from error


def _result(
    record: ForeignRecord, status: int, reason: str, headers: Headers, raw_body: bytes
) -> FetchResult:
    moment = captured_at(record)
    body, outcome, error = b"", Outcome.CLIENT_ERROR, f"The server answered {status}."
    if status == _OK:
        headers = _true_encoding(headers, raw_body)
        body, outcome, error = _decoded(raw_body, header(headers, "content-encoding") or "")
    exchange = Exchange(
        url=record.url,
        request_headers=(),
        status=status,
        reason=reason,
        headers=headers,
        raw_body=raw_body,
        started_at=moment,
        address=record.headers.get("warc-ip-address", ""),
        truncated=record.headers.get("warc-truncated", ""),
    )
    return FetchResult(record.url, outcome, error, moment, 0, (exchange,), body)


def _parsed_answer(block: bytes) -> tuple[int, str, Headers, bytes]:
    head, separator, raw_body = block.partition(b"\r\n\r\n")
    if not separator:
        head, separator, raw_body = block.partition(b"\n\n")
    first, *lines = head.splitlines() or [b""]
    match = _STATUS_LINE.match(first)
    if not separator or not match:
        raise ForeignRecordError("it holds no answer of a server")
    parts = (line.decode("latin-1").partition(":") for line in lines)
    headers = tuple((name.strip(), value.strip()) for name, _, value in parts if name.strip())
    if (header(headers, "transfer-encoding") or "").lower() == "chunked":
        raw_body = _without_chunks(raw_body)
    return int(match[1]), (match[2] or b"").decode("latin-1"), headers, raw_body


def _without_chunks(body: bytes) -> bytes:
    """Join the chunks of a transfer (RFC 9112, 7.1); many writers have joined them before."""
    pieces: list[bytes] = []
    position = 0
    while match := _CHUNK_SIZE.match(body, position):
        size = int(match[1], 16)
        if size == 0:
            return b"".join(pieces)
        end = match.end() + size
        pieces.append(body[match.end() : end])
        position = end + len(b"\r\n" if body[end : end + 2] == b"\r\n" else b"\n")
        if end >= len(body):
            return b"".join(pieces)  # cut off: what is there is taken
    return body if not pieces else b"".join(pieces)


def _true_encoding(headers: Headers, raw_body: bytes) -> Headers:
    """Rename the encoding of a body that stands decoded in the record, as many writers leave it."""
    is_markup = raw_body[:_START_BYTES].lstrip()[:1] == b"<"
    if not is_markup or header(headers, "content-encoding") is None:
        return headers
    return tuple((_DECODED.get(name.lower(), name), value) for name, value in headers)


def _decoded(raw_body: bytes, encoding: str) -> tuple[bytes, Outcome, str]:
    try:
        decoder = BodyDecoder(encoding, MAX_PAGE_BYTES)
        decoder.feed(raw_body)
    except FetchStoppedError as stopped:
        return b"", stopped.outcome, str(stopped)
    return decoder.body, Outcome.OK, ""
