"""Lists of the copies that a web archive has of a page: the dialects of their index servers.

Input → output: an archive's root and a page → addresses to ask for its list, and the bytes that
came → copies. Four answers are read: the Wayback CDX server's JSON (an array of rows, names first),
CDXJ and its bare JSON lines (pywb), lines of a CDX file, and OpenWayback's XML.
References: "Wayback CDX Server API" of the Internet Archive and of OpenWayback; pywb's "CDXJ Server
API"; IIPC's CDXJ 1.0 and the CDX file format (its letters N b a m s k).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from urllib.parse import urlencode, urlsplit

from lxml import etree

from feeds.crawler.addressing.web_archive import moment_of_stamp
from feeds.crawler.documents.xml_documents import local_name, xml_root

# Copies in one answer: what 300 bytes each make is far below the size of a page that is read.
LIST_LIMIT = 5_000
_STAMP = "%Y%m%d%H%M%S"
# Names of one thing in several dialects.
_NAMES = {
    "timestamp": "stamp", "capturedate": "stamp", "original": "url", "url": "url",
    "statuscode": "status", "status": "status", "httpresponsecode": "status", "digest": "digest",
}  # fmt: skip
# Of a line without names: urlkey, timestamp, original, mimetype, statuscode, digest come first.
_COLUMNS = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest")
# Wayback's only: one copy a day, and none of a redirect or a failure. Others take no filter alike.
_SPARING = {"filter": "!statuscode:[345]..", "collapse": "timestamp:8"}
# A revisit record repeats an earlier body; some index servers give it no status of its own.
_GOOD = frozenset({"200", "-", ""})


class NoListError(ValueError):
    """Raised by `read_copies` for what is no list of copies; the crawl asks in another way."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy in an archive: when it was made, of which address, with which status and digest."""

    moment: datetime
    url: str
    status: str = ""
    digest: str = ""


def list_addresses(archive: str, page_url: str, first: datetime, last: datetime) -> list[str]:
    """Addresses at which an archive may give the list of a page's copies, the likeliest first.

    Examples
    --------
    >>> from datetime import UTC
    >>> day = datetime(2013, 12, 31, tzinfo=UTC)
    >>> [url.partition("?")[0] for url in list_addresses("http://a.example/web", "b", day, day)]
    ['http://a.example/cdx/search/cdx', 'http://a.example/web/cdx', 'http://a.example/web/xmlquery']
    """
    root, host = archive.rstrip("/"), urlsplit(archive)
    span = {"from": f"{first:{_STAMP}}", "to": f"{last:{_STAMP}}"}
    asked = {"url": page_url, "output": "json", **span, "limit": LIST_LIMIT}
    of_xml = {"type": "urlquery", "url": page_url}
    days = {"startdate": span["from"], "enddate": span["to"], "count": LIST_LIMIT}
    ways = [
        f"{host.scheme}://{host.netloc}/cdx/search/cdx?{urlencode(asked | _SPARING)}",
        f"{root}/cdx?{urlencode(asked)}",
        f"{root}/xmlquery?{urlencode(of_xml | days)}",
    ]
    # The Wayback Machine's root; that of pywb is the name of a collection.
    return ways if host.path.rstrip("/") == "/web" else [ways[1], ways[0], ways[2]]


def read_copies(body: bytes) -> list[Copy]:
    """Read a list of copies, in the order in which it came; an empty list where there are none.

    Raises
    ------
    NoListError
        When it is none: a page of words, or an error.
    """
    text = body.strip()
    if text.startswith(b"<"):
        rows: Iterable[Mapping[str, str]] = _of_xml(text)
    elif text.startswith(b"["):
        rows = _of_array(text)
    else:
        rows = _of_lines(text.decode("utf-8", "replace"))
    return [copy for row in rows if (copy := _copy(row)) is not None]


def one_a_day(copies: Iterable[Copy]) -> list[Copy]:
    """Choose the first good copy of each day, the newest day first, none twice in a row.

    Copies of redirects and failures are left out, and those with the digest of the day before.
    """
    good = sorted((copy for copy in copies if copy.status in _GOOD), key=lambda copy: copy.moment)
    chosen: list[Copy] = []
    for _, of_day in groupby(good, key=lambda copy: copy.moment.date()):
        first = next(of_day)
        if not chosen or not first.digest or chosen[-1].digest != first.digest:
            chosen.append(first)
    return chosen[::-1]


def _copy(row: Mapping[str, str]) -> Copy | None:
    said = {_NAMES[name]: str(value) for name, value in row.items() if name in _NAMES}
    moment = moment_of_stamp(said.pop("stamp", ""))
    url = said.pop("url", "")
    return Copy(moment, url, **said) if moment and url else None


def _of_array(text: bytes) -> Iterator[dict[str, str]]:
    """Rows behind the row of their names; a resumption key stands behind an empty row."""
    rows = _parsed(text)
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise NoListError("an array, but not of rows")
    if not rows:
        return
    names = [str(name) for name in rows[0]]
    if "timestamp" not in names:
        raise NoListError("an array without the names of its columns")
    for row in rows[1:]:
        if len(row) != len(names):
            return
        yield dict(zip(names, row, strict=True))


def _of_lines(text: str) -> Iterator[dict[str, str]]:
    for line in text.splitlines():
        if line.startswith((" CDX", "CDX ", "!")):  # how a CDX and a CDXJ file begin
            continue
        head, brace, fields = line.partition("{")
        columns = head.split()
        row = dict(zip(_COLUMNS, columns, strict=False))
        if brace:
            named = _parsed(f"{{{fields}".encode())
            if not isinstance(named, dict):
                raise NoListError("a line that is no object")
            row |= named
        elif len(columns) < len(_COLUMNS):
            raise NoListError("a line with too few columns")
        if "timestamp" not in row or moment_of_stamp(str(row["timestamp"])) is None:
            raise NoListError("a line without a moment")
        yield row


def _of_xml(text: bytes) -> Iterator[dict[str, str]]:
    root = xml_root(text)
    if root is None or local_name(root) != "wayback":
        raise NoListError("markup, but no answer of an index")
    for result in root.iter(etree.Element):
        if local_name(result) == "result":
            yield {local_name(item): (item.text or "").strip() for item in result}


def _parsed(text: bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NoListError("no JSON") from error
