"""Sources of articles at a site without a feed: its index pages, else its plain sitemap.

Pages that were fetched → `FoundFeed`s of kind INDEX or SITEMAP, which are polled like feeds.
"""

from collections.abc import Sequence
from dataclasses import replace

from feeds.crawler.addressing.canonical import canonicalize, is_same_site
from feeds.crawler.addressing.slugs import looks_like_article
from feeds.crawler.documents.found_feeds import FoundFeed, found_feed
from feeds.crawler.documents.home_page import FeedCandidate, read_home_page
from feeds.crawler.documents.index_page import LEAST_ARTICLES, link_shapes, read_index_page
from feeds.crawler.documents.page_links import read_links
from feeds.crawler.documents.sitemaps import (
    Sitemap,
    newest_first,
    parse_plain_sitemap,
    read_sitemap,
)
from feeds.crawler.fetching.exchange import FetchResult
from feeds.models import CrawlKind
from feeds.sources.site_search import SiteSearch
from presentation.wording.figures import grouped

# How a candidate was found.
INDEX_PAGE, SITEMAP = "index page", "sitemap"
_USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml")
MAX_SITEMAPS = 3  # of those that robots.txt names, and of the files of an index
_MAX_FILES = 6  # that are fetched in all


async def find_listings(
    search: SiteSearch, pages: Sequence[FetchResult], home_url: str
) -> list[FoundFeed]:
    """Find what to follow at a site that has no feed; empty where its pages list no articles."""
    return _index_pages(search, pages) or await _plain_sitemap(search, home_url)


def _index_pages(search: SiteSearch, pages: Sequence[FetchResult]) -> list[FoundFeed]:
    """Take pages as sources: depth one, what they link to is not searched for further links."""
    found = []
    for page in pages:
        if looks_like_article(page.final_url):
            continue  # its links are what the paper wants read beside it
        parsed = read_index_page(page.body, page.final_url, page.content_type)
        if parsed.n_items >= LEAST_ARTICLES:
            home = read_home_page(page.body, page.final_url, page.content_type)
            candidate = FeedCandidate(page.final_url, home.title, INDEX_PAGE)
            feed = found_feed(candidate, parsed, search.now)
            found.append(replace(feed, other_links=_other_links(page, feed)))
    return found


def _other_links(page: FetchResult, feed: FoundFeed) -> tuple[str, ...]:
    """List the links of an index page within its site that do not look like articles."""
    own, host = set(feed.entry_urls), canonicalize(page.final_url).host
    links = read_links(page.body, page.final_url, page.content_type)
    return tuple(
        link.address.url
        for link in links
        if link.address.url not in own and is_same_site(link.address.host, host)
    )


async def _plain_sitemap(search: SiteSearch, home_url: str) -> list[FoundFeed]:
    """Look for the file with the newest articles, through indexes of sitemaps."""
    usual = [canonicalize(path, home_url).url for path in _USUAL_SITEMAPS]
    waiting = list(dict.fromkeys([*await search.sitemaps(home_url), *usual]))[:MAX_SITEMAPS]
    for _ in range(_MAX_FILES):
        if not waiting:
            break
        result = await search.fetch(waiting.pop(0))
        if not result.outcome.is_answer:
            continue
        parsed = parse_plain_sitemap(result.body, result.final_url)
        if parsed.is_feed:
            candidate = FeedCandidate(result.final_url, "", SITEMAP)
            return [found_feed(candidate, parsed, search.now)]
        sitemap = read_sitemap(result.body, result.final_url)
        if sitemap.pages:
            search.unlikely.append(_unlikely(result.final_url, sitemap))
        children = newest_first(sitemap.children)
        waiting = [child.url for child in children[:MAX_SITEMAPS]] + waiting
    return []


def _unlikely(url: str, sitemap: Sitemap) -> str:
    """Say that no address of a sitemap looks like an article, and what takes them all the same."""
    urls = [page.url for page in sitemap.pages]
    pattern = link_shapes(urls)[0].pattern
    return (
        f"The sitemap {url} lists addresses ({grouped(len(urls))}), but none looks like a story. "
        f"If they are stories, begin a crawl of “{CrawlKind.SITEMAP.label}” with the pattern "
        f"{pattern}"
    )
