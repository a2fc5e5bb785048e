"""Dates of feeds that cannot be those of articles: of the visit, and ahead of it."""

from datetime import UTC, datetime, timedelta

import pytest

from feeds.crawler.documents.believable_dates import FUTURE, OF_THE_VISIT, believable_dates
from feeds.crawler.documents.feed_document import FeedEntry, FeedKind, ParsedFeed
from feeds.crawler.documents.found_feeds import found_feed
from feeds.crawler.documents.home_page import FeedCandidate

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def feed_of(minutes, kind=FeedKind.RSS):
    """Make a feed of entries so many minutes old; None: without a date."""
    dates = [None if age is None else NOW - timedelta(minutes=age) for age in minutes]
    entries = tuple(
        FeedEntry(f"https://paper.example/{n}", published_at=date) for n, date in enumerate(dates)
    )
    return ParsedFeed(kind, entries=entries, n_items=len(entries))


DAYS_AHEAD = -3 * 24 * 60


@pytest.mark.parametrize(
    ("minutes", "kept", "doubt"),
    [
        ([0] * 5, [None] * 5, OF_THE_VISIT),
        ([0, 0.5, 1, 0.2, 0.9], [None] * 5, OF_THE_VISIT),
        ([50] * 6, [None] * 6, OF_THE_VISIT),  # from a cache
        ([-3] * 5, [None] * 5, OF_THE_VISIT),  # its clock is fast
        ([0, None, 0, 0, 0, 0], [None] * 6, OF_THE_VISIT),
        ([0] * 4, [0] * 4, ""),  # four stories of one minute
        ([0, 0, 0, 0, 120], [0, 0, 0, 0, 120], ""),
        ([300] * 5, [300] * 5, ""),  # an edition that came out at once
        ([DAYS_AHEAD, 5], [None, 5], FUTURE),
        ([-20 * 60, 5], [-20 * 60, 5], ""),  # a wrong zone
        ([None, None], [None, None], ""),
        ([], [], ""),
    ],
)
def test_dates_that_may_be_true_are_kept(minutes, kept, doubt):
    assert believable_dates(feed_of(minutes), NOW) == (feed_of(kept), doubt)


def test_posts_of_one_minute_keep_their_dates():
    posts = feed_of([0] * 5, FeedKind.TIMELINE)

    assert believable_dates(posts, NOW) == (posts, "")


def test_the_wizard_says_that_dates_are_not_used():
    candidate = FeedCandidate("https://paper.example/feed", "News", "link")

    found = found_feed(candidate, feed_of([0] * 5), NOW)

    assert (found.newest, found.is_good, found.verdict) == (None, True, f"good, but {OF_THE_VISIT}")
    assert {entry.published_at for entry in found.entries} == {None}
