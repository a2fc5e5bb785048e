"""Timelines of microblogs, over real sockets: from the answer of a server to posts as texts."""

from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_feed, crawl, fetched, make_paper
from microblog_servers import Bluesky, Mastodon
from microblog_shapes import post_view, status

from extraction import extract
from extraction.models import Article, Extraction, Withdrawal
from extraction.stage.post_replies import surroundings
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.timelines.past import PastWish
from feeds.models import ArticleFlow, Feed, Fetch, Page, PageKind
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
LOCAL = "http://karoo.example/api/v1/timelines/public?limit=40&local=true"
COURIER = "http://bsky.example/xrpc/app.bsky.feed.getAuthorFeed?actor=courier.example&limit=100"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def quick_polls(settings):
    settings.CRAWL_MIN_POLL_SECONDS = 60


@pytest.fixture
def server(web):
    return Mastodon(web.routes)


@pytest.fixture
def paper():
    return make_paper(NOW)


def read(now=NOW):
    return extract.run(100, Claim("tester", now, timedelta(seconds=60)))


def look(now):
    """Crawl what is due, and read it."""
    report = crawl(now)
    extract.register_fetched(report.next_ids["pages"], now)
    read(now)
    return report


def look_at(feed, now):
    Page.objects.filter(pk=feed.page_id).reschedule(now)
    return look(now)


def texts():
    return list(Article.objects.order_by("published_at").values_list("text", flat=True))


def test_posts_of_a_timeline_become_texts(server, paper, web):
    markup = "<p>Reën in die #Karoo, en die dam is vol.</p><p>Almal is bly.</p>"
    server.write(
        11,
        markup,
        language="af",
        spoiler_text="Weer",
        tags=[{"name": "karoo"}],
        media_attachments=[{"description": "A full dam"}],
    )
    server.write(12, "<p>boosted</p>", reblog=status("3"))
    feed = add_feed(paper, LOCAL, NOW)

    report = look(NOW)

    assert fetched(report) == {"ok": 1}
    article = Article.objects.get()
    assert article.text == "Reën in die #Karoo, en die dam is vol.\nAlmal is bly."
    assert (article.kind, article.in_corpus, article.title) == ("post", True, "")
    assert article.authors == ["Nomsa Dube (@nomsa@karoo.example)"]
    assert (article.standfirst, article.captions, article.tags) == ("Weer", "A full dam", ["karoo"])
    assert article.url == "https://karoo.example/@nomsa/11"
    assert article.published_at == datetime(2026, 11, 20, 8, 11, tzinfo=UTC)
    assert article.language == "af"
    page = article.page
    assert (page.kind, page.url) == (PageKind.POST, "http://karoo.example/api/v1/statuses/11")
    # Nothing was asked for it but the timeline, whose answer is its document.
    assert page.content_fetch == article.fetch == Fetch.objects.get(page=feed.page)
    assert [path for path in web.paths if "statuses" in path] == []
    feed.refresh_from_db()
    assert (feed.kind, feed.place) == (FeedKind.TIMELINE, {"newest": "12"})
    assert feed.title == "Local timeline of karoo.example"
    assert feed.state_text == "0 known, 1 added; 1 boost passed over"
    # Who brings posts alone is not silent.
    assert ArticleFlow.objects.get().stored_at == NOW


def test_later_looks_ask_for_what_is_new_alone_and_miss_nothing(server, paper, web):
    server.write(1, "<p>First.</p>")
    feed = add_feed(paper, LOCAL, NOW)
    look(NOW)
    for number in range(2, 95):
        server.write(number, f"<p>Post {number}.</p>")

    look_at(feed, NOW + MINUTE)

    # Full answers are gone on with in the same batch: 40, 40 and 13.
    asked = [path for path in web.paths if "timelines" in path]
    assert [path.partition("min_id=")[2] for path in asked] == ["", "1", "41", "81"]
    assert Page.objects.filter(kind=PageKind.POST).count() == 94
    read(NOW + MINUTE)
    assert Article.objects.count() == 94
    feed.refresh_from_db()
    assert feed.place == {"newest": "94"}
    assert (feed.n_missed, feed.missed_at) == (0, None)

    look_at(feed, NOW + 2 * MINUTE)

    assert web.paths[-1].endswith("min_id=94")
    assert Article.objects.count() == 94


def test_a_feed_without_a_since_is_read_back_to_what_is_known(paper, web):
    server = Bluesky(web.routes, most=10)
    server.views = [post_view("3k000", "The first.")]
    feed = add_feed(paper, COURIER, NOW)
    look(NOW)
    newer = [post_view(f"3k{n:03}", f"Post {n}.") for n in range(25, 0, -1)]
    server.views = newer + server.views

    look_at(feed, NOW + MINUTE)

    read(NOW + MINUTE)
    asked = [path for path in web.paths if "getAuthorFeed" in path]
    assert [path.partition("cursor=")[2] for path in asked] == ["", "", "10", "20"]
    assert Article.objects.count() == 26
    feed.refresh_from_db()
    assert (feed.place, feed.n_missed) == ({}, 0)


