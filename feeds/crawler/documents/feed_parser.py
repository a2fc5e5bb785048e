"""Bytes of a feed → `ParsedFeed`: RSS and Atom through feedparser, JSON Feed, news sitemaps.

feedparser gets bytes in a buffer and never a string (it would open files and addresses), with its
HTML cleaning off: every text is reduced to plain text here instead. Nothing raises: a document
that is no feed is a sentence in ``problem``.
"""

import io
import re
from collections.abc import Iterable
from itertools import islice
from typing import Any
from xml.sax import SAXParseException

import feedparser

from feeds.crawler.documents.feed_dates import entry_date
from feeds.crawler.documents.feed_document import (
    MAX_DESCRIPTION_LENGTH,
    MAX_ENTRIES,
    MAX_GUID_LENGTH,
    MAX_TITLE_LENGTH,
    FeedEntry,
    FeedKind,
    ParsedFeed,
    absolute_address,
    no_feed,
)
from feeds.crawler.documents.hubs import hub_of
from feeds.crawler.documents.json_feed import parse_json_feed
from feeds.crawler.documents.long_tags import cut_long_tags
from feeds.crawler.documents.news_sitemap import parse_news_sitemap
from feeds.crawler.documents.plain_text import plain_text
from feeds.crawler.documents.wrapped_feeds import unwrapped, with_entries_apart
from feeds.crawler.documents.xml_documents import narrow

__all__ = ["FeedEntry", "FeedKind", "ParsedFeed", "parse_feed"]

_SNIFFED_BYTES = 8_192  # PHP warnings and comments stand before some roots
_ROOT = re.compile(
    rb"<(?:[a-z0-9_]+:)?(rss|feed|rdf|channel|urlset|sitemapindex|opml|html|head|body)\b|<!doctype\s+(html)",
    re.IGNORECASE,
)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_JSON_START = re.compile(rb"^(?:\xef\xbb\xbf)?\s*[{\[]")
_SURROGATE_REFERENCE = re.compile(
    rb"&#(?:x0*d[89a-f][0-9a-f]{2}|0*(?:55(?:29[6-9]|[3-9]\d\d)|56\d{3}|57(?:[0-2]\d\d|3[0-3]\d|34[0-3])));",
    re.IGNORECASE,
)
# Tags of full texts count too: 2,000 entries have 25 pairs each, and reading all takes 2.5 seconds.
MAX_BRACKETS = 100_000
_ENTRY_START = re.compile(r"<(?:\w{1,20}:)?(?:item|entry)\b", re.IGNORECASE)
_BLANK = b" \t\r\n\0"
# Of `sy:updatePeriod`, RSS 1.0's syndication module.
_HOURS_OF_PERIOD = {"hourly": 1, "daily": 24, "weekly": 168, "monthly": 720, "yearly": 8760}
_MAX_TTL_MINUTES = 525_600  # a year: a larger number is a mistake and clamped anyway
_HTML_ROOTS = frozenset({b"html", b"head", b"body"})
_GENERIC_ROOTS = {
    b"opml": "This is an OPML list of feeds, not a feed; import it instead.",
    b"sitemapindex": "This is a list of sitemaps, not a feed.",
}


def parse_feed(body: bytes, content_type: str = "", base_url: str = "") -> ParsedFeed:
    """Read a feed document.

    Parameters
    ----------
    body
        The decoded answer, at most some 10 MB (the fetcher's cap).
    content_type
        Header of the answer; its charset counts, its type does not (feeds come as text/html).
    base_url
        Final address of the document, for relative links.

    Returns
    -------
    ParsedFeed
        With ``kind`` NONE and a sentence in ``problem`` when it is no feed. Time is linear in
        the size; 20 items with full texts take some 6 ms, an empty feed 0.4 ms.

    Notes
    -----
    A relative link starts from the feed's own home page where that is known, since many feeds are
    served by another host.
    """
    if not body.strip(_BLANK):
        return no_feed("The answer is empty.")
    plain = narrow(body)
    if plain is not body:
        body, content_type = plain, "application/xml; charset=utf-8"
    if _JSON_START.match(body[:100]):
        return parse_json_feed(body, base_url)
    root = _root_of(body)
    if root in _HTML_ROOTS:
        found = _parse_with_feedparser(unwrapped(body), content_type, base_url)
        return found if found.entries else no_feed("This is an HTML page, not a feed.")
    if root in _GENERIC_ROOTS:
        return no_feed(_GENERIC_ROOTS[root])
    if root == b"urlset":
        return parse_news_sitemap(body, base_url)
    return _parse_with_feedparser(body, content_type, base_url)


def _root_of(body: bytes) -> bytes:
    match = _ROOT.search(_COMMENT.sub(b"", body[:_SNIFFED_BYTES]))
    return (match[1] or match[2]).lower() if match else b""


