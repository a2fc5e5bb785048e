"""What is learnt of a publication's pages: stored, used, and worth reading pages again."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_rules
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from site_pages import NOTICE, own_paragraphs, site_article

from corpus_site import pipeline
from extraction import extract
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, Extraction, SiteSketch, SiteTemplate, StructureAlarm
from extraction.sites import alarms
from extraction.sites.lookup import known_sites
from extraction.sites.waves import FIRST_WAVE
from feeds.models import Page
from feeds.work.leases import Claim
from search.models import IndexedArticle

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITE = "http://karoo.example"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOON)


@pytest.fixture
def publish(web, paper):
    """Put articles on the site, fetch and extract them."""

    def published(numbers, now=NOON, change=bytes):
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        for number in numbers:
            body = change(site_article(number))
            web.routes[f"/news/item-{number}"] = answer(body, 200, headers)
            add_page(paper, f"{SITE}/news/item-{number}", now)
        extract.register(crawl(now).next_ids["pages"], now)
        return run(now)

    return published


def run(now=NOON):
    return extract.run(100, Claim("tester", now, timedelta(seconds=60)))


def texts():
    rows = Article.objects.order_by("page__url").values_list("page__url", "text")
    return {int(url.rpartition("-")[2]): text for url, text in rows}


def clean_texts(numbers):
    return {number: "\n".join(own_paragraphs(number)) for number in numbers}


def test_template_is_learnt_by_the_sweep_and_used_from_then_on(publish, paper):
    publish(range(6))
    extract.pending(100, NOON)
    publish(range(6, 9), NOON + timedelta(minutes=5))

    template = SiteTemplate.objects.get()
    assert (template.publication, template.number, template.n_articles) == (paper, 1, 6)
    assert {n: text for n, text in texts().items() if n > 5} == clean_texts(range(6, 9))


def test_first_pages_are_read_again_once_enough_is_known(publish):
    publish(range(FIRST_WAVE))
    assert all(NOTICE in text for text in texts().values())
    first = dict(Article.objects.values_list("pk", "created_at"))

    n_due = extract.pending(100, NOON)
    report = run()

    assert (n_due, report.done["articles"]) == (FIRST_WAVE, FIRST_WAVE)
    assert texts() == clean_texts(range(FIRST_WAVE))
    assert dict(Article.objects.values_list("pk", "created_at")) == first
    # Nothing is left to do: neither are pages learnt twice nor read a third time.
    assert (extract.pending(100, NOON), SiteTemplate.objects.get().n_articles) == (0, FIRST_WAVE)
    assert extract.pending(100, NOON) == 0


def test_page_whose_text_stays_is_not_read_again(publish):
    def without_notice(body):
        return body.replace(NOTICE.encode(), b"")

    publish(range(8), change=without_notice)

    assert extract.pending(100, NOON) == 0


def test_digest_names_the_template(publish):
    publish(range(FIRST_WAVE))
    before = set(Extraction.objects.values_list("done_digest", flat=True))
    extract.pending(100, NOON)
    run()

    assert before.isdisjoint(Extraction.objects.values_list("done_digest", flat=True))


def test_same_article_at_two_addresses_is_learnt_once(publish, web, paper):
    publish(range(3))
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    web.routes["/copies/item-0"] = answer(site_article(0), 200, headers)
    later = NOON + timedelta(minutes=5)
    add_page(paper, f"{SITE}/copies/item-0", later)
    extract.register(crawl(later).next_ids["pages"], later)
    run(later)

    extract.pending(100, later)

    template = SiteTemplate.objects.get()
    assert (template.n_articles, template.n_pages) == (3, 4)


def test_changed_text_goes_on_to_detection_and_index(publish):
    publish(range(6))
    pipeline.sweep(NOON)
    for stage in pipeline.TEXT_STAGES:
        stage.run(Claim("tester", NOON, timedelta(seconds=60)))
    pipeline.sweep(NOON)
    for stage in pipeline.TEXT_STAGES:
        stage.run(Claim("tester", NOON, timedelta(seconds=60)))

    assert texts() == clean_texts(range(6))
    digests = Article.objects.values_list("text_digest", flat=True)
    rows = IndexedArticle.objects.select_related("article")
    assert len(rows) == 6
    assert all(row.done_digest.startswith(row.article.text_digest) for row in rows)
    assert len(set(digests)) == 6


def redesigned(body):
    """The same article in another template."""
    old = (b"<main>", b"<nav>", b"<footer>", b"<div class='article-body'>")
    for place, element in enumerate(old):
        body = body.replace(element, b"<div class='c-%d'>" % place)
    return body


def publish_day(publish, numbers, change=bytes):
    """Articles of one day in this order, learnt by a sweep and read again where that helps."""
    at = NOON + timedelta(days=numbers[0])
    publish(numbers, at, change)
    extract.pending(100, at)
    run(at)
    extract.pending(100, at)


def test_redesign_raises_one_alarm_and_begins_a_new_template(publish, paper):
    publish_day(publish, range(14))
    assert alarms.open_alarms() == []

    publish_day(publish, range(14, 19), redesigned)

    [alarm] = StructureAlarm.objects.all()
    assert alarm.publication == paper
    assert alarm.since.date() == (NOON + timedelta(days=14)).date()
    assert alarm.page_before.url.endswith("/item-13")
    assert alarm.page_after.url.endswith("/item-14")
    assert alarms.sentence(alarm) == "pages are built differently"
    old, new = SiteTemplate.objects.order_by("number")
    assert (old.number, new.number, new.valid_from) == (1, 2, alarm.since)

    publish_day(publish, range(19, 23), redesigned)

    assert StructureAlarm.objects.get().closed_at is not None
    assert texts() == clean_texts(range(23))
    # Pages of the old design keep its template.
    pages = Page.objects.filter(url__contains="/item-").select_related("content_fetch")
    sites = known_sites(pages)
    numbers = {int(page.url.rpartition("-")[2]): sites[page.pk].number for page in pages}
    assert numbers == {n: 1 if n < 14 else 2 for n in range(23)}


def test_redesign_that_is_taken_back_is_not_told_again(publish):
    publish_day(publish, range(14))
    publish_day(publish, range(14, 19), redesigned)
    publish_day(publish, range(19, 26), redesigned)
    assert StructureAlarm.objects.get().closed_at is not None

    publish_day(publish, range(26, 33))

    assert StructureAlarm.objects.count() == 1
    assert alarms.open_alarms() == []
    assert texts() == clean_texts(range(33))


def test_alarm_ends_when_the_changed_pages_are_read_well_by_new_rules(publish, paper):
    publish_day(publish, range(14))
    publish_day(publish, range(14, 19), redesigned)
    assert StructureAlarm.objects.get().closed_at is None
    repaired_at = NOON + timedelta(days=15)
    Extraction.objects.update(due_at=repaired_at)
    run(repaired_at)
    extract.pending(100, repaired_at)
    assert StructureAlarm.objects.get().closed_at is None  # read again, but not repaired

    make_rules(paper, Rule(RuleField.TITLE, RuleKind.CSS, selector="h1"), published_at=repaired_at)
    Extraction.objects.update(due_at=repaired_at)
    run(repaired_at)
    extract.pending(100, repaired_at)
    extract.pending(100, repaired_at + timedelta(minutes=1))

    alarm = StructureAlarm.objects.get()
    assert (alarm.closed_at, alarm.is_repaired) == (repaired_at, True)


def test_rules_that_fit_no_page_raise_an_alarm_until_they_are_mended(publish, paper):
    make_rules(paper, Rule(RuleField.BODY, RuleKind.CSS, selector=".no"), published_at=NOON)
    publish_day(publish, range(10))

    [alarm] = alarms.open_alarms()
    words = "no rule for body matches any page, all are read without one"
    assert (alarms.sentence(alarm), alarms.has_changed(alarm)) == (words, False)
    assert (alarm.page_before, alarm.page_after.url) == (None, f"{SITE}/news/item-0")

    repaired_at = NOON + timedelta(days=15)
    body = Rule(RuleField.BODY, RuleKind.CSS, selector="main")
    make_rules(paper, body, number=2, published_at=repaired_at)
    Extraction.objects.update(due_at=repaired_at)
    run(repaired_at)
    extract.pending(100, repaired_at)

    assert StructureAlarm.objects.get().is_repaired


def test_old_pages_read_again_teach_the_new_design_nothing(publish, monkeypatch):
    monkeypatch.setattr("extraction.sites.templates.SERIES_PAGES", 20)
    publish(range(14))
    extract.pending(100, NOON)
    later = NOON + timedelta(days=1)
    publish(range(14, 26), later, redesigned)
    extract.pending(100, later)
    known = SiteTemplate.objects.get(number=2).n_pages

    Extraction.objects.update(due_at=later)
    run(later)
    extract.pending(100, later)

    assert SiteTemplate.objects.get(number=2).n_pages == known


def test_sketches_of_a_publication_are_bounded(publish, monkeypatch):
    monkeypatch.setattr("extraction.sites.templates.SERIES_PAGES", 5)
    publish(range(8))
    assert SiteSketch.objects.count() == 8

    extract.pending(100, NOON)

    assert SiteSketch.objects.count() == 5


def test_pages_that_wait_to_be_learnt_profit_from_those_before(publish, monkeypatch):
    monkeypatch.setattr("extraction.sites.templates.SERIES_PAGES", 5)
    monkeypatch.setattr("extraction.sites.templates._PAGES", 5)
    monkeypatch.setattr("extraction.sites.waves.FIRST_WAVE", 12)
    publish(range(12))

    assert extract.pending(100, NOON) == 12
    run()

    assert texts() == clean_texts(range(12))


def test_page_by_rule_teaches_but_is_not_read_again(publish, paper):
    publish(range(6))
    SiteSketch.objects.update(lines="")

    assert extract.pending(100, NOON) == 0
    assert SiteTemplate.objects.get().n_articles == 6


def test_damaged_template_is_learnt_anew(publish):
    publish(range(6))
    extract.pending(100, NOON)
    SiteTemplate.objects.update(knowledge=b"damaged", updated_at=NOON + timedelta(seconds=1))

    publish(range(6, 8), NOON + timedelta(minutes=5))
    extract.pending(100, NOON + timedelta(minutes=5))

    assert SiteTemplate.objects.get().n_articles == 2
    assert len(texts()) == 8
