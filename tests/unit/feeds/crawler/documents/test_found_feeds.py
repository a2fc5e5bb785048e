from datetime import UTC, datetime, timedelta

from feeds.crawler.documents.feed_document import FeedEntry, FeedKind, ParsedFeed
from feeds.crawler.documents.found_feeds import found_feed, judge
from feeds.crawler.documents.home_page import DECLARED, FeedCandidate

NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)


def feed(name, paths, days=0):
    when = NOW - timedelta(days=days)
    entries = tuple(
        FeedEntry(f"https://x.example/{path}", published_at=when - timedelta(hours=place))
        for place, path in enumerate(paths)
    )
    parsed = ParsedFeed(FeedKind.RSS, title=name, entries=entries, n_items=len(entries))
    return found_feed(FeedCandidate(f"https://x.example/{name}", "", DECLARED), parsed, NOW)


def judged(*feeds):
    return [(item.verdict, item.is_good) for item in judge(feeds)]


def test_feeds_with_own_items_are_good():
    assert judged(feed("news", "abc"), feed("sport", "def")) == [("good", True), ("good", True)]


def test_feed_with_items_of_another_is_not_ticked():
    assert judged(feed("news", "abcdefghij"), feed("all", "abcdefghi")) == [
        ("good", True),
        ("the same items as “news” (rss)", False),
    ]


def test_stale_and_empty_feeds_are_not_ticked_beside_a_good_one():
    assert judged(feed("old", "a", days=90), feed("none", ""), feed("news", "b")) == [
        ("stale since Aug 2026", False),
        ("empty", False),
        ("good", True),
    ]


def test_newest_of_stale_feeds_is_ticked_without_a_good_one():
    assert judged(feed("old", "a", days=400), feed("less", "b", days=90), feed("none", "")) == [
        ("stale since Oct 2025", False),
        ("stale since Aug 2026", True),
        ("empty", False),
    ]


def test_empty_feed_alone_is_not_ticked():
    assert judged(feed("none", "")) == [("empty", False)]
