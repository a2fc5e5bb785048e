"""Learning sites and evaluating: killed between any two statements, done by two at once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from django.db import connection
from factories import make_rules, make_user
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from killed_work import is_killed_at
from site_pages import own_paragraphs, site_article

from extraction import evaluating, extract
from extraction.evaluating import RunRequest
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import (
    Article,
    EvaluationRun,
    Extraction,
    RereadPage,
    RuleVersion,
    SiteSketch,
    SiteTemplate,
)
from extraction.rules.reread import reread_report
from extraction.rules.versions import publish
from extraction.sites import samples, templates
from feeds.work import leases
from feeds.work.leases import Claim

pytestmark = pytest.mark.sql

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITE = "http://karoo.example"
N_PAGES = 6
FIRST_WORDS = Rule(RuleField.TITLE, RuleKind.CSS, "article p")


@pytest.fixture
def paper(web, monkeypatch):
    """A publication with pages that were all extracted at once and wait to be learnt."""
    monkeypatch.setattr("extraction.sites.waves.FIRST_WAVE", N_PAGES)
    samples.forget()
    paper = make_paper(NOON)
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    for number in range(N_PAGES):
        web.routes[f"/news/item-{number}"] = answer(site_article(number), 200, headers)
        add_page(paper, f"{SITE}/news/item-{number}", NOON)
    extract.register(crawl(NOON).next_ids["pages"], NOON)
    extract.run(100, Claim("tester", NOON, timedelta(seconds=60)))
    return paper


def learnt():
    """Articles that templates count, sketches that wait, pages that are due again."""
    counts = list(SiteTemplate.objects.values_list("number", "n_articles"))
    waiting = SiteSketch.objects.filter(is_learnt=False).count()
    return counts, waiting, Extraction.objects.filter(due_at__isnull=False).count()


@pytest.mark.django_db(transaction=True)
def test_learning_killed_between_any_two_statements_counts_each_page_once(paper):
    n_statements = 0
    while is_killed_at(n_statements, lambda: templates.learn(NOON)):
        # Looking for what is settled comes behind, when all of it is learnt.
        assert learnt() in (([], N_PAGES, 0), ([(1, N_PAGES)], 0, N_PAGES))
        n_statements += 1

    assert n_statements > 5
    assert learnt() == ([(1, N_PAGES)], 0, N_PAGES)
    extract.run(100, Claim("tester", NOON, timedelta(seconds=60)))
    texts = Article.objects.order_by("page__url").values_list("text", flat=True)
    assert list(texts) == ["\n".join(own_paragraphs(number)) for number in range(N_PAGES)]


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_learn_each_page_once(paper):
    if connection.vendor == "sqlite":
        pytest.skip("a test's SQLite lives in memory, where a second writer is refused")
    start = Barrier(2)

    def sweep():
        try:
            start.wait(timeout=120)
            return templates.learn(NOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        n_due = [future.result() for future in [workers.submit(sweep) for _ in range(2)]]

    assert sorted(n_due) == [0, N_PAGES]
    assert learnt() == ([(1, N_PAGES)], 0, N_PAGES)


def published(paper):
    """Versions that are published, and pages that they make due."""
    versions = RuleVersion.objects.filter(publication=paper).exclude(published_at=None).count()
    due = Extraction.objects.filter(due_at__isnull=False).count()
    return versions, due, RereadPage.objects.count()


@pytest.mark.django_db(transaction=True)
def test_rules_are_published_with_all_their_pages_or_not_at_all(paper):
    draft = make_rules(paper, FIRST_WORDS, published_at=None)
    n_statements = 0
    while is_killed_at(n_statements, lambda: publish(draft, None, NOON)):
        assert published(paper) == (0, 0, 0)
        n_statements += 1

    assert n_statements > 2
    assert published(paper) == (1, N_PAGES, N_PAGES)


@pytest.mark.django_db(transaction=True)
def test_reading_again_killed_between_any_two_statements_reads_every_page(paper):
    titles = set(Article.objects.values_list("title", flat=True))
    draft = make_rules(paper, FIRST_WORDS, published_at=None)
    publish(draft, None, NOON)
    now, n_statements = NOON, 0
    while is_killed_at(n_statements, lambda now=now: extract.run(100, terms(now))):
        assert published(paper) == (1, N_PAGES, N_PAGES)
        assert set(Article.objects.values_list("title", flat=True)) == titles
        now += timedelta(minutes=10)  # the lease of the dead is over
        n_statements += 1
        Extraction.objects.update(attempts=0)  # else the third death ends it

    assert n_statements > 5
    report = reread_report(draft)
    assert report is not None
    assert (report.n_pages, report.n_done, report.n_failed) == (N_PAGES, N_PAGES, 0)
    articles = Article.objects.order_by("page__url")
    assert [article.title for article in articles] == [
        own_paragraphs(number)[0] for number in range(N_PAGES)
    ]


@pytest.mark.django_db(transaction=True)
def test_run_killed_between_any_two_statements_goes_on_and_ends(paper):
    names = ("auto", "text_density")
    run = evaluating.ask(RunRequest(paper, names, N_PAGES), make_user("editor"), NOON)
    now, n_statements = NOON, 0
    while is_killed_at(n_statements, lambda now=now: evaluating.work(1, terms(now))):
        now += timedelta(minutes=10)  # the lease of the dead is over
        n_statements += 1
        EvaluationRun.objects.update(attempts=0)  # else the third death ends it

    assert n_statements > 5
    run.refresh_from_db()
    assert (run.n_done, run.due_at, run.finished_at) == (N_PAGES, None, now)
    kinds = {kind: set(by_name) for kind, by_name in run.figures.items()}
    assert kinds == {"stored": set(names), "fields": {"general"}}
    assert run.figures["stored"]["auto"]["n_pages"] == N_PAGES


@pytest.mark.django_db(transaction=True)
def test_run_that_kills_its_worker_three_times_is_set_aside(paper):
    evaluating.ask(RunRequest(paper, ("auto",), N_PAGES), make_user("editor"), NOON)
    for death in range(3):
        assert is_killed_at(3, lambda death=death: evaluating.work(1, terms(after(death))))

    report = evaluating.work(1, terms(after(3)))
    n_set_aside = leases.quarantine_exhausted(EvaluationRun, after(3))

    run = EvaluationRun.objects.get()
    assert (report.n_claimed, n_set_aside, run.n_done) == (0, 1, 0)
    assert run.quarantined_at == after(3)


@pytest.mark.django_db(transaction=True)
def test_run_over_a_publication_without_articles_ends_with_nothing(web):
    empty = make_paper(NOON)
    run = evaluating.ask(RunRequest(empty, ("auto",), 5), make_user("editor"), NOON)

    evaluating.work(1, terms(NOON))

    run.refresh_from_db()
    assert (run.n_pages, run.n_done, run.due_at, run.finished_at) == (0, 0, None, NOON)
    assert run.figures == {}


def after(deaths):
    return NOON + timedelta(minutes=10 * deaths)


def terms(now):
    return Claim("tester", now, timedelta(seconds=60))
