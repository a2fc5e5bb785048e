"""Newspapers with planted faults on a clock that is set forward: what is told of them, and when."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from typing import Self

from django.conf import settings
from integration.feeds.newspapers import LEASE, add_feed, crawl, make_paper
from integration.feeds.origin import Answer, Origin, answer, not_found, raw
from site_pages import site_article

from corpus_site.alarms.keeping import alarms_in, keep_if_due
from corpus_site.alarms.models import Alarm
from extraction import extract
from extraction.models import Extraction
from feeds import revisits
from feeds.crawler.timing.publishing import Pattern, expect, learn
from feeds.crawls import crawl_slices
from feeds.models import (
    ArticleFlow,
    ArticleHour,
    Crawl,
    Host,
    Page,
    Publication,
    PublishingRhythm,
    Worker,
)
from feeds.work.leases import Claim

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
START = datetime(2026, 11, 16, 6, 0, tzinfo=UTC)  # a Monday
STEP = timedelta(minutes=30)
LISTED = 12  # items of a feed
HTML = (("Content-Type", "text/html; charset=utf-8"),)
XML = (("Content-Type", "application/rss+xml"),)

Fault = Callable[[str, str], Answer | None]


@dataclass
class FaultySite:
    """A paper that publishes an article an hour, on one host or on two; `fault` answers first."""

    name: str
    clock: Callable[[], datetime]
    feed_host: str
    host: str
    feed_paths: tuple[str, ...] = ("/feed",)
    every: timedelta = HOUR
    next_at: datetime = START - DAY
    moments: list[datetime] = field(default_factory=list)
    fault: Fault = lambda _host, _path: None
    change: Callable[[bytes], bytes] = bytes

    def n_published(self) -> int:
        while self.next_at <= self.clock():
            self.moments.append(self.next_at)
            self.next_at += self.every
        return sum(moment <= self.clock() for moment in self.moments)

    def publish_every(self, every: timedelta) -> None:
        """Appear at another pace from now on."""
        self.n_published()
        self.every, self.next_at = every, self.clock() + every

    def answer_to(self, host: str, path: str) -> Answer:
        planted = self.fault(host, path)
        if planted is not None:
            return planted
        if path in self.feed_paths:
            return answer(self._feed(), 200, XML)
        number = path.removeprefix(f"/{self.name}-story-number-")
        if number.isdigit() and int(number) < self.n_published():
            return answer(self.change(site_article(int(number))), 200, HTML)
        return not_found

    def _feed(self) -> bytes:
        last = self.n_published()
        items = "".join(self._item(number) for number in range(max(0, last - LISTED), last))
        title = f"<title>{self.name}</title>"
        return f"<rss version='2.0'><channel>{title}{items}</channel></rss>".encode()

    def _item(self, number: int) -> str:
        at = format_datetime(self.moments[number])
        link = f"http://{self.host}/{self.name}-story-number-{number}"
        return (
            f"<item><title>Story {number}</title><link>{link}</link>"
            f"<guid>{link}</guid><pubDate>{at}</pubDate></item>"
        )


class _Routes(dict[str, Answer]):
    """Asks the site of a host what it answers now."""

    def __init__(self, web: "FaultyWeb") -> None:
        super().__init__()
        self._web = web

    def get(self, key: str, default: Answer = not_found) -> Answer:  # type: ignore[override]
        host, slash, path = key.partition("/")
        sites = self._web.by_host.get(host, [])
        answers = [site.answer_to(host, slash + path) for site in sites] or [default]
        return next((one for one in answers if one is not not_found), answers[0])


@dataclass
class FaultyWeb:
    """A clock, sites, and the crawl of them; use it as a context."""

    now: datetime = START
    step: timedelta = STEP
    by_host: dict[str, list[FaultySite]] = field(default_factory=dict)
    has_worker: bool = True

    def __enter__(self) -> Self:
        self._origin = Origin(routes=_Routes(self))
        self._origin.__enter__()
        settings.CRAWL_PROXY_URL = self._origin.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        return self

    def __exit__(self, *exception: object) -> None:
        self._origin.__exit__(*exception)

    def add(
        self, name: str, *, apart: bool = False, n_feeds: int = 1, host: str = ""
    ) -> FaultySite:
        """Add a paper whose habits are known, with its feeds on a host of their own or not."""
        host = host or f"{name}.example"
        feed_host = f"feeds.{host}" if apart else host
        name_of = "feed" if host == f"{name}.example" else f"{name}-feed"
        paths = tuple(f"/{name_of}{number or ''}" for number in range(n_feeds))
        site = FaultySite(name, lambda: self.now, feed_host, host, paths)
        for served in {host, feed_host}:
            self.by_host.setdefault(served, []).append(site)
        before = self.now - 90 * DAY
        paper = make_paper(
            before, name=name.title(), slug=name, home_url=f"http://{host}/", started_at=before
        )
        for path in paths:
            add_feed(paper, f"http://{feed_host}{path}", self.now)
        self._plant_habit(paper, host)
        return site

    def _plant_habit(self, paper: Publication, host: str) -> None:
        midnight = self.now.replace(hour=0)
        pattern, expectation = hourly_habit(midnight - 2 * DAY)
        PublishingRhythm.objects.create(
            publication=paper, pattern=pattern.stored(), expectation=expectation.stored(),
            articles_a_day=expectation.articles_a_day, learnt_until=midnight - 2 * DAY,
        )  # fmt: skip
        ArticleHour.objects.bulk_create(
            ArticleHour(publication=paper, hour=self.now - n * HOUR, n_stored=1)
            for n in range(1, 100)
        )
        row = Host.objects.get_or_create(name=host, defaults={"next_at": self.now})[0]
        ArticleFlow.objects.create(
            publication=paper, host=row, stored_at=self.now, recent_stored=150, recent_lost=5
        )

    def pass_by(self, time: timedelta) -> None:
        """Let time go by: whatever falls due is visited and read, and alarms are kept."""
        until = self.now + time
        while self.now < until:
            self.now = min(self.now + self.step, until)
            if self.has_worker:
                Worker.objects.update_or_create(
                    name="tester", defaults={"kind": "w", "pid": 1, "started_at": START,
                                             "beat_at": self.now},
                )  # fmt: skip
            for _ in range(3):
                if not self._work():
                    break
            keep_if_due("tester", self.now)

    def _work(self) -> int:
        """Do what is due; returns how much was. Where no row is due, no stage need try a claim."""
        revisits.pending(100, self.now)
        if not any(model.objects.due(self.now).exists() for model in (Page, Crawl, Extraction)):
            return 0
        n_due = crawl_slices.run(5, Claim("tester", self.now, LEASE)).n_claimed
        report = crawl(self.now)
        extract.register(report.next_ids.get("pages", ()), self.now)
        extract.pending(100, self.now)
        n_due += report.n_claimed
        while n_read := extract.run(20, Claim("tester", self.now, LEASE)).n_claimed:
            n_due += n_read
        return n_due

    def until(self, is_so: Callable[[], bool], at_most: timedelta) -> timedelta | None:
        """Let time go by until something is so; returns how long that took."""
        begun = self.now
        while self.now - begun < at_most:
            self.pass_by(self.step)
            if is_so():
                return self.now - begun
        return None

    def open_alarms(self) -> list[Alarm]:
        return list(alarms_in("open", self.now))


@cache
def hourly_habit(until: datetime) -> tuple[Pattern, object]:
    """Give what a paper is known by that brings an article an hour."""
    pattern, day = Pattern(), until - 42 * DAY
    while day < until:
        pattern = learn(pattern, day, [1] * 24)
        day += DAY
    return pattern, expect(pattern)


def said(after: timedelta | None) -> str:
    """Write a length of time as the table shows it."""
    if after is None:
        return "–"
    hours = after / HOUR
    return (
        f"{hours * 60:.0f} min"
        if hours < 2
        else f"{hours:.0f} h"
        if hours < 48
        else f"{hours / 24:.1f} d"
    )


def record(*cells: str) -> None:
    """Keep a row of the table for `make bench-alarms`, which names the file."""
    path = os.environ.get("ALARM_TABLE")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(cells) + "\n")


# --- Faults ---------------------------------------------------------------------------------------


def for_articles(given: Answer) -> Fault:
    return lambda _host, path: given if "-story-" in path else None


def for_feeds(given: Answer, *paths: str) -> Fault:
    def fault(host: str, path: str) -> Answer | None:
        return given if path.startswith("/feed") and (not paths or path in paths) else None

    return fault


def for_all(given: Answer) -> Fault:
    return lambda _host, _path: given


def robots(rules: str) -> Fault:
    body = answer(rules.encode(), 200, (("Content-Type", "text/plain"),))
    return lambda _host, path: body if path == "/robots.txt" else None


REFUSED = answer(b"no", 403)
GUARD = answer(b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script>", 200, HTML)
SLOW_DOWN = answer(b"slow down", 429, (("Retry-After", "1800"),))
UNWELL = answer(b"unwell", 503)
RESET = raw(b"", is_reset=True)
SHELL = answer(
    b"<html><head><title>News</title><script>app()</script></head><body></body></html>", 200, HTML
)
BANNER = answer(
    b"<html><head><title>News</title></head><body><p>This newspaper needs scripts to be read; "
    b"please switch them on in your browser.</p></body></html>", 200, HTML,
)  # fmt: skip


def crawls_of(slug: str) -> int:
    return Crawl.objects.filter(publication__slug=slug).count()
