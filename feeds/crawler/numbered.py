"""Stories whose addresses hold a short number and no words: "/n/7/read", "story.php?id=12".

Addresses of one list → those that are alike but for their numbers. One such address tells nothing;
a list of them, where hardly another address looks like a story, is the list of a paper's stories.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

# A pager shows three or four numbers; a front page has more stories.
LEAST_NUMBERED = 5
# Stories by the look of their addresses for each numbered one: with more, these are the stories.
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


def numbered_shape(urls: Sequence[str], named: Sequence[str]) -> NumberedShape:
    r"""Find the stories among addresses that do not look like any.

    Parameters
    ----------
    urls
        Addresses of one page or sitemap that may be stories: no house pages, no files.
    named
        Those of them that look like stories.

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
