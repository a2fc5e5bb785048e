"""WARC files as other crawlers write them (WARC 1.0, ISO 28500:2009), byte by byte."""

import base64
import gzip
import hashlib
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from feeds.crawler.archive.zip_lists import MAX_LIST_BYTES

HTML = "text/html; charset=utf-8"
FIRST = b"software: another crawler\r\nformat: WARC File Format 1.0\r\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer that a crawler has kept."""

    url: str
    body: bytes
    date: str = "2013-05-06T07:08:09Z"
    status: str = "200 OK"
    content_type: str = HTML
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def block(self) -> bytes:
        fields = [("Content-Type", self.content_type), *self.headers]
        lines = [f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in fields)]
        return "\r\n".join([*lines, "", ""]).encode() + self.body


def record(kind: str, block: bytes, *fields: tuple[str, str]) -> bytes:
    """Give one record as it stands in a plain file."""
    digest = base64.b32encode(hashlib.sha1(block).digest()).decode()  # noqa: S324 (the format's)
    said = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<urn:uuid:{hashlib.md5(block).hexdigest()}>"),  # noqa: S324 (a name)
        *fields,
        ("WARC-Block-Digest", f"sha1:{digest}"),
        ("Content-Length", str(len(block))),
    ]
    head = "\r\n".join(["WARC/1.0", *(f"{name}: {value}" for name, value in said), "", ""])
    return head.encode() + block + b"\r\n\r\n"


def plain_records(answers: Iterable[Answer]) -> list[bytes]:
    """Give the bytes of a warcinfo record and of each answer; joined they are a plain file."""
    made = [record("warcinfo", FIRST, ("WARC-Date", "2013-05-06T07:08:09Z"))]
    for answer in answers:
        fields = (
            ("WARC-Date", answer.date),
            ("WARC-Target-URI", answer.url),
            ("Content-Type", "application/http; msgtype=response"),
        )
        made.append(record("response", answer.block, *fields))
    return made


def packed_records(answers: Iterable[Answer]) -> list[bytes]:
    """Give the same, each as a gzip member."""
    return [gzip.compress(one, mtime=0) for one in plain_records(answers)]


def warc_file(answers: Sequence[Answer], form: str = "members") -> bytes:
    """Give a whole file: `members` (a gzip member a record), `plain`, or `one member` for all."""
    if form == "members":
        return b"".join(packed_records(answers))
    plain = b"".join(plain_records(answers))
    return plain if form == "plain" else gzip.compress(plain, mtime=0)


def endless_list() -> bytes:
    """Make a zip that has nothing but a list of files too long to be read (APPNOTE.TXT, 4.3.16)."""
    n_bytes = MAX_LIST_BYTES + 1
    return bytes(n_bytes) + struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, 9, 9, n_bytes, 0, 0)
