"""Where a site's feeds may be: home page → candidates, best first.

In the order in which feed_seeker and Miniflux look: links that the page declares, anchors that
look like feeds, addresses where feeds usually stand. A candidate is only an address: whether it
is a feed is known when it was fetched and parsed.
"""

import re
from dataclasses import dataclass

from lxml import etree

from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.documents.html_tree import html_tree
from feeds.crawler.documents.plain_text import plain_text

MAX_CANDIDATES = 60  # of all kinds; a page of 1,000 feed links is a directory

DECLARED, ANCHOR, KNOWN_PATH, GIVEN = "link", "anchor", "known path", "given"

_FEED_TYPES = re.compile(
    r"^\s*(?:application|text)/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json|rss|atom|x-rss\+xml)\b",
    re.IGNORECASE,
)
_FEED_LIKE = re.compile(
    r"(?:^|[/.?=&_\-])(?:rss\d?|atom|feeds?|rdf|syndication)(?:$|[/.?=&_\-])|\.(?:rss|rdf|atom)(?:$|\?)"
    r"|feeds?\.(?:xml|json)(?:$|\?)|news-sitemap|sitemap-news",
    re.IGNORECASE,
)
_FEED_WORDS = re.compile(r"\b(?:rss|atom|xml feeds?|news feeds?|nuusvoer)\b", re.IGNORECASE)
# Subscribe buttons of other services, and what a feed-like address is not.
_NOT_FEED = re.compile(
    r"feedback|feedly\.com|netvibes|bloglines|my\.yahoo|add\.my|google\.[a-z.]+/(?:ig|reader)"
    r"|newsgator|/feedburner/|\.(?:png|jpe?g|gif|svg|css|js|pdf|mp3|zip)(?:$|\?)|/comments/|^mailto:",
    re.IGNORECASE,
)
_COMMENT_FEED = re.compile(r"/comments(?:/|$)|comments?[-_]?feed", re.IGNORECASE)
# WordPress, Drupal, Arc, Ghost, Escenic, Blogger, Hugo; the last two are news sitemaps.
KNOWN_PATHS = (
    "/feed",
    "/rss",
    "/rss.xml",
    "/feed.xml",
    "/feed.rss",
    "/atom.xml",
    "/feed.json",
    "/feeds",
    "/index.xml",
    "/feeds/posts/default",
    "/arc/outboundfeeds/rss/",
    "/sitemap-news.xml",
    "/news-sitemap.xml",
)
# What titles of front pages hold beside the paper's name; those of the languages whose papers were
# met. No paper is called so.
_NO_NAMES = frozenset(
    {
        *("home", "homepage", "home page", "front page", "frontpage", "main", "index", "welcome"),
        *("news", "latest news", "breaking news", "top stories", "headlines"),
        *("tuis", "tuisblad", "voorblad", "nuus", "jongste nuus", "welkom", "nieuws", "voorpagina"),
        *("startseite", "nachrichten", "aktuelles", "aktuelle nachrichten", "willkommen"),
        *("accueil", "actualités", "inicio", "portada", "noticias", "início", "notícias"),
    }
)


@dataclass(frozen=True, slots=True)
class FeedCandidate:
    """An address that may be a feed, what the page calls it, and how it was found."""

    url: str
    title: str
    how: str


@dataclass(frozen=True, slots=True)
class HomePage:
    """What a page says about its site: title, declared language, and the feeds it may have."""

    title: str
    language: str
    candidates: tuple[FeedCandidate, ...]


def read_home_page(body: bytes, base_url: str, content_type: str = "") -> HomePage:
    """Read a page's title and language and the addresses that may be feeds of its site.

    Parameters
    ----------
    body
        HTML of a home page, section or article.
    base_url
        Its final address.
    content_type
        Header of the answer, for the charset.

    Returns
    -------
    HomePage
        Its candidates: declared ones first, then anchors, then known paths; each page once, at
        most `MAX_CANDIDATES`. Feeds of comments are left out.
    """
    root = html_tree(body, content_type)
    if root is None:
        return HomePage("", "", tuple(known_paths(base_url)))
    base = _base(root, base_url)
    found = [*_declared(root, base), *_anchors(root, base), *known_paths(base_url)]
    return HomePage(_title(root), _language(root), tuple(_once(found)))


def looks_like_feed(url: str) -> bool:
    """Tell from an address alone whether it is meant as a feed, not as a page.

    Examples
    --------
    >>> looks_like_feed("https://a.example/feed.rss"), looks_like_feed("https://a.example/feeding")
    (True, False)
    """
    return bool(_FEED_LIKE.search(url)) and not _NOT_FEED.search(url)


def known_paths(base_url: str) -> list[FeedCandidate]:
    """List the addresses at which feeds usually stand, on the host of `base_url`."""
    return [FeedCandidate(canonicalize(path, base_url).url, "", KNOWN_PATH) for path in KNOWN_PATHS]


def _base(root: etree._Element, base_url: str) -> str:
    declared = root.xpath("string(//base/@href)")
    address = _address(str(declared), base_url) if declared else None
    return address.url if address else base_url


def _declared(root: etree._Element, base: str) -> list[FeedCandidate]:
    found = []
    for link in root.iter("link"):
        if "alternate" not in str(link.get("rel", "")).lower().split():
            continue
        if _FEED_TYPES.match(str(link.get("type", ""))):
            found += _candidate(link, base, DECLARED)
    return found


def _anchors(root: etree._Element, base: str) -> list[FeedCandidate]:
    found = []
    for anchor in root.iter("a"):
        href = str(anchor.get("href", ""))
        words = f"{anchor.get('title', '')} {_short_text(anchor)}"
        if (_FEED_LIKE.search(href) or _FEED_WORDS.search(words)) and not _NOT_FEED.search(href):
            found += _candidate(anchor, base, ANCHOR)
    return found


def _short_text(anchor: etree._Element) -> str:
    return "".join(map(str, anchor.itertext()))[:100]


def _candidate(element: etree._Element, base: str, how: str) -> list[FeedCandidate]:
    address = _address(str(element.get("href", "")), base)
    if address is None or _COMMENT_FEED.search(address.url):
        return []
    title = plain_text(str(element.get("title", "")) or _short_text(element), 200)
    return [FeedCandidate(address.url, title, how)]


def _address(href: str, base: str) -> CanonicalUrl | None:
    try:
        return canonicalize(href, base)
    except BadUrl:
        return None


def _once(found: list[FeedCandidate]) -> list[FeedCandidate]:
    by_key: dict[str, FeedCandidate] = {}
    for candidate in found:
        by_key.setdefault(canonicalize(candidate.url).key, candidate)
    return list(by_key.values())[:MAX_CANDIDATES]


def _title(root: etree._Element) -> str:
    """Take what the site calls itself, else the part of the title that is most likely its name."""
    name = root.xpath("string(//meta[@property='og:site_name']/@content)")
    if str(name).strip():
        return plain_text(str(name), 200)
    title = plain_text(str(root.xpath("string(//title)")), 200)
    parts = [part for part in re.split(r"\s+[|–—»·-]\s+", title) if part]
    names = [part for part in parts if part.casefold().strip(" !.") not in _NO_NAMES]
    return min(names, key=len, default="")


def _language(root: etree._Element) -> str:
    declared = root.xpath("string(/html/@lang)") or root.xpath(
        "string(//meta[translate(@http-equiv,'CL','cl')='content-language']/@content)"
    )
    return plain_text(str(declared), 35).lower()
