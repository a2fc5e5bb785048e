"""Which addresses a crawled page leads to: its archived bytes → what the crawl's policy admits.

Pages and articles give links, sitemaps their lists, archived front pages the articles of their day.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache

from feeds.archive.fetches import read_archived, read_exchange
from feeds.crawler.addressing.article_addresses import article_addresses
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.links import LinkDecision, LinkFilter
from feeds.crawler.addressing.seeds import Seed
from feeds.crawler.addressing.traps import SeenPage, seen_page
from feeds.crawler.addressing.web_archive import original_address
from feeds.crawler.archive.warc_reading import ArchivedExchange
from feeds.crawler.documents.index_page import link_shapes
from feeds.crawler.documents.page_links import Link, read_links
from feeds.crawler.documents.sitemaps import newest_first, read_sitemap
from feeds.models import AddressRole, Crawl, CrawlAddress, CrawlKind, Fetch, UrlPolicy

# An index of sitemaps that names itself must not go on for ever.
_MAX_SITEMAP_DEPTH = 4


@dataclass(frozen=True, slots=True)
class FoundAddress:
    """An address that is followed, and its role in the crawl."""

    address: CanonicalUrl
    role: AddressRole


@dataclass(frozen=True, slots=True)
class FoundAddresses:
    """What a page leads to, how many links it had in all, and what of it is compared."""

    addresses: tuple[FoundAddress, ...] = ()
    n_links: int = 0
    shown: SeenPage | None = None


_NOTHING = FoundAddresses()


def found_addresses(crawl: Crawl, address: CrawlAddress, fetch: Fetch) -> FoundAddresses:
    """Read the archived document of an address of a crawl.

    Raises ArchiveAwayError or RecordAwayError where it cannot be read: it led to nothing yet.
    """
    document = read_archived(fetch)
    if document is None:
        return _NOTHING
    if address.role == AddressRole.SITEMAP:
        return _of_sitemap(crawl, address, document)
    if address.role == AddressRole.SNAPSHOT:
        return _of_links(crawl, address, _links_of_copy(crawl, document))
    is_followed = address.role == AddressRole.PAGE or crawl.policy == UrlPolicy.ALL
    links = _links(document, document.url)
    found = FoundAddresses(n_links=len(links))
    if is_followed and address.depth < crawl.max_depth:
        found = _of_links(crawl, address, links)
    if crawl.kind != CrawlKind.SITE or not address.depth:
        return found  # what an editor named is no trap
    is_story = address.role == AddressRole.ARTICLE
    stories = [item.address.url for item in found.addresses if item.role == AddressRole.ARTICLE]
    return replace(found, shown=seen_page(address.url, document.body, stories, is_story=is_story))


def _links(document: ArchivedExchange, base_url: str) -> list[Link]:
    headers = {name.lower(): value for name, value in document.headers}
    return read_links(document.body, base_url, headers.get("content-type", ""))


def _links_of_copy(crawl: Crawl, document: ArchivedExchange) -> list[Link]:
    """Read the links of an archived front page as it wrote them then.

    Some archives write their own addresses into a page whatever they are asked for.
    """
    own = original_address(document.url)
    base = own if own != document.url else crawl.seeds[0][0]
    found = []
    for link in _links(document, base):
        url = original_address(link.address.url)
        try:
            address = link.address if url == link.address.url else canonicalize(url)
        except BadUrl:  # one bad link must not cost the others
            continue
        found.append(replace(link, address=address))
    return found


def _of_links(crawl: Crawl, address: CrawlAddress, links: list[Link]) -> FoundAddresses:
    accepts, seed = _filters(crawl), seed_of(crawl, address)
    own = [link for link in links if seed.admits(link.address)]
    articles = set(article_addresses([link.address.url for link in own if not link.is_framed]))
    found = []
    for link in own:
        role = _role(crawl, link.address.url, accepts, articles)
        if role is not None:
            found.append(FoundAddress(link.address, role))
    return FoundAddresses(tuple(found), len(links))


def _role(
    crawl: Crawl, url: str, accepts: "_Filters", articles: Collection[str]
) -> AddressRole | None:
    """Choose the role in which a link is followed; None where the policy leaves it out."""
    if not accepts.any_page.decide(url).accepted:
        return None
    is_article = accepts.story.decide(url).accepted if accepts.story.include else url in articles
    if is_article:
        return AddressRole.ARTICLE
    return None if crawl.policy == UrlPolicy.NEEDED else AddressRole.PAGE


def _of_sitemap(crawl: Crawl, address: CrawlAddress, document: ArchivedExchange) -> FoundAddresses:
    sitemap = read_sitemap(document.body, document.url)
    accepts, seed = _filters(crawl), seed_of(crawl, address)
    children = newest_first(sitemap.children) if address.depth < _MAX_SITEMAP_DEPTH else ()
    found = [FoundAddress(canonicalize(child.url), AddressRole.SITEMAP) for child in children]
    items = [canonicalize(page.url) for page in newest_first(sitemap.pages)]
    items = [item for item in items if seed.admits(item)]
    articles = set(article_addresses([item.url for item in items]))
    for item in items:
        role = _role(crawl, item.url, accepts, articles)
        if role is AddressRole.ARTICLE:
            found.append(FoundAddress(item, role))
    return FoundAddresses(tuple(found), len(sitemap.children) + len(sitemap.pages))


def likely_pattern(address: CrawlAddress, fetch: Fetch) -> str:
    """Give the pattern of most addresses of a page or sitemap, for a crawl without articles."""
    document = read_exchange(fetch)
    if document is None:
        return ""
    urls = [page.url for page in read_sitemap(document.body, document.url).pages]
    if address.role != AddressRole.SITEMAP:
        urls = [link.address.url for link in _links(document, document.url) if not link.is_framed]
    shapes = link_shapes(urls)
    return shapes[0].pattern if shapes else ""


def seed_of(crawl: Crawl, address: CrawlAddress) -> Seed:
    """Give the seed from which an address was found."""
    url, limit, restriction = crawl.seeds[min(address.seed, len(crawl.seeds) - 1)]
    return Seed(url, limit, restriction)


def crawl_choice(crawl: Crawl, url: str) -> LinkDecision:
    """Tell whether a crawl's pattern of what it leaves out lets an address in."""
    return _filters(crawl).any_page.decide(url)


@dataclass(frozen=True, slots=True)
class _Filters:
    """A crawl's patterns: what stories have to match, and what any page may not."""

    story: LinkFilter
    any_page: LinkFilter


def _filters(crawl: Crawl) -> _Filters:
    return _compiled(crawl.include_pattern, crawl.exclude_pattern)


@lru_cache(maxsize=32)  # crawls that take turns; a pattern takes a hundred times what it decides
def _compiled(include: str, exclude: str) -> _Filters:
    story = LinkFilter.of_stored(include, exclude)
    return _Filters(story, LinkFilter(exclude=story.exclude))
