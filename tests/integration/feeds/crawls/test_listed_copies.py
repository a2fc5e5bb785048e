"""Backfills by the list of an archive: what is asked for, in which dialect, and how fast."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from integration.feeds.crawls.crawling import HOME, NOW, begin, go_on
from integration.feeds.crawls.small_archive import HOST, Dialect, Kept, keep, root_of
from integration.feeds.newspapers import LEASE, crawl, make_paper
from integration.feeds.origin import answer, page
from killed_work import is_killed_at

from feeds.crawler.documents import copy_lists
from feeds.crawls import crawl_slices, listed_copies, site_crawls
from feeds.crawls.site_crawls import CrawlProblem
from feeds.models import Crawl, CrawlKind, CrawlState, Fetch, Page, PageKind
from feeds.watching.crawl_status import crawl_estimate
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.usefixtures("through_our_web")]
DECEMBER = (date(2013, 12, 1), date(2013, 12, 31))


def front_page(*letters):
    return "".join(f'<a href="/story-{one}-of-the-karoo">A story of it</a>' for one in letters)


def story(letter):
    return f"{HOME}story-{letter}-of-the-karoo"


COPIES = [
    Kept("20131105080000", HOME, front_page("z")),
    Kept("20131203080000", HOME, front_page("a")),
    Kept("20131210060000", HOME, location=f"{HOME}news/"),
    Kept("20131210090000", HOME, front_page("a", "b")),
    Kept("20131210180000", HOME, front_page("a", "b", "y")),
    Kept("20131211090000", HOME, front_page("a", "b")),
    Kept("20131230070000", HOME, front_page("c", "d", "e")),
    Kept("20131204080000", story("a"), "<p>Of a</p>"),
    Kept("20131210090001", story("b"), "<p>Of b</p>"),
    Kept("20131230070001", story("c"), location="http://www.karoo.example/story-cc-of-the-karoo"),
    Kept("20131231080000", "http://www.karoo.example/story-cc-of-the-karoo", "<p>Of c, moved</p>"),
    Kept("20131230070002", story("d"), "<p>Of d</p>"),
]


@pytest.fixture
def paper():
    return make_paper(NOW)


def begin_archive(paper, dialect=Dialect.WAYBACK, days=DECEMBER, **changes):
    return begin(paper, kind=CrawlKind.ARCHIVE, archive_url=root_of(dialect), days=days, **changes)


def seen(row):
    found = row.addresses.filter(role="snapshot", followed_at__isnull=False)
    return [item.snapshot_at.strftime("%d %H") for item in found.order_by("-snapshot_at")]


@pytest.mark.parametrize("dialect", Dialect)
def test_one_front_page_of_each_day_is_walked_in_every_dialect(web, paper, dialect):
    keep(web, dialect, COPIES)
    web.routes["karoo.example/story-e-of-the-karoo"] = page("<p>Of e, from the site</p>")
    row = begin_archive(paper, dialect, requests_per_minute=60)

    go_on(40)

    row.refresh_from_db()
    assert (row.state, row.end_reason, row.n_listed) == (
        "done",
        "all that was found is visited",
        3,
    )
    assert seen(row) == ["30 07", "10 09", "03 08"]
    stories = Page.objects.filter(kind=PageKind.ARTICLE, outcome="ok").order_by("key")
    assert {item.key[-14]: item.content_fetch.seen_at for item in stories} == {
        "a": datetime(2013, 12, 4, 8, tzinfo=UTC),
        "b": datetime(2013, 12, 10, 9, 0, 1, tzinfo=UTC),
        "c": datetime(2013, 12, 31, 8, tzinfo=UTC),
        "d": datetime(2013, 12, 30, 7, 0, 2, tzinfo=UTC),
        "e": None,
    }
    assert web.asked("www.karoo.example") == []


def test_list_in_parts_is_read_to_its_end(web, paper, monkeypatch):
    monkeypatch.setattr(listed_copies, "LIST_LIMIT", 2)
    monkeypatch.setattr(copy_lists, "LIST_LIMIT", 2)
    keep(web, Dialect.PYWB, COPIES, list_limit=2)
    row = begin_archive(paper, Dialect.PYWB)

    go_on(8)

    row.refresh_from_db()
    lists = row.addresses.filter(role="list")
    assert (row.n_listed, [item.n_links for item in lists]) == (4, [2, 2, 2, 0])


def test_archive_without_a_copy_of_these_days_ends_the_crawl(web, paper):
    keep(web, Dialect.WAYBACK, COPIES)
    row = begin_archive(paper, days=(date(2012, 1, 1), date(2012, 12, 31)))

    go_on(4)

    row.refresh_from_db()
    assert (row.state, row.end_reason) == (
        "done",
        "the archive has no copy of this front page of these days",
    )
    assert len(web.asked(HOST)) == 2  # robots.txt and the list


def test_archive_is_asked_no_faster_than_its_budget_says(web, paper):
    keep(web, Dialect.WAYBACK, COPIES)
    row = begin_archive(paper, requests_per_minute=2)
    now = NOW

    for minute in range(1, 6):
        before = Fetch.objects.count()
        for second in range(0, 60, 5):
            now = NOW + timedelta(minutes=minute, seconds=second)
            crawl_slices.run(5, Claim("tester", now, LEASE))
            crawl(now)
        assert Fetch.objects.filter(page__crawled_as__crawl=row).count() - before < 3


def test_crawl_that_asks_first_waits_with_its_estimate(web, paper):
    keep(web, Dialect.WAYBACK, COPIES)
    row = begin_archive(paper, asks_first=True)

    now = go_on(4)
    row.refresh_from_db()
    estimate = crawl_estimate(row, NOW)
    asked_before = len(web.requests)

    assert (row.state, row.due_at) == (CrawlState.LISTED, None)
    assert (estimate.n_front_pages, estimate.n_days, estimate.n_stories) == (3, 31, 100)
    assert (estimate.n_likely, estimate.n_likely_requests) == (100, 3 + 2 * 100)
    assert estimate.n_requests == 3 + 2 * 100
    assert estimate.seconds == estimate.n_requests * 60 / 12
    go_on(3, now)
    assert len(web.requests) == asked_before

    site_crawls.begin_listed(row, 2, 30, now + timedelta(minutes=5))
    go_on(20, now + timedelta(minutes=5))
    row.refresh_from_db()
    assert (row.state, row.requests_per_minute) == (CrawlState.DONE, 30)
    assert row.end_reason == "the page limit was reached; 3 further addresses are known"
    with pytest.raises(CrawlProblem, match="waits for it"):
        site_crawls.begin_listed(row, 2, 30, now)


def test_estimate_without_a_list_is_made_of_days(web, paper):
    row = begin_archive(paper, asks_first=True)

    go_on(8)

    row.refresh_from_db()
    estimate = crawl_estimate(row, NOW)
    assert (row.state, row.n_listed) == (CrawlState.LISTED, None)
    assert (estimate.n_front_pages, estimate.n_requests) == (None, 2 * 31 + 2 * 100)


def test_archive_that_ignores_the_days_is_asked_once(web, paper, monkeypatch):
    monkeypatch.setattr(listed_copies, "LIST_LIMIT", 2)
    rows = "".join(
        f'{{"timestamp": "{stamp}", "url": "{HOME}", "status": "200"}}\n'
        for stamp in ("00010101000000", "99991231235959", "20140101000000")
    )
    web.routes[f"{HOST}/paper/cdx"] = answer(rows.encode())
    row = begin_archive(paper, Dialect.PYWB)

    go_on(4)

    row.refresh_from_db()
    assert (row.state, row.n_listed, row.addresses.count()) == ("done", 0, 1)


@pytest.mark.django_db(transaction=True)
def test_list_that_is_taken_by_a_killed_worker_is_taken_whole_by_the_next(web, paper):
    keep(web, Dialect.WAYBACK, COPIES)
    row = begin_archive(paper)
    now = go_on()  # the list has come

    n_statements = 0
    while is_killed_at(n_statements, partial(slice_at, now, n_statements)):
        row.refresh_from_db()
        assert (row.addresses.count(), row.listed_at) == (1, None)
        n_statements += 1

    row.refresh_from_db()
    assert n_statements > 10
    assert (row.n_listed, row.addresses.filter(role="snapshot").count()) == (3, 3)


def slice_at(now, n):
    """Work on a slice a minute after the one before, whose lease has run out by then."""
    Crawl.objects.update(attempts=0)
    crawl_slices.run(1, Claim("tester", now + timedelta(minutes=2 * n + 1), LEASE))
