"""Planted faults: is each told, in which sentence, after how long, and when is that over?

`make bench-alarms` prints what is recorded here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import count

import pytest
from faulty_papers import (
    BANNER,
    DAY,
    GUARD,
    HOUR,
    HTML,
    REFUSED,
    RESET,
    SHELL,
    SLOW_DOWN,
    START,
    STEP,
    UNWELL,
    FaultySite,
    FaultyWeb,
    crawls_of,
    for_all,
    for_articles,
    for_feeds,
    record,
    robots,
    said,
)
from integration.feeds.origin import answer, not_found, redirect

from corpus_site.alarms.models import Alarm
from corpus_site.running import disks
from feeds.crawler.timing.publishing import Pattern, expect, learn
from feeds.models import ArticleFlow, ArticleHour, Page, Publication, PublishingRhythm, Worker

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

Act = Callable[["World"], None]
# Where a day or more goes by: feeds are visited once an hour at the latest.
LONG_STEP = HOUR


@dataclass
class World:
    """The paper with the fault, a healthy one, and what tests need to plant faults elsewhere."""

    web: FaultyWeb
    site: FaultySite
    settings: object
    browse: object

    @property
    def paper(self) -> Publication:
        return Publication.objects.get(slug=self.site.name)


@dataclass(frozen=True)
class Planted:
    """A fault: how it is planted and mended, as what it is told, within which time it opens and
    closes; `where` names the subject of the alarm."""

    name: str
    kind: str
    plant: Act
    phrase: str = ""
    opens: timedelta = 3 * HOUR
    closes: timedelta = 3 * HOUR
    mend: Act | None = None
    apart: bool = False
    n_feeds: int = 1
    subject: str = "karoo.example"


def site(fault) -> Act:
    def plant(world):
        world.site.fault = fault

    return plant


def well(world):
    world.site.fault = lambda _host, _path: None


def stop(world):
    world.site.publish_every(365 * DAY)


def go_on(world):
    world.site.publish_every(HOUR)


def stop_with_a_limit(world):
    Publication.objects.filter(slug=world.site.name).update(quiet_after_days=1)
    stop(world)


def bring_little(world):
    world.site.publish_every(8 * HOUR)


def flood(world):
    """Publish forty items between two visits, of which the feed lists the last twelve."""
    world.site.n_published()
    world.site.moments += [world.web.now + n * timedelta(seconds=40) for n in range(1, 41)]


def look(world):
    alarm = Alarm.objects.get(kind="missed", closed_at=None)
    client = world.browse("admin")
    client.post(f"/status/alarms/{alarm.pk}/", {"act": "look"})
    assert crawls_of(world.site.name) == 1


def redesign(world):
    """The same articles in another template from now on."""
    old = (b"<main>", b"<nav>", b"<footer>", b"<div class='article-body'>")

    def change(body):
        for place, element in enumerate(old):
            body = body.replace(element, b"<div class='c-%d'>" % place)
        return body

    world.site.change = change


def wait(world):
    """Do nothing: the new design becomes what is known."""


def several_down(world):
    for number in range(5):
        other = world.web.add(f"other{number}")
        other.fault = for_all(RESET)
    world.web.pass_by(STEP)
    world.site.fault = for_all(RESET)


def several_up(world):
    for others in world.web.by_host.values():
        for other in others:
            other.fault = lambda _host, _path: None


def two_papers(world):
    """Another paper on the same host, with four feeds of its own."""
    second = world.web.add("platteland", host="karoo.example", n_feeds=4)
    first, fault = world.site, for_all(REFUSED)
    first.fault = second.fault = fault


def fill_disk(world):
    world.settings.MIN_FREE_DISK_BYTES = 10**18
    disks.shortage.cache_clear() if hasattr(disks.shortage, "cache_clear") else None


def empty_disk(world):
    world.settings.MIN_FREE_DISK_BYTES = 0


def kill_workers(world):
    world.web.has_worker = False
    world.web._work = lambda: 0
    Worker.objects.all().delete()


def start_workers(world):
    world.web.has_worker = True
    del world.web._work


def break_ourselves(world):
    page = Page.objects.filter(kind="article", outcome="ok").first()
    Page.objects.filter(pk=page.pk).update(quarantined_at=world.web.now, due_at=None)


def mend_ourselves(world):
    Page.objects.update(quarantined_at=None)


SITEMAP_PAGE = answer(b"<html><body>Welcome to our new site</body></html>", 200, HTML)
FAULTS = [
    Planted("403 for articles, feed on another host", "block", site(for_articles(REFUSED)),
            "refuses us", apart=True, closes=8 * HOUR),
    Planted("403 for articles, feed on the same host", "block", site(for_articles(REFUSED)),
            "refuses us", opens=8 * HOUR, closes=8 * HOUR),
    Planted("403 for everything", "block", site(for_all(REFUSED)), "refuses us", opens=6 * HOUR,
            closes=8 * HOUR),
    Planted("a guard's page for everything", "block", site(for_all(GUARD)), "refuses us",
            closes=8 * HOUR),
    Planted("a host of two papers refuses both", "block", two_papers, "Karoo and Platteland lose",
            opens=6 * HOUR, closes=8 * HOUR, mend=several_up),
    Planted("robots.txt begins to forbid all", "robots",
            site(robots("User-agent: *\nDisallow: /")), "forbids by its robots.txt",
            opens=30 * HOUR, closes=8 * HOUR),
    Planted("robots.txt of the articles' host forbids", "robots",
            site(robots("User-agent: *\nDisallow: /karoo-story")), "forbid",
            opens=34 * HOUR, closes=8 * HOUR, apart=True),
    Planted("429 for everything", "slowed", site(for_all(SLOW_DOWN)), "too many requests",
            opens=30 * HOUR, closes=40 * HOUR),
    Planted("429 for articles", "slowed", site(for_articles(SLOW_DOWN)), "too many requests",
            opens=30 * HOUR, closes=8 * HOUR),
    Planted("503 for everything", "down", site(for_all(UNWELL)), "gives no answer",
            opens=6 * HOUR, closes=8 * HOUR),
    Planted("connections are cut", "down", site(for_all(RESET)), "gives no answer",
            opens=6 * HOUR, closes=8 * HOUR),
    Planted("503 for articles, feed answers", "down", site(for_articles(UNWELL)),
            "were answered with an error", opens=8 * HOUR, closes=8 * HOUR),
    Planted("articles are drawn by scripts", "scripts", site(for_articles(SHELL)),
            "scripts draw it", opens=8 * HOUR, closes=3 * HOUR, subject="Karoo"),
    Planted("articles show a banner about scripts", "empty", site(for_articles(BANNER)),
            "pages without a text", opens=8 * HOUR, closes=3 * HOUR, subject="Karoo"),
    Planted("articles are not found", "unstored", site(for_articles(not_found)),
            "stores nothing of what it is asked for", opens=8 * HOUR, subject="Karoo"),
    Planted("articles lead to the home page", "unstored",
            site(for_articles(redirect("http://karoo.example/"))), "stores nothing",
            opens=8 * HOUR, subject="Karoo"),
    Planted("feed is not found", "feed", site(for_feeds(not_found)), "gives nothing",
            subject="Karoo, karoo"),
    Planted("feed is gone", "feed", site(for_feeds(answer(b"", 410))), "gives nothing",
            closes=8 * HOUR, subject="Karoo, karoo"),
    Planted("feed becomes a web page", "feed", site(for_feeds(SITEMAP_PAGE)), "gives nothing",
            closes=8 * HOUR, subject="Karoo, karoo"),
    Planted("one of two feeds is gone", "feed", site(for_feeds(answer(b"", 410), "/feed1")),
            "gives nothing", closes=8 * HOUR, n_feeds=2, subject="Karoo, karoo"),
    Planted("five feeds are gone", "feed", site(for_feeds(answer(b"", 410))), "give nothing",
            closes=8 * HOUR, n_feeds=5, subject="Karoo, 5 feeds"),
    Planted("feed host refuses, articles' host answers", "block", site(for_feeds(REFUSED)),
            "refuses us", opens=8 * HOUR, closes=30 * HOUR, apart=True,
            subject="feeds.karoo.example"),
    Planted("paper appears no more", "quiet", stop, "nothing new", opens=34 * HOUR, mend=go_on,
            subject="Karoo"),
    Planted("paper appears no more, limit of a day", "quiet", stop_with_a_limit,
            "the limit of 1 day set for it", opens=26 * HOUR, mend=go_on, subject="Karoo"),
    Planted("an eighth of what is usual", "fewer", bring_little, "fewer articles than usual",
            opens=80 * HOUR, closes=80 * HOUR, mend=go_on, subject="Karoo"),
    Planted("items come and go between visits", "missed", flood, "has missed about",
            mend=look, subject="Karoo"),
    Planted("pages are built anew", "structure", redesign, "pages are built differently",
            opens=10 * HOUR, closes=20 * HOUR, mend=wait, subject="Karoo"),
    Planted("all hosts are out of reach", "network", several_down, "cannot be reached",
            opens=6 * HOUR, closes=8 * HOUR, mend=several_up, subject="The network"),
    Planted("disk is full", "disk", fill_disk, "has no room", mend=empty_disk,
            subject="The disk"),
    Planted("no worker runs", "worker", kill_workers, "gives a sign", mend=start_workers,
            subject="No worker"),
    Planted("our own code breaks on a page", "quarantine", break_ourselves, "gave up on 1 row",
            mend=mend_ourselves, subject="Stage fetch"),
]  # fmt: skip


@pytest.fixture
def web(settings):
    settings.CRAWL_MIN_POLL_SECONDS, settings.CRAWL_MAX_POLL_SECONDS = 1800, 3600
    with FaultyWeb() as made:
        yield made


def made_world(web, fault, settings, browse):
    web.add("voice")
    karoo = web.add("karoo", apart=fault.apart, n_feeds=fault.n_feeds)
    web.pass_by(2 * HOUR)
    assert Alarm.objects.count() == 0
    return World(web, karoo, settings, browse)


def _cases():
    """Mark as long all faults but the first of each kind that is told within a day."""
    kinds = set()
    for fault in FAULTS:
        is_long = fault.kind in kinds or fault.opens > DAY
        yield pytest.param(fault, id=fault.name, marks=[pytest.mark.long] * is_long)
        if not is_long:
            kinds.add(fault.kind)


@pytest.mark.parametrize("fault", list(_cases()))
def test_fault_is_told_once_in_a_sentence_and_over_when_it_is_mended(web, fault, settings, browse):
    if fault.opens > DAY:
        web.step = LONG_STEP
    world = made_world(web, fault, settings, browse)

    fault.plant(world)
    opened = web.until(lambda: any(a.kind == fault.kind for a in web.open_alarms()), fault.opens)
    told = web.open_alarms()
    (fault.mend or well)(world)
    closed = web.until(lambda: not web.open_alarms(), fault.closes)
    sentence = f"{told[0].subject} {told[0].sentence}" if told else "–"
    record(fault.name, told[0].get_kind_display() if told else "–", sentence, said(opened),
           said(closed))  # fmt: skip

    assert [(alarm.kind, alarm.subject) for alarm in told] == [(fault.kind, fault.subject)]
    assert fault.phrase in sentence
    assert opened is not None
    assert closed is not None


def be_weekly(web, site):
    """Appear on Mondays, and be known for it; the last issue came this morning."""
    monday = START.replace(hour=0) - 42 * DAY
    pattern = Pattern()
    for day in range(42):
        pattern = learn(pattern, monday + day * DAY, [12 if day % 7 == 0 and h == 9 else 0
                                                      for h in range(24)])  # fmt: skip
    PublishingRhythm.objects.filter(publication__slug=site.name).update(
        pattern=pattern.stored(), expectation=expect(pattern).stored()
    )
    site.publish_every(365 * DAY)


def fail_once(web, site):
    """Answer 503 to one visit in ten."""
    visits = count(1)
    site.fault = lambda _host, _path: UNWELL if next(visits) % 10 == 0 else None


def be_mixed(web, site):
    """Show a video without a text now and then, and three in a row."""

    def fault(host, path):
        number = path.rpartition("-")[2]
        return SHELL if number.isdigit() and int(number) % 9 in {2, 5, 6, 7} else None

    site.fault = fault


def be_new(web, site):
    """Be added today, and appear in five days."""
    PublishingRhythm.objects.all().delete()
    ArticleHour.objects.all().delete()
    ArticleFlow.objects.all().delete()
    Publication.objects.update(started_at=web.now)
    site.publish_every(365 * DAY)


def be_well(web, site):
    """Do nothing out of the ordinary."""


HEALTHY = [
    ("a paper as ever", be_well, 2 * DAY),
    ("a weekly between two issues", be_weekly, 2.5 * DAY),
    ("one visit in ten fails", fail_once, DAY),
    ("four articles in nine without a text", be_mixed, 1.5 * DAY),
    ("a newcomer that has brought nothing yet", be_new, 2 * DAY),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "be", "time"), HEALTHY, ids=[row[0] for row in HEALTHY])
def test_healthy_papers_ring_no_alarm(web, name, be, time):
    web.step = LONG_STEP
    site = web.add("karoo")
    web.pass_by(2 * HOUR)

    be(web, site)
    web.pass_by(time)

    record(name, "–", "–", "not within " + said(time), "–")
    assert list(Alarm.objects.values_list("kind", "sentence")) == []
