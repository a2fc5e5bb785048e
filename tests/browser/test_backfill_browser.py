"""An editor fills a month from a web archive: from the publication's page to the article."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone
from factories import make_publication
from integration.feeds.crawls.small_archive import Dialect, Kept, keep, root_of
from integration.feeds.origin import Origin
from site_pages import site_article

from corpus_site import pipeline
from feeds.models import Crawl
from feeds.work.leases import Claim

pytestmark = pytest.mark.django_db(transaction=True)
HOME = "http://karoo.example/"
STORY = f"{HOME}how-the-harbour-met-the-council"
COPIES = [
    Kept("20131203080000", HOME, f'<a href="{STORY}">How the harbour met the council</a>'),
    Kept("20131230070000", HOME, f'<a href="{STORY}">How the harbour met the council again</a>'),
    Kept("20131229080000", STORY, site_article(1).decode().replace("2026", "----")),
]
LEASE = timedelta(seconds=60)


@pytest.fixture
def web(settings):
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        keep(started, Dialect.PYWB, COPIES)
        yield started


def take_turns(n_turns):
    """Let the crawl, the visits and the extraction take turns, some seconds apart."""
    now = timezone.now()
    for _ in range(n_turns):
        now += timedelta(seconds=6)
        for name in ("crawl", "fetch", "extract"):
            pipeline.BY_NAME[name].run(Claim("tester", now, LEASE))
        pipeline.sweep(now)


def work(n_turns):
    """Let a worker do it; the browser's own loop runs in this thread."""
    worker = threading.Thread(target=take_turns, args=(n_turns,))
    worker.start()
    worker.join()


def test_an_editor_fills_a_month_from_a_web_archive(open_window, web):
    make_publication(state="active", home_url=HOME)
    window = open_window(role="editor", width=390)
    page = window.page

    page.goto(f"{window.address}/sources/karoo-courier/")
    window.follow(page.get_by_role("link", name="Months"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    table = page.get_by_role("table").locator("..")
    assert table.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
    while page.get_by_title("Fill December 2013 from a web archive").count() == 0:
        page.get_by_role("link", name="Earlier years").click()
    page.get_by_title("Fill December 2013 from a web archive").click()
    page.get_by_label("Web archive", exact=True).fill(root_of(Dialect.PYWB))
    page.get_by_role("button", name="Ask the archive").click()
    page.get_by_text("Asking the archive").wait_for()
    work(3)
    page.get_by_role("heading", name="What the archive has").wait_for()
    assert page.get_by_text("2 front pages").is_visible()
    assert page.get_by_label("Stories, at most").input_value() == "2000"
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("The crawl has begun").wait_for()
    work(10)

    assert Crawl.objects.get().end_reason == "all that was found is visited"
    page.goto(f"{window.address}/sources/karoo-courier/months/?since=2013")
    assert page.get_by_role("row", name="2013").get_by_role("cell").nth(12).inner_text() == "1 …"
    page.goto(f"{window.address}/articles/?pub=karoo-courier")
    window.follow(page.get_by_role("link", name="How the").first)
    assert page.get_by_text("From a web archive: seen").is_visible()
    assert window.complaints == []
