"""The page that an alarm of lost articles leads to: the newest one that shows it."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_page, make_publication

from corpus_site.alarms.examples import newest_visited

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def visited(publication, hours_ago, outcome, path):
    url = f"http://karoo.example/{path}"
    at = NOW - timedelta(hours=hours_ago)
    return make_page(publication, url=url, visited_at=at, outcome=outcome, kind="article")


def test_the_newest_article_that_came_or_did_not_is_shown():
    karoo, cape = make_publication("karoo"), make_publication("cape")
    visited(karoo, 3, "ok", "old")
    visited(karoo, 2, "ok", "new")
    visited(karoo, 1, "not_found", "gone")
    visited(cape, 0, "ok", "of-another")

    assert newest_visited({karoo.pk}, is_read=True) == {
        karoo.pk: "/status/url/?u=http%3A%2F%2Fkaroo.example%2Fnew"
    }
    assert newest_visited({karoo.pk}, is_read=False) == {
        karoo.pk: "/status/url/?u=http%3A%2F%2Fkaroo.example%2Fgone"
    }


def test_without_one_that_fits_there_is_none():
    karoo = make_publication("karoo")
    visited(karoo, 1, "ok", "a" * 1000)

    assert newest_visited({karoo.pk}, is_read=True) == {}
    assert newest_visited({karoo.pk}, is_read=False) == {}
    assert newest_visited(set(), is_read=True) == {}
