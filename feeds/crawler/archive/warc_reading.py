"""The archive's reader: one record by its place, and a walk over a whole file.

File and offset → the exchange as it was; file → its records, with whatever is wrong with them. The
reader takes only what `warc.py` writes (one gzip member for each record); other archives are read
with warcio, which also reads ours.
"""

import contextlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from propcache.api import cached_property

from feeds.crawler.archive.places import Archive
from feeds.crawler.archive.warc import payload_digest
from feeds.crawler.fetching.decoding import BodyDecoder
from feeds.crawler.fetching.drawn_html import without_boxes
from feeds.crawler.fetching.exchange import MAX_SITEMAP_BYTES, RENDERED_TYPE, FetchStoppedError
from feeds.crawler.timing.conditional import Headers, header

_FILENAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.warc\.gz")
_GZIP_WBITS = 16 + zlib.MAX_WBITS  # zlib's way of saying gzip
_GZIP_MAGIC = b"\x1f\x8b\x08"  # RFC 1952, with deflate as its method
_READ_BYTES = 256 * 1024  # at a time, where a record's length is not known
_STATUS_LINE = re.compile(r"HTTP/\d\.\d (\d{3}) ?(.*)")
_RESTORED = {"x-orig-transfer-encoding": "Transfer-Encoding"}


class ArchiveError(Exception):
    """A record that cannot be read back; raised by `read_record`, shown by whoever asked for it."""


class RecordProblem(StrEnum):
    """What a walk may find."""

    TRUNCATED = "truncated"  # the last one of a file whose process was killed; no row points there
    DAMAGED = "damaged"
    BAD_DIGEST = "bad_digest"
    BAD_LENGTH = "bad_length"


@dataclass(frozen=True)  # no slots: the decoded body is kept once it was asked for
class ArchivedExchange:
    """An answer read back from the archive; `body` is decoded, `raw_body` as it came.

    `encoding` is that of the body, which a repeated record takes from the earlier one. Where a
    browser drew the page, `body` is what it made of it, and the headers give its type; `measured`
    is that as the archive keeps it, with the places of its elements where they are known.
    """

    url: str
    status: int
    reason: str
    headers: Headers
    raw_body: bytes = field(repr=False)
    encoding: str
    fetched_at: datetime
    kind: str
    truncated: str = ""
    rendered: bytes | None = field(default=None, repr=False)
    measured: bytes = field(default=b"", repr=False)

    def drawn(self, html: bytes) -> "ArchivedExchange":
        """Give the same with what a browser made of it, as the archive keeps that."""
        others = tuple(pair for pair in self.headers if pair[0].lower() != "content-type")
        headers = (*others, ("Content-Type", RENDERED_TYPE))
        return replace(self, rendered=without_boxes(html), measured=html, headers=headers)

    @cached_property
    def body(self) -> bytes:
        """Decode the body as far as it goes; who only compares or dates a record never asks."""
        if self.rendered is not None:
            return self.rendered
        return _decoded(self.raw_body, self.encoding)


@dataclass(frozen=True, slots=True)
class WalkedRecord:
    """One record met by a walk; `problem` is None for a sound one."""

    offset: int
    length: int
    kind: str
    url: str
    problem: RecordProblem | None = None


@dataclass(frozen=True, slots=True)
class _Record:
    headers: dict[str, str]
    block: bytes


def read_record(
    archive: Archive, filename: str, offset: int, length: int | None = None
) -> ArchivedExchange:
    """Read one answer back.

    Parameters
    ----------
    archive : Archive
        Where its files lie.
    filename : str
        Name of one of them; anything that is not a plain name is refused.
    offset : int
        Where the record begins.
    length : int, optional
        Its length, which saves reading further.

    Returns
    -------
    ArchivedExchange
        A record that repeats an earlier one comes with the earlier one's body.

    Raises
    ------
    ArchiveError
        With a sentence, when there is no such file or no sound record.
    """
    record = _record_at(archive, filename, offset, length)
    exchange = _as_exchange(record)
    refers_to = record.headers.get("warc-refers-to-filename")
    if exchange.kind != "revisit" or not refers_to:
        return exchange
    earlier = _record_at(
        archive, refers_to, int(record.headers["warc-refers-to-file-offset"]), None
    )
    return _with_body(exchange, _as_exchange(earlier))


def read_rendered(archive: Archive, filename: str, offset: int, length: int | None) -> bytes:
    """Read back what a browser made of a page; raises as `read_record`."""
    record = _record_at(archive, filename, offset, length)
    if record.headers.get("warc-type") != "conversion":
        raise ArchiveError(f"The record at {offset} of {filename} is none of a drawn page.")
    return record.block


