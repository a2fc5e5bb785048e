"""What editors change of a feed: the address, the schedule, or that it is followed at all."""

from datetime import UTC, datetime, time, timedelta

import pytest
from factories import make_user
from integration.feeds.newspapers import add_feed, crawl, make_paper, rss
from integration.feeds.origin import answer, redirect

import feeds.fetch
from feeds.acts import Act, ActRefusedError
from feeds.crawler.timing.schedules import Schedule
from feeds.models import Feed, FeedChange, FeedItem, Fetch, Page
from feeds.revisits import pending
from feeds.sources.feed_changes import change_address, delete_feed, set_schedule
from feeds.sources.publications import NewFeed, add_feeds
from feeds.visiting.visits import harvests
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)  # a Friday
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OLD, NEW = "http://karoo.example/feed", "http://new.example/rss"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 0.0
    web.routes["/feed"] = rss(("http://karoo.example/a", "1"), ETag='"1"')
    web.routes["/rss"] = rss(("http://karoo.example/a", "1"), ("http://karoo.example/b", "2"))


@pytest.fixture
def feed():
    return add_feed(make_paper(NOW, time_zone="Africa/Johannesburg"), OLD, NOW)


@pytest.fixture
def act():
    editor = make_user("editor", username="thandi")
    return Act(editor.pk, NOW + HOUR, "The paper has moved.")


def fresh(feed):
    return Feed.objects.select_related("page__host", "publication").get(pk=feed.pk)


def visit_while(do, now):
    tally = feeds.fetch._Tally("tester")
    for harvest in harvests(10, Claim("tester", now, timedelta(seconds=60))):
        do()
        feeds.fetch._record(harvest, tally)


def test_feed_keeps_its_history_at_another_address(web, feed, act):
    crawl(NOW)
    page_id = feed.page_id

    change_address(fresh(feed), NEW, act)
    crawl(NOW + HOUR)

    moved = fresh(feed)
    assert (moved.page_id, moved.page.url, moved.page.host.name) == (page_id, NEW, "new.example")
    assert (moved.n_items, moved.n_new, moved.overlap_share) == (2, 1, 0.5)
    assert [row.url for row in Fetch.objects.filter(page=page_id).order_by("pk")] == [OLD, NEW]
    asked = next(item for item in web.requests if item.path == "/rss")
    assert "if-none-match" not in asked.headers
    change = FeedChange.objects.get()
    assert (change.sentence, change.reason, change.made_by.username) == (
        f"Address of Karoo News: {OLD} became {NEW}",
        "The paper has moved.",
        "thandi",
    )


def test_visit_to_the_old_address_says_nothing_of_the_new_one(web, feed, act):
    visit_while(lambda: change_address(fresh(feed), NEW, act), NOW)

    page = fresh(feed).page
    assert (page.url, page.etag, page.outcome, page.due_at) == (NEW, "", "", NOW + HOUR)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (OLD, "That is its address already."),
        ("http://karoo.example/a", "is known as article of “Karoo Courier”"),
        ("http://karoo.example/other", "already is the address of a feed of “Karoo Courier”"),
        ("no address", "is not a web address"),
    ],
)
def test_address_that_is_taken_or_none_is_refused(feed, act, address, sentence):
    crawl(NOW)
    add_feed(feed.publication, "http://karoo.example/other", NOW)

    with pytest.raises(ActRefusedError, match=sentence):
        change_address(fresh(feed), address, act)
    assert (fresh(feed).page.url, FeedChange.objects.count()) == (OLD, 0)


def test_deleted_feed_leaves_its_articles_and_comes_back_when_added_again(web, feed, act):
    crawl(NOW)
    paper = feed.publication

    words = delete_feed(fresh(feed), act)
    crawl(NOW + 2 * HOUR)

    assert (Feed.objects.count(), FeedItem.objects.count()) == (0, 0)
    assert Page.objects.filter(kind="article").count() == 1
    assert web.paths.count("/feed") == 1
    assert "It was the last feed of Karoo Courier" in words
    assert FeedChange.objects.get().sentence == f"Deleted: Karoo News, {OLD}"

    again = add_feeds(paper, [NewFeed(OLD)], NOW + 3 * HOUR)[0]
    crawl(NOW + 3 * HOUR)

    assert (fresh(again).n_items, fresh(again).n_new) == (1, 0)


def test_feed_that_is_deleted_during_its_visit_stays_deleted(web, feed, act):
    visit_while(lambda: delete_feed(fresh(feed), act), NOW)

    assert (Feed.objects.count(), Page.objects.get().due_at) == (0, None)


