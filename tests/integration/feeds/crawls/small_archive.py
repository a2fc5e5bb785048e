"""A web archive of a few copies, in the dialects of three programs, after their documentation.

Wayback Machine: lists at `/cdx/search/cdx` as an array of rows, filtered and collapsed by its
server; copies by a redirect to their own moment. pywb: lists at `/COLLECTION/cdx` as JSON lines;
copies at once, with Memento-Datetime and Content-Location, redirects as they were archived.
OpenWayback: lists at `/wayback/xmlquery` as XML; copies by a redirect, without a Memento header.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from enum import StrEnum
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from integration.feeds.origin import Answer, Origin, answer, page, redirect

HOST = "archive.example"
_COLUMNS = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")


class Dialect(StrEnum):
    WAYBACK = "wayback machine"
    PYWB = "pywb"
    OPENWAYBACK = "openwayback"


ROOTS = {Dialect.WAYBACK: "web", Dialect.PYWB: "paper", Dialect.OPENWAYBACK: "wayback"}
_LISTS = {
    Dialect.WAYBACK: "cdx/search/cdx",
    Dialect.PYWB: "paper/cdx",
    Dialect.OPENWAYBACK: "wayback/xmlquery",
}


@dataclass(frozen=True, slots=True)
class Kept:
    """A copy: fourteen digits, the page's address, and its text or where it redirected to."""

    stamp: str
    url: str
    text: str = ""
    location: str = ""

    @property
    def status(self) -> str:
        return "301" if self.location else "200"

    @property
    def digest(self) -> str:
        return f"{abs(hash(self.text)):X}"

    @property
    def moment(self) -> datetime:
        return datetime.strptime(self.stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def root_of(dialect: Dialect) -> str:
    return f"http://{HOST}/{ROOTS[dialect]}"


def keep(web: Origin, dialect: Dialect, copies: list[Kept], list_limit: int = 10_000) -> None:
    """Let an origin answer as an archive with these copies, at every moment of one of them."""
    web.routes[f"{HOST}/{_LISTS[dialect]}"] = _list(dialect, copies, list_limit)
    for stamp in {copy.stamp for copy in copies}:
        for url in {copy.url for copy in copies}:
            path = f"{HOST}/{ROOTS[dialect]}/{stamp}id_/{url}"
            web.routes[path] = _replay(dialect, stamp, url, copies)


def _list(dialect: Dialect, copies: list[Kept], list_limit: int) -> Answer:
    async def give(request, writer):
        asked = {
            name: values[0] for name, values in parse_qs(urlsplit(request.target).query).items()
        }
        is_xml = dialect is Dialect.OPENWAYBACK
        first, last = ("startdate", "enddate") if is_xml else ("from", "to")
        found = sorted(
            (
                copy
                for copy in copies
                if copy.url == asked["url"] and asked[first] <= copy.stamp <= asked[last]
            ),
            key=lambda copy: copy.stamp,
        )
        if dialect is Dialect.WAYBACK:
            assert (asked["filter"], asked["collapse"]) == ("!statuscode:[345]..", "timestamp:8")
            found = list(
                {copy.stamp[:8]: copy for copy in found[::-1] if not copy.location}.values()
            )
            found.reverse()
        body = _WRITERS[dialect](found[:list_limit])
        await answer(body.encode(), 200, (("Content-Type", "text/plain"),))(request, writer)

    return give


def _array(copies: list[Kept]) -> str:
    rows = [
        ["example,karoo)/", copy.stamp, copy.url, "text/html", copy.status, copy.digest, "300"]
        for copy in copies
    ]
    return json.dumps([list(_COLUMNS), *rows] if rows else [])


def _lines(copies: list[Kept]) -> str:
    return "".join(
        json.dumps(
            {
                "urlkey": "example,karoo)/",
                "timestamp": copy.stamp,
                "url": copy.url,
                "mime": "text/html",
                "status": copy.status,
                "digest": copy.digest,
            }
        )
        + "\n"
        for copy in copies
    )


def _xml(copies: list[Kept]) -> str:
    results = "".join(
        f"<result><url>{escape(copy.url)}</url><capturedate>{copy.stamp}</capturedate>"
        f"<httpresponsecode>{copy.status}</httpresponsecode><digest>{copy.digest}</digest></result>"
        for copy in copies
    )
    return f'<?xml version="1.0"?><wayback><results>{results}</results></wayback>'


_WRITERS = {Dialect.WAYBACK: _array, Dialect.PYWB: _lines, Dialect.OPENWAYBACK: _xml}


def _replay(dialect: Dialect, stamp: str, url: str, copies: list[Kept]) -> Answer:
    """Answer with the copy that is nearest to a moment."""
    asked = Kept(stamp, url).moment
    of_page = [copy for copy in copies if copy.url == url]
    nearest = min(of_page, key=lambda copy: abs(copy.moment - asked))
    root = root_of(dialect)
    own = f"{root}/{nearest.stamp}id_/{url}"
    if dialect is Dialect.PYWB:
        if nearest.location:
            return redirect(nearest.location, 301)
        headers = {"Memento_Datetime": _http(nearest.moment), "Content_Location": own}
        return page(nearest.text, **headers)
    if nearest.stamp != stamp:
        return redirect(own)
    if nearest.location:
        return redirect(f"{root}/{nearest.stamp}id_/{nearest.location}", 301)
    is_memento = dialect is Dialect.WAYBACK
    headers = {"Memento_Datetime": _http(nearest.moment)} if is_memento else {}
    return page(nearest.text, **headers)


def _http(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)
