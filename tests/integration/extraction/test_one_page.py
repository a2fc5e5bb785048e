"""Spellings of one page give one article; the losing rows point to its page and rest."""

from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_feed, add_page, crawl, make_paper, rss
from integration.feeds.origin import answer
from newspaper_pages import PARAGRAPHS, article_page, paragraphs_html

from extraction import extract
from extraction.known_addresses import article_at
from extraction.models import Article, Extraction
from extraction.withdrawal.erasing import bury_articles
from feeds.frontier import NewPage, add_pages
from feeds.models import Page, PageKind
from feeds.other_addresses import other_addresses
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(minutes=10)
SLUG = "dredging-of-the-inner-basin-nears-its-end"
PLAIN = f"http://www.karoo.example/news/{SLUG}"
SPELLINGS = (
    PLAIN,
    f"http://m.karoo.example/news/{SLUG}",
    f"http://www.karoo.example/news/{SLUG}/amp",
    f"http://karoo.example/news/{SLUG}",
)
OTHER_TEXT = (
    "The wool auction in Beaufort West closed with the highest prices in nine years on Monday.",
    "Farmers of the district said that the rain of the autumn had saved the clip this season.",
    "Buyers from Italy and from China bid against each other until the last bale had been sold.",
)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOW)


def html(canonical="", paragraphs=PARAGRAPHS):
    head = f"<link rel='canonical' href='{canonical}'>" if canonical else ""
    page = article_page(paragraphs_html(paragraphs), head=head)
    return answer(page, 200, (("Content-Type", "text/html; charset=utf-8"),))


def moved(to):
    return answer(b"", 301, (("Location", to),))


def route(web, url, given):
    web.routes[url.removeprefix("http://").partition("?")[0]] = given


def read(now=NOW):
    extract.register(crawl(now).next_ids["pages"], now)
    return extract.run(20, Claim("tester", now, timedelta(seconds=60)))


def aliases():
    return dict(Page.objects.filter(kind=PageKind.ALIAS).values_list("key", "parent__article"))


def test_four_spellings_give_one_page_whose_losing_rows_point_to_it(web, paper):
    for url in SPELLINGS:
        route(web, url, html(PLAIN))
        add_page(paper, url, NOW)

    read()

    (row,) = Article.objects.all()
    losing = Page.objects.filter(kind=PageKind.ALIAS)
    assert row.in_corpus
    assert set(losing.values_list("parent", "due_at")) == {(row.page_id, None)}
    assert losing.count() == 3
    outcomes = Extraction.objects.filter(page__in=losing).values_list("outcome", flat=True)
    assert set(outcomes) <= {"other_address"}


@pytest.mark.parametrize("first", range(4))
def test_first_spelling_is_the_page_and_all_are_found_by_it(web, paper, linguist, first):
    order = [SPELLINGS[first], *(url for url in SPELLINGS if url != SPELLINGS[first])]
    for minutes, url in enumerate(order):
        route(web, url, html(PLAIN))
        add_page(paper, url, NOW + timedelta(minutes=minutes))
        read(NOW + timedelta(minutes=minutes))

    (row,) = Article.objects.all()
    assert row.page.url == order[0]
    assert set(other_addresses(row.page_id)) == set(order[1:])
    shown = linguist.get(f"/articles/{row.pk}/").content.decode()
    assert shown.count("Also at") == 1
    assert f"<dd>{order[0]}</dd>" in shown
    assert all(f"<div>{url}</div>" in shown for url in order[1:])
    assert all(article_at(url) == row for url in order)


def test_address_that_a_redirect_led_to_is_not_fetched(web, paper):
    route(web, SPELLINGS[3], moved(PLAIN))
    route(web, PLAIN, html())
    page = add_page(paper, SPELLINGS[3], NOW)
    read()
    n_asked = len(web.asked("www.karoo.example"))
    feed = add_feed(paper, "http://karoo.example/rss", LATER)
    route(web, "http://karoo.example/rss", rss((PLAIN, "17")))

    read(LATER)
    read(LATER + timedelta(minutes=1))

    assert len(web.asked("www.karoo.example")) == n_asked
    assert list(feed.items.values_list("page", flat=True)) == [page.pk]
    assert aliases() == {f"www.karoo.example/news/{SLUG}": Article.objects.get().pk}


