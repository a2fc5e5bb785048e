"""Where an address that is no page here was seen: links of index pages that were not taken.

Address → the newest documents of the pages that list its host's articles → the page and the reason.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from feeds.archive.fetches import read_exchange
from feeds.crawler.addressing.article_addresses import is_article_address
from feeds.crawler.addressing.canonical import CanonicalUrl, is_same_site
from feeds.crawler.addressing.links import LinkFilter
from feeds.crawler.archive.warc_reading import ArchivedExchange
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.documents.limited_work import FOR_A_REQUEST, WorkEndedError, run_limited
from feeds.crawler.documents.page_links import Link, read_links
from feeds.models import Page, PageKind, Publication

MAX_PAGES = 5  # documents that are read for one answer


@dataclass(frozen=True, slots=True)
class SeenLink:
    """The page on which an address is linked, when it was read, and why it was not taken."""

    page_url: str
    seen_at: datetime
    reason: str
    publication: Publication | None  # whose patterns would let it in; None for another site's


def find_seen_link(address: CanonicalUrl) -> SeenLink | None:
    """Look for an address among the links of the index pages of its host."""
    lists = Q(kind=PageKind.INDEX) | Q(feed__kind=FeedKind.INDEX)
    pages = Page.objects.filter(lists, host__name=address.host, content_fetch__isnull=False)
    for page in pages.select_related("content_fetch", "publication").order_by("-pk")[:MAX_PAGES]:
        fetch = page.content_fetch
        document = read_exchange(fetch) if fetch else None
        if fetch is None or document is None:
            continue
        headers = {name.lower(): value for name, value in document.headers}
        content_type = headers.get("content-type", "")
        link = _link_on(document, content_type, address)
        if link is not None:
            is_own = is_same_site(link.address.host, page.host.name)
            owner = page.publication if is_own else None
            return SeenLink(page.url, fetch.started_at, _reason(link, page), owner)
    return None


def _link_on(document: ArchivedExchange, content_type: str, address: CanonicalUrl) -> Link | None:
    """Look for an address on a page, in a child; None too where that takes too much."""

    def find() -> Link | None:
        links = read_links(document.body, document.url, content_type)
        return next((item for item in links if item.address.key == address.key), None)

    try:
        return run_limited(find, FOR_A_REQUEST)
    except WorkEndedError:
        return None


def _reason(link: Link, page: Page) -> str:
    publication, url = page.publication, link.address.url
    accepts = LinkFilter.of_stored(publication.include_pattern, publication.exclude_pattern)
    decision = accepts.decide(url)
    if not decision.accepted:
        return decision.reason
    if not is_same_site(link.address.host, page.host.name):
        return "it belongs to another site"
    if not accepts.include and not is_article_address(url):
        return "its address does not look like a story"
    if not accepts.include and link.is_framed:
        return "it is linked in a menu or the foot only"
    return "it was not among the stories that were taken there"
