"""Feeds that are visited: what they list, what is learnt, when they are visited next."""

from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_feed, add_page, crawl, fetched, make_paper, rss
from integration.feeds.origin import answer, page

from feeds.models import Feed, FeedItem, Fetch, Page, PageKind
from feeds.sources.publications import NewFeed, add_feeds

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
FEED = "http://karoo.example/feed"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def story(letter: str) -> tuple[str, str]:
    return f"http://karoo.example/story-{letter}", f"guid-{letter}"


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    settings.CRAWL_MIN_POLL_SECONDS = 600
    settings.CRAWL_MAX_POLL_SECONDS = 86_400


@pytest.fixture
def paper():
    return make_paper(NOW)


def poll(now: datetime):
    """Visit what is due, articles as well, and return the feed and the report."""
    report = crawl(now)
    return Feed.objects.get(), report


def test_poll_puts_entries_into_the_frontier_with_what_the_feed_says(web, paper):
    item = (
        "<item><title>Rain falls</title><link>http://karoo.example/a?utm_source=rss</link>"
        "<guid isPermaLink='false'>77</guid><pubDate>Fri, 20 Nov 2026 08:00:00 +0200</pubDate>"
        "<author>Naledi Moreau</author><description>At last.</description></item>"
    )
    body = f"<rss version='2.0'><channel><title>Karoo News</title>{item}</channel></rss>"
    web.routes["/feed"] = answer(body.encode())
    add_feed(paper, FEED, NOW)

    report = crawl(NOW)

    found = Page.objects.get(kind=PageKind.ARTICLE)
    assert (report.done["feeds_polled"], report.done["pages_found"]) == (1, 1)
    assert (found.key, found.guid) == ("karoo.example/a", "77")
    assert (found.feed_headline, found.feed_author) == ("Rain falls", "Naledi Moreau")
    assert found.feed_published_at == datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
    assert found.feed_description == "At last."


def test_poll_and_articles_follow_each_other_in_one_run(web, paper):
    web.routes |= {"/feed": rss(story("a"), story("b")), "/story-a": page("a"), "/story-b": page()}
    add_feed(paper, FEED, NOW)

    report = crawl(NOW)

    feed = Feed.objects.get()
    assert fetched(report) == {"ok": 3}
    assert (feed.title, feed.kind, feed.n_items, feed.n_new) == ("Karoo News", "rss", 2, 2)
    assert (feed.overlap_share, feed.state_text) == (None, "0 known, 2 added")
    assert sorted(web.paths) == ["/feed", "/robots.txt", "/story-a", "/story-b"]


def test_poll_writes_the_next_visit_with_its_terms(web, paper):
    web.routes["/feed"] = rss(story("a"), Cache_Control="max-age=7200")
    add_feed(paper, FEED, NOW)

    feed, _ = poll(NOW)

    fetch = Fetch.objects.get(page=feed.page)
    assert feed.page.due_reason == "max-age: 2 h, asked for by the server's cache rules"
    assert (fetch.next_visit_at, fetch.next_visit_reason) == (
        feed.page.due_at,
        feed.page.due_reason,
    )
    wait = (feed.page.due_at - NOW).total_seconds()
    assert 7200 <= wait <= 7200 * 1.1 + 10
    assert [(term["name"], term["decides"]) for term in feed.visit_terms] == [
        ("learnt", False),
        ("max-age", True),
    ]