def test_schedule_by_hand_decides_and_the_learnt_plan_is_kept_beside(web, feed, act):
    schedule = Schedule(times=(time(6), time(18, 30)))
    set_schedule(fresh(feed), schedule, act)
    due = fresh(feed).page.due_at

    crawl(due)

    visited = fresh(feed)
    terms = {term["name"]: term["decides"] for term in visited.visit_terms}
    assert due == datetime(2026, 11, 20, 16, 30, tzinfo=UTC)
    assert visited.page.due_at == datetime(2026, 11, 21, 4, 0, tzinfo=UTC)
    assert terms == {"by hand": True, "learnt": False}
    assert "at 06:00 and 18:30 (Africa/Johannesburg)" in visited.page.due_reason


def test_schedule_waits_where_the_server_asks_for_time(web, feed, act):
    web.routes["/feed"] = answer(b"", 503, (("Retry-After", "7200"),))
    set_schedule(fresh(feed), Schedule(every_minutes=10), act)
    due = fresh(feed).page.due_at

    crawl(due)

    assert fresh(feed).page.due_at >= due + 2 * HOUR


def test_back_to_the_learnt_plan(web, feed, act):
    crawl(NOW)
    set_schedule(fresh(feed), Schedule(every_minutes=600), act)

    words = set_schedule(fresh(feed), None, act)

    page = fresh(feed).page
    assert (fresh(feed).schedule, page.due_reason) == (None, "the learnt plan again")
    assert page.due_at <= NOW + HOUR
    assert "the learnt plan again" in words
    with pytest.raises(ActRefusedError):
        set_schedule(fresh(feed), None, act)


def test_schedule_of_a_paused_feed_makes_nothing_due(feed, act):
    Feed.objects.update(is_active=False)
    Page.objects.reschedule(None)

    set_schedule(fresh(feed), Schedule(every_minutes=10), act)

    assert fresh(feed).page.due_at is None


def pass_days(n, start=0):
    """Let days go by with a visit and a sweep in each."""
    for number in range(start, start + n):
        Page.objects.filter(kind="feed").update(due_at=NOW + number * DAY)
        crawl(NOW + number * DAY)
        pending(100, NOW + number * DAY + HOUR)


def paths(web):
    return [request.path for request in web.requests if request.path != "/robots.txt"]


@pytest.mark.parametrize("status", [301, 308])
def test_feed_moved_for_good_is_visited_there_after_a_week(web, feed, status):
    web.routes["/feed"] = redirect(NEW, status)
    pass_days(7)
    known = fresh(feed)
    assert (known.page.url, known.moved_to, known.moved_since.date()) == (OLD, NEW, NOW.date())

    pass_days(1, start=7)
    moved = fresh(feed)
    assert (moved.page.url, moved.moved_to, moved.moved_since) == (NEW, "", None)
    assert (FeedChange.objects.get().sentence, FeedChange.objects.get().reason) == (
        f"Address of Karoo News: {OLD} became {NEW}",
        "Permanent redirects have led there since 20 Nov 2026.",
    )
    web.requests.clear()
    pass_days(1, start=8)
    assert [path for path in paths(web) if path in {"/feed", "/rss"}] == ["/rss"]


def test_feed_that_is_redirected_for_now_keeps_its_address(web, feed):
    web.routes["/feed"] = redirect(NEW, 302)
    pass_days(9)
    assert (fresh(feed).page.url, fresh(feed).moved_to) == (OLD, "")


def test_one_temporary_redirect_makes_the_whole_way_one_for_now(web, feed):
    web.routes["/feed"] = redirect("http://karoo.example/half", 301)
    web.routes["/half"] = redirect(NEW, 307)
    pass_days(9)
    assert (fresh(feed).page.url, fresh(feed).moved_to) == (OLD, "")


def test_feed_that_answers_itself_again_has_not_moved(web, feed):
    old = web.routes["/feed"]
    web.routes["/feed"] = redirect(NEW, 301)
    pass_days(5)
    web.routes["/feed"] = old
    pass_days(1, start=5)
    web.routes["/feed"] = redirect(NEW, 301)
    pass_days(5, start=6)
    assert fresh(feed).page.url == OLD
    assert fresh(feed).moved_since.date() == (NOW + 6 * DAY).date()


def test_feed_does_not_move_to_what_is_no_feed(web, feed):
    web.routes["/feed"] = redirect("http://karoo.example/", 301)
    web.routes["/"] = answer(b"<title>Karoo</title>", 200, (("Content-Type", "text/html"),))
    pass_days(9)
    assert (fresh(feed).page.url, fresh(feed).moved_to) == (OLD, "")


def test_feed_does_not_move_to_the_address_of_another(web, feed):
    add_feed(feed.publication, NEW, NOW)
    web.routes["/feed"] = redirect(NEW, 301)
    pass_days(8)
    assert (fresh(feed).page.url, fresh(feed).moved_since) == (OLD, NOW + 7 * DAY + HOUR)
    assert FeedChange.objects.count() == 0
