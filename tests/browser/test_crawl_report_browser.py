"""The report of a crawl in a browser: from its figures to their texts, and what it left."""

import csv
import io
import threading
from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_publication
from integration.feeds.crawls.crawling import begin, links
from integration.feeds.origin import Origin, answer
from site_pages import site_article

from corpus_site import pipeline
from extraction.models import Article
from feeds.crawler.addressing import traps
from feeds.models import Page, UrlPolicy
from feeds.work.leases import Claim

pytestmark = pytest.mark.django_db(transaction=True)

HOME = "http://karoo.example/"
STORIES = [f"how-the-harbour-met-the-council-{n}" for n in range(1, 7)]
DAYS = [f"events/2026/{n}/" for n in range(1, 31)]
LEASE = timedelta(seconds=60)
HTML = (("Content-Type", "text/html; charset=utf-8"),)


@pytest.fixture
def web(settings, monkeypatch):
    """Six stories of a paper, and a calendar without an end."""
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    monkeypatch.setattr(traps, "BARREN_PAGES", 5)
    monkeypatch.setattr(traps, "BARREN_STORIES", 10)
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        started.routes = {"/": links(*STORIES, *DAYS)}
        started.routes |= {f"/{path}": links("/") for path in DAYS}
        for n, path in enumerate(STORIES):
            started.routes[f"/{path}"] = answer(site_article(n), 200, HTML)
        yield started


def take_turns(n_turns):
    now = timezone.now()
    for _ in range(n_turns):
        now += timedelta(seconds=6)
        for name in ("crawl", "fetch", "extract", "detect", "index"):
            pipeline.BY_NAME[name].run(Claim("tester", now, LEASE))
        pipeline.sweep(now)


def work(n_turns):
    """Let a worker do it; the browser's own loop runs in this thread."""
    worker = threading.Thread(target=take_turns, args=(n_turns,))
    worker.start()
    worker.join()


@pytest.fixture
def crawl(web):
    paper = make_publication(state="active", home_url=HOME)
    row = begin(paper, f"{HOME} 200", policy=UrlPolicy.ALL, max_depth=5)
    work(8)
    return row


def test_each_figure_of_a_report_opens_its_texts(open_window, crawl):
    window = open_window(role="editor")
    page = window.open(f"/crawls/{crawl.pk}/")
    n_words = (
        page.get_by_text("words after cleaning").locator("..").get_by_role("link").inner_text()
    )
    page.get_by_role("link", name="Zipf plot").click()
    page.get_by_role("heading", name="Zipf", exact=False).first.wait_for()
    plot = page.locator("svg").count()
    cells = page.locator("table tbody tr").first.locator("td")
    hits = int(cells.nth(1).inner_text())
    cells.nth(1).get_by_role("link").click()
    page.get_by_role("heading", name="Concordance", exact=False).first.wait_for()
    file = page.request.get(f"{page.url.replace('/search/?', '/search/export/?')}&format=csv")
    lines = [row for row in csv.reader(io.StringIO(file.text())) if row and row[0].isdigit()]

    articles = Article.objects.filter(page__crawled_as__crawl=crawl, in_corpus=True)
    assert (plot > 0, len(articles)) == (True, len(STORIES))
    assert int(n_words) == sum(len(one.text.split()) for one in articles)
    assert len(lines) == hits > 0
    assert window.complaints == []


def test_what_a_crawl_left_is_told_on_status_and_taken_after_all(open_window, crawl):
    window = open_window(role="editor", width=390)
    before = Page.objects.filter(url__contains="/events/", visited_at__isnull=False).count()
    page = window.open("/status/")
    page.get_by_role("link", name="See the addresses").click()
    page.get_by_role("button", name="Take them after all").click()
    page.get_by_text("These addresses are taken after all").wait_for()
    assert not window.is_scrolled_sideways()
    work(8)

    after = Page.objects.filter(url__contains="/events/", visited_at__isnull=False).count()
    assert (before < len(DAYS), after) == (True, len(DAYS))
    page.goto(f"{window.address}/status/")
    assert page.get_by_role("link", name="See the addresses").count() == 0
    assert window.complaints == []
