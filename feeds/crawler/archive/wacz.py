"""Archived pages as one file that replayers open: exchanges in, a WACZ out.

WACZ 1.1.1 (specs.webrecorder.net/wacz/1.1.1): a zip of one WARC file, a sorted index of it (CDXJ),
a list of pages, and a description of these with their digests. A body that was stored once for
several visits stands in full here, so a file needs no other.
"""

import hashlib
import json
import re
import uuid
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from urllib.parse import urlsplit

from feeds.crawler.archive.warc import payload_digest, response_record
from feeds.crawler.archive.warc_reading import ArchivedExchange
from feeds.crawler.fetching.exchange import Exchange
from feeds.crawler.fetching.media_types import media_type
from feeds.crawler.release import PRODUCT
from feeds.crawler.timing.conditional import header

WACZ_VERSION = "1.1.1"
WACZ_TYPE = "application/wacz"
_WARC_NAME = "data.warc.gz"
_PAGES_FORMAT = {"format": "json-pages-1.0", "id": "pages", "title": "Pages", "hasText": True}
# Copies of www. are one site to replayers' indexes, as in the Wayback Machine's.
_WWW = re.compile(r"^www\d*\.")
# Names that the same page always has: of its address and moment.
_PAGE_NAMES = uuid.uuid5(uuid.NAMESPACE_URL, "https://specs.webrecorder.net/wacz/1.1.1")


@dataclass(frozen=True, slots=True)
class Capture:
    """A page to be written: as it was served, with what is told of it in the list of pages."""

    exchange: ArchivedExchange
    title: str = ""
    text: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class AboutFile:
    """What a replayer shows of the whole, and when it was made."""

    title: str
    description: str
    created: datetime


def write_wacz(
    out: IO[bytes], captures: Iterable[Capture], about_file: AboutFile, scratch: Path
) -> int:
    """Write captures in their order.

    Parameters
    ----------
    out : IO[bytes]
        Where it is written; need not be seekable.
    captures : iterable of Capture
        Each is read and written before the next; of each a line of the index, some 400 bytes,
        stays in memory.
    about_file : AboutFile
        Goes into the description.
    scratch : Path
        An empty folder for the records and the list of pages, which take as much room as the file.

    Returns
    -------
    int
        Number of pages.

    Raises
    ------
    OSError
        When a disk is full or gone.
    """
    about = {
        "profile": "data-package",
        "wacz_version": WACZ_VERSION,
        "title": about_file.title,
        "description": about_file.description,
        "software": PRODUCT,
        "created": about_file.created.astimezone(UTC).isoformat(timespec="seconds"),
    }
    with _Parts(scratch) as parts:
        for capture in captures:
            parts.add(capture)
    if parts.first:
        about |= {"mainPageUrl": parts.first[0], "mainPageDate": parts.first[1]}
    index = "".join(f"{line}\n" for line in sorted(parts.index)).encode()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED, allowZip64=True) as whole:
        resources = [
            _member(whole, f"archive/{_WARC_NAME}", _pieces(parts.warc_path)),
            _member(whole, "indexes/index.cdx", [index], zipfile.ZIP_DEFLATED),
            _member(whole, "pages/pages.jsonl", _pieces(parts.pages_path), zipfile.ZIP_DEFLATED),
        ]
        package = json.dumps(about | {"resources": resources}, indent=1, ensure_ascii=False)
        described = _member(whole, "datapackage.json", [package.encode()])
        digest = {"path": described["path"], "hash": described["hash"]}
        _member(whole, "datapackage-digest.json", [json.dumps(digest, indent=1).encode()])
    return len(parts.index)


