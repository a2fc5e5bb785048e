"""What a feed has done: new items a day, hours of publication, honesty about change."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from factories import NOW, make_feed, make_fetch, make_listing, make_page

from feeds.models import Feed, FeedItem
from feeds.status import feed_rows
from feeds.watching.feed_history import Honesty, honesty, publishing_hours

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

DAY = timedelta(days=1)


@pytest.fixture
def feed():
    return make_feed()


def list_items(feed, n, seen_at):
    for _ in range(n):
        item = make_listing(feed, make_page())
        FeedItem.objects.filter(pk=item.pk).update(first_seen_at=seen_at)


def test_a_feed_in_a_list_knows_its_days_and_what_is_usual(feed):
    list_items(feed, 30, NOW - 10 * DAY)
    for days in range(1, 10):
        list_items(feed, 2 + days % 2, NOW - days * DAY)
    list_items(feed, 1, NOW)

    row = feed_rows(Feed.objects.all(), NOW)[0]

    assert (row.n_new, row.usual) == (1, (2, 3))
    assert row.new_by_day[-3:] == (2, 3, 1)
    assert sum(row.new_by_day) == FeedItem.objects.count()


def test_items_are_counted_by_their_local_weekday_and_hour(feed):
    """23:30 on a Sunday in London is 01:30 on a Monday in Johannesburg."""
    moment = datetime(2026, 11, 22, 23, 30, tzinfo=ZoneInfo("Europe/London"))
    make_listing(feed, make_page(feed_published_at=moment))
    make_listing(feed, make_page(feed_published_at=None))

    hours = publishing_hours(feed)

    assert (hours.n_items, hours.most) == (1, 1)
    assert hours.rows[0] == ("Mon", [0, 1] + [0] * 22)


def test_honesty_tells_an_unchanged_document_from_a_new_one(feed):
    said = [("ok", "a"), ("not_modified", ""), ("ok", "a"), ("ok", "b"), ("timeout", "")]
    for minutes, (outcome, digest) in enumerate(said):
        at = NOW - timedelta(minutes=60 - minutes)
        make_fetch(feed.page, outcome=outcome, digest=digest, started_at=at)

    assert honesty(feed, NOW) == Honesty(n_unmodified=1, n_changed=2, n_same=1)
