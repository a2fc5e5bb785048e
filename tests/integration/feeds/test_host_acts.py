"""What editors do to a host: it is done, logged with name and reason, and outlasts a turn."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_user
from integration.feeds.newspapers import add_feed, add_page, crawl, make_paper, rss
from integration.feeds.origin import Origin, answer, page

import feeds.fetch
from feeds.acts import Act, ActRefusedError
from feeds.models import Host, HostDecision, Page, Proxy
from feeds.visiting import host_acts
from feeds.visiting.visits import harvests
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
GUARD = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
SLOW_DOWN = answer(b"slow down", 429, (("Retry-After", "1800"),))
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0


@pytest.fixture
def act():
    editor = make_user("editor", username="thandi")

    def make(minutes=1, reason="They say it works again."):
        return Act(editor.pk, NOW + timedelta(minutes=minutes), reason)

    return make


def host():
    return Host.objects.get(name="karoo.example")


def log():
    rows = HostDecision.objects.exclude(made_by=None).order_by("pk").select_related("made_by")
    return [(row.choice, row.sign, row.made_by.username, row.reason) for row in rows]


def slowed_feed(web):
    feed = add_feed(make_paper(NOW), "http://karoo.example/feed", NOW)
    web.routes["/feed"] = SLOW_DOWN
    crawl(NOW)
    return feed


def test_host_that_asked_for_half_an_hour_is_tried_now(web, act):
    feed = slowed_feed(web)
    web.routes["/feed"] = rss()
    crawl(NOW + timedelta(minutes=1))
    before = len(web.requests)

    words = host_acts.try_now(host(), act())
    crawl(NOW + timedelta(minutes=1, seconds=1))

    feed.page.refresh_from_db()
    assert (len(web.requests) - before, feed.page.outcome) == (1, "ok")
    assert "30 min" in words
    sign = "The server asked for 30 min (Retry-After). 29 min of it were left."
    assert log() == [("try_now", sign, "thandi", "They say it works again.")]


def test_trying_now_asks_once_and_keeps_what_the_host_asks_for_again(web, act):
    slowed_feed(web)
    host_acts.try_now(host(), act())
    before = len(web.requests)

    for second in (1, 7, 20):
        crawl(NOW + timedelta(minutes=1, seconds=second))

    assert len(web.requests) - before == 1
    assert timedelta() <= host().next_at - (NOW + timedelta(minutes=31)) < timedelta(seconds=7)


def test_trying_now_never_shortens_the_crawl_delay(web, act):
    slowed_feed(web)
    Host.objects.update(crawl_delay_seconds=120.0, last_request_at=NOW)

    host_acts.try_now(host(), act())

    assert host().next_at == NOW + timedelta(seconds=120)


def test_host_without_anything_to_ask_is_not_tried(web, act):
    paper = make_paper(NOW)
    add_page(paper, "http://karoo.example/a", NOW)
    Page.objects.reschedule(None)

    with pytest.raises(ActRefusedError, match="nothing to ask"):
        host_acts.try_now(host(), act())
    assert log() == []


def visit_while(do, now):
    """Visit what is due; somebody acts before the turn is written."""
    tally = feeds.fetch._Tally("tester")
    for harvest in harvests(10, Claim("tester", now, timedelta(seconds=60))):
        do()
        feeds.fetch._record(harvest, tally)


def test_trying_now_outlasts_a_turn_that_is_under_way(web, act):
    """The worker that holds the host ends with a wish for time; what the editor said stands."""
    feed = slowed_feed(web)
    Host.objects.update(next_at=NOW)
    Page.objects.reschedule(NOW)
    later = NOW + timedelta(minutes=2)

    visit_while(lambda: host_acts.try_now(host(), act(2)), later)

    feed.page.refresh_from_db()
    assert later <= host().next_at <= later + timedelta(seconds=7)
    assert (host().next_reason, feed.page.due_at) == ("An editor tries it now.", later)


def test_delay_that_is_set_during_a_turn_leaves_what_the_host_asks_for(web, act):
    add_feed(make_paper(NOW), "http://karoo.example/feed", NOW)
    web.routes["/feed"] = SLOW_DOWN

    visit_while(lambda: host_acts.set_delay(host(), 20.0, act()), NOW)

    assert host().next_at - NOW >= timedelta(minutes=30)
    assert host().editor_delay_seconds == 20.0


def test_block_is_forgotten_and_what_was_put_aside_comes_back(web, act):
    paper = make_paper(NOW)
    story = add_page(paper, "http://karoo.example/a", NOW)
    web.routes["/a"] = page(GUARD)
    crawl(NOW)
    Page.objects.update(quarantined_at=NOW + timedelta(seconds=30), due_at=None)

    host_acts.forget_block(host(), act())

    story.refresh_from_db()
    assert (host().blocked_since, host().block_reason, host().failures) == (None, "", 0)
    assert (story.quarantined_at, story.due_at) == (None, NOW + timedelta(minutes=1))
    assert [choice for choice, *_ in log()] == ["forget"]


def test_what_is_not_there_cannot_be_forgotten(web, act):
    slowed_feed(web)
    Host.objects.update(failures=0)

    for forget in (host_acts.forget_block, host_acts.forget_proxy, host_acts.forget_browser):
        with pytest.raises(ActRefusedError):
            forget(host(), act())


def test_proxy_and_browser_name_are_forgotten(web, act):
    slowed_feed(web)
    proxy = Proxy.objects.create(name="Cape Town", url="http://proxy.example:1/")
    Host.objects.update(proxy=proxy, needs_browser_agent=True, probe_seconds=60, probe_at=NOW)

    host_acts.forget_proxy(host(), act())
    host_acts.forget_browser(host(), act())

    assert (host().proxy, host().needs_browser_agent, host().probe_at) == (None, False, None)
    assert [sign for _, sign, *_ in log()] == [
        "It is asked through the proxy Cape Town.",
        "It is asked under a browser’s name.",
    ]


def test_host_forbids_the_browser_that_its_publication_permits(web, act):
    paper = make_paper(NOW, allow_browser_agent=True)
    add_page(paper, "http://karoo.example/a", NOW)
    web.routes["/a"] = answer(b"no", 403)

    host_acts.permit(host(), host_acts.Means.BROWSER, is_permitted=False, act=act())
    crawl(NOW)

    assert not host().needs_browser_agent
    assert [(choice, sign) for choice, sign, *_ in log()] == [
        ("forbid", "A browser’s name: as its publications say.")
    ]


def test_host_permits_the_proxy_that_its_publication_does_not(web, act):
    with Origin({"/a": page("<p>Rain.</p>")}) as other_way:
        paper = make_paper(NOW)
        proxy = Proxy.objects.create(name="Cape Town", url=other_way.url)
        story = add_page(paper, "http://karoo.example/a", NOW)
        web.routes["/a"] = page(GUARD)
        host_acts.permit(host(), host_acts.Means.PROXY, is_permitted=True, act=act())

        crawl(NOW)
        crawl(NOW + timedelta(hours=1))

    story.refresh_from_db()
    assert (story.outcome, host().proxy) == ("ok", proxy)
    assert HostDecision.objects.order_by("pk")[1].reason == "To Cape Town: it is permitted here."


def test_forbidden_means_are_given_up_at_once(web, act):
    slowed_feed(web)
    Host.objects.update(needs_browser_agent=True)

    host_acts.permit(host(), host_acts.Means.BROWSER, is_permitted=False, act=act())

    assert not host().needs_browser_agent


def test_delay_of_an_editor_takes_the_place_of_the_publications(web, act):
    paper = make_paper(NOW)
    add_page(paper, "http://karoo.example/a", NOW)

    host_acts.set_delay(host(), 20.0, act())
    crawl(NOW)

    assert host().next_at - NOW >= timedelta(seconds=20)
    assert log()[0][:2] == ("delay", "5 s, as its publications say. From now on 20 s.")


def test_delay_never_falls_below_the_crawl_delay_and_says_so(web, act):
    paper = make_paper(NOW)
    web.routes["/robots.txt"] = answer(b"User-agent: *\nCrawl-delay: 30\n")
    web.routes["/a"] = page()
    add_page(paper, "http://karoo.example/a", NOW)
    crawl(NOW)

    words = host_acts.set_delay(host(), 2.0, act())
    Page.objects.reschedule(NOW + timedelta(hours=2))
    crawl(NOW + timedelta(hours=2))

    assert "robots.txt asks for 30 s, which holds" in words
    assert host().next_at - NOW >= timedelta(hours=2, seconds=30)


def test_robots_is_asked_again_now_where_nothing_else_is_due(web, act):
    paper = make_paper(NOW)
    add_page(paper, "http://karoo.example/a", NOW)
    crawl(NOW)
    Page.objects.reschedule(None)
    web.routes["/robots.txt"] = answer(b"User-agent: *\nDisallow: /private\n")
    before = len(web.requests)

    words = host_acts.ask_robots(host(), act())
    crawl(NOW + timedelta(minutes=2))
    crawl(NOW + timedelta(minutes=3))

    assert [item.path for item in web.requests[before:]] == ["/robots.txt"]
    assert (host().robots_asked_at, "Disallow: /private" in host().robots_body) == (None, True)
    assert "next turn" in words
    last = HostDecision.objects.order_by("-pk").first()
    assert (last.choice, last.sign) == ("go_on", "robots.txt was read again: it has changed.")


def test_robots_that_cannot_be_had_is_not_asked_for_ever(web, act):
    paper = make_paper(NOW)
    add_page(paper, "http://karoo.example/a", NOW)
    crawl(NOW)
    Page.objects.reschedule(None)
    web.routes["/robots.txt"] = answer(b"", 503)
    host_acts.ask_robots(host(), act())
    before = len(web.requests)

    for minutes in (2, 30, 90):
        crawl(NOW + timedelta(minutes=minutes))

    assert len(web.requests) - before == 1
    assert host().robots_asked_at is None
