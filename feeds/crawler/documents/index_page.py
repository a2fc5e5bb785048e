"""An index page as a source: home or section page → the articles that it links to.

A newspaper without a feed is followed by its front page: links of the same site that look like
articles, one level deep, in page order. Which links are taken is one of three policies: by
the look of their addresses, by an editor's pattern, or all of them with the pattern `.`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

import lxml.html
from lxml import etree

from feeds.crawler.addressing.article_addresses import (
    article_addresses,
    is_article_address,
    is_file,
)
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize, is_same_site
from feeds.crawler.addressing.links import LinkFilter, unwrap
from feeds.crawler.documents.charset import decode
from feeds.crawler.documents.feed_document import FeedEntry, FeedKind, ParsedFeed, no_feed
from feeds.crawler.documents.long_tags import cut_long_tags, first_tags
from feeds.crawler.documents.plain_text import plain_text
from presentation.wording.figures import counted

# A front page of 1,200 links was met; a page of more than these is a directory.
MAX_LINKS = 2_000
# Looked at, the doubles and the useless too: 300,000 took ten seconds.
MAX_ANCHORS = 20_000
MAX_ARTICLES = 300  # in page order, so that what is left out stands last
_MAX_PAGE_BYTES = 3_000_000  # bounds the parser's work; what lies behind is cut off
# Fewer articles are the three teasers of an "about us" page, not a front page.
LEAST_ARTICLES = 3
# A teaser's link holds half the article, "Read more" nothing: neither is a headline.
_HEADLINE_WORDS = range(3, 26)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5"})
_FRAMES = frozenset({"nav", "footer"})
_EVERYTHING = LinkFilter()


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a page: where it leads, its words, whether it stands in a menu or the foot."""

    address: CanonicalUrl
    words: str
    is_framed: bool


@dataclass(frozen=True, slots=True)
class LinkShape:
    """Links of one shape: the pattern that takes them all, how many they are, the first few."""

    pattern: str
    n_links: int
    examples: tuple[str, ...]


def read_links(body: bytes, base_url: str, content_type: str = "") -> list[Link]:
    """List the links of a page, each address once, in page order.

    Parameters
    ----------
    body
        HTML of any charset; at most 3 MB of it are read.
    base_url
        Final address of the page.
    content_type
        Header of the answer, for the charset.

    Returns
    -------
    list of Link
        At most `MAX_LINKS`; links to other schemes, to files and to the page itself are left out.
        The longest words under which an address is linked are kept.
    """
    root = _parse(decode(body[:_MAX_PAGE_BYTES], content_type).text)
    if root is None:
        return []
    base = _base(root, base_url)
    own = canonicalize(base_url).key
    found: dict[str, Link] = {}
    for anchor in islice(root.iter("a"), MAX_ANCHORS):
        link = _link(anchor, base)
        if link is None or link.address.key == own:
            continue
        known = found.get(link.address.key)
        if known is not None:
            found[link.address.key] = _merged(known, link)
        elif len(found) < MAX_LINKS:
            found[link.address.key] = link
    return list(found.values())


def read_index_page(
    body: bytes, base_url: str, content_type: str = "", accepts: LinkFilter = _EVERYTHING
) -> ParsedFeed:
    """Read the articles of a page as if it were a feed; time is linear in its size.

    Parameters
    ----------
    body, base_url, content_type
        As for `read_links`.
    accepts
        Patterns of the publication. With an including one, that alone decides what an article is.

    Returns
    -------
    ParsedFeed
        Of kind INDEX; without any article a sentence in ``problem``.
    """
    links = read_links(body, base_url, content_type)
    articles = [link for link in links if is_article(link, base_url, accepts)][:MAX_ARTICLES]
    if not articles:
        articles = _numbered(links, base_url, accepts)
    if not articles:
        return no_feed(
            f"No story was found among the {counted(len(links), 'link')} of this page: it may need "
            "a script to show them, or a pattern that says which links are stories."
        )
    return ParsedFeed(
        kind=FeedKind.INDEX,
        home_url=base_url,
        entries=tuple(FeedEntry(link.address.url, headline=link.words) for link in articles),
        n_items=len(articles),
    )


def _numbered(links: Sequence[Link], base_url: str, accepts: LinkFilter) -> list[Link]:
    """Give the links that differ in a number only, where no link looks like an article."""
    if accepts.include:
        return []
    home = canonicalize(base_url).host
    own = [
        link.address.url
        for link in links
        if not link.is_framed
        and is_same_site(link.address.host, home)
        and accepts.decide(link.address.url).accepted
    ]
    found = set(article_addresses(own))
    return [link for link in links if link.address.url in found][:MAX_ARTICLES]


