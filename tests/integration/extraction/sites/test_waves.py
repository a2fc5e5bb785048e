"""Of a site that nobody knows a few pages are read first, and the others when it is learnt."""

from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from killed_work import is_killed_at
from site_pages import own_paragraphs, site_article

from extraction import extract
from extraction.models import Article, Extraction, SiteSketch, SiteTemplate
from extraction.sites import templates
from extraction.sites.waves import ENOUGH, FIRST_WAVE
from feeds.work.leases import Claim

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
HTML = (("Content-Type", "text/html; charset=utf-8"),)
N_PAGES = 12
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def fetched(web):
    """A function that publishes and fetches numbered pages of a paper; gives their keys."""

    def fetch(numbers, body=site_article, slug="karoo"):
        address = f"http://{slug}.example"
        paper = make_paper(NOON, name=slug, slug=slug, home_url=f"{address}/")
        for number in numbers:
            web.routes[f"{slug}.example/news/item-{number}"] = answer(body(number), 200, HTML)
            add_page(paper, f"{address}/news/item-{number}", NOON)
        return crawl(NOON).next_ids["pages"]

    return fetch


def run(limit=100, now=NOON):
    return extract.run(limit, Claim("tester", now, timedelta(seconds=60)))


def is_due(now=NOON):
    return Extraction.objects.due(now).count()


def texts():
    found = Article.objects.values_list("url", "text")
    return {int(url.rpartition("-")[2]): text for url, text in found}


def own_texts(numbers):
    return {number: "\n".join(own_paragraphs(number)) for number in numbers}


def test_few_pages_of_an_unknown_site_are_read_before_it_is_learnt(fetched):
    extract.register(fetched(range(N_PAGES)), NOON)
    assert is_due() == FIRST_WAVE

    report = run(FIRST_WAVE)

    assert (report.n_claimed, is_due()) == (FIRST_WAVE, FIRST_WAVE)
    assert list(SiteTemplate.objects.values_list("n_pages", flat=True)) == [FIRST_WAVE]


def test_only_the_first_pages_of_a_site_are_read_twice(fetched):
    extract.register(fetched(range(N_PAGES)), NOON)

    first = run().n_claimed
    extract.pending(100, NOON)
    again = run().n_claimed

    assert (first, again, is_due()) == (N_PAGES, FIRST_WAVE, 0)
    assert texts() == own_texts(range(N_PAGES))


def test_pages_that_come_while_a_wave_is_read_wait_behind_it(fetched):
    page_ids = sorted(fetched(range(N_PAGES)))
    extract.register(page_ids[:3], NOON)

    extract.register(page_ids[3:], NOON)

    due = Extraction.objects.due(NOON).order_by("page")
    assert list(due.values_list("page", flat=True)) == page_ids[:FIRST_WAVE]


def test_known_site_does_not_keep_its_pages_waiting(fetched):
    page_ids = sorted(fetched(range(ENOUGH + N_PAGES)))
    extract.register(page_ids[:ENOUGH], NOON)
    run()
    templates.learn(NOON)
    run()

    extract.register(page_ids[ENOUGH:], NOON)

    assert is_due() == N_PAGES
    assert not Extraction.objects.exclude(unknown_site=None).exists()


def test_site_that_teaches_nothing_keeps_its_pages_for_some_waves_only(fetched):
    n_pages = ENOUGH + 2 * N_PAGES
    extract.register(fetched(range(n_pages), body=lambda _: b"<p>Not here.</p>"), NOON)

    run(ENOUGH)

    assert is_due() == n_pages - ENOUGH


def test_pages_of_a_site_whose_first_pages_are_set_aside_go_on_in_the_sweep(fetched):
    extract.register(fetched(range(N_PAGES)), NOON)
    Extraction.objects.due(NOON).update(quarantined_at=NOON)

    extract.pending(100, NOON)

    assert is_due() == FIRST_WAVE


def test_pages_that_nobody_lets_go_on_are_read_in_time(fetched):
    extract.register(fetched(range(N_PAGES)), NOON)

    assert is_due(NOON + HOUR) == N_PAGES


def test_sites_do_not_wait_for_each_other(fetched):
    page_ids = fetched(range(N_PAGES)) + fetched(range(N_PAGES), slug="kalahari")

    extract.register(page_ids, NOON)

    assert is_due() == 2 * FIRST_WAVE


@pytest.mark.django_db(transaction=True)
def test_waves_killed_between_any_two_statements_read_every_page(fetched):
    page_ids = fetched(range(N_PAGES))
    now, n_statements = NOON, 0
    while is_killed_at(n_statements, lambda now=now: _everything(page_ids, now)):
        now += timedelta(minutes=2)  # the lease of the dead is over
        n_statements += 1
        Extraction.objects.update(attempts=0)  # else the third death ends it

    extract.pending(100, now)
    run(now=now)
    assert n_statements > 20
    assert texts() == own_texts(range(N_PAGES))
    assert SiteSketch.objects.filter(is_learnt=True).count() == N_PAGES
    assert list(SiteTemplate.objects.values_list("n_pages", flat=True)) == [N_PAGES]
    assert is_due(now + HOUR) == 0


def _everything(page_ids, now):
    extract.register(page_ids, now)
    run(now=now)
    extract.pending(100, now)
    run(now=now)
