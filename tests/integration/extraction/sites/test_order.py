"""The corpus doesn't depend on which pages of a site came first, once the site has come to rest."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from site_pages import NOTICE, own_paragraphs, site_article

from extraction import extract
from extraction.models import Article, SiteSketch
from feeds.work.leases import Claim

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
A_DAY_LATER = NOON + timedelta(days=1)
HTML = (("Content-Type", "text/html; charset=utf-8"),)
WITH_NOTICE = (0, 4, 5)
# Seven pages: too few for a second look at those that were read when half of them were known.
N_PAGES, N_FIRST = 7, 4
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def read_in_order(web):
    """A function that publishes a paper's pages in some order, in two parts with a sweep behind."""

    def read(slug: str, order: Sequence[int]):
        paper = make_paper(NOON, name=slug, slug=slug, home_url=f"http://{slug}.example/")
        for now, part in ((NOON, order[:N_FIRST]), (NOON + HOUR, order[N_FIRST:])):
            for number in part:
                notice = NOTICE if number in WITH_NOTICE else ""
                body = site_article(number, notice=notice)
                web.routes[f"{slug}.example/news/item-{number}"] = answer(body, 200, HTML)
                add_page(paper, f"http://{slug}.example/news/item-{number}", now)
            extract.register(crawl(now).next_ids["pages"], now)
            run(now)
            settle(now)
        return paper

    return read


def run(now):
    return extract.run(100, Claim("tester", now, timedelta(seconds=60)))


def settle(now):
    extract.pending(100, now)
    return run(now)


def corpus(paper):
    """Give title, text and place of each article by its number."""
    rows = Article.objects.filter(page__publication=paper)
    found = rows.values_list("url", "title", "text", "in_corpus")
    return {int(url.rpartition("-")[2]): tuple(values) for url, *values in found}


def test_order_of_pages_leaves_no_trace_once_the_site_rests(read_in_order):
    forward = read_in_order("forward", range(N_PAGES))
    backward = read_in_order("backward", range(N_PAGES)[::-1])

    settle(A_DAY_LATER)

    assert corpus(forward) == corpus(backward)
    texts = {number: text for number, (_, text, _) in corpus(forward).items()}
    assert texts == {number: "\n".join(own_paragraphs(number)) for number in range(N_PAGES)}


def test_site_at_rest_is_looked_at_once(read_in_order):
    read_in_order("forward", range(N_PAGES))

    settle(A_DAY_LATER)

    assert settle(A_DAY_LATER + timedelta(days=1)).n_claimed == 0
    assert set(SiteSketch.objects.values_list("n_known", flat=True)) == {N_PAGES}