def is_article(link: Link, base_url: str, accepts: LinkFilter = _EVERYTHING) -> bool:
    """Whether a link of an index page is followed as an article."""
    url = link.address.url
    if not is_same_site(link.address.host, canonicalize(base_url).host):
        return False
    if not accepts.decide(url).accepted:
        return False
    return bool(accepts.include) or (not link.is_framed and is_article_address(url))


def link_shapes(articles: Sequence[str]) -> tuple[LinkShape, ...]:
    r"""Group addresses by the shape of their paths, most frequent first.

    Parameters
    ----------
    articles
        Addresses of one site.

    Returns
    -------
    tuple of LinkShape
        The patterns are RE2 and match whole addresses of either scheme.

    Examples
    --------
    >>> shapes = link_shapes(["https://a.example/news/fire-1234", "https://a.example/a/cup-5432"])
    >>> [(shape.pattern, shape.n_links) for shape in shapes]
    [('/[^/?]+/[^/?]*-\\d{4,}$', 2)]
    """
    examples: dict[str, list[str]] = {}
    counts: Counter[str] = Counter()
    for url in articles:
        pattern = _shape(url)
        counts[pattern] += 1
        examples.setdefault(pattern, []).append(url)
    return tuple(
        LinkShape(pattern, n, tuple(examples[pattern][:3])) for pattern, n in counts.most_common()
    )


def _shape(url: str) -> str:
    parts = urlsplit(url)
    segments = [part for part in parts.path.split("/") if part]
    last = len(segments) - 1
    shapes = [_segment_shape(part, is_last=place == last) for place, part in enumerate(segments)]
    slash = "/" if parts.path.endswith("/") else ""
    query = r"\?.+" if parts.query else ""
    return "".join(f"/{shape}" for shape in shapes) + slash + query + "$"


def _segment_shape(segment: str, *, is_last: bool) -> str:
    if re.fullmatch(r"(?:19|20)\d\d", segment):
        return r"\d{4}"
    if re.fullmatch(r"\d{1,2}", segment):
        return r"\d{1,2}"
    if segment.isdigit():
        return r"\d+"
    if not is_last:
        return "[^/?]+"
    stem, dot, extension = segment.rpartition(".")
    end = rf"\.{re.escape(extension)}" if dot and len(extension) <= 5 else ""
    stem = stem if end else segment
    if re.search(r"-\d{4,}$", stem):
        return rf"[^/?]*-\d{{4,}}{end}"
    return f"[^/?]*-[^/?]*{end}" if "-" in stem else f"[^/?]+{end}"


def _merged(known: Link, again: Link) -> Link:
    words = max(known.words, again.words, key=len)
    return Link(known.address, words, known.is_framed and again.is_framed)


def _link(anchor: etree._Element, base: str) -> Link | None:
    href = str(anchor.get("href", "")).strip()
    if not href or href.startswith(("#", "javascript:", "mailto:", "tel:", "data:", "whatsapp:")):
        return None
    try:
        address = canonicalize(unwrap(canonicalize(href, base).url))
    except BadUrl:
        return None
    if is_file(address.url):
        return None
    return Link(address, _words(anchor), _is_framed(anchor))


def _words(anchor: etree._Element) -> str:
    """Words of a headline's link; those of teasers and buttons are none."""
    inner = next((item for item in anchor.iter() if item.tag in _HEADINGS), None)
    is_heading = inner is not None or any(
        parent.tag in _HEADINGS for parent in anchor.iterancestors()
    )
    source = inner if inner is not None else anchor
    words = plain_text(" ".join(map(str, source.itertext())), 300)
    return words if is_heading and len(words.split()) in _HEADLINE_WORDS else ""


def _is_framed(anchor: etree._Element) -> bool:
    return any(
        parent.tag in _FRAMES or parent.get("role") == "navigation"
        for parent in anchor.iterancestors()
    )


def _base(root: etree._Element, base_url: str) -> str:
    declared = str(root.xpath("string(//base/@href)"))
    if not declared:
        return base_url
    try:
        return canonicalize(declared, base_url).url
    except BadUrl:
        return base_url


def _parse(text: str) -> etree._Element | None:
    parser = lxml.html.HTMLParser(encoding="utf-8")
    try:
        body = cut_long_tags(first_tags(text)).encode("utf-8", "replace")
        return lxml.html.document_fromstring(body, parser=parser)
    except (etree.ParserError, ValueError):  # empty, or nothing but a comment
        return None
