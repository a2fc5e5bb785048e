"""Dates of a feed that cannot be those of its articles are taken out; pages may say better ones.

A document and the moment of its visit → the document with the dates that may be true.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from feeds.crawler.documents.feed_document import FeedEntry, FeedKind, ParsedFeed

# Wrong zones and clocks put honest dates up to a day ahead.
CLOCKS_APART = timedelta(days=1)
# Feeds whose program writes the moment of its run into each entry, and caches that keep the
# document. Fewer entries may well be published in one minute.
_LEAST_ENTRIES, _ONE_RUN, _LONGEST_CACHED = 5, timedelta(minutes=1), timedelta(hours=1)

FUTURE = "some of its dates lie ahead and are not used"
OF_THE_VISIT = "all of its dates are the moment of the visit and are not used"


def believable_dates(parsed: ParsedFeed, now: datetime) -> tuple[ParsedFeed, str]:
    """Take out dates that have not come, and all where they tell when the document was made.

    Parameters
    ----------
    parsed
        A document as it was read.
    now
        The moment of the visit.

    Returns
    -------
    ParsedFeed, str
        The document without these dates, and what is wrong with them; "" where nothing is.

    Examples
    --------
    >>> from datetime import UTC
    >>> now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    >>> made = [FeedEntry(f"https://a.example/{n}", published_at=now) for n in range(5)]
    >>> feed, doubt = believable_dates(ParsedFeed(FeedKind.RSS, entries=tuple(made)), now)
    >>> feed.newest is None, doubt
    (True, 'all of its dates are the moment of the visit and are not used')
    """
    if parsed.newest is None:
        return parsed, ""
    if _is_of_one_run(parsed, now):
        return _without(parsed, None), OF_THE_VISIT
    latest = now + CLOCKS_APART
    if parsed.newest > latest:
        return _without(parsed, latest), FUTURE
    return parsed, ""


def _is_of_one_run(parsed: ParsedFeed, now: datetime) -> bool:
    if parsed.kind is FeedKind.TIMELINE:  # its program gives the moments of the posts
        return False
    dates = [entry.published_at for entry in parsed.entries if entry.published_at]
    return (
        len(dates) >= _LEAST_ENTRIES
        and max(dates) - min(dates) <= _ONE_RUN
        and abs(now - max(dates)) <= _LONGEST_CACHED
    )


def _without(parsed: ParsedFeed, latest: datetime | None) -> ParsedFeed:
    """Take out the dates behind `latest`, all of them where it is None."""

    def kept(entry: FeedEntry) -> FeedEntry:
        is_kept = latest and entry.published_at and entry.published_at <= latest
        return entry if is_kept else replace(entry, published_at=None)

    return replace(parsed, entries=tuple(kept(entry) for entry in parsed.entries))