def test_a_first_look_takes_the_newest_and_no_more(paper, web):
    server = Bluesky(web.routes, most=10)
    server.views = [post_view(f"3k{n:03}", f"Post {n}.") for n in range(25, 0, -1)]
    add_feed(paper, COURIER, NOW)
    look(NOW)
    assert Article.objects.count() == 10


def test_a_post_that_is_listed_again_is_read_once(paper, web):
    server = Bluesky(web.routes)
    server.views = [post_view("3kaa", "Rain at last.")]
    feed = add_feed(paper, COURIER, NOW)
    look(NOW)
    server.views[0]["likeCount"] = 99
    report = look_at(feed, NOW + MINUTE)
    assert report.next_ids["pages"] == ()
    assert texts() == ["Rain at last."]


def test_an_edit_is_a_version(server, paper):
    server.write(11, "<p>The dam is ful.</p>")
    add_feed(paper, LOCAL, NOW)
    look(NOW)
    server.edit(11, "<p>The dam is full.</p>")
    page = Page.objects.get(kind=PageKind.POST)
    assert NOW < page.due_at <= NOW + DAY

    look(page.due_at)

    article = Article.objects.get()
    assert (article.text, article.n_versions) == ("The dam is full.", 2)
    assert article.modified_at == datetime(2026, 11, 20, 10, tzinfo=UTC)
    page.refresh_from_db()
    assert page.due_at > NOW + 13 * DAY


def test_a_deleted_post_is_withdrawn_and_put_back_when_it_is_shown_again(server, paper):
    server.write(11, "<p>Rain.</p>")
    server.write(12, "<p>More rain.</p>")
    feed = add_feed(paper, LOCAL, NOW)
    look(NOW)
    server.delete(11)

    later = NOW + DAY
    report = look(later)

    assert fetched(report)["not_found"] == 1
    gone = Article.objects.get(text="Rain.")
    assert gone.withdrawn_at == later
    assert not gone.in_corpus
    assert Withdrawal.objects.get().reason.startswith("Deleted by its author")
    assert Extraction.objects.get(page=gone.page).outcome == "deleted"
    assert Article.objects.get(text="More rain.").withdrawn_at is None
    assert gone.page.due_at is None
    assert gone.page.quarantined_at is None

    server.write(11, "<p>Rain.</p>")
    Feed.objects.filter(pk=feed.pk).update(place={})
    look_at(feed, later + MINUTE)

    gone.refresh_from_db()
    assert (gone.withdrawn_at, gone.in_corpus) == (None, True)


def test_a_post_that_is_gone_from_a_feed_without_errors(paper, web):
    server = Bluesky(web.routes)
    server.views = [post_view("3kaa", "Rain at last."), post_view("3kbb", "More.")]
    add_feed(paper, COURIER, NOW)
    look(NOW)
    del server.views[0]
    look(NOW + DAY)
    assert Article.objects.get(text="Rain at last.").withdrawn_at is not None
    assert Article.objects.get(text="More.").withdrawn_at is None


def test_a_server_that_lost_its_interface_deletes_nothing(server, paper, web):
    server.write(11, "<p>Rain.</p>")
    add_feed(paper, LOCAL, NOW)
    look(NOW)
    del web.routes["karoo.example/api/v1/statuses/11"]  # 404, and HTML
    look(NOW + DAY)
    assert Article.objects.get().withdrawn_at is None


def test_a_timeline_that_is_not_shown_to_strangers_says_so(server, paper, web):
    feed = add_feed(paper, LOCAL, NOW)
    server.statuses = {}
    look(NOW)
    feed.refresh_from_db()
    assert (feed.kind, feed.state_text) == (FeedKind.TIMELINE, "0 known, 0 added")


def test_a_thread_is_known_whatever_comes_first(server, paper):
    server.write(12, "<p>It did.</p>", in_reply_to_id="11")
    feed = add_feed(paper, LOCAL, NOW)
    look(NOW)
    answer = Article.objects.get(text="It did.")
    around = surroundings(answer)
    assert (around.answers, around.answered, around.replies) == (True, None, ())
    server.write(11, "<p>Did it rain?</p>")
    Feed.objects.filter(pk=feed.pk).update(place={})
    look_at(feed, NOW + MINUTE)
    asked = Article.objects.get(text="Did it rain?")
    assert surroundings(answer).answered == asked
    around = surroundings(asked)
    assert (around.answers, around.replies) == (False, (answer,))


