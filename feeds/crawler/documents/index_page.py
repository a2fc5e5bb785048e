"""An index page as a source: home or section page → the articles that it links to.

A newspaper without a feed is followed by its front page: links of the same site that look like
articles, one level deep, in page order. Which links are taken is one of three policies: by
the look of their addresses, by an editor's pattern, or all of them with the pattern `.`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from feeds.crawler.addressing.article_addresses import article_addresses, is_article_address
from feeds.crawler.addressing.canonical import canonicalize, is_same_site
from feeds.crawler.addressing.links import LinkFilter
from feeds.crawler.documents.feed_document import FeedEntry, FeedKind, ParsedFeed, no_feed
from feeds.crawler.documents.page_links import Link, read_links
from presentation.wording.figures import counted

MAX_ARTICLES = 300  # in page order, so that what is left out stands last
# Fewer articles are the three teasers of an "about us" page, not a front page.
LEAST_ARTICLES = 3
_EVERYTHING = LinkFilter()


@dataclass(frozen=True, slots=True)
class LinkShape:
    """Links of one shape: the pattern that takes them all, how many they are, the first few."""

    pattern: str
    n_links: int
    examples: tuple[str, ...]


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
