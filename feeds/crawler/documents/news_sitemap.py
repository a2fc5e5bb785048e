"""A news sitemap as a feed → `ParsedFeed`.

Only a sitemap with news tags says what is new; without them it is an archive of addresses, which
is no feed (Media Cloud's rule). Entities stay off, nothing is loaded from elsewhere.
Reference: https://www.google.com/schemas/sitemap-news/0.9
"""

from lxml import etree

from feeds.crawler.documents.feed_dates import entry_date
from feeds.crawler.documents.feed_document import (
    MAX_ENTRIES,
    MAX_TITLE_LENGTH,
    FeedEntry,
    FeedKind,
    ParsedFeed,
    absolute_address,
    no_feed,
)
from feeds.crawler.documents.plain_text import plain_text
from feeds.crawler.documents.xml_documents import local_name, xml_root


def parse_news_sitemap(body: bytes, base_url: str = "") -> ParsedFeed:
    """Read the entries of a urlset that have news tags.

    Parameters
    ----------
    body
        XML document; broken ones are read as far as they go.
    base_url
        Final address of the document, for relative links.
    """
    root = xml_root(body)
    if root is None:
        return no_feed("This sitemap cannot be read as XML.")
    pages = [child for child in root if local_name(child) == "url"]
    items = [
        _entry(page, base_url) for page in pages[:MAX_ENTRIES] if _child(page, "news") is not None
    ]
    if not items:
        return no_feed("This is a sitemap without news tags: an archive of addresses, not a feed.")
    publication = next(root.iter("{*}publication"), None)
    return ParsedFeed(
        kind=FeedKind.SITEMAP,
        title=_text(publication, "name"),
        language=_text(publication, "language").lower(),
        entries=tuple(entry for entry in items if entry.url),
        n_items=len(pages),
    )


def _entry(page: etree._Element, base_url: str) -> FeedEntry:
    news = _child(page, "news")
    return FeedEntry(
        url=absolute_address(_text(page, "loc"), base_url),
        headline=_text(news, "title"),
        published_at=entry_date(_text(news, "publication_date"))
        or entry_date(_text(page, "lastmod")),
    )


def _child(element: etree._Element, name: str) -> etree._Element | None:
    return next((child for child in element if local_name(child) == name), None)


def _text(element: etree._Element | None, name: str) -> str:
    child = None if element is None else _child(element, name)
    if child is None:
        return ""
    return plain_text("".join(map(str, child.itertext())), MAX_TITLE_LENGTH)
