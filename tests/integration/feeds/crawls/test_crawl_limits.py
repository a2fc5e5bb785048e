"""How much of a crawl goes at once and in all: by host, by time, and again after some days."""

from collections import Counter
from datetime import timedelta

import pytest
from integration.feeds.crawls.crawling import HOME, NOW, begin, go_on, links
from integration.feeds.newspapers import LEASE, make_paper

from feeds.crawls import crawl_slices, releasing, site_crawls
from feeds.crawls.releasing import under_way, waiting_hosts
from feeds.crawls.site_crawls import CrawlProblem
from feeds.models import Crawl, CrawlState, Page
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.usefixtures("through_our_web")]

PAUSE = timedelta(seconds=5)
HOSTS = [f"{letter}.town.example" for letter in "abcde"]


@pytest.fixture
def paper():
    return make_paper(NOW)


@pytest.fixture
def town(web):
    """A first page that lists ten stories of each host, one host after the other."""
    stories = [f"http://{host}/story-{n}-of-the-karoo" for host in HOSTS for n in range(10)]
    web.routes["/"] = links(*stories)
    for host in HOSTS:
        for n in range(10):
            web.routes[f"{host}/story-{n}-of-the-karoo"] = links()
    return web


def _slice(now):
    crawl_slices.run(5, Claim("tester", now, LEASE))


def _busy(row):
    return Counter(under_way(row).values_list("host", flat=True))


@pytest.mark.usefixtures("town")
def test_all_hosts_of_a_crawl_are_busy_beside_each_other(paper, monkeypatch):
    monkeypatch.setattr(releasing, "UNDER_WAY", 2)
    row = begin(paper, f"{HOME} 100 *.example")

    _slice(go_on() + PAUSE)

    assert _busy(row) == dict.fromkeys(HOSTS, 2)


@pytest.mark.usefixtures("town")
def test_hosts_take_turns_where_not_all_fit_into_a_slice(paper, monkeypatch):
    monkeypatch.setattr(releasing, "UNDER_WAY", 1)
    monkeypatch.setattr(releasing, "MAX_UNDER_WAY", 2)
    monkeypatch.setattr(releasing, "HOSTS_AT_ONCE", 2)
    row = begin(paper, f"{HOME} 100 *.example")

    go_on(5)

    visited = Page.objects.filter(visited_at__isnull=False, kind="article")
    assert set(visited.values_list("host__name", flat=True)) == set(HOSTS)
    row.refresh_from_db()
    assert sorted(waiting_hosts(row, [0])) != []


@pytest.mark.usefixtures("town")
def test_limit_of_a_host_leaves_the_others_alone(paper):
    row = begin(paper, f"{HOME} 100 *.example", pages_per_host=3)

    go_on(6)

    row.refresh_from_db()
    n_pages = Counter(row.addresses.exclude(released_at=None).values_list("host", flat=True))
    assert n_pages == {"karoo.example": 1} | dict.fromkeys(HOSTS, 3)
    assert row.state == CrawlState.DONE
    assert row.end_reason == "the page limit was reached; 35 further addresses are known"


@pytest.mark.usefixtures("town")
def test_time_limit_ends_a_crawl_and_takes_what_waits_out_of_the_frontier(paper):
    row = begin(paper, f"{HOME} 100 *.example", max_hours=1)
    _slice(go_on() + PAUSE)
    n_waiting = Page.objects.filter(due_at__isnull=False, visited_at=None).count()

    _slice(NOW + timedelta(hours=1))

    row.refresh_from_db()
    assert n_waiting == 50
    assert (row.state, row.due_at) == (CrawlState.DONE, None)
    assert row.end_reason == "its time of 1 hour was over; 0 further addresses are known"
    assert not Page.objects.filter(due_at__isnull=False, visited_at=None).exists()


def test_repeated_crawl_is_begun_anew_after_its_days_and_finds_what_is_new(web, paper):
    web.routes["/"] = links("story-a-of-the-karoo")
    web.routes["/story-a-of-the-karoo"] = web.routes["/story-b-of-the-karoo"] = links()
    first = begin(paper, repeat_days=7, max_hours=5)
    go_on(4)
    web.routes["/"] = links("story-a-of-the-karoo", "story-b-of-the-karoo")

    go_on(1, NOW + timedelta(days=6))
    n_before = Crawl.objects.count()
    go_on(5, NOW + timedelta(days=7))

    first.refresh_from_db()
    second = Crawl.objects.exclude(pk=first.pk).get()
    assert n_before == 1
    assert (first.state, first.repeat_days, first.due_at) == (CrawlState.DONE, None, None)
    assert (second.state, second.repeat_days, second.max_hours) == (CrawlState.DONE, 7, 5)
    assert web.paths.count("/story-b-of-the-karoo") == 1
    assert second.due_at == second.created_at + timedelta(days=7)


@pytest.mark.usefixtures("town")
def test_a_slice_reads_no_more_than_it_can_hold_and_goes_on_at_once(paper, monkeypatch):
    monkeypatch.setattr(crawl_slices, "FOUND_AT_ONCE", 0)
    row = begin(paper, f"{HOME} 100", f"{HOME}news/ 100")
    monkeypatch.setattr(crawl_slices, "FOLLOWED_AT_ONCE", 1)

    now = go_on(2)

    row.refresh_from_db()
    assert row.addresses.filter(followed_at__isnull=False).count() == 1
    assert row.due_at == now


def test_crawl_that_ended_is_repeated_no_more_and_one_that_is_not_repeated_says_so(web, paper):
    web.routes["/"] = links("story-a-of-the-karoo")
    row = begin(paper, repeat_days=7)
    go_on(4)

    site_crawls.repeat_no_more(row)
    go_on(4, NOW + timedelta(days=7))

    assert Crawl.objects.count() == 1
    with pytest.raises(CrawlProblem, match="This crawl is not repeated"):
        site_crawls.repeat_no_more(row)
