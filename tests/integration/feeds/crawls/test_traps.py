"""Sites on which every page leads to new addresses for ever: a crawl of them ends, and is small."""

import itertools

import pytest
from integration.feeds.crawls.test_site_crawls import HOME, NOW, begin, go_on, links
from integration.feeds.newspapers import make_paper
from integration.feeds.origin import Origin

from feeds.crawler.addressing import traps
from feeds.crawls import pool
from feeds.models import CrawlState, Page, UrlPolicy

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

MOST_PAGES = 12
TRAPS = {
    "calendar": lambda n, _: [f"events/{1900 + n // 12}/{1 + n % 12}/", f"events/?month={n}"],
    "sessions": lambda n, _: [f"story-{n % 2}-of-the-karoo?sid={n:032x}", f"?PHPSESSID={n:032x}"],
    "parameters": lambda n, _: [f"stories?page={n}&sort=day&dir={'ud'[n % 2]}&ref={n - 1}"],
    "deeper and deeper": lambda _, path: [f"{path}again/".lstrip("/"), f"{path}news/".lstrip("/")],
    "names without an end": lambda n, _: [f"story-{n}-of-the-karoo-{'very-' * 300}long"],
}


class Maze(dict):
    """Routes that answer every address with links to others, seen never before."""

    def __init__(self, trap):
        super().__init__()
        self._trap = trap
        self._numbers = itertools.count(1)

    def get(self, _path, _otherwise=None):
        async def answer(request, writer):
            if request.path == "/robots.txt":
                paths = []
            else:
                paths = [
                    path
                    for _ in range(50)
                    for path in self._trap(next(self._numbers), request.path)
                ]
            await links(*paths)(request, writer)

        return answer


@pytest.fixture
def maze(settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        yield started


@pytest.mark.parametrize("name", TRAPS)
def test_a_crawl_of_a_trap_ends_at_its_limit_and_its_pool_is_bounded(maze, monkeypatch, name):
    monkeypatch.setattr(pool, "MAX_ADDRESSES", 200)
    maze.routes = Maze(TRAPS[name])
    row = begin(make_paper(NOW), f"{HOME} {MOST_PAGES}", policy=UrlPolicy.ALL)

    go_on(MOST_PAGES + 4)

    row.refresh_from_db()
    n_fetched = Page.objects.filter(visited_at__isnull=False).count()
    n_asked = sum(path.partition("?")[0] != "/robots.txt" for path in maze.paths)
    assert row.state == CrawlState.DONE
    assert 1 < n_fetched <= MOST_PAGES
    assert n_asked <= MOST_PAGES + 3  # sitemaps that the site has not
    assert row.addresses.count() <= 200


@pytest.mark.parametrize("name", ["calendar", "sessions", "parameters", "deeper and deeper"])
def test_a_crawl_leaves_a_trap_goes_on_beside_it_and_says_so(maze, monkeypatch, name):
    monkeypatch.setattr(traps, "BARREN_PAGES", 5)
    monkeypatch.setattr(traps, "BARREN_STORIES", 5)
    maze.routes = Maze(TRAPS[name])
    row = begin(make_paper(NOW), f"{HOME} 1000", policy=UrlPolicy.ALL, max_depth=20)

    go_on(100)

    row.refresh_from_db()
    n_fetched = Page.objects.filter(visited_at__isnull=False).count()
    assert row.state == CrawlState.DONE
    assert "limit" not in row.end_reason
    assert n_fetched < 300
    assert row.n_known == row.addresses.count()
    assert "of them showed nothing new." in row.trap_sentences[0]
