"""Visits to a paper whose pages scripts draw: archived beside the answer, read, checked, erased."""

import asyncio
import gzip
import json
from datetime import UTC, datetime, timedelta

import pytest
from chromium import chromium_path
from django.conf import settings as site
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, answer
from newspaper_pages import PARAGRAPHS, TITLE
from warcio.archiveiterator import ArchiveIterator

from corpus_site.removal import erasing, withdrawals
from extraction import extract
from extraction.models import Article
from extraction.withdrawal.register import Order
from feeds.archive.fetches import read_of
from feeds.archive.verifying import verify
from feeds.crawler.fetching.drawn_html import without_boxes
from feeds.crawler.rendering import renderer
from feeds.crawler.rendering.requests_of_pages import RememberedAnswers
from feeds.models import Fetch, Host, Page
from feeds.sources.publications import NewFeed, add_feeds
from feeds.visiting import drawing
from feeds.work.leases import Claim
from search.articles.archived import read_again

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=2)
PATH = "/news/dredging-of-the-inner-basin-nears-its-end"
HTML_TYPE = (("Content-Type", "text/html; charset=utf-8"), ("ETag", '"shell"'))
SCRIPT_TYPE = (("Content-Type", "text/javascript"),)
JSON_TYPE = (("Content-Type", "application/json"),)
SHELL = f"""<!doctype html><html lang="en"><head><title>{TITLE}</title></head>
<body><div id="root"></div><script src="/app.js"></script></body></html>""".encode()
READER = b"""
const add = (name, text, to) => {
  const made = document.createElement(name); made.textContent = text; to.append(made);
};
fetch("/api" + location.pathname).then((r) => r.json()).then((story) => {
  const article = document.createElement("article");
  add("h1", story.title, article);
  for (const text of story.paragraphs) add("p", text, article);
  root.append(article);
});
"""
pytestmark = [pytest.mark.django_db, pytest.mark.browser]


def story(paragraphs=PARAGRAPHS) -> bytes:
    return json.dumps({"title": TITLE, "paragraphs": paragraphs}).encode()


@pytest.fixture
def web(settings, monkeypatch):
    chromium_path()
    monkeypatch.setattr(drawing, "_REMEMBERED", RememberedAnswers())
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0
    settings.CRAWL_BROWSER_SANDBOX = False
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        started.routes |= {
            PATH: answer(SHELL, 200, HTML_TYPE),
            "/app.js": answer(READER, 200, SCRIPT_TYPE),
            f"/api{PATH}": answer(story(), 200, JSON_TYPE),
        }
        yield started


@pytest.fixture
def page(web) -> Page:
    paper = make_paper(NOW, render_pages=True)
    return add_page(paper, f"http://karoo.example{PATH}", NOW)


def extract_pages(report, now=NOW):
    extract.register(report.next_ids.get("pages", ()), now)
    return extract.run(20, Claim("tester", now, timedelta(seconds=60)))


def fetch_of(page) -> Fetch:
    return Fetch.objects.filter(page=page).latest("pk")


def test_text_that_scripts_write_becomes_the_article(web, page):
    extract_pages(crawl(NOW))

    article = Article.objects.get()
    assert (article.text, article.title) == ("\n".join(PARAGRAPHS), TITLE)
    assert web.asked("karoo.example") == ["/robots.txt", PATH, "/app.js", f"/api{PATH}"]
    assert (fetch_of(page).outcome, fetch_of(page).error) == ("ok", "")


def test_paper_without_the_switch_is_not_drawn(web, page):
    page.publication.render_pages = False
    page.publication.save()

    extract_pages(crawl(NOW))

    assert web.asked("karoo.example") == ["/robots.txt", PATH]
    assert fetch_of(page).rendered_offset is None


def test_drawn_page_lies_beside_the_answer_it_was_made_of(web, page):
    crawl(NOW)

    fetch = fetch_of(page)
    with (site.ARCHIVE_DIR / fetch.archive_file).open("rb") as file:
        records = [
            (item.rec_type, dict(item.rec_headers.headers), item.raw_stream.read())
            for item in ArchiveIterator(file, check_digests="raise")
            if item.rec_headers.get_header("WARC-Target-URI") == page.url
        ]
    assert [kind for kind, *_ in records] == ["response", "request", "conversion", "metadata"]
    (_, answered, served), _, (_, drawn, html), (_, _, said) = records
    assert drawn["WARC-Refers-To"] == answered["WARC-Record-ID"]
    assert drawn["Content-Type"] == "text/html; charset=utf-8"
    assert served == SHELL
    assert PARAGRAPHS[0] in html.decode()
    assert b"scriptRequests: 2\r\n" in said
    assert b'<html lang="en" data-broadsheet-box="0 0 1280 ' in html
    assert read_of(fetch).body == without_boxes(html)
    assert b"data-broadsheet-box" not in read_of(fetch).body
    assert read_of(fetch).raw_body == SHELL


def test_elements_of_a_drawn_page_stand_where_the_browser_drew_them(web, page, linguist):
    extract_pages(crawl(NOW))

    address = f"/evaluation/articles/{Article.objects.get().pk}/elements/"
    nodes = json.loads(linguist.get(f"{address}?format=json").content)["nodes"]
    answer = linguist.get(address).content.decode()

    by_tag = {node["tag"]: node for node in nodes}
    assert (by_tag["html"]["width"], by_tag["body"]["left"]) == (1280, 8)
    first, *_, last = [node for node in nodes if node["tag"] == "p"]
    assert by_tag["h1"]["top"] < first["top"] < last["top"]
    assert first["area"] == first["width"] * first["height"]
    assert all(node["width"] is not None for node in nodes)
    assert "those of the browser that drew the page" in answer


