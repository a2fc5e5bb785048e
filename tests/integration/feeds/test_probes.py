"""A chosen proxy or browser name is given up when the site does without it, and kept where not."""

from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_feed, add_page, crawl, make_paper, rss
from integration.feeds.origin import Origin, answer, page

from feeds.models import Fetch, Host, HostDecision, Page, Proxy

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
REFUSED = answer(b"no", 403)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def other_way():
    with Origin({"/a": page("<p>Rain.</p>")}) as started:
        yield started


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0


@pytest.fixture
def story(other_way):
    """Make an article whose host is asked through a proxy since NOW."""
    paper = make_paper(NOW, allow_proxy=True, visit_share=0)
    story = add_page(paper, "http://karoo.example/a", NOW)
    proxy = Proxy.objects.create(name="Cape Town", url=other_way.url)
    Host.objects.update(proxy=proxy)
    crawl(NOW)
    return story


def host():
    return Host.objects.get(name="karoo.example")


def again(moment):
    Page.objects.reschedule(moment)
    crawl(moment)


def log():
    rows = HostDecision.objects.filter(choice__in=["probe", "give_up"]).order_by("pk")
    return [(row.choice, row.sign, row.reason) for row in rows]


def test_proxy_is_given_up_when_the_site_answers_without_it(web, other_way, story):
    web.routes["/a"] = page("<p>Rain again.</p>")
    n_by_proxy = len(other_way.requests)

    again(NOW + 25 * HOUR)

    story.refresh_from_db()
    assert (host().proxy, host().probe_at, story.outcome) == (None, None, "ok")
    assert len(other_way.requests) == n_by_proxy
    assert log() == [
        (
            "give_up",
            "Probe: the site answers without the proxy Cape Town.",
            "It is asked plainly again.",
        )
    ]


def test_no_probe_comes_before_its_time(web, other_way, story):
    again(NOW + 20 * HOUR)

    assert log() == []
    assert "/a" not in web.paths


def test_refused_probe_costs_its_page_nothing_and_the_next_comes_later(web, other_way, story):
    web.routes["/a"] = REFUSED
    moment = NOW + 25 * HOUR

    again(moment)
    waits = story.__class__.objects.get(pk=story.pk)
    crawl(moment + timedelta(seconds=20))

    story.refresh_from_db()
    assert (waits.attempts, waits.lease_owner, waits.outcome) == (0, "", "ok")
    assert (story.outcome, host().failures, host().blocked_since) == ("ok", 0, None)
    assert web.paths.count("/a") == 1
    assert [(choice, reason) for choice, _, reason in log()] == [("probe", "Next probe in 2 d.")]
    refused = Fetch.objects.get(status=403)
    assert refused.visit_reason == "a probe without the proxy Cape Town"


@pytest.mark.long
def test_probes_of_a_year_are_few(web, story):
    web.routes["/a"] = REFUSED

    for day in range(1, 366):
        again(NOW + day * DAY + HOUR)

    waits = [reason for *_, reason in log()]
    assert waits[:5] == [f"Next probe in {days} d." for days in (2, 4, 8, 16, 30)]
    assert 12 <= len(waits) <= 16


def test_browser_name_is_given_up_too(web):
    paper = make_paper(NOW, allow_browser_agent=True)
    feed = add_feed(paper, "http://karoo.example/feed", NOW)
    web.routes["/feed"] = rss()
    Host.objects.update(needs_browser_agent=True)
    crawl(NOW)

    again(NOW + 25 * HOUR)

    feed.page.refresh_from_db()
    agents = [item.headers["user-agent"] for item in web.requests if item.path == "/feed"]
    assert ["Mozilla" in agent.split("(")[0] for agent in agents] == [True, False]
    assert (host().needs_browser_agent, feed.page.outcome) == (False, "ok")
    assert log()[0][1] == "Probe: the site answers without a browser’s name."


def test_wish_for_time_in_answer_to_a_probe_is_kept(web, story):
    web.routes["/a"] = answer(b"", 429, (("Retry-After", "3600"),))
    moment = NOW + 25 * HOUR

    again(moment)

    assert host().next_at >= moment + HOUR


def test_what_was_given_up_and_is_needed_again_is_probed_later(web, other_way, story):
    web.routes["/a"] = page("<p>Rain again.</p>")
    again(NOW + 25 * HOUR)
    Host.objects.update(proxy=Proxy.objects.get())

    again(NOW + 26 * HOUR)

    assert host().probe_at - (NOW + 26 * HOUR) >= 2 * DAY