class _Parts:
    """Records and list of pages, written to files, and the lines of the index."""

    def __init__(self, scratch: Path) -> None:
        self.warc_path = scratch / _WARC_NAME
        self.pages_path = scratch / "pages.jsonl"
        self.index: list[str] = []
        self.first: tuple[str, str] | None = None  # address and moment of the first page

    def __enter__(self) -> Self:
        self._files = ExitStack()
        self._warc = self._files.enter_context(self.warc_path.open("wb"))
        self._pages = self._files.enter_context(self.pages_path.open("w", encoding="utf-8"))
        print(json.dumps(_PAGES_FORMAT), file=self._pages)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._files.close()

    def add(self, capture: Capture) -> None:
        exchange = _whole(capture.exchange)
        record = response_record(exchange)
        self.index.append(_index_line(exchange, self._warc.tell(), len(record)))
        self._warc.write(record)
        moment = f"{exchange.started_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        page = {
            "id": str(uuid.uuid5(_PAGE_NAMES, f"{moment} {exchange.url}")),
            "url": exchange.url,
            "ts": moment,
            "title": capture.title,
            "text": capture.text,
        }
        print(json.dumps(page, ensure_ascii=False), file=self._pages)
        self.first = self.first or (exchange.url, moment)


def _member(
    whole: zipfile.ZipFile,
    path: str,
    pieces: Iterable[bytes],
    compression: int = zipfile.ZIP_STORED,
) -> dict[str, object]:
    """Write a file into the zip; gives what the description says of it."""
    about = zipfile.ZipInfo(path, date_time=(1980, 1, 1, 0, 0, 0))
    about.compress_type = compression
    digest, n_bytes = hashlib.sha256(), 0
    with whole.open(about, "w", force_zip64=True) as member:
        for piece in pieces:
            member.write(piece)
            digest.update(piece)
            n_bytes += len(piece)
    return {
        "name": path.rpartition("/")[2],
        "path": path,
        "hash": f"sha256:{digest.hexdigest()}",
        "bytes": n_bytes,
    }


def index_key(url: str) -> str:
    """Give an address as indexes of archives sort it: host backwards, then path and query.

    Examples
    --------
    >>> index_key("https://www.Karoo.example:8080/Snow?b=1&a=2")
    'example,karoo:8080)/snow?a=2&b=1'
    """
    parts = urlsplit(url.lower())
    host = ",".join(reversed(_WWW.sub("", parts.hostname or "").split(".")))
    port = f":{parts.port}" if parts.port else ""
    query = "&".join(sorted(parts.query.split("&"))) if parts.query else ""
    return f"{host}{port}){parts.path or '/'}{'?' + query if query else ''}"


def _whole(archived: ArchivedExchange) -> Exchange:
    """Give an answer with the body that it repeats, as if it had come with it.

    "Not modified" is no page to a replayer: what it repeats is.
    """
    others = [pair for pair in archived.headers if pair[0].lower() != "content-encoding"]
    encoding = [("Content-Encoding", archived.encoding)] if archived.encoding else []
    is_repeated = archived.status == HTTPStatus.NOT_MODIFIED
    return Exchange(
        url=archived.url,
        request_headers=(),
        status=HTTPStatus.OK if is_repeated else archived.status,
        reason=HTTPStatus.OK.phrase if is_repeated else archived.reason,
        headers=(*others, *encoding),
        raw_body=archived.raw_body,
        started_at=archived.fetched_at,
        truncated=archived.truncated,
    )


def _index_line(exchange: Exchange, offset: int, length: int) -> str:
    """Make a line of the index (CDXJ, specs.webrecorder.net/cdxj/0.1.0)."""
    moment = exchange.started_at.astimezone(UTC).strftime("%Y%m%d%H%M%S")
    about = {
        "url": exchange.url,
        "mime": media_type(header(exchange.headers, "content-type") or "") or "text/html",
        "status": str(int(exchange.status)),
        "digest": payload_digest(exchange.raw_body),
        "length": str(length),
        "offset": str(offset),
        "filename": _WARC_NAME,
    }
    return f"{index_key(exchange.url)} {moment} {json.dumps(about)}"


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            yield piece