def test_hosts_rest_makes_up_for_what_scripts_asked(web, page):
    crawl(NOW)

    host = Host.objects.get(name="karoo.example")
    assert host.next_reason == (
        "Rest for 2 requests of scripts. Delay of 5 s between two requests."
    )
    assert host.delay_seconds == pytest.approx(15)


def test_later_visit_sees_what_scripts_write_by_then(web, page):
    extract_pages(crawl(NOW))
    later = (*PARAGRAPHS, "Later that day the harbour master said that the work was done by then.")
    web.routes[f"/api{PATH}"] = answer(story(later), 200, JSON_TYPE)
    Page.objects.reschedule(LATER)

    extract_pages(crawl(LATER), LATER)

    assert Article.objects.get().text == "\n".join(later)
    asked = [request for request in web.requests if request.target == PATH]
    assert [request.headers.get("if-none-match") for request in asked] == [None, None]


def test_later_visit_that_draws_the_same_is_no_new_document(web, page):
    extract_pages(crawl(NOW))
    first = fetch_of(page)
    Page.objects.reschedule(LATER)

    crawl(LATER)

    page.refresh_from_db()
    second = fetch_of(page)
    assert page.content_fetch_id == first.pk
    assert (second.found, second.rendered_offset) == ("same_bytes", None)
    assert all(report.is_sound for report in verify())


def test_verify_finds_a_drawn_page_that_is_lost(web, page):
    crawl(NOW)
    fetch = fetch_of(page)
    path = site.ARCHIVE_DIR / fetch.archive_file
    assert all(report.is_sound for report in verify())

    with path.open("r+b") as file:
        file.seek(fetch.rendered_offset + 40)
        file.write(b"\xff" * 20)

    assert [report.lost for report in verify()] == [(fetch.pk,)]


def test_erased_article_leaves_nothing_of_what_was_drawn(web, page):
    extract_pages(crawl(NOW))
    article = Article.objects.get()

    withdrawals.erase_articles([article.pk], Order("A court says so.", None, NOW))
    erasing.run(20, Claim("tester", LATER, timedelta(seconds=60)))

    whole = b"".join(gzip.decompress(p.read_bytes()) for p in site.ARCHIVE_DIR.glob("*.warc.gz"))
    assert PARAGRAPHS[0].encode() not in whole
    fetch = fetch_of(page)
    assert (fetch.rendered_offset, fetch.rendered_length) == (None, None)
    assert all(report.is_sound and not report.problems for report in verify())


def test_article_is_read_again_from_what_was_drawn(web, page):
    extract_pages(crawl(NOW))
    Article.objects.update(text="", blocks=[])
    n_requests = len(web.requests)

    extract.read_again(None, LATER)
    extract.run(20, Claim("tester", LATER, timedelta(seconds=60)))

    article = Article.objects.get()
    assert article.text == "\n".join(PARAGRAPHS)
    assert read_again(article).is_as_stored
    assert len(web.requests) == n_requests


def test_page_that_cannot_be_drawn_is_kept_as_it_was_sent(web, page):
    web.routes["/app.js"] = answer(b"for (;;);", 200, SCRIPT_TYPE)

    extract_pages(crawl(NOW))

    fetch = fetch_of(page)
    assert fetch.outcome == "ok"
    assert fetch.error == "Not drawn by the browser: Its scripts did not pause within 20 s."
    assert read_of(fetch).body == SHELL


def test_front_page_that_scripts_draw_is_polled_for_stories(web, page):
    lists = b"""for (const letter of ["a", "b"]) { const link = document.createElement("a");
    link.href = "/story-of-the-karoo-" + letter; link.textContent = "Rain"; root.append(link); }"""
    web.routes["/"] = answer(SHELL.replace(b"/app.js", b"/list.js"), 200, HTML_TYPE)
    web.routes["/list.js"] = answer(lists, 200, SCRIPT_TYPE)
    Page.objects.all().update(due_at=None)
    add_feeds(page.publication, [NewFeed("http://karoo.example/", kind="index")], NOW)

    report = crawl(NOW)

    assert report.done["pages_found"] == 2
    assert Fetch.objects.get(page__kind="feed").rendered_offset is not None


def test_page_that_waits_for_the_browser_in_vain_is_given_back_unasked(page):
    async def begin() -> list[bool]:
        browser = drawing.Drawing()
        now = asyncio.get_running_loop().time()
        async with browser.turn(page, now + 60) as first, browser.turn(page, now) as second:
            return [first, second]

    assert page.publication.render_pages
    assert asyncio.run(begin()) == [True, False]


def test_without_a_browser_pages_come_as_before(web, page, monkeypatch):
    monkeypatch.setattr(renderer, "_PROGRAMS", ("no-such-browser",))

    extract_pages(crawl(NOW))

    fetch = fetch_of(page)
    assert fetch.error == (
        "Not drawn by the browser: Chromium is not installed: apt install chromium."
    )
    assert read_of(fetch).body == SHELL


def test_copy_in_a_web_archive_is_not_drawn(web, page):
    """Its scripts would write what the site of today gives them."""
    path = f"/web/20131229080000id_/http://karoo.example{PATH}"
    web.routes[path] = answer(SHELL, 200, HTML_TYPE)
    Page.objects.update(url=f"http://karoo.example{path}")

    crawl(NOW)

    assert web.asked("karoo.example") == ["/robots.txt", path]
    assert fetch_of(page).rendered_offset is None
