"""Past front pages in a web archive, a host behind a proxy that is the test's own origin."""

from datetime import UTC, date, datetime

import pytest
from integration.feeds.crawls.crawling import HOME, begin, go_on, links
from integration.feeds.newspapers import make_paper
from integration.feeds.origin import page, redirect

from feeds.crawls import archived_front_pages, crawl_slices
from feeds.models import ArticleFlow, CrawlKind, Fetch, Page, PageKind

ARCHIVE = "http://archive.example/web"
pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.usefixtures("through_our_web")]


@pytest.fixture
def paper():
    return make_paper(datetime(2026, 11, 20, 12, 0, tzinfo=UTC))


def archived(stamp, path=""):
    return f"/web/{stamp}id_/{HOME}{path}"


def test_past_front_pages_are_walked_backwards_to_the_first_day(web, paper):
    newest, older = "20131229080000", "20131220080000"
    web.routes["archive.example" + archived("20131231000000")] = redirect(
        f"http://archive.example{archived(newest)}"
    )
    web.routes["archive.example" + archived(newest)] = links("story-b-of-the-karoo")
    for day in range(20, 29):
        web.routes["archive.example" + archived(f"201312{day}000000")] = redirect(
            f"http://archive.example{archived(older)}"
        )
    web.routes["archive.example" + archived(older)] = links("story-a-of-the-karoo")
    for stamp, letter in ((newest, "b"), (older, "a")):
        path = archived(stamp, f"story-{letter}-of-the-karoo")
        web.routes["archive.example" + path] = page(f"<p>Story {letter}</p>")
    row = begin_archive(paper, date(2013, 12, 15), date(2013, 12, 31))

    go_on(40)

    row.refresh_from_db()
    stories = Page.objects.filter(kind=PageKind.ARTICLE).order_by("key")
    assert (row.state, row.next_day) == ("done", date(2013, 12, 14))
    assert [(item.key, item.url) for item in stories] == [
        (f"karoo.example/story-{letter}-of-the-karoo", f"http://archive.example{path}")
        for letter, path in (
            ("a", archived(older, "story-a-of-the-karoo")),
            ("b", archived(newest, "story-b-of-the-karoo")),
        )
    ]
    front_pages = row.addresses.filter(role="snapshot", snapshot_at__isnull=False)
    assert front_pages.count() == 2


def begin_archive(paper, first, last):
    return begin(paper, kind=CrawlKind.ARCHIVE, archive_url=ARCHIVE, days=(first, last))


def test_story_that_is_not_archived_is_asked_of_its_site(web, paper):
    stamp = "20131231000000"
    web.routes["archive.example" + archived(stamp)] = links("story-a-of-the-karoo")
    web.routes["karoo.example/story-a-of-the-karoo"] = page()
    row = begin_archive(paper, date(2013, 12, 31), date(2013, 12, 31))

    go_on(14)

    story = Page.objects.get(kind=PageKind.ARTICLE)
    assert (story.url, story.outcome) == (f"{HOME}story-a-of-the-karoo", "ok")
    assert row.addresses.get(role="story").is_live


def test_story_of_the_past_that_nobody_has_is_no_loss_of_news(web, paper):
    stamp = "20131231000000"
    web.routes["archive.example" + archived(stamp)] = links("story-a-of-the-karoo")
    begin_archive(paper, date(2013, 12, 31), date(2013, 12, 31))

    go_on(14)

    assert Fetch.objects.filter(url=f"{HOME}story-a-of-the-karoo", outcome="not_found").exists()
    assert not ArticleFlow.objects.exists()


def test_search_for_front_pages_ends_when_the_archive_has_no_more(web, paper, monkeypatch):
    monkeypatch.setattr(crawl_slices, "MAX_BARREN_DAYS", 3)
    monkeypatch.setattr(archived_front_pages, "MAX_BARREN_DAYS", 3)
    row = begin_archive(paper, date(2000, 1, 1), date(2013, 12, 31))

    go_on(16)

    row.refresh_from_db()
    assert (row.state, row.next_day) == ("done", date(2013, 12, 28))
    assert row.end_reason == "3 days in a row brought no other front page"


def as_of(web, stamp, target, **headers):
    """Answer for the front page at a moment, at once and under that address."""
    web.routes["archive.example" + archived(stamp)] = with_headers(target, **headers)


def with_headers(paths, **headers):
    text = "".join(f'<a href="/{path}">A story of the Karoo</a>' for path in paths)
    return page(text, **headers)


def front_pages(row):
    return [
        item.snapshot_at
        for item in row.addresses.filter(snapshot_at__isnull=False, role="snapshot")
    ]


def test_crawl_that_has_used_up_its_limit_ends_whatever_waits(web, paper):
    as_of(web, "20131231000000", [f"story-{n}-of-the-karoo" for n in range(260)])
    row = begin(
        paper,
        f"{HOME} 5",
        kind=CrawlKind.ARCHIVE,
        archive_url=ARCHIVE,
        days=(date(2013, 12, 1), date(2013, 12, 31)),
    )

    go_on(20)

    row.refresh_from_db()
    assert (row.state, row.end_reason) == (
        "done",
        "the page limit was reached; 255 further addresses are known",
    )
    assert row.addresses.filter(role="snapshot").count() == 1