def test_short_form_that_leads_to_a_stored_article_is_that_article(web, paper):
    short = "http://karoo.example/?p=8812"
    route(web, PLAIN, html(PLAIN))
    route(web, short, moved(PLAIN))
    add_page(paper, PLAIN, NOW)
    read()
    add_page(paper, short, LATER)

    read(LATER)

    row = Article.objects.get()
    assert aliases() == {"karoo.example/?p=8812": row.pk}
    assert article_at(short) == row


def test_spelling_with_the_same_text_is_the_same_page_though_nothing_says_so(web, paper):
    for url in (PLAIN, SPELLINGS[1]):
        route(web, url, html())
        add_page(paper, url, NOW)

    read()

    assert Article.objects.count() == 1
    assert len(aliases()) == 1


def test_spelling_with_another_text_is_an_article_of_its_own(web, paper):
    """A telephone's site that has another text there, and says nothing."""
    route(web, PLAIN, html())
    route(web, SPELLINGS[1], html(paragraphs=OTHER_TEXT))
    for url in (PLAIN, SPELLINGS[1]):
        add_page(paper, url, NOW)

    read()

    assert Article.objects.count() == 2
    assert aliases() == {}


def test_canonical_link_that_all_articles_share_joins_none(web, paper):
    for number, text in enumerate((PARAGRAPHS, OTHER_TEXT)):
        url = f"http://karoo.example/news/story-of-the-day-number-{number}"
        route(web, url, html(PLAIN, text))
        add_page(paper, url, NOW)

    read()

    assert Article.objects.count() == 2
    assert aliases() == {}


def test_column_that_calls_itself_last_weeks_is_an_article_of_its_own(web, paper):
    """The same words at another place, and another text."""
    column = "http://karoo.example/opinion/letter-from-the-dry-karoo"
    former = "http://karoo.example/columns/letter-from-the-dry-karoo"
    route(web, former, html(former))
    route(web, column, html(former, OTHER_TEXT))
    add_page(paper, former, NOW)
    read()
    add_page(paper, column, LATER)

    read(LATER)

    assert Article.objects.count() == 2
    assert aliases() == {}


def test_page_that_was_taken_for_another_address_is_released_by_its_text(web, paper):
    """The first text claimed its address while it waited to be read."""
    column = "http://karoo.example/opinion/letter-from-the-dry-karoo"
    claimed = "http://karoo.example/columns/letter-from-the-dry-karoo"
    route(web, column, html(claimed))
    route(web, claimed, html(claimed, OTHER_TEXT))
    for url in (column, claimed):
        add_page(paper, url, NOW)

    read()

    assert Article.objects.count() == 2
    assert aliases() == {}


def test_second_page_leaves_the_first_to_be_fetched(web, paper):
    route(web, f"{PLAIN}?page=2", html(PLAIN, PARAGRAPHS[3:]))
    add_page(paper, f"{PLAIN}?page=2", NOW)
    read()

    assert aliases() == {}
    assert add_page(paper, PLAIN, LATER).due_at == LATER


def test_known_spelling_is_not_visited_again(web, paper):
    for url in SPELLINGS[:2]:
        route(web, url, html(PLAIN))
        add_page(paper, url, NOW)
    read()
    web.requests.clear()

    for url in SPELLINGS[:2]:
        add_page(paper, url, LATER)
    crawl(LATER)
    extract.pending(10, LATER)

    assert web.asked("m.karoo.example") == []
    assert Article.objects.count() == 1


def test_erased_article_does_not_come_back_by_another_address(web, paper):
    route(web, PLAIN, html(PLAIN))
    route(web, SPELLINGS[1], html(PLAIN))
    for url in SPELLINGS[:2]:
        add_page(paper, url, NOW)
    read()
    bury_articles([Article.objects.get().pk], LATER)
    Page.objects.filter(kind=PageKind.ALIAS).delete()
    host = "m.karoo.example"

    report = add_pages(
        [
            NewPage(
                SPELLINGS[1],
                f"{host}/news/{SLUG}",
                host,
                PageKind.ARTICLE,
                paper.pk,
                due_at=LATER,
            )
        ],
        LATER,
    )

    assert report.ids == {}