def test_a_budget_that_is_spent_is_waited_for(server, paper, web):
    server.headers = (
        ("X-RateLimit-Limit", "300"),
        ("X-RateLimit-Remaining", "0"),
        ("X-RateLimit-Reset", "2026-11-20T12:04:00.000000Z"),
    )
    server.write(11, "<p>Rain.</p>")
    feed = add_feed(paper, LOCAL, NOW)
    look(NOW)
    host = feed.page.host
    host.refresh_from_db()
    assert timedelta(minutes=3) < host.next_at - NOW <= timedelta(minutes=4)
    assert "budget of requests is spent" in host.next_reason
    assert texts() == ["Rain."]

    server.is_limited = True
    later = NOW + 5 * MINUTE
    server.headers = (("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "2026-11-20T13:00:00Z"))
    report = look_at(feed, later)

    assert fetched(report) == {"rate_limited": 1}
    host.refresh_from_db()
    assert host.next_at > NOW + timedelta(minutes=54)
    assert look_at(feed, later + MINUTE).n_claimed == 0
    assert texts() == ["Rain."]


def past_of(feed):
    feed.refresh_from_db()
    return feed.place


def add_with_past(paper, url, wish):
    feed = add_feed(paper, url, NOW)
    Feed.objects.filter(pk=feed.pk).update(place=wish.place().to_json())
    return feed


def test_what_was_posted_before_the_first_look_is_read_backwards_and_news_after_it(
    server, paper, web
):
    for number in range(1, 131):
        server.write(number, f"<p>Post {number}.</p>")
    feed = add_with_past(paper, LOCAL, PastWish(1_000))
    look(NOW)

    asked = [path.rpartition("local=true")[2] for path in web.paths if "timelines" in path]
    assert asked == ["", "&max_id=91", "&max_id=51", "&max_id=11", "&max_id=1"]
    assert Page.objects.filter(kind=PageKind.POST).count() == 130
    assert past_of(feed) == {"newest": "130"}
    assert (feed.n_missed, feed.missed_at) == (0, None)

    server.write(131, "<p>News.</p>")
    look_at(feed, NOW + MINUTE)
    assert web.paths[-1].endswith("min_id=130")
    assert Page.objects.filter(kind=PageKind.POST).count() == 131


def test_the_past_ends_after_as_many_posts_as_were_wanted(server, paper, web):
    for number in range(1, 131):
        server.write(number, f"<p>Post {number}.</p>")
    feed = add_with_past(paper, LOCAL, PastWish(60))
    look(NOW)
    assert Page.objects.filter(kind=PageKind.POST).count() == 80
    assert past_of(feed) == {"newest": "130"}


def test_the_past_ends_where_all_posts_of_an_answer_are_too_old(server, paper, web):
    for number in range(1, 131):
        day = 20 if number > 60 else 10
        server.write(number, f"<p>{number}.</p>", created_at=f"2026-11-{day}T08:00:00.000Z")
    feed = add_with_past(paper, LOCAL, PastWish(1_000, NOW - 5 * DAY))
    look(NOW)
    # Of the third answer, with posts 11 to 50, all are older.
    assert Page.objects.filter(kind=PageKind.POST).count() == 120
    assert past_of(feed) == {"newest": "130"}


def test_a_past_that_was_broken_off_goes_on_where_it_was(server, paper, web):
    for number in range(1, 131):
        server.write(number, f"<p>Post {number}.</p>")
    feed = add_with_past(paper, LOCAL, PastWish(1_000))
    place = {"newest": "130", "past": "51", "past_left": 920, "is_behind": True}
    Feed.objects.filter(pk=feed.pk).update(place=place)
    server.is_limited = True
    look(NOW)
    assert past_of(feed) == place

    server.is_limited = False
    look_at(feed, NOW + DAY)
    assert [path.rpartition("&")[2] for path in web.paths if "timelines" in path][-2:] == [
        "max_id=11",
        "max_id=1",
    ]
    assert past_of(feed) == {"newest": "130"}


def test_a_server_that_knows_no_past_is_asked_for_news_alone(server, paper, web):
    for number in range(1, 50):
        server.write(number, f"<p>Post {number}.</p>")
    server.knows_past = False
    feed = add_with_past(paper, LOCAL, PastWish(1_000))
    look(NOW)
    assert past_of(feed) == {"newest": "49"}
    assert Page.objects.filter(kind=PageKind.POST).count() == 40


def test_the_past_of_a_feed_with_cursors_is_read_too(paper, web):
    server = Bluesky(web.routes, most=10)
    server.views = [post_view(f"3k{n:03}", f"Post {n}.") for n in range(35, 0, -1)]
    feed = add_with_past(paper, COURIER, PastWish(25))
    look(NOW)
    asked = [path for path in web.paths if "getAuthorFeed" in path]
    assert [path.partition("cursor=")[2] for path in asked] == ["", "10", "20"]
    assert Article.objects.count() == 30
    assert (past_of(feed), feed.n_missed) == ({}, 0)
