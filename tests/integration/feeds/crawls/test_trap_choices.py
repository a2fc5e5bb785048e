"""Editors' words on families of addresses: taken after all, or stopped by hand."""

from datetime import timedelta

import pytest
from integration.feeds.crawls.crawling import HOME, NOW, begin, go_on, links
from integration.feeds.newspapers import make_paper
from integration.feeds.origin import Origin

from feeds.crawler.addressing import traps
from feeds.crawls import crawl_slices, site_crawls
from feeds.crawls.site_crawls import CrawlProblem
from feeds.crawls.trap_choices import leave_family, left_families, stop_family, take_family
from feeds.models import CrawlKind, CrawlState, Page, UrlPolicy

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

DAYS = [f"events/2026/{n}/" for n in range(1, 31)]
ALBUMS = [f"albums/{n}/" for n in range(1, 31)]
CALENDAR, OF_ALBUMS = "karoo.example/events/#/", "karoo.example/albums/#/"


@pytest.fixture
def site(settings, monkeypatch):
    """Thirty days of a calendar that show the same, named by a front page."""
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    monkeypatch.setattr(traps, "BARREN_PAGES", 5)
    monkeypatch.setattr(traps, "BARREN_STORIES", 5)
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        started.routes = {"/": links(*DAYS, *ALBUMS)}
        started.routes |= {f"/{path}": links("/") for path in DAYS}
        started.routes |= {f"/{path}": links(f"{path}photo") for path in ALBUMS}
        yield started


def crawl_site(**changes):
    return begin(make_paper(NOW), f"{HOME} 1000", policy=UrlPolicy.ALL, max_depth=5, **changes)


def visited(paths):
    urls = [HOME + path for path in paths]
    return Page.objects.filter(url__in=urls, visited_at__isnull=False).count()


def again(row):
    row.refresh_from_db()
    return row


def names(row):
    return {one.name: one.choice for one in left_families(again(row))}


def test_a_family_that_was_stopped_is_taken_after_all(site):
    row = crawl_site()
    now = go_on(8)
    before = visited(DAYS), again(row).state, names(row)

    take_family(row, CALENDAR, now)
    then = again(row)
    told = then.state, then.ended_at, then.end_reason
    go_on(8, now)

    assert before[0] < len(DAYS)
    assert (before[1], before[2][CALENDAR]) == (CrawlState.DONE, "")
    assert told == (CrawlState.RUNNING, None, "")
    assert (visited(DAYS), again(row).state) == (len(DAYS), CrawlState.DONE)
    assert names(row)[CALENDAR] == "take"
    assert row.n_known == row.addresses.count()
    assert CALENDAR not in row.traps["stopped"]
    assert row.traps["again_from"] is None


def test_pages_are_read_again_some_at_a_time(site, monkeypatch):
    monkeypatch.setattr(crawl_slices, "FOLLOWED_AT_ONCE", 3)
    row = crawl_site()
    now = go_on(25)

    take_family(row, CALENDAR, now)
    go_on(40, now)

    assert (visited(DAYS), again(row).state) == (len(DAYS), CrawlState.DONE)


def test_a_family_is_stopped_by_hand_and_taken_again(site):
    row = crawl_site()
    now = go_on(1)

    family = stop_family(row, f"{HOME}albums/17/", now)
    now = go_on(8, now)
    stopped = visited(ALBUMS)
    take_family(row, family, now)
    go_on(8, now)

    assert (family, stopped) == (OF_ALBUMS, 0)
    assert visited(ALBUMS) == len(ALBUMS)


def test_a_word_that_comes_while_a_slice_works_is_not_lost(site, monkeypatch):
    row = crawl_site()
    now = go_on(8)
    release = crawl_slices.release

    def meanwhile(crawl, moment):
        crawl_slices.release = release
        leave_family(crawl, CALENDAR, moment)
        return release(crawl, moment)

    take_family(row, CALENDAR, now)
    monkeypatch.setattr(crawl_slices, "release", meanwhile)
    go_on(5, now)

    assert names(row)[CALENDAR] == "stop"
    assert visited(DAYS) < len(DAYS)


def test_words_hold_for_the_same_crawl_the_next_time(site):
    row = crawl_site(repeat_days=7)
    now = go_on(1)
    family = stop_family(row, f"{HOME}albums/17/", now)

    new = site_crawls.begin_again(again(row), now, "Broadsheet")
    go_on(5, now)

    assert (new.pk != row.pk, names(new)[family]) == (True, "stop")
    assert visited(ALBUMS) == 0
    assert not new.addresses.filter(url__contains="/albums/").exists()


def test_what_cannot_be_said_is_refused(site):
    row = crawl_site(max_hours=1)
    with pytest.raises(CrawlProblem, match="does not leave such addresses"):
        take_family(row, CALENDAR, NOW)
    with pytest.raises(CrawlProblem):
        stop_family(row, "no address", NOW)
    now = go_on(8)
    with pytest.raises(CrawlProblem, match="time of this crawl is over"):
        take_family(again(row), CALENDAR, NOW + timedelta(hours=2))
    leave_family(again(row), CALENDAR, now)
    assert (names(row)[CALENDAR], again(row).state) == ("stop", CrawlState.DONE)


def test_a_stopped_crawl_and_one_of_single_addresses_have_no_families(site):
    row = crawl_site()
    site_crawls.stop(row, NOW)
    single = begin(row.publication, HOME, kind=CrawlKind.ADDRESSES)

    with pytest.raises(CrawlProblem, match="was stopped"):
        stop_family(again(row), f"{HOME}albums/1/", NOW)
    with pytest.raises(CrawlProblem, match="Only a crawl of a site"):
        stop_family(single, f"{HOME}albums/1/", NOW)
