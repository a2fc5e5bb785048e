"""Pages that scripts draw are told as such, and a click lets a browser draw them."""

import sys
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin
from integration.feeds.origin import page as html
from pages import markup

from corpus_site.accounts.models import User
from corpus_site.adding.samples import keep_pages, make_draft
from corpus_site.alarms import keeping
from corpus_site.alarms.models import Alarm
from extraction import extract
from extraction.models import Extraction
from feeds.crawler.documents.found_feeds import FeedKind, FoundFeed
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.crawler.rendering import renderer
from feeds.models import ArticleFlow, Fetch, Page, Publication, PublicationChange, SourceDraft
from feeds.sources.discovery import Investigation
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

ROOT = Path(__file__).resolve().parents[4]
SITE = "http://karoo.example"
SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
FEED = "https://karoo.example/feed"
DETAIL = "No text is in the page as it was sent: scripts draw it."


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def paper(settings, now):
    """A paper that sent seven shells."""
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    with Origin() as web:
        settings.CRAWL_PROXY_URL = web.url
        paper = make_paper(now)
        for n in range(7):
            web.routes[f"/news/rain-{n}"] = html(SHELL)
            add_page(paper, f"{SITE}/news/rain-{n}", now)
        ids = crawl(now).next_ids["pages"]
        extract.register(ids, now)
        extract.run(20, Claim("tester", now, timedelta(seconds=60)))
    return paper


@pytest.fixture
def alarm(paper, now):
    keeping.keep(keeping.present_needs(now), now)
    return Alarm.objects.get()


def test_shells_are_named_at_their_reading(paper):
    assert set(Extraction.objects.values_list("outcome", "outcome_detail")) == {("empty", DETAIL)}
    assert ArticleFlow.objects.get().lost_since is not None


def test_shells_ring_an_alarm_of_their_own(alarm):
    assert (alarm.kind, alarm.action) == ("scripts", "See the newest such page")
    assert "scripts draw it, karoo.example does not send it" in alarm.sentence


def test_alarm_says_what_must_be_installed_first(paper, now, monkeypatch):
    monkeypatch.setattr(renderer, "_PROGRAMS", ("no-such-browser",))

    [need] = keeping.present_needs(now)

    assert need.sentence.endswith(
        "let a browser draw them, once it is there (Chromium is not installed: "
        "apt install chromium)."
    )


def test_one_click_lets_a_browser_draw_them(alarm, paper, browse):
    Page.objects.update(due_at=None)
    editor = browse("editor")
    assert 'value="draw"' in markup(editor.get("/status/alarms/"))

    editor.post(f"/status/alarms/{alarm.pk}/", {"act": "draw"})

    paper.refresh_from_db()
    assert paper.render_pages
    assert Page.objects.filter(due_at__isnull=False, purpose="asked").count() == 7
    assert list(PublicationChange.objects.values_list("field", "before", "after")) == [
        ("render_pages", "no", "yes")
    ]


def test_page_of_a_paper_says_why_no_browser_draws_it(paper, now, browse):
    editor = browse("editor")
    error = "Not drawn by the browser: Chromium is not installed: apt install chromium."
    Fetch.objects.update(error=error)
    unasked = markup(editor.get("/sources/karoo-courier/"))
    Publication.objects.update(render_pages=True)
    failing = markup(editor.get("/sources/karoo-courier/"))
    newest = Fetch.objects.order_by("started_at").last()
    Fetch.objects.filter(pk=newest.pk).update(error="", rendered_offset=7, rendered_length=9)
    mended = markup(editor.get("/sources/karoo-courier/"))

    said = "A browser is to draw its pages and did not draw the last one: Chromium is not installed"
    assert (said in unasked, said in failing, said in mended) == (False, True, False)


def test_what_is_to_be_installed_goes_into_the_programs_own_python(monkeypatch):
    monkeypatch.setattr(renderer, "find_spec", lambda _: None)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    [wanted] = project["optional-dependencies"]["browser"]

    assert renderer.what_is_missing().startswith(
        f"Playwright is not installed: {sys.executable} -m pip install '{wanted}'."
    )


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("", "a browser is to draw them, from their next visits on."),
        (
            "Not drawn by the browser: no Chromium.",
            "a browser is to draw them and did not (no Chromium): mend that.",
        ),
    ],
)
def test_papers_that_are_to_be_drawn_are_not_offered_it_again(paper, now, error, advice):
    Publication.objects.update(render_pages=True)
    Fetch.objects.update(error=error)

    [need] = keeping.present_needs(now)

    assert (need.kind, need.label) == ("empty", "■ Not drawn")
    assert need.sentence.endswith(f"are lost: {advice}")


def test_only_who_may_change_publications_is_offered_it(alarm, paper, browse):
    linguist = browse("linguist")

    answer = linguist.post(f"/status/alarms/{alarm.pk}/", {"act": "draw"})

    paper.refresh_from_db()
    assert (answer.status_code, paper.render_pages) == (403, False)
    assert 'value="draw"' not in markup(linguist.get("/status/alarms/"))


def draft_of(body, owner):
    """Keep a draft whose samples came with this body."""
    results = tuple(
        FetchResult(
            f"https://karoo.example/news/rain-{n}", Outcome.OK, "", timezone.now(), 1,
            exchanges=(), body=body.encode(),
        )
        for n in range(3)
    )  # fmt: skip
    feed = FoundFeed(FEED, "News", "link", FeedKind.RSS, 3, None, "good", is_good=True)
    found = Investigation(
        "karoo.example", name="The Karoo", home_url="https://karoo.example/", feeds=(feed,),
        samples=results,
    )  # fmt: skip
    row = SourceDraft.objects.create(
        address="karoo.example", owner=owner, created_at=timezone.now(),
        findings=make_draft(found, timezone.now()).to_json(),
    )  # fmt: skip
    keep_pages(row, found)
    return f"/sources/add/?draft={row.pk}"


CHOICES = {"name": "The Karoo", "feeds": [FEED], "doubts_answered": "on"}


@pytest.mark.parametrize(("given", "is_drawn"), [({}, False), ({"render_pages": "on"}, True)])
def test_wizard_says_that_scripts_draw_the_samples_and_offers_the_switch(browse, given, is_drawn):
    editor = browse("editor")
    address = draft_of(SHELL, User.objects.get())

    shown = markup(editor.get(address))
    editor.post(address, CHOICES | given)

    assert "this page’s text is drawn by scripts" in shown
    assert "Scripts draw the text of 3 of 3 articles." in " ".join(shown.split())
    assert Publication.objects.get().render_pages is is_drawn


def test_wizard_offers_no_browser_where_the_text_is_there(browse):
    editor = browse("editor")
    story = "<p>The sangoma drank maas with her guests until the rain came again.</p>" * 20

    shown = markup(editor.get(draft_of(f"<html><body>{story}</body></html>", User.objects.get())))

    assert "render_pages" not in shown
