"""What a feed says, whatever its format: the values that every feed reader here returns.

Limits that are the same for all formats stand here, and so does the way from a raw link to the
absolute address of an entry.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.documents.timeline_posts import TimelineAnswer

MAX_ENTRIES = 2_000  # Media Cloud's limit; "megasitemaps" of 50,000 addresses were met
MAX_TITLE_LENGTH = 1_000  # characters
MAX_DESCRIPTION_LENGTH = 4_000  # characters of text; whole articles stand in some descriptions
MAX_GUID_LENGTH = 500  # characters: as many as the frontier keeps, or no guid is known again


class FeedKind(StrEnum):
    """Format of a document; `NONE` for anything that cannot be polled."""

    RSS = "rss"
    ATOM = "atom"
    JSON = "json"
    SITEMAP = "sitemap"
    INDEX = "index"  # links of a home or section page
    TIMELINE = "timeline"  # posts of a microblog, which stand in the answer itself
    NONE = "none"


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One article as its feed lists it; texts are plain, absent ones empty.

    ``url`` is absolute, repaired and at most 2,048 characters. ``guid`` is an opaque word of the
    publisher and never an address. ``published_at`` knows its zone.
    """

    url: str
    guid: str = ""
    headline: str = ""
    published_at: datetime | None = None
    author: str = ""
    description: str = ""
    comments_url: str = ""
    is_post: bool = False  # its text came with the list: nothing is to be visited for it


@dataclass(frozen=True, slots=True)
class Hub:
    """Where to subscribe to a feed's news, and the address under which the hub knows the feed."""

    url: str
    topic: str


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """A feed document that was read, or the sentence that says why it is none.

    ``n_items`` counts what stands in the document, ``entries`` holds what can be visited:
    items without an address and those above `MAX_ENTRIES` are the difference. ``warning`` keeps
    the reason when a broken document was read all the same.
    """

    kind: FeedKind
    title: str = ""
    home_url: str = ""
    language: str = ""
    ttl_minutes: float | None = None
    entries: tuple[FeedEntry, ...] = ()
    n_items: int = 0
    problem: str = ""
    warning: str = ""
    hub: Hub | None = None
    timeline: TimelineAnswer | None = None

    @property
    def is_feed(self) -> bool:
        """Whether the document can be polled (an empty feed can)."""
        return self.kind is not FeedKind.NONE

    @property
    def newest(self) -> datetime | None:
        """The latest date of an entry, None when no entry has one."""
        return max(
            (entry.published_at for entry in self.entries if entry.published_at), default=None
        )


def no_feed(problem: str) -> ParsedFeed:
    """Give the answer for a document that cannot be polled."""
    return ParsedFeed(FeedKind.NONE, problem=problem)


def absolute_address(link: object, base_url: str) -> str:
    """Resolve and repair the link of an entry; "" when it is no web address.

    Parameters
    ----------
    link
        Text from the document; anything else counts as absent.
    base_url
        Absolute address that relative links start from; "" when none is known.
    """
    if not isinstance(link, str) or not link.strip():
        return ""
    try:
        return canonicalize(link, base_url or None).url
    except BadUrl:
        return ""


def of_articles(parsed: ParsedFeed) -> ParsedFeed:
    """Leave out entries that lead to a front page.

    Feeds whose entries all lead there would make it an article, with the headline of the first.

    Examples
    --------
    >>> entries = FeedEntry("https://paper.example/"), FeedEntry("https://paper.example/?p=7")
    >>> of_articles(ParsedFeed(FeedKind.RSS, entries=entries)).entries == entries[1:]
    True
    """
    entries = tuple(entry for entry in parsed.entries if not _is_front_page(entry.url))
    return parsed if len(entries) == len(parsed.entries) else replace(parsed, entries=entries)


def _is_front_page(url: str) -> bool:
    parts = urlsplit(url)
    return not parts.path.strip("/") and not parts.query
