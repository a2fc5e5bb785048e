"""Real pages under their real addresses: the whole crawl of a replay web, whole and broken."""

import json
import subprocess
import sys
import urllib.request
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db.models import Q
from integration.feeds.newspapers import crawl, fetched
from shared_data import shared

from feeds.archive.verifying import verify
from feeds.crawler.outcomes import HOST_REFUSALS
from feeds.models import Feed, Fetch, Host, Page, PageKind
from feeds.sources.imports import ListedFeed, import_feeds

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
N_ARTICLES, N_FEEDS, N_HOSTS = 122, 87, 88
pytestmark = [pytest.mark.django_db, pytest.mark.data]


@dataclass(frozen=True)
class Replay:
    """A running replay web."""

    url: str
    log: Path

    def get(self, path: str, body: bytes | None = None):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.url}/__replay__/{path}", body) as answer:
            return json.load(answer)

    def break_with(self, *rules: dict) -> None:
        self.get("faults", json.dumps({"seed": 1, "rules": rules}).encode())

    @property
    def requests(self) -> list[dict]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@pytest.fixture
def replay(tmp_path):
    program = shared("bench/replay/replay.py")
    log = tmp_path / "requests.jsonl"
    arguments = ["--data", str(shared("data/extraction")), "--sets", "fundus", "--log", str(log)]
    process = subprocess.Popen(
        [sys.executable, str(program), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield Replay(process.stdout.readline().strip(), log)
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


@pytest.fixture(autouse=True)
def feeds(settings, replay):
    settings.CRAWL_PROXY_URL = replay.url
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    settings.CRAWL_TOTAL_TIMEOUT_SECONDS = 10
    settings.CRAWL_MAX_PAGE_BYTES = 3_000_000
    groups = replay.get("hosts.json")["groups"]
    import_feeds([ListedFeed(group["feeds"]["rss"]) for group in groups], NOW, activate=True)


def crawl_until_quiet(now: datetime, days: int = 3) -> None:
    """Crawl, and let time pass to the next visit, until no article and no failed feed waits."""
    end = now + timedelta(days=days)
    while now < end:
        crawl(now)
        waiting = Page.objects.waiting().select_related("host")
        unread = Feed.objects.filter(n_items=0).values("page")
        wanted = waiting.filter(Q(kind=PageKind.ARTICLE) | Q(pk__in=unread))
        moments = [max(page.due_at, page.host.next_at) for page in wanted]
        if not moments:
            return
        now = max(min(moments), now) + timedelta(seconds=1)


def test_crawl_of_real_pages_takes_one_request_for_each(replay):
    report = crawl(NOW)

    kinds = Counter(request["kind"] for request in replay.requests)
    assert fetched(report) == {"ok": N_ARTICLES + N_FEEDS}
    assert (report.done["pages_found"], len(report.next_ids["pages"])) == (N_ARTICLES, N_ARTICLES)
    assert kinds == {"page": N_ARTICLES, "feed": N_FEEDS, "robots": N_HOSTS}
    assert not any(request.get("disallowed") for request in replay.requests)
    (archive,) = verify()
    assert (archive.is_sound, archive.n_fetches) == (True, N_ARTICLES + N_FEEDS + N_HOSTS)
    assert crawl(NOW + timedelta(seconds=60)).n_claimed == 0


def test_crawl_a_day_later_asks_conditionally_and_stores_no_body_twice(replay):
    crawl(NOW)
    size = sum(report.n_bytes for report in verify())

    report = crawl(NOW + timedelta(hours=20))

    assert fetched(report) == {"not_modified": N_FEEDS}
    assert sum(request["cond"] for request in replay.requests) == N_FEEDS
    grown = sum(report.n_bytes for report in verify()) - size
    assert grown < N_FEEDS * 3000


def test_crawl_of_sites_in_passing_trouble_gets_every_page_in_the_end(replay):
    replay.break_with(
        {"match": "*", "kinds": ["page"], "first": 1, "share": 0.2, "do": {"status": 503}},
        {"match": "*", "kinds": ["page"], "first": 1, "share": 0.5, "do": {"reset": True}},
        {"match": "*", "kinds": ["feed"], "first": 1, "share": 0.2, "do": {"truncate": 0.5}},
        {"match": "*", "kinds": ["page"], "first": 2, "share": 0.3, "do": {"bad_gzip": True}},
        {
            "match": "*",
            "kinds": ["page"],
            "first": 1,
            "share": 0.4,
            "do": {"status": 429, "retry_after": 300},
        },
        {"match": "*", "kinds": ["robots"], "first": 1, "share": 0.2, "do": {"status": 500}},
    )

    crawl_until_quiet(NOW)

    outcomes = Counter(Page.objects.filter(kind=PageKind.ARTICLE).values_list("outcome", flat=True))
    failures = Counter(Fetch.objects.exclude(page=None).values_list("outcome", flat=True))
    assert outcomes == {"ok": N_ARTICLES}
    assert {"server_error", "connection_error", "bad_encoding", "rate_limited"} <= set(failures)
    assert all(report.is_sound for report in verify())


def test_crawl_of_hostile_sites_gives_every_page_an_outcome(replay):
    def rule(part: str, **do: object) -> dict:
        return {"match": f"*{part}*", "kinds": ["page"], "host_share": 0.25, "do": do}

    replay.break_with(
        rule("", redirect="loop"),
        rule("a", challenge=True),
        rule("e", huge=3_500_000),
        rule("i", bomb=5_000_000),
        rule("o", status=410),
        rule("u", redirect="home"),
        rule("s", headers={"Content-Type": "image/png"}),
        rule("t", body=""),
    )

    crawl_until_quiet(NOW, days=7)

    articles = Page.objects.filter(kind=PageKind.ARTICLE)
    outcomes = Counter(articles.values_list("outcome", flat=True))
    assert sum(outcomes.values()) == N_ARTICLES
    assert "" not in outcomes
    # What is asked again was refused by a host that refused all, and no page is overdue.
    due = articles.filter(due_at__isnull=False, quarantined_at=None)
    assert set(due.values_list("outcome", flat=True)) <= set(HOST_REFUSALS)
    assert not due.filter(due_at__lte=NOW + timedelta(days=7)).exists()
    assert not Host.objects.exclude(lease_owner="").exists()
    assert {"too_many_redirects", "challenge", "gone", "too_large"} <= set(outcomes)
    assert all(report.is_sound for report in verify())