def walk(path: Path, start: int = 0) -> Iterator[WalkedRecord]:
    """Check every record of a file: compression, length, digests.

    Parameters
    ----------
    path : Path
        A WARC file with one gzip member for each record.
    start : int
        Where to begin: at a record.

    Yields
    ------
    WalkedRecord
        In order; after damage the walk goes on at the next member that begins a record.
    """
    with path.open("rb") as file:
        size = path.stat().st_size
        offset = start
        while offset < size:
            data, length, state = _read_member(file, offset)
            if state is RecordProblem.TRUNCATED:
                yield WalkedRecord(offset, size - offset, "", "", state)
                return
            record = _parse(data) if state is None else None
            if record is None:
                following = _next_member(file, offset + 1, size)
                yield WalkedRecord(offset, following - offset, "", "", RecordProblem.DAMAGED)
                offset = following
                continue
            yield _checked(record, offset, length)
            offset += length


def _record_at(archive: Archive, filename: str, offset: int, length: int | None) -> _Record:
    if not _FILENAME.fullmatch(filename):
        raise ArchiveError(f"“{filename[:100]}” is not the name of an archive file.")
    try:
        with archive.open(filename) as file:
            data, _, state = _read_member(file, offset, length)
    except OSError as error:
        raise ArchiveError(
            f"The archive file {filename} cannot be read: {error.strerror or error}."
        ) from error
    record = _parse(data) if state is None else None
    if record is None:
        raise ArchiveError(f"There is no sound record at {offset} of {filename}.")
    return record


def _read_member(
    file: BinaryIO, offset: int, length: int | None = None
) -> tuple[bytes, int, RecordProblem | None]:
    """Decompress the gzip member at an offset; returns its content, its length and its state."""
    file.seek(offset)
    engine = zlib.decompressobj(_GZIP_WBITS)
    pieces = []
    n_read = 0
    while not engine.eof:
        chunk = file.read(length if length and not n_read else _READ_BYTES)
        if not chunk:
            return b"", n_read, RecordProblem.TRUNCATED
        n_read += len(chunk)
        try:
            pieces.append(engine.decompress(chunk))
        except zlib.error:
            return b"", n_read, RecordProblem.DAMAGED
    return b"".join(pieces), n_read - len(engine.unused_data), None


def _parse(data: bytes) -> _Record | None:
    head, separator, rest = data.partition(b"\r\n\r\n")
    if not separator or not head.startswith(b"WARC/1."):
        return None
    headers = {}
    for line in head.decode("utf-8", "replace").split("\r\n")[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return _Record(headers, rest.removesuffix(b"\r\n\r\n"))


def _as_exchange(record: _Record) -> ArchivedExchange:
    head, separator, raw_body = record.block.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    match = _STATUS_LINE.fullmatch(first)
    if not separator or not match:
        raise ArchiveError("The record holds no answer of a server.")
    headers = tuple(
        (_RESTORED.get(name.strip().lower(), name.strip()), value.strip())
        for name, _, value in (line.partition(":") for line in lines)
    )
    return ArchivedExchange(
        url=record.headers.get("warc-target-uri", ""),
        status=int(match[1]),
        reason=match[2],
        headers=headers,
        raw_body=raw_body,
        encoding=header(headers, "content-encoding") or "",
        fetched_at=_date(record.headers.get("warc-date", "")),
        kind=record.headers.get("warc-type", ""),
        truncated=record.headers.get("warc-truncated", ""),
    )


def _with_body(exchange: ArchivedExchange, earlier: ArchivedExchange) -> ArchivedExchange:
    return replace(
        exchange,
        raw_body=earlier.raw_body,
        encoding=earlier.encoding,
        truncated=earlier.truncated,
    )


def _decoded(raw_body: bytes, encoding: str) -> bytes:
    """Decode a body as far as it goes; what was archived had passed the caps of its request."""
    try:
        decoder = BodyDecoder(encoding, MAX_SITEMAP_BYTES)
    except FetchStoppedError:
        return b""
    # Of a bomb or of rubbish the beginning is all there ever was.
    with contextlib.suppress(FetchStoppedError):
        decoder.feed(raw_body)
    return decoder.body


def _date(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except ValueError as error:
        raise ArchiveError(f"“{text[:40]}” is not the date of a record.") from error


def _checked(record: _Record, offset: int, length: int) -> WalkedRecord:
    headers = record.headers
    problem = None
    if headers.get("content-length") != str(len(record.block)):
        problem = RecordProblem.BAD_LENGTH
    elif headers.get("warc-block-digest", "") not in {"", payload_digest(record.block)}:
        problem = RecordProblem.BAD_DIGEST
    kind = headers.get("warc-type", "")
    return WalkedRecord(offset, length, kind, headers.get("warc-target-uri", ""), problem)


def _next_member(file: BinaryIO, start: int, size: int) -> int:
    """Find the next place where a record begins; the end of the file where there is none."""
    position = start
    while position < size:
        file.seek(position)
        chunk = file.read(_READ_BYTES)
        found = chunk.find(_GZIP_MAGIC)
        while found >= 0:
            data, _, state = _read_member(file, position + found)
            if state is RecordProblem.TRUNCATED or data.startswith(b"WARC/1."):
                return position + found
            found = chunk.find(_GZIP_MAGIC, found + 1)
        position += max(len(chunk) - len(_GZIP_MAGIC) + 1, 1)
    return size