def test_poll_measures_overlap_with_what_was_listed_before(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = rss(story("a"), story("b"), story("c"))
    poll(NOW)
    web.routes["/feed"] = rss(story("b"), story("c"), story("d"), story("e"))

    feed, report = poll(Feed.objects.get().page.due_at)

    assert report.done["pages_found"] == 2
    assert (feed.n_items, feed.n_new, feed.overlap_share) == (4, 2, 0.5)
    assert feed.state_text == "2 known, 2 added"
    assert FeedItem.objects.count() == 5


def test_poll_says_when_items_may_have_been_missed(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = rss(story("a"))
    poll(NOW)
    web.routes["/feed"] = rss(story("x"))

    feed, _ = poll(Feed.objects.get().page.due_at)

    assert feed.overlap_share == 0
    assert feed.state_text.startswith("possibly missed items")


def test_poll_of_a_304_learns_that_it_came_too_soon(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = rss(story("a"), ETag='"1"')
    poll(NOW)
    web.routes["/feed"] = answer(b"", 304)

    first, _ = poll(Feed.objects.get().page.due_at)
    interval = first.interval_seconds
    second, report = poll(first.page.due_at)

    assert web.requests[-1].headers["if-none-match"] == '"1"'
    assert (report.done["feeds_polled"], report.done["pages_found"]) == (1, 0)
    assert second.state_text == "unchanged"
    assert (interval, second.interval_seconds) == (2400, 3000)
    assert second.page.etag == '"1"'


def test_poll_of_the_same_bytes_is_not_parsed_again(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = rss(story("a"))
    poll(NOW)

    feed, report = poll(Feed.objects.get().page.due_at)

    assert (feed.state_text, report.done["pages_found"], feed.n_items) == ("unchanged", 0, 1)


def test_poll_knows_an_article_by_its_guid_under_another_address(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = rss(("http://karoo.example/draft-title", "77"))
    poll(NOW)
    web.routes["/feed"] = rss(("http://karoo.example/final-title", "77"))

    feed, report = poll(Feed.objects.get().page.due_at)

    assert report.done["pages_found"] == 0
    assert feed.overlap_share == 1
    assert Page.objects.filter(kind=PageKind.ARTICLE).count() == 1


def told(*items, guid=""):
    """Make a feed of paths, headlines and hours of a day, without guids or with those given."""
    body = "".join(
        f"<item><title>{title}</title><link>http://karoo.example{path}</link>"
        f"{guid and '<guid>' + guid.format(path) + '</guid>'}"
        f"<pubDate>Thu, 19 Nov 2026 {hour:02}:00:00 GMT</pubDate></item>"
        for path, title, hour in items
    )
    return answer(f"<rss version='2.0'><channel>{body}</channel></rss>".encode())


@pytest.mark.parametrize("guid", ["", "http://karoo.example{}"])
def test_links_with_another_query_at_each_visit_are_the_same_articles(web, paper, guid):
    add_feed(paper, FEED, NOW)
    rain, wind = "/rain-falls-on-the-karoo", "/wind-blows-in-the-north"
    web.routes["/feed"] = told(
        (f"{rain}?ref=11", "Rain", 8),
        (f"{rain}?ref=12", "Rain", 8),
        (f"{wind}?ref=13", "Wind", 9),
        guid=guid,
    )
    poll(NOW)
    web.routes["/feed"] = told((rain, "Rain", 8), (f"{wind}?ref=23", "Wind", 9), guid=guid)

    feed, report = poll(Feed.objects.get().page.due_at)

    assert report.done["pages_found"] == 0
    assert set(Page.objects.filter(kind=PageKind.ARTICLE).values_list("key", flat=True)) == {
        f"karoo.example{rain}?ref=11",
        f"karoo.example{wind}?ref=13",
    }
    assert (feed.state_text, feed.overlap_share) == ("2 known, 0 added", 1.0)


@pytest.mark.parametrize(
    "later",
    [
        ("/letters-to-the-editor-today?id=2", "Letters", 9),  # of another hour
        ("/letters-to-the-editor-today?id=2", "More letters", 8),
        ("/sport/letters-to-the-editor-today?id=1", "Letters", 8),
    ],
)
def test_links_with_another_query_that_tell_of_another_article_are_another(web, paper, later):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = told(("/letters-to-the-editor-today?id=1", "Letters", 8), later)

    poll(NOW)

    assert Page.objects.filter(kind=PageKind.ARTICLE).count() == 2


def test_guids_that_are_words_tell_articles_of_one_path_apart(web, paper):
    add_feed(paper, FEED, NOW)
    path = "/letters-to-the-editor-today"
    web.routes["/feed"] = told(
        (f"{path}?id=1", "Letters", 8), (f"{path}?id=2", "Letters", 8), guid="{}"
    )

    poll(NOW)

    assert Page.objects.filter(kind=PageKind.ARTICLE).count() == 2


def test_numbers_in_the_query_of_addresses_without_words_tell_articles_apart(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = told(("/story.php?id=1", "Rain", 8), ("/story.php?id=2", "Rain", 8))

    poll(NOW)

    assert Page.objects.filter(kind=PageKind.ARTICLE).count() == 2


def test_poll_ignores_guids_that_a_feed_gives_twice(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = rss(
        ("http://karoo.example/a", "same"), ("http://karoo.example/b", "same")
    )
    poll(NOW)
    web.routes["/feed"] = rss(
        ("http://karoo.example/c", "same"), ("http://karoo.example/d", "same")
    )

    poll(Feed.objects.get().page.due_at)

    assert Page.objects.filter(kind=PageKind.ARTICLE).count() == 4


def test_poll_does_not_bring_old_items_back(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes |= {"/feed": rss(story("a")), "/story-a": page("a")}
    crawl(NOW)
    later = NOW + timedelta(days=400)
    web.routes["/feed"] = rss(story("a"), story("b"))

    report = crawl(later)

    assert (report.done["pages_found"], web.paths.count("/story-a")) == (1, 1)


def test_poll_keeps_out_what_the_patterns_of_the_paper_leave_out(web, paper):
    paper.include_pattern = "karoo\\.example"
    paper.exclude_pattern = "/sport/"
    paper.save()
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = rss(
        ("http://karoo.example/a", "1"),
        ("http://karoo.example/sport/b", "2"),
        ("http://dating.example/c", "3"),
    )

    _, report = poll(NOW)

    assert report.done["pages_found"] == 1


def test_poll_of_a_page_that_is_no_feed_slows_down_and_never_gives_up(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = page("<html><h1>We have moved</h1>")

    now, waits = NOW, []
    for _ in range(5):
        feed, report = poll(now)
        waits.append(round((feed.page.due_at - now).total_seconds() / 60))
        assert fetched(report) == {"not_a_feed": 1}
        assert feed.page.quarantined_at is None
        now = feed.page.due_at + timedelta(seconds=1)

    assert waits == sorted(waits)
    assert waits[-1] > waits[0]
    assert feed.failures == 5
    assert feed.state_text == "This is an HTML page, not a feed."


@pytest.mark.parametrize("status", [404, 410, 500])
def test_poll_of_a_failing_feed_is_planned_again(web, paper, status):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = answer(b"", status)

    feed, _ = poll(NOW)

    assert feed.page.due_at > NOW + timedelta(minutes=30)
    assert (feed.page.attempts, feed.page.quarantined_at) == (0, None)
    assert feed.page.due_reason.startswith("failures: ")


def test_poll_recovers_at_the_first_answer(web, paper):
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = answer(b"", 500)
    feed, _ = poll(NOW)
    web.routes["/feed"] = rss(story("a"))

    feed, _ = poll(feed.page.due_at + timedelta(minutes=5))

    assert (feed.failures, feed.state_text) == (0, "0 known, 1 added")


def test_poll_of_a_feed_that_was_switched_off_meanwhile_plans_no_visit(web, paper):
    add_feed(paper, FEED, NOW)
    Feed.objects.update(is_active=False)
    web.routes["/feed"] = rss(story("a"))

    feed, _ = poll(NOW)

    assert (feed.page.due_at, feed.page.outcome) == (None, "ok")


def test_poll_names_a_paper_that_is_called_after_its_host(web):
    paper = make_paper(NOW, name="karoo.example")
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = rss(story("a"))

    poll(NOW)

    paper.refresh_from_db()
    assert paper.name == "Karoo News"


def test_poll_of_two_feeds_with_the_same_stories_adds_each_once(web, paper):
    add_feed(paper, FEED, NOW)
    add_feed(paper, "http://other.example/feed", NOW)
    web.routes["/feed"] = rss(story("a"), story("b"))

    report = crawl(NOW)

    assert report.done["feeds_polled"] == 2
    assert Page.objects.filter(kind=PageKind.ARTICLE).count() == 2
    assert FeedItem.objects.count() == 4


def test_poll_of_a_hostile_feed_is_an_outcome(web, paper):
    entities = "".join(f"<!ENTITY a{n + 1} '{f'&a{n};' * 10}'>" for n in range(9))
    bomb = f"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a0 'ha'>{entities}]><rss>&a9;</rss>"
    add_feed(paper, FEED, NOW)
    web.routes["/feed"] = answer(bomb.encode())

    _, report = poll(NOW)

    assert sum(fetched(report).values()) == 1


def test_poll_finds_articles_known_from_elsewhere(web, paper):
    add_page(paper, "http://karoo.example/story-a", NOW)
    add_feed(paper, FEED, NOW)
    web.routes |= {"/feed": rss(story("a")), "/story-a": page()}

    report = crawl(NOW)

    assert (report.done["pages_found"], web.paths.count("/story-a")) == (0, 1)
    assert FeedItem.objects.count() == 1


def test_date_that_has_not_come_is_no_date(web, paper):
    items = "".join(
        f"<item><title>T</title><link>http://karoo.example/{name}</link><pubDate>{date}</pubDate></item>"
        for name, date in [
            ("far", "Thu, 01 Jan 2099 00:00:00 +0000"),
            ("soon", "Fri, 20 Nov 2026 20:00:00 +0000"),
        ]
    )
    web.routes["/feed"] = answer(f"<rss version='2.0'><channel>{items}</channel></rss>".encode())
    feed = add_feed(paper, FEED, NOW)

    crawl(NOW)

    feed.refresh_from_db()
    soon = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
    dates = Page.objects.filter(kind=PageKind.ARTICLE).values_list("key", "feed_published_at")
    assert dict(dates) == {"karoo.example/far": None, "karoo.example/soon": soon}
    assert feed.newest_item_at == soon


def test_dates_of_the_visit_are_none(web, paper):
    items = "".join(
        f"<item><link>http://karoo.example/{name}</link><pubDate>{date}</pubDate></item>"
        for name, date in zip("abcde", [f"{NOW:%a, %d %b %Y %T} GMT"] * 5, strict=True)
    )
    web.routes["/feed"] = answer(f"<rss version='2.0'><channel>{items}</channel></rss>".encode())
    feed = add_feed(paper, FEED, NOW)

    crawl(NOW)

    feed.refresh_from_db()
    dates = Page.objects.filter(kind=PageKind.ARTICLE).values_list("feed_published_at", flat=True)
    assert (list(dates), feed.newest_item_at) == ([None] * 5, None)


def test_front_page_is_polled_for_stories_that_are_new(web, paper):
    front = '<a href="/story-of-the-karoo-{}">x</a><a href="/about/">About</a>'
    web.routes["/"] = page(front.format("a"))
    add_pages_of(paper, "http://karoo.example/", "index")
    first = crawl(NOW)
    web.routes["/"] = page(front.format("b") + front.format("a"))
    Page.objects.filter(kind=PageKind.FEED).update(due_at=NOW)

    second = crawl(NOW + timedelta(hours=1))

    feed = Feed.objects.get()
    assert (first.done["pages_found"], second.done["pages_found"]) == (1, 1)
    assert (feed.kind, feed.state_text, feed.overlap_share) == ("index", "1 known, 1 added", 0.5)


def test_plain_sitemap_is_polled_where_an_editor_chose_it(web, paper):
    urls = "<url><loc>http://karoo.example/story-of-the-karoo-a</loc></url>"
    web.routes["/map.xml"] = answer(f"<urlset>{urls}</urlset>".encode())
    add_pages_of(paper, "http://karoo.example/map.xml", "sitemap")

    assert crawl(NOW).done["pages_found"] == 1


def add_pages_of(publication, url, kind):
    add_feeds(publication, [NewFeed(url, kind=kind)], NOW)


def test_feed_that_wants_a_browser_is_asked_again_at_its_hosts_next_turn(web):
    paper = make_paper(NOW, allow_browser_agent=True)

    def guarded(request, writer):
        is_browser = request.headers["user-agent"].startswith("Mozilla/5.0")
        return (rss(story("a")) if is_browser else answer(b"no", 403))(request, writer)

    web.routes["/feed"] = guarded
    add_feed(paper, FEED, NOW)

    reports = [crawl(NOW), crawl(NOW + timedelta(seconds=1))]

    assert sum(report.done["pages_found"] for report in reports) == 1
    assert Feed.objects.get().failures == 0
