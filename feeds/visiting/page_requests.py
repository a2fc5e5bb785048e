"""How a page is asked for: its row and its host's → a request for the fetcher."""

import re
from datetime import datetime
from urllib.parse import urlsplit

from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.fetching.exchange import MAX_SITEMAP_BYTES, Expectation, FetchRequest
from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.conditional import may_be_conditional
from feeds.models import Host, Page, PageKind, VisitPurpose
from feeds.network import credentials, secret_query, session, user_agent
from feeds.parameters.values import value
from feeds.rights import MAX_FILE_BYTES
from feeds.visiting.drawing import is_drawn
from feeds.visiting.timelines import place_url

# Files on rights are text, and interfaces answer with JSON.
_SITEMAP_NAME = re.compile(r"sitemap[^/]*$|\.(?:xml|txt)(?:\.gz)?$|\.gz$", re.IGNORECASE)
_OF_ANY_TYPE = frozenset({PageKind.COMMENTS, PageKind.POST, PageKind.RIGHTS})


def page_request(host: Host, page: Page, now: datetime) -> FetchRequest:
    """Make the request for a page, with what is known of it and what signs it in."""
    feed = getattr(page, "feed", None)  # an index page is a page, though it is polled like a feed
    is_feed = page.kind == PageKind.FEED and not (feed and feed.kind == FeedKind.INDEX)
    # Who asks once more after a "not modified" does not believe it.
    is_doubted = page.purpose == VisitPurpose.ASKED and page.outcome == Outcome.NOT_MODIFIED
    may_spare = may_be_conditional(page.answered_whole_at, now) and not is_doubted
    # That a page of scripts is unchanged says nothing of what they write.
    may_spare = may_spare and not is_drawn(page)
    expects = Expectation.FEED if is_feed else Expectation.PAGE
    takes_any = page.kind in _OF_ANY_TYPE
    url = place_url(page.url, feed.place) if feed else page.url
    # Validators are of another part of the timeline.
    may_spare = may_spare and url == page.url
    return FetchRequest(
        url=url,
        etag=(page.etag or None) if may_spare else None,
        last_modified=(page.last_modified or None) if may_spare else None,
        max_bytes=_most_bytes(page),
        user_agent=user_agent(host, page.publication),
        expects=Expectation.ANY if takes_any else expects,
        credentials=credentials(host, page),
        secret_query=secret_query(page),
        jar=session(host, page),
    )


def _most_bytes(page: Page) -> int:
    """Give how large the document of a page may be: the protocol of sitemaps allows 50 MB."""
    if page.kind == PageKind.RIGHTS:
        return MAX_FILE_BYTES
    most = int(value("CRAWL_MAX_PAGE_BYTES"))
    is_sitemap = page.kind == PageKind.INDEX and _SITEMAP_NAME.search(urlsplit(page.url).path)
    return max(most, MAX_SITEMAP_BYTES) if is_sitemap else most
