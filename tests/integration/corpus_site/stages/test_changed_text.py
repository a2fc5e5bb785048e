"""A text that its page changes goes the whole way in one pass: copies, stories, index, figures."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_user
from integration.feeds.newspapers import add_page, make_paper
from integration.feeds.origin import Origin, answer
from killed_work import is_killed_at
from newspaper_pages import PARAGRAPHS, article_page, paragraphs_html

from corpus_site import pipeline
from dedup.models import Detection
from extraction.models import Article, ArticleVersion, Extraction
from feeds.models import Page
from feeds.work.leases import Claim
from search.engine.index.reader import IndexReader
from search.models import IndexedArticle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
PATH = "/news/dredging-of-the-inner-basin-nears-its-end"
FIRST = ("On Saturday the zugzwang ended.", *PARAGRAPHS)
SECOND = ("On Saturday the stalemate ended.", *PARAGRAPHS)
OTHER = tuple(
    f"Councillor {name} told the harbour committee that berth {name} would open in week {name}."
    for name in ("Adams", "Botha", "Cele", "Dlamini", "Engelbrecht", "Fortuin", "Gumede")
)
STAGES = ("extract", "detect", "story", "index")


@pytest.fixture
def web(settings):
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        yield started


def serve(web, path, paragraphs):
    body = article_page(paragraphs_html(paragraphs))
    web.routes[path] = answer(body, 200, (("Content-Type", "text/html; charset=utf-8"),))


def claim(now):
    return Claim("tester", now, timedelta(seconds=60))


def one_pass(now):
    """Fetch what is due, then each stage once, in order."""
    pipeline.BY_NAME["fetch"].run(claim(now))
    work_on(now)


def work_on(now):
    for name in STAGES:
        pipeline.BY_NAME[name].run(claim(now))


def visit_again(now):
    Page.objects.filter(kind="article").reschedule(now)
    one_pass(now)


@pytest.fixture
def article(web):
    serve(web, PATH, FIRST)
    add_page(make_paper(NOW), f"http://karoo.example{PATH}", NOW)
    one_pass(NOW)
    return Article.objects.get()


def n_hits(client, word, **more):
    answer = client.get("/api/search/", {"q": word, "in": "articles", **more}).json()
    return answer["hits"], answer["base"]["texts"], answer["base"]["tokens"]


def test_newest_generation_finds_the_new_word_and_the_older_one_the_old(web, article, client):
    client.force_login(make_user())
    before = n_hits(client, "zugzwang")
    generation = IndexedArticle.objects.get().generation
    serve(web, PATH, SECOND)

    visit_again(NOW + 3 * HOUR)

    assert n_hits(client, "stalemate") == before
    assert n_hits(client, "zugzwang") == (0, *before[1:])
    assert n_hits(client, "zugzwang", asof=generation) == before
    assert n_hits(client, "stalemate", asof=generation)[0] == 0
    assert ArticleVersion.objects.count() == 1


def test_noise_and_refusals_leave_index_and_copies_alone(web, article):
    indexed = IndexedArticle.objects.values().get()
    detected = Detection.objects.values().get()
    for hour, paragraphs in enumerate((("Updated 14:05", *FIRST), FIRST[:1]), 1):
        serve(web, PATH, paragraphs)
        visit_again(NOW + hour * HOUR)

    assert IndexedArticle.objects.values().get() == indexed
    assert Detection.objects.values().get() == detected


def test_twins_are_judged_anew_when_one_of_them_changes(web, article):
    other = make_paper(NOW, slug="kaap-koerant", name="Kaap Koerant")
    serve(web, "/nuus/copy", FIRST)
    add_page(other, "http://kaap.example/nuus/copy", NOW + HOUR)
    one_pass(NOW + HOUR)
    copy = Article.objects.get(publication=other)
    assert Detection.objects.get(article=copy).original_id == article.pk
    serve(web, "/nuus/copy", OTHER)

    visit_again(NOW + 2 * HOUR)

    assert Detection.objects.get(article=copy).original_id == copy.pk
    row = IndexedArticle.objects.get(article=copy)
    assert row.done_digest.startswith(Article.objects.get(pk=copy.pk).text_digest)


def test_killed_between_fetch_version_and_index_nothing_is_lost_or_doubled(web, article, settings):
    """Each round dies one statement later, in whichever stage that is; the rest follows then."""
    serve(web, PATH, SECOND)
    Page.objects.filter(kind="article").reschedule(NOW + HOUR)
    now, n_statements = NOW + HOUR, 0
    while is_killed_at(n_statements, lambda now=now: one_pass(now)):
        now += timedelta(minutes=10)  # the leases of the dead are over
        n_statements += 7  # every statement of some hundred would take minutes
        for model in (Page, Extraction, Detection, IndexedArticle):
            model.objects.update(attempts=0)
    pipeline.sweep(now)
    work_on(now)

    assert n_statements > 20
    row = Article.objects.get()
    assert (row.n_versions, row.text) == (2, "\n".join(SECOND))
    (former,) = ArticleVersion.objects.all()
    assert (former.number, former.outcome) == (1, "")
    indexed = IndexedArticle.objects.get()
    assert indexed.done_digest.startswith(row.text_digest)
    assert IndexReader(settings.INDEX_DIR).snapshot.size().n_documents == 1
