"""Which addresses are articles of a newspaper: by their look, or all of a list by one number.

Address → yes or no; addresses of one page or sitemap → those that are articles. An address such as
"/n/7/read" or "story.php?id=12" tells nothing by itself; a list of addresses that are alike but for
their numbers, where hardly another one looks like an article, is the list of a paper's articles.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from feeds.crawler.addressing.slugs import looks_like_article

_NO_ARTICLE = re.compile(
    r"/(?:tags?|topics?|categor(?:y|ies)|kategorie|authors?|skrywers?|users?|profiles?|page|search"
    r"|login|sign-?in|sign-?up|register|subscri(?:be|ptions?)|account|newsletters?|contact(?:-us)?"
    r"|about(?:-us)?|advertis(?:e|ing)|privacy(?:-policy)?|terms[\w-]*|cookies?[\w-]*|feeds?|rss"
    r"|wp-(?:admin|login|content|json)|share|cart|shop|print|comments?|hashtag|classifieds)(?:[/.?]|$)",
    re.IGNORECASE,
)
_HOUSE_PAGE = re.compile(
    r"(?:terms|conditions|privacy|cookie|copyright|advertis|subscri|newsletter|code-of-(?:conduct|ethics)"
    r"|press-code|paia|popia|contact-us|about-us|work-(?:for|with)-us)",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|css|js|json|xml|pdf|mp[34]|m4a|webm|zip|epub|ics|docx?|xlsx?)$",
    re.IGNORECASE,
)
# A pager shows three or four numbers; a front page has more articles.
LEAST_NUMBERED = 5
# Articles by the look of their addresses for each numbered one: with more, these are the articles.
_MOST_NAMED_SHARE = 0.1
_NUMBER = re.compile(r"\d+")
# Lists of a day, a month or a year, and the further pages of a list.
_LISTING = re.compile(
    r"/(?:19|20)\d\d(?:[/-]\d{1,2}){0,2}/?$|[?&](?:p|pg|paged?|offset|start|year|month|day)=\d+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NumberedShape:
    """Addresses that differ in their numbers only, and the RE2 pattern that takes them."""

    pattern: str = ""
    urls: tuple[str, ...] = ()


NO_SHAPE = NumberedShape()


def is_article_address(url: str) -> bool:
    """Tell from an address alone whether it is an article of a newspaper.

    Examples
    --------
    >>> is_article_address("https://a.example/news/fire-in-cape-town-harbour-2000123")
    True
    >>> is_article_address("https://a.example/tag/fire-in-cape-town-harbour/")
    False
    """
    return not _is_no_article(url) and looks_like_article(url)


def article_addresses(urls: Sequence[str]) -> list[str]:
    """Choose the articles from addresses of one list: by their look, or by one numbered shape.

    Examples
    --------
    >>> numbered = [f"https://a.example/n/{n}" for n in range(5)]
    >>> article_addresses([*numbered, "https://a.example/b"]) == numbered
    True
    """
    possible = [url for url in urls if not _is_no_article(url)]
    named = [url for url in possible if looks_like_article(url)]
    taken = {*named, *numbered_shape(possible, named).urls}
    return [url for url in urls if url in taken]


def _is_no_article(url: str) -> bool:
    path = urlsplit(url).path
    return bool(_NO_ARTICLE.search(path) or _HOUSE_PAGE.search(path) or is_file(url))


def is_file(url: str) -> bool:
    """Tell whether an address names a picture, a document or another file that is no page."""
    return bool(_FILE.search(urlsplit(url).path))


def numbered_shape(urls: Sequence[str], named: Sequence[str]) -> NumberedShape:
    r"""Find the articles among addresses that do not look like any.

    Parameters
    ----------
    urls
        Addresses of one page or sitemap that may be articles: no house pages, no files.
    named
        Those of them that look like articles.

    Returns
    -------
    NumberedShape
        The most frequent shape; empty where it has fewer than `LEAST_NUMBERED` addresses or the
        named ones outside of it are too many.

    Examples
    --------
    >>> shape = numbered_shape([f"https://a.example/n/{n}/read" for n in range(95, 103)], [])
    >>> shape.pattern, len(shape.urls)
    ('/n/\\d+/read$', 8)
    """
    shapes: dict[str, list[str]] = defaultdict(list)
    for url in urls:
        parts = urlsplit(url)
        words = re.escape(parts.path + (f"?{parts.query}" if parts.query else ""))
        shape = _NUMBER.sub(r"\\d+", words)
        if shape != words and not _LISTING.search(url):
            shapes[f"{shape}$"].append(url)
    if not shapes:
        return NO_SHAPE
    pattern, found = max(shapes.items(), key=lambda item: len(item[1]))
    n_others = len(set(named) - set(found))
    if len(found) < LEAST_NUMBERED or n_others > _MOST_NAMED_SHARE * len(found):
        return NO_SHAPE
    return NumberedShape(pattern, tuple(found))