def _parse_with_feedparser(body: bytes, content_type: str, base_url: str) -> ParsedFeed:
    try:
        document = _read_document(body, content_type)
    except Exception as error:  # noqa: BLE001 - one document of a batch; its parser meets anything
        return no_feed(f"The document cannot be read as a feed ({type(error).__name__}: {error}).")
    channel, items = document["feed"], document["entries"]
    kind = _kind(document.get("version") or "", has_items=bool(items))
    warning = _cut_words(body) or _warning(document)
    if kind is FeedKind.NONE:
        reason = f" ({warning})" if warning else ""
        return no_feed(f"This is no RSS, Atom or JSON feed{reason}.")
    home_url = absolute_address(_get(channel, "link"), base_url)
    entries = (_entry(item, home_url or base_url) for item in items[:MAX_ENTRIES])
    return ParsedFeed(
        kind=kind,
        title=plain_text(_get(channel, "title"), MAX_TITLE_LENGTH),
        home_url=home_url,
        language=plain_text(_get(channel, "language"), 35).lower(),
        ttl_minutes=_ttl_minutes(channel),
        entries=tuple(entry for entry in entries if entry.url),
        n_items=len(items),
        warning=warning,
        hub=hub_of(channel.get("links") or (), base_url),
    )


def _read_document(body: bytes, content_type: str) -> Any:
    try:
        return _feedparser_document(body, content_type)
    except UnicodeEncodeError:  # a reference to half a character, which nothing can encode
        return _feedparser_document(_SURROGATE_REFERENCE.sub(b"", body), content_type)


def _feedparser_document(body: bytes, content_type: str) -> Any:
    # As characters of one byte each: brackets and blanks are found, and nothing else is touched.
    body = with_entries_apart(body.lstrip(b" \t\r\n"))
    markup = cut_long_tags(body.decode("latin-1"))
    if markup.count("<") > MAX_BRACKETS:
        markup = "<".join(markup.split("<", MAX_BRACKETS + 1)[:-1])
        # What would be read of further entries is dropped: 50,000 empty ones take six seconds.
        beyond = next(islice(_ENTRY_START.finditer(markup), MAX_ENTRIES, None), None)
        markup = markup[: beyond.start()] if beyond else markup
    # Without content-location links stay as written: a guid "12345" must not become an address.
    return feedparser.parse(
        io.BytesIO(markup.encode("latin-1")),
        response_headers={"content-type": content_type or "application/xml"},
        sanitize_html=False,
        resolve_relative_uris=False,
    )


def _kind(version: str, *, has_items: bool) -> FeedKind:
    if version.startswith("atom"):
        return FeedKind.ATOM
    if version.startswith(("rss", "cdf")) or has_items:
        return FeedKind.RSS
    return FeedKind.NONE


def _cut_words(body: bytes) -> str:
    is_cut = body.count(b"<") > MAX_BRACKETS
    return f"Only the first {MAX_BRACKETS:,} tags are read." if is_cut else ""


def _warning(document: Any) -> str:
    """Say why feedparser calls the document broken; a wrong content type alone is no news."""
    if not document.get("bozo"):
        return ""
    error = document.get("bozo_exception")
    if isinstance(error, feedparser.NonXMLContentType):
        return ""
    said = error.getMessage() if isinstance(error, SAXParseException) else str(error)
    return plain_text(said, 300)


def _get(values: Any, name: str) -> Any:
    """Look up without feedparser's own key mapping, which warns about some of its keys."""
    return dict.get(values, name)


def _entry(item: Any, base_url: str) -> FeedEntry:
    link = _get(item, "feedburner_origlink") or _get(item, "link")
    return FeedEntry(
        url=absolute_address(link, _entry_base(item, link, base_url)),
        guid=plain_text(_get(item, "id"), MAX_GUID_LENGTH),
        headline=plain_text(_get(item, "title"), MAX_TITLE_LENGTH),
        published_at=_published_at(item),
        author=_author(item),
        description=plain_text(_get(item, "summary"), MAX_DESCRIPTION_LENGTH),
        comments_url=absolute_address(_get(item, "comments"), base_url),
    )


def _entry_base(item: Any, link: Any, base_url: str) -> str:
    """Refuse to resolve a guid that feedparser put into the place of a missing link."""
    is_guid = bool(_get(item, "guidislink")) and link == _get(item, "id")
    return "about:blank" if is_guid else base_url


def _published_at(item: Any) -> Any:
    for name in ("published", "created", "updated"):
        moment = entry_date(_get(item, name), _get(item, f"{name}_parsed"))
        if moment is not None:
            return moment
    return None


def _author(item: Any) -> str:
    """Join the names; an address of mail is no author."""
    people: Iterable[Any] = _get(item, "authors") or ()
    names = [plain_text(_get(person, "name"), 200) for person in people]
    if not any(names):
        names = [plain_text(_get(item, "author"), 200)]
    return ", ".join(dict.fromkeys(name for name in names if name and "@" not in name))


def _ttl_minutes(channel: Any) -> float | None:
    """Take ttl (RSS), else updatePeriod over updateFrequency (syndication module)."""
    ttl = _number(_get(channel, "ttl"))
    if ttl:
        return min(ttl, _MAX_TTL_MINUTES)
    period = str(_get(channel, "sy_updateperiod") or "").strip().lower().replace("dayly", "daily")
    if period not in _HOURS_OF_PERIOD:
        return None
    frequency = _number(_get(channel, "sy_updatefrequency")) or 1.0  # 0.1 is met in the wild
    return min(_HOURS_OF_PERIOD[period] * 60 / frequency, _MAX_TTL_MINUTES)


def _number(text: Any) -> float | None:
    try:
        value = float(str(text).strip())
    except ValueError:
        return None
    return value if 0 < value < float("inf") else None
