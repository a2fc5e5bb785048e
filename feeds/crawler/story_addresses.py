"""Which addresses are stories of a newspaper: by their look, or all of a list by one number.

Address → yes or no; addresses of one page or sitemap → those that are stories.
"""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from feeds.crawler.numbered import numbered_shape
from feeds.crawler.slugs import looks_like_article

_NO_STORY = re.compile(
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


def is_story_address(url: str) -> bool:
    """Tell from an address alone whether it is a story of a newspaper.

    Examples
    --------
    >>> is_story_address("https://a.example/news/fire-in-cape-town-harbour-2000123")
    True
    >>> is_story_address("https://a.example/tag/fire-in-cape-town-harbour/")
    False
    """
    return not _is_no_story(url) and looks_like_article(url)


def story_addresses(urls: Sequence[str]) -> list[str]:
    """Choose the stories from addresses of one list: by their look, or by one numbered shape.

    Examples
    --------
    >>> numbered = [f"https://a.example/n/{n}" for n in range(5)]
    >>> story_addresses([*numbered, "https://a.example/b"]) == numbered
    True
    """
    named = [url for url in urls if is_story_address(url)]
    possible = [url for url in urls if not _is_no_story(url)]
    taken = {*named, *numbered_shape(possible, named).urls}
    return [url for url in urls if url in taken]


def _is_no_story(url: str) -> bool:
    path = urlsplit(url).path
    return bool(_NO_STORY.search(path) or _HOUSE_PAGE.search(path) or is_file(url))


def is_file(url: str) -> bool:
    """Tell whether an address names a picture, a document or another file that is no page."""
    return bool(_FILE.search(urlsplit(url).path))
