"""Copies that a web archive gave: read, dated and judged by the day on which it had seen them."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_rules
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from site_pages import site_article

from extraction import extract
from extraction.documents import taken_since
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, Extraction, SiteTemplate, StructureAlarm
from feeds.crawls.archived_front_pages import NOT_ARCHIVED
from feeds.crawls.pool import digest_of
from feeds.frontier import ensure_hosts
from feeds.models import Crawl, CrawlAddress, Fetch, Page
from feeds.work.leases import Claim

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITE = "http://karoo.example"
ARCHIVE = "http://archive.example/web"
ASKED, SEEN = "20131231080000", datetime(2013, 12, 29, 8, 0, tzinfo=UTC)
HTML = ("Content-Type", "text/html; charset=utf-8")
MEMENTO = ("Memento-Datetime", "Sun, 29 Dec 2013 08:00:00 GMT")
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOON)


@pytest.fixture
def from_archive(web, paper):
    """Ask a known archive for stories, and read them."""
    Crawl.objects.create(
        publication=paper, kind="archive", archive_url=ARCHIVE, state="done", created_at=NOON
    )

    def fetched(numbers, change=bytes, now=NOON):
        for number in numbers:
            url = f"{SITE}/news/item-{number}"
            path = f"archive.example/web/{ASKED}id_/{url}"
            web.routes[path] = answer(change(site_article(number)), 200, (HTML, MEMENTO))
            page = add_page(paper, url, now)
            Page.objects.filter(pk=page.pk).update(
                url=f"{ARCHIVE}/{ASKED}id_/{url}", host=archive_host(now)
            )
        read(now)

    return fetched


@pytest.fixture
def from_site(web, paper):
    def fetched(numbers, now=NOON):
        for number in numbers:
            web.routes[f"/news/item-{number}"] = answer(site_article(number), 200, (HTML,))
            add_page(paper, f"{SITE}/news/item-{number}", now)
        read(now)

    return fetched


def archive_host(now):
    return ensure_hosts(["archive.example"], now)["archive.example"]


def read(now):
    extract.register(crawl(now).next_ids["pages"], now)
    extract.run(100, Claim("tester", now, timedelta(seconds=60)))
    extract.pending(100, now)
    extract.run(100, Claim("tester", now, timedelta(seconds=60)))


def undated(body):
    """The same article without its dates, in another design."""
    old = (b"<main>", b"<nav>", b"<footer>", b"<div class='article-body'>")
    for place, element in enumerate(old):
        body = body.replace(element, b"<div class='c-%d'>" % place)
    return body.replace(b"2026", b"----")


def test_copy_without_a_date_is_dated_by_its_snapshot(from_archive):
    from_archive([1], undated)

    article = Article.objects.get()
    assert (article.published_at, article.dated_at) == (None, SEEN)
    assert article.url == f"{SITE}/news/item-1"
    assert Fetch.objects.get(page=article.page).seen_at == SEEN


def test_story_of_the_site_is_dated_by_the_archived_front_page_that_names_it(web, paper):
    web.routes["/news/item-1"] = answer(undated(site_article(1)), 200, (HTML,))
    page = add_page(paper, f"{SITE}/news/item-1", NOON)
    crawl_row = Crawl.objects.create(publication=paper, kind="archive", created_at=NOON)
    for day in (29, 30):
        CrawlAddress.objects.create(
            crawl=crawl_row,
            url=page.url,
            digest=digest_of(f"{page.key}{day}"),
            role="story",
            page=page,
            found_at=NOON,
            snapshot_at=SEEN.replace(day=day),
        )

    Page.objects.update(due_reason=NOT_ARCHIVED)
    read(NOON)
    first = Article.objects.get()
    changed = undated(site_article(1)).replace(b"</h1>", b", again</h1>")
    web.routes["/news/item-1"] = answer(changed, 200, (HTML,))
    Page.objects.update(due_at=NOON + timedelta(hours=5), due_reason="planned")
    read(NOON + timedelta(hours=5))

    article = Article.objects.get()
    assert [item.dated_at for item in (first, article)] == [SEEN, SEEN]
    assert (article.published_at, article.title == first.title) == (None, False)
    assert Page.objects.get().found_at == NOON


def test_old_design_raises_no_alarm_and_teaches_no_template_of_today(from_site, from_archive):
    from_site(range(14))
    before = SiteTemplate.objects.get()

    from_archive(range(14, 24), undated, NOON + timedelta(days=1))

    after = SiteTemplate.objects.get()
    assert (after.n_articles, after.valid_from) == (before.n_articles, before.valid_from)
    assert bytes(after.knowledge) == bytes(before.knowledge)
    assert StructureAlarm.objects.count() == 0
    assert Article.objects.count() == 24


def test_copies_first_leave_the_design_of_today_to_the_pages_of_today(from_site, from_archive):
    from_archive(range(14), undated)
    assert SiteTemplate.objects.count() == 0

    from_site(range(14, 24), NOON + timedelta(days=1))

    assert SiteTemplate.objects.get().n_articles == 10
    assert StructureAlarm.objects.count() == 0


def test_copy_is_read_by_the_rules_of_its_own_day(from_archive, paper):
    of_then = Rule(RuleField.TITLE, RuleKind.CSS, "h1")
    of_now = Rule(RuleField.TITLE, RuleKind.CSS, ".headline-2026")
    make_rules(paper, of_then, number=1)
    make_rules(paper, of_now, number=2, valid_from=NOON - timedelta(days=365))

    from_archive([1])

    assert Extraction.objects.get().rule_version == 1
    assert not Article.objects.filter(taken_since(NOON - timedelta(days=365))).exists()
    assert Article.objects.filter(taken_since(SEEN)).exists()


def test_article_says_which_archive_had_seen_it(from_archive, linguist):
    from_archive([1], undated)
    article = Article.objects.get()

    page = " ".join(linguist.get(f"/articles/{article.pk}/").content.decode().split())

    assert "From a web archive: seen" in page
    assert f'href="{ARCHIVE}/{ASKED}id_/{SITE}/news/item-1"' in page
    assert "archive.example</a>" in page
    assert "Date not given; seen" in page
    timeline = " ".join(linguist.get(f"/articles/{article.pk}/timeline/").content.decode().split())
    assert "a copy that archive.example had seen 29 Dec 2013, 10:00" in timeline
