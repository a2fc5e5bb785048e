"""Which of the feeds that were found are worth following.

Parsed candidates → `FoundFeed` with a verdict in words; the good ones are ticked for the editor.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.documents.believable_dates import believable_dates
from feeds.crawler.documents.feed_document import FeedEntry, FeedKind, ParsedFeed, of_articles
from feeds.crawler.documents.home_page import FeedCandidate
from presentation.wording.times import month

STALE_DAYS = 60  # nothing new for longer: offered, but not ticked
SAME_SHARE = 0.9  # of a feed's items in an earlier one: offered, but not ticked
# Feeds without a date come last.
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FoundFeed:
    """A feed that was fetched and parsed; ``is_good`` ones are ticked, ``verdict`` says why."""

    url: str
    title: str
    how: str
    kind: FeedKind
    n_items: int
    newest: datetime | None
    verdict: str
    is_good: bool
    entries: tuple[FeedEntry, ...] = ()  # what the feed says of each, for reading samples
    other_links: tuple[str, ...] = ()  # of an index page: what a pattern may let in besides

    @property
    def entry_urls(self) -> tuple[str, ...]:
        """Addresses of the articles that it lists, in its order."""
        return tuple(entry.url for entry in self.entries)


def found_feed(candidate: FeedCandidate, parsed: ParsedFeed, now: datetime) -> FoundFeed:
    """Judge one feed by itself.

    Parameters
    ----------
    candidate
        With the address at which the document was found in the end.
    parsed
        The document, which is a feed.
    now
        The moment against which staleness is measured.
    """
    parsed, doubt = believable_dates(of_articles(parsed), now)
    verdict, is_good = _verdict(parsed, now)
    if doubt and is_good:
        verdict = f"{verdict}, but {doubt}"
    return FoundFeed(
        url=candidate.url,
        title=parsed.title or candidate.title,
        how=candidate.how,
        kind=parsed.kind,
        n_items=parsed.n_items,
        newest=parsed.newest,
        verdict=verdict,
        is_good=is_good,
        entries=parsed.entries,
    )


def unread_feed(candidate: FeedCandidate, why: str) -> FoundFeed:
    """Offer a feed that a page declares although there was no time to read it; it is ticked."""
    return FoundFeed(
        url=candidate.url,
        title=candidate.title,
        how=candidate.how,
        kind=FeedKind.NONE,
        n_items=0,
        newest=None,
        verdict=f"not read yet: {why}",
        is_good=True,
    )


def prefer_section(feeds: Sequence[FoundFeed], section_url: str) -> tuple[FoundFeed, ...]:
    """Put feeds of a section's own before the others, which are not ticked then.

    A section is told by the last part of its path, which stands in the addresses of its feeds.
    """
    parts = [part for part in urlsplit(section_url).path.lower().split("/") if part]
    own = [feed for feed in feeds if parts and feed.is_good and _is_below(feed.url, parts[-1])]
    if not own:
        return tuple(feeds)
    others = [
        replace(feed, is_good=False, verdict="of the whole paper; the section’s own is ticked")
        if feed.is_good
        else feed
        for feed in feeds
        if feed not in own
    ]
    return (*own, *others)


def _is_below(url: str, section: str) -> bool:
    parts = urlsplit(url.lower())
    return section in parts.path.split("/") or section in parts.query.replace("=", "&").split("&")


def _verdict(parsed: ParsedFeed, now: datetime) -> tuple[str, bool]:
    if not parsed.entries:
        return ("none of its entries leads to an article" if parsed.n_items else "empty"), False
    if parsed.kind is FeedKind.INDEX:
        return "its story links are followed", True
    if parsed.newest and now - parsed.newest > timedelta(days=STALE_DAYS):
        return f"stale since {month(parsed.newest)}", False
    return "good", True


def judge(feeds: Sequence[FoundFeed]) -> tuple[FoundFeed, ...]:
    """Judge the feeds of one site together.

    A feed whose items an earlier good one lists too is no longer ticked. Where none is good, the
    one with the newest item is ticked all the same: a sleeping paper may be wanted.
    """
    judged: list[FoundFeed] = []
    for feed in feeds:
        twin = _twin(feed, judged)
        if feed.is_good and twin:
            words = f"the same items as “{twin.title or twin.url}” ({twin.kind})"
            judged.append(replace(feed, verdict=words, is_good=False))
        else:
            judged.append(feed)
    filled = [feed for feed in judged if feed.entry_urls]
    if filled and not any(feed.is_good for feed in judged):
        best = max(filled, key=lambda feed: feed.newest or _LONG_AGO)
        judged[judged.index(best)] = replace(best, is_good=True)
    return tuple(judged)


def _twin(feed: FoundFeed, before: Sequence[FoundFeed]) -> FoundFeed | None:
    own = _keys(feed)
    for other in before:
        if other.is_good and own and len(own & _keys(other)) >= SAME_SHARE * len(own):
            return other
    return None


def _keys(feed: FoundFeed) -> set[str]:
    return {canonicalize(url).key for url in feed.entry_urls}
