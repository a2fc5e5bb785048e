"""Events of the crawl in a span of days."""

from datetime import date, timedelta

import pytest
from factories import NOW, make_feed, make_host, make_page, make_publication, make_rules

from search.answers.crawl_marks import MOST_MARKS, crawl_marks

pytestmark = pytest.mark.django_db

TODAY = NOW.date()


@pytest.fixture
def events():
    """Two feeds on one day, a rule, a host that refuses us; another paper's feed long ago."""
    cape = make_publication("cape-meridian", name="Cape Meridian")
    for _ in range(2):
        make_feed(cape, created_at=NOW - timedelta(days=3))
    make_feed(make_publication("karoo-courier"), created_at=NOW - timedelta(days=40))
    make_rules(cape, published_at=NOW - timedelta(days=2))
    make_rules(cape, number=2, published_at=None)
    make_page(cape)
    host = make_host("cape-meridian.example")
    host.blocked_since = NOW
    host.save()


def words(*arguments):
    return [(mark.day, mark.words) for mark in crawl_marks(*arguments).listed]


def test_events_stand_in_order_of_time(events):
    assert words(TODAY - timedelta(days=30), TODAY) == [
        (TODAY - timedelta(days=3), "2 feeds of Cape Meridian added"),
        (TODAY - timedelta(days=2), "version 1 of the rules for Cape Meridian"),
        (TODAY, "cape-meridian.example refuses us since then"),
    ]


def test_only_events_of_the_papers_asked_for_are_named(events):
    found = words(TODAY - timedelta(days=60), TODAY, ("karoo-courier",))

    assert found == [(TODAY - timedelta(days=40), "1 feed of Karoo Courier added")]


def test_each_event_leads_to_its_page(events, client, settings):
    settings.READING_WITHOUT_SIGN_IN = True

    marks = crawl_marks(TODAY - timedelta(days=30), TODAY).listed

    assert [client.get(mark.address).status_code for mark in marks] == [200, 200, 200]


def test_other_days_have_no_events(events):
    assert words(date(2020, 1, 1), date(2020, 12, 31)) == []


def test_many_papers_of_one_day_are_one_event():
    for n in range(MOST_MARKS):
        make_feed(make_publication(f"paper-{n}"), created_at=NOW - timedelta(days=3))
    make_feed(make_publication("early"), created_at=NOW - timedelta(days=4))

    assert words(TODAY - timedelta(days=30), TODAY) == [
        (TODAY - timedelta(days=4), "1 feed of Early added"),
        (TODAY - timedelta(days=3), f"{MOST_MARKS} feeds of {MOST_MARKS} publications added"),
    ]


def test_what_is_not_listed_is_counted():
    cape = make_publication("cape-meridian", name="Cape Meridian")
    for n in range(1, MOST_MARKS + 4):
        make_rules(cape, number=n, published_at=NOW - timedelta(days=n))

    found = crawl_marks(TODAY - timedelta(days=100), TODAY)

    assert (len(found.listed), found.n_left_out) == (MOST_MARKS, 3)
    assert found.listed[-1].words == "version 1 of the rules for Cape Meridian"
