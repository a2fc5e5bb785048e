"""Sitemaps without news tags: XML → addresses with dates, or further sitemaps.

Such a file is an archive of addresses (Media Cloud's rule), so as a feed it gives its newest
articles only; a backfill reads all of it. Reference: https://www.sitemaps.org/protocol.html
"""

import codecs
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime

from lxml import etree

from feeds.crawler.addressing.article_addresses import article_addresses
from feeds.crawler.documents.feed_dates import entry_date
from feeds.crawler.documents.feed_document import (
    FeedEntry,
    FeedKind,
    ParsedFeed,
    absolute_address,
    no_feed,
)
from feeds.crawler.documents.xml_documents import local_name, read_children
from feeds.crawler.fetching.exchange import MAX_SITEMAP_BYTES
from presentation.wording.figures import counted

# The protocol allows so many addresses in one file.
MAX_ADDRESSES = 50_000
# As a feed: about a week of a large daily.
NEWEST_ARTICLES = 200
# Root of a file → name of what it lists.
_LISTED_IN = {"urlset": "url", "sitemapindex": "sitemap"}
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_GZIP_MAGIC = b"\x1f\x8b"  # RFC 1952
# Addresses without a date come last.
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ListedAddress:
    """An address in a sitemap and when it was changed last, where the file says so."""

    url: str
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """One file: pages of a urlset, or the files of an index of sitemaps."""

    pages: tuple[ListedAddress, ...] = ()
    children: tuple[ListedAddress, ...] = ()
    problem: str = ""


def read_sitemap(body: bytes, base_url: str = "") -> Sitemap:
    """Read a sitemap or an index of sitemaps.

    Parameters
    ----------
    body
        XML, gzipped or not: `sitemap.xml.gz` is a file of its own, not an encoding of the answer.
    base_url
        Final address of the document, for relative links.

    Returns
    -------
    Sitemap
        At most `MAX_ADDRESSES` of them; a sentence in ``problem`` when it is none. Text files of
        one address a line are read as well.
    """
    body = _unpacked(body)

    def read(root: str, child: etree._Element) -> ListedAddress | None:
        if local_name(child) != _LISTED_IN.get(root):
            return None
        values = {local_name(part): (part.text or "").strip() for part in child}
        url = absolute_address(values.get("loc", ""), base_url)
        return ListedAddress(url, entry_date(values.get("lastmod"))) if url else None

    root, rows = read_children(body, read, MAX_ADDRESSES)
    listed: dict[str, ListedAddress] = {}
    for row in rows:
        listed.setdefault(row.url, row)
    if root == "urlset":
        return Sitemap(pages=tuple(listed.values()))
    if root == "sitemapindex":
        return Sitemap(children=tuple(listed.values()))
    return _read_lines(body, base_url)


def _read_lines(body: bytes, base_url: str) -> Sitemap:
    mark = next((mark for mark in _MARKS if body.startswith(mark)), b"")
    text = body[len(mark) : MAX_SITEMAP_BYTES].decode(_MARKS.get(mark, "utf-8"), "replace")
    lines = text.split()
    if lines and all(line.startswith(("http://", "https://")) for line in lines):
        urls = (absolute_address(line, base_url) for line in lines[:MAX_ADDRESSES])
        return Sitemap(pages=tuple(ListedAddress(url) for url in dict.fromkeys(urls) if url))
    return Sitemap(problem="This is no sitemap.")


def parse_plain_sitemap(body: bytes, base_url: str = "") -> ParsedFeed:
    """Read a sitemap as if it were a feed: its newest articles, newest first.

    Dates of change are no dates of publication, so the entries carry none.
    """
    sitemap = read_sitemap(body, base_url)
    if sitemap.problem:
        return no_feed(sitemap.problem)
    taken = set(article_addresses([page.url for page in sitemap.pages]))
    articles = [page for page in sitemap.pages if page.url in taken]
    if not articles:
        n_pages = counted(len(sitemap.pages), "address", "addresses")
        return no_feed(f"Of the {n_pages} of this sitemap none looks like a story.")
    newest = sorted(articles, key=lambda page: page.changed_at or _LONG_AGO, reverse=True)
    if all(page.changed_at is None for page in articles):
        newest = articles[::-1]  # content systems append
    return ParsedFeed(
        kind=FeedKind.SITEMAP,
        entries=tuple(FeedEntry(page.url) for page in newest[:NEWEST_ARTICLES]),
        n_items=len(sitemap.pages),
    )


def newest_first(addresses: tuple[ListedAddress, ...]) -> list[ListedAddress]:
    """Order files of an index so that the one with the newest articles comes first."""
    dated = [item for item in addresses if item.changed_at]
    if not dated:
        return list(addresses[::-1])
    return sorted(addresses, key=lambda item: item.changed_at or _LONG_AGO, reverse=True)


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(_GZIP_MAGIC):
        return body
    try:
        return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(body, MAX_SITEMAP_BYTES)
    except zlib.error:
        return body