def test_crawl_whose_limit_is_met_exactly_says_which_days_it_left_out(web, paper):
    as_of(web, "20131231000000", ["story-a-of-the-karoo"])
    row = begin(
        paper,
        f"{HOME} 1",
        kind=CrawlKind.ARCHIVE,
        archive_url=ARCHIVE,
        days=(date(2013, 12, 1), date(2013, 12, 31)),
    )

    go_on(14)

    row.refresh_from_db()
    assert (row.state, row.end_reason) == (
        "done",
        "the page limit was reached; days up to 29 Dec 2013 were not looked at",
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"Memento_Datetime": "Mon, 30 Dec 2013 08:00:00 GMT"},
        {"Content_Location": f"{ARCHIVE}/20131230080000id_/{HOME}"},
        {
            "Link": (
                f'<{HOME}>; rel="original", <{ARCHIVE}/20131230080000/{HOME}>; rel="memento"; '
                'datetime="Mon, 30 Dec 2013 08:00:00 GMT"'
            )
        },
    ],
)
def test_copy_that_comes_without_a_redirect_is_one_front_page(web, paper, headers):
    """The nearest copy to every day of December is that of the 30th."""
    for day in range(1, 32):
        as_of(web, f"201312{day:02}000000", ["story-a-of-the-karoo"], **headers)
    row = begin_archive(paper, date(2013, 12, 25), date(2013, 12, 31))

    go_on(36)

    row.refresh_from_db()
    assert front_pages(row) == [datetime(2013, 12, 30, 8, tzinfo=UTC)]
    assert (row.state, row.n_barren_days) == ("done", 5)


def test_archive_that_tells_no_moment_gives_a_new_front_page_with_new_bytes_alone(web, paper):
    for day in range(25, 32):
        as_of(web, f"201312{day:02}000000", [f"story-{'a' if day > 27 else 'b'}-of-the-karoo"])
    row = begin_archive(paper, date(2013, 12, 25), date(2013, 12, 31))

    go_on(36)

    assert [moment.day for moment in front_pages(row)] == [31, 27]


@pytest.mark.parametrize(
    "moment", ["Sat, 01 Jun 2013 08:00:00 GMT", "Thu, 02 Jan 2014 08:00:00 GMT"]
)
def test_copy_from_another_day_than_those_asked_for_is_not_followed(web, paper, moment):
    as_of(web, "20131231000000", ["story-a-of-the-karoo"], Memento_Datetime=moment)
    row = begin_archive(paper, date(2013, 12, 25), date(2013, 12, 31))

    go_on(12)

    row.refresh_from_db()
    assert (row.state, front_pages(row)) == ("done", [])
    assert not row.addresses.filter(role="story").exists()


def test_redirect_that_was_archived_is_followed_in_the_archive(web, paper):
    """The page's own Location leads to the live site, which shows something else today."""
    stamp = "20131231000000"
    as_of(web, stamp, ["story-a-of-the-karoo"])
    web.routes["archive.example" + archived(stamp, "story-a-of-the-karoo")] = redirect(
        "http://www.karoo.example/story-aa-of-the-karoo", 301
    )
    kept = f"/web/{stamp}id_/http://www.karoo.example/story-aa-of-the-karoo"
    web.routes["archive.example" + kept] = page("<p>As it was</p>")
    web.routes["www.karoo.example/story-aa-of-the-karoo"] = page("<p>As it is</p>")
    begin_archive(paper, date(2013, 12, 31), date(2013, 12, 31))

    go_on(14)

    story = Page.objects.get(kind=PageKind.ARTICLE)
    assert story.content_fetch.final_url == f"http://archive.example{kept}"
    assert web.asked("www.karoo.example") == []


def test_copy_that_redirects_to_the_front_page_is_no_story(web, paper):
    stamp = "20131231000000"
    as_of(web, stamp, ["story-a-of-the-karoo"])
    web.routes["archive.example" + archived(stamp, "story-a-of-the-karoo")] = redirect("/")
    begin_archive(paper, date(2013, 12, 31), date(2013, 12, 31))

    go_on(12)

    of_story = Fetch.objects.filter(page__kind=PageKind.ARTICLE).order_by("pk")
    assert of_story.first().outcome == "redirected_to_section"
    assert Page.objects.get(kind=PageKind.ARTICLE).content_fetch is None


def test_links_that_the_archive_has_rewritten_are_read_as_they_were(web, paper):
    stamp = "20131231000000"
    rewritten = (
        f"{ARCHIVE.removeprefix('http://archive.example')}/{stamp}/{HOME}story-a-of-the-karoo"
    )
    web.routes["archive.example" + archived(stamp)] = links(rewritten.removeprefix("/"))
    row = begin_archive(paper, date(2013, 12, 31), date(2013, 12, 31))

    go_on(10)

    assert [item.url for item in row.addresses.filter(role="story")] == [
        f"{HOME}story-a-of-the-karoo"
    ]
