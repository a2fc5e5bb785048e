"""Pages fetched, archived and closed, with what happens when a site does not want to."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_feed, add_page, crawl, fetched, make_paper, rss
from integration.feeds.origin import answer, page, redirect

from feeds import fetch as crawl_module
from feeds.archive.fetches import read_exchange
from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch, Host, Page, PageKind
from feeds.sources.publications import set_feed_active
from feeds.visiting.visits import give_back, harvests
from feeds.work import leases
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
STORY = "http://karoo.example/news/rain-falls-on-the-karoo-at-last"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0
    settings.MAX_ATTEMPTS = 3


@pytest.fixture
def paper():
    return make_paper(NOW)


def robots(text: str):
    return answer(text.encode(), 200, (("Content-Type", "text/plain"),))


def test_crawl_of_an_article_archives_it_and_closes_the_page(web, paper):
    story = add_page(paper, STORY, NOW)
    web.routes["/news/rain-falls-on-the-karoo-at-last"] = page(
        "<p>Rain.</p>", ETag='"1"', Last_Modified="Fri, 20 Nov 2026 11:00:00 GMT"
    )

    report = crawl(NOW)

    story.refresh_from_db()
    fetch = Fetch.objects.get(page=story)
    host = Host.objects.get()
    assert fetched(report) == {"ok": 1}
    assert report.next_ids["pages"] == (story.pk,)
    assert report.done["archived"] == 2  # robots.txt too
    assert (story.purpose, story.lease_owner, story.attempts) == ("planned", "", 0)
    assert timedelta(hours=4) <= story.due_at - NOW < timedelta(hours=4.5)
    assert (story.outcome, story.content_fetch) == ("ok", fetch)
    assert (story.etag, story.last_modified) == ('"1"', "Fri, 20 Nov 2026 11:00:00 GMT")
    assert (fetch.status, fetch.body_bytes, fetch.digest) == (200, 12, story.content_digest)
    assert read_exchange(fetch).body == b"<p>Rain.</p>"
    assert (host.lease_owner, host.next_reason) == ("", "Delay of 5 s between two requests.")
    assert timedelta(seconds=5) <= host.next_at - NOW < timedelta(seconds=10)
    assert web.asked("karoo.example") == ["/robots.txt", "/news/rain-falls-on-the-karoo-at-last"]


def test_crawl_reads_robots_once_a_day(web, paper):
    web.routes |= {f"/{n}": page(f"<p>{n}</p>") for n in range(3)}
    web.routes["/robots.txt"] = robots("User-agent: *\nDisallow: /x")
    for n in range(3):
        add_page(paper, f"http://karoo.example/{n}", NOW)

    crawl(NOW)
    crawl(NOW + timedelta(hours=23))
    crawl(NOW + timedelta(hours=25))

    assert web.paths.count("/robots.txt") == 2
    assert Host.objects.get().robots_body == "User-agent: *\nDisallow: /x"
    assert Fetch.objects.filter(page=None).count() == 2


def test_crawl_keeps_away_from_what_robots_forbids_and_names_the_line(web, paper):
    web.routes["/robots.txt"] = robots("User-agent: Broadsheet\nDisallow: /news/")
    story = add_page(paper, STORY, NOW)

    report = crawl(NOW)

    story.refresh_from_db()
    assert web.paths == ["/robots.txt"]
    assert fetched(report) == {"robots_forbid": 1}
    assert story.last_error == "robots.txt: “Disallow: /news/”"
    assert report.quarantined == 1
    assert story.quarantined_at is not None


def test_crawl_keeps_the_robots_of_a_host_that_takes_longer_than_others(web, paper):
    async def slow(request, writer):
        await asyncio.sleep(0.3)
        await page()(request, writer)

    web.routes |= {"slow.example/a": slow, "/b": page(), "/robots.txt": robots("# none")}
    add_page(paper, "http://slow.example/a", NOW)
    add_page(paper, "http://quick.example/b", NOW)

    report = crawl(NOW)

    assert fetched(report) == {"ok": 2}
    stored = dict(Host.objects.values_list("name", "robots_body"))
    assert stored == {"slow.example": "# none", "quick.example": "# none"}
    assert Fetch.objects.filter(page=None).count() == 2


def test_crawl_takes_the_stories_of_a_feed_that_comes_last(web, paper, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 0

    async def slow(request, writer):
        await asyncio.sleep(0.3)
        await rss(("http://slow.example/story", "1"))(request, writer)

    web.routes |= {"slow.example/feed": slow, "/b": page(), "/story": page("<p>Rain.</p>")}
    add_feed(paper, "http://slow.example/feed", NOW)
    add_page(paper, "http://quick.example/b", NOW)

    # The quick host ends first, and nothing else is due then.
    assert fetched(crawl(NOW)) == {"ok": 3}


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_crawl_goes_on_where_there_is_no_robots(web, paper, status):
    web.routes |= {"/robots.txt": answer(b"", status), "/a": page()}
    add_page(paper, "http://karoo.example/a", NOW)

    assert fetched(crawl(NOW)) == {"ok": 1}


def test_crawl_waits_where_robots_cannot_be_had(web, paper):
    web.routes |= {"/robots.txt": answer(b"", 503, (("Retry-After", "600"),)), "/a": page()}
    story = add_page(paper, "http://karoo.example/a", NOW)

    report = crawl(NOW)

    story.refresh_from_db()
    host = Host.objects.get()
    assert web.paths == ["/robots.txt"]
    assert fetched(report) == {"server_error": 1}
    assert story.quarantined_at is None
    assert host.next_reason == "The server asked for 10 min (Retry-After)."
    assert host.robots_fetched_at is None


def test_crawl_uses_an_old_robots_where_a_new_one_cannot_be_had(web, paper):
    web.routes |= {"/robots.txt": robots("User-agent: *\nDisallow: /private"), "/a": page()}
    add_page(paper, "http://karoo.example/a", NOW)
    crawl(NOW)
    web.routes["/robots.txt"] = answer(b"", 500)
    web.routes["/b"] = page()
    later = NOW + timedelta(days=3)
    add_page(paper, "http://karoo.example/b", later)

    assert fetched(crawl(later)) == {"ok": 1}


def test_crawl_of_a_missing_page_puts_it_aside_at_once(web, paper):
    story = add_page(paper, STORY, NOW)

    report = crawl(NOW)

    story.refresh_from_db()
    assert (fetched(report), report.quarantined) == ({"not_found": 1}, 1)
    assert (story.outcome, story.attempts) == ("not_found", 1)
    assert story.last_error == "The server answered 404 Status."
    assert Host.objects.get().failures == 0


def test_crawl_tries_a_failing_page_three_times_ever_later(web, paper):
    web.routes["/a"] = answer(b"", 500)
    story = add_page(paper, "http://karoo.example/a", NOW)
    moments = []

    now = NOW
    for _ in range(3):
        crawl(now)
        story.refresh_from_db()
        moments.append(story.due_at)
        assert crawl(now).n_claimed == 0
        now = max(story.due_at, Host.objects.get().next_at) + timedelta(seconds=1)

    waits = [round((moment - NOW).total_seconds()) for moment in moments]
    assert waits[0] in range(60, 70)
    assert waits[1] in range(360, 380)
    assert story.quarantined_at is not None
    assert (story.outcome, story.attempts) == ("server_error", 3)
    assert story.due_reason == "Attempt 3 of 3: The server answered 500 Status."
    planned = (
        Fetch.objects.filter(page=story).order_by("pk").values_list("next_visit_at", flat=True)
    )
    assert list(planned) == [moments[0], moments[1], None]
    assert web.paths.count("/a") == 3


@pytest.mark.parametrize("status", [429, 503])
def test_crawl_asks_nothing_of_a_host_before_retry_after(web, paper, status):
    web.routes |= {"/a": answer(b"", status, (("Retry-After", "120"),)), "/b": page()}
    story = add_page(paper, "http://karoo.example/a", NOW)
    add_page(paper, "http://karoo.example/b", NOW + timedelta(seconds=1))

    crawl(NOW)
    idle = crawl(NOW + timedelta(seconds=119))
    web.routes["/a"] = page()
    after = crawl(NOW + timedelta(seconds=130))

    story.refresh_from_db()
    host = Host.objects.get()
    assert idle.n_claimed == 0
    assert fetched(after) == {"ok": 1}
    assert web.paths[:2] == ["/robots.txt", "/a"]
    assert len(web.paths) == 3
    assert story.attempts == 0
    assert host.failures == 0


def test_crawl_does_not_count_being_limited_against_the_page(web, paper):
    web.routes["/a"] = answer(b"", 429, (("Retry-After", "60"),))
    story = add_page(paper, "http://karoo.example/a", NOW)

    now = NOW
    for _ in range(5):
        crawl(now)
        now = Host.objects.get().next_at + timedelta(seconds=1)

    story.refresh_from_db()
    assert web.paths.count("/a") == 5
    assert (story.attempts, story.quarantined_at) == (0, None)
    assert Host.objects.get().blocked_since is not None


def test_crawl_asks_one_page_of_a_host_in_a_turn(web, paper):
    web.routes |= {"/a": page("a"), "/b": page("b")}
    for name in "ab":
        add_page(paper, f"http://karoo.example/{name}", NOW)

    first = crawl(NOW)
    too_soon = crawl(NOW + timedelta(seconds=4))
    second = crawl(NOW + timedelta(seconds=10))

    assert (first.n_claimed, too_soon.n_claimed, second.n_claimed) == (1, 0, 1)


def test_crawl_without_delays_asks_all_pages_in_one_turn(web, paper, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    web.routes |= {f"/{n}": page(f"{n}") for n in range(6)}
    for n in range(6):
        add_page(paper, f"http://karoo.example/{n}", NOW)

    report = crawl(NOW)

    assert fetched(report) == {"ok": 6}
    assert len(web.paths) == 7


def test_crawl_without_delays_still_keeps_a_crawl_delay(web, paper, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    web.routes |= {f"/{n}": page(f"{n}") for n in range(3)}
    web.routes["/robots.txt"] = robots("User-agent: *\nCrawl-delay: 20")
    for n in range(3):
        add_page(paper, f"http://karoo.example/{n}", NOW)

    first = crawl(NOW)
    waiting = Page.objects.filter(outcome="")

    assert fetched(first) == {"ok": 1}
    assert [(row.lease_owner, row.attempts) for row in waiting] == [("", 0), ("", 0)]
    assert Host.objects.get().next_reason == "Crawl-delay of 20 s in robots.txt."
    assert crawl(NOW + timedelta(seconds=19)).n_claimed == 0


def test_crawl_takes_the_publications_own_delay(web):
    paper = make_paper(NOW, min_delay_seconds=60)
    web.routes["/a"] = page()
    add_page(paper, "http://karoo.example/a", NOW)

    crawl(NOW)

    assert Host.objects.get().next_at >= NOW + timedelta(seconds=60)


def needs_browser(request, writer):
    is_browser = request.headers["user-agent"].startswith("Mozilla/5.0")
    return (page() if is_browser else answer(b"Access denied", 403))(request, writer)


def test_crawl_looks_like_a_browser_only_where_the_editor_permits_it(web):
    paper = make_paper(NOW, allow_browser_agent=True)
    web.routes |= {"/a": needs_browser, "/b": needs_browser}
    story = add_page(paper, "http://karoo.example/a", NOW)
    add_page(paper, "http://karoo.example/b", NOW + timedelta(hours=1))

    first = crawl(NOW)
    second = crawl(NOW + timedelta(seconds=10))
    third = crawl(NOW + timedelta(hours=1))

    agents = [request.headers["user-agent"][:10] for request in web.requests[1:]]
    story.refresh_from_db()
    assert [fetched(report) for report in (first, second, third)] == [
        {"forbidden": 1},
        {"ok": 1},
        {"ok": 1},
    ]
    assert agents == ["Broadsheet", "Mozilla/5.", "Mozilla/5."]
    assert (story.outcome, story.attempts) == ("ok", 0)
    assert Host.objects.get().needs_browser_agent


def test_crawl_takes_no_for_an_answer_where_the_editor_permits_nothing(web, paper):
    web.routes["/a"] = needs_browser
    add_page(paper, "http://karoo.example/a", NOW)

    crawl(NOW)
    crawl(NOW + timedelta(seconds=70))

    agents = {request.headers["user-agent"][:10] for request in web.requests}
    assert agents == {"Broadsheet"}
    assert not Host.objects.get().needs_browser_agent


def test_crawl_that_a_browser_name_does_not_help_fails_as_others_do(web):
    paper = make_paper(NOW, allow_browser_agent=True)
    web.routes["/a"] = answer(b"no", 403)
    story = add_page(paper, "http://karoo.example/a", NOW)

    crawl(NOW)
    crawl(NOW + timedelta(seconds=10))

    story.refresh_from_db()
    assert (story.outcome, story.attempts) == ("forbidden", 1)
    assert web.paths.count("/a") == 2


def test_crawl_notices_a_bot_guard(web, paper):
    web.routes["/a"] = page("<title>Just a moment...</title><script>window._cf_chl_opt={}")
    add_page(paper, "http://karoo.example/a", NOW)

    crawl(NOW)

    host = Host.objects.get()
    assert host.block_reason == "Cloudflare answered instead of the site (200)."
    assert host.blocked_since is not None
    assert host.next_at >= NOW + timedelta(minutes=10)


LOG_IN = "<form action='/in'><input name='user'><input type='password' name='word'></form>"


ACCOUNT = (
    " It asks for a name and a password: articles for subscribers are read with an account of "
    "yours, entered under “Accounts” on the newspaper’s page."
)


@pytest.mark.parametrize(("shown", "advice"), [("<h1>News</h1>", ""), (LOG_IN, ACCOUNT)])
def test_fetch_says_where_an_article_has_led_and_what_that_asks_for(web, paper, shown, advice):
    story = add_page(paper, STORY, NOW)
    web.routes["/news/rain-falls-on-the-karoo-at-last"] = redirect("/login")
    web.routes["/login"] = page(shown)

    crawl(NOW)

    said = "The address leads to http://karoo.example/login, which is no article."
    assert Fetch.objects.get(page=story).error == said + advice


def test_crawl_of_an_address_that_leads_to_a_section_is_no_article(web, paper):
    story = add_page(paper, STORY, NOW)
    web.routes["/news/rain-falls-on-the-karoo-at-last"] = redirect("/news")
    web.routes["/news"] = page("<h1>News</h1>")

    report = crawl(NOW)

    story.refresh_from_db()
    assert fetched(report) == {"redirected_to_section": 1}
    assert (story.content_digest, report.next_ids["pages"]) == ("", ())
    assert Fetch.objects.get(page=story).hops == [[302, STORY]]


def test_crawl_reads_the_robots_of_a_host_that_a_redirect_leads_to(web, paper):
    web.routes |= {
        "karoo.example/a": redirect("http://other.example/private/a"),
        "other.example/robots.txt": robots("User-agent: *\nDisallow: /private"),
        "other.example/private/a": page(),
    }
    story = add_page(paper, "http://karoo.example/a", NOW)

    report = crawl(NOW)

    story.refresh_from_db()
    assert fetched(report) == {"robots_forbid": 1}
    assert web.asked("other.example") == ["/robots.txt"]
    assert Host.objects.get(name="other.example").robots_body.endswith("/private")


def test_crawl_counts_a_redirect_against_the_other_hosts_budget(web, paper):
    web.routes |= {"karoo.example/a": redirect("http://other.example/a"), "other.example/a": page()}
    add_page(paper, "http://karoo.example/a", NOW)
    other = add_page(paper, "http://other.example/b", NOW + timedelta(seconds=1))

    crawl(NOW)

    assert other.host.name == "other.example"
    assert crawl(NOW + timedelta(seconds=3)).n_claimed == 0


def test_crawl_of_an_unchanged_document_stores_its_body_once(web, paper):
    body = "<p>Rain.</p>" * 500
    web.routes["/a"] = page(body)
    story = add_page(paper, "http://karoo.example/a", NOW)
    crawl(NOW)
    Page.objects.update(due_at=NOW + timedelta(days=2))

    again = crawl(NOW + timedelta(days=2))

    first, second = Fetch.objects.filter(page=story).order_by("started_at")
    story.refresh_from_db()
    assert again.next_ids["pages"] == ()
    assert story.content_fetch == first
    assert read_exchange(second).kind == "revisit"
    assert read_exchange(second).body == body.encode()


def test_crawl_by_a_worker_that_lost_its_lease_has_no_effect(web, paper):
    web.routes["/a"] = page()
    story = add_page(paper, "http://karoo.example/a", NOW)
    tally = crawl_module._Tally("slow")

    for harvest in harvests(10, Claim("slow", NOW, timedelta(seconds=60))):
        Page.objects.update(lease_owner="quick")
        crawl_module._record(harvest, tally)

    story.refresh_from_db()
    assert (story.lease_owner, story.outcome) == ("quick", "")
    assert Fetch.objects.filter(page=story).count() == 0
    assert (tally.page_ids, dict(tally.fetched)) == ([], {})


def visit_while(act):
    """Visit what is due; something is said of the pages before their visits are written."""
    tally = crawl_module._Tally("tester")
    for harvest in harvests(10, Claim("tester", NOW, timedelta(seconds=60))):
        act()
        crawl_module._record(harvest, tally)


@pytest.mark.parametrize("status", [200, 404, 500])
def test_page_that_is_asked_for_during_its_visit_is_visited_again(web, paper, settings, status):
    settings.MAX_ATTEMPTS = 1
    web.routes["/a"] = answer(b"", status)
    story = add_page(paper, "http://karoo.example/a", NOW)

    visit_while(lambda: Page.objects.reschedule(NOW, due_reason="asked for", attempts=0))

    story.refresh_from_db()
    assert (story.due_at, story.due_reason, story.lease_owner) == (NOW, "asked for", "")
    assert (story.quarantined_at, story.attempts, story.visited_at is not None) == (None, 0, True)


def test_feed_that_is_switched_off_during_its_visit_stays_off(web, paper):
    web.routes["/feed"] = rss(("http://karoo.example/a", "1"))
    feed = add_feed(paper, "http://karoo.example/feed", NOW)

    visit_while(lambda: set_feed_active(feed, is_active=False, now=NOW))

    feed.page.refresh_from_db()
    assert (feed.page.due_at, feed.page.due_reason) == (None, "switched off")


def test_page_whose_attempts_were_taken_back_is_given_back_without_a_visit(paper):
    story = add_page(paper, "http://karoo.example/a", NOW)
    leases.claim(Page.objects.all(), 1, Claim("tester", NOW, timedelta(seconds=60)))
    Page.objects.reschedule(NOW, attempts=0)

    give_back([story], "tester")

    story.refresh_from_db()
    assert (story.attempts, story.lease_owner, story.due_at) == (0, "", NOW)


def test_crawl_on_a_disk_that_refuses_gives_everything_back(web, paper, settings, tmp_path):
    (tmp_path / "full").write_text("no folder")
    settings.ARCHIVE_DIR = tmp_path / "full"
    web.routes |= {"/a": page(), "/robots.txt": robots("User-agent: *\nCrawl-delay: 20")}
    story = add_page(paper, "http://karoo.example/a", NOW)

    with pytest.raises(OSError, match="full"):
        crawl(NOW)

    story.refresh_from_db()
    assert (story.lease_owner, story.attempts, story.outcome) == ("", 0, "")
    host = Host.objects.get()
    assert host.lease_owner == ""
    assert host.next_at >= NOW + timedelta(seconds=20)  # it was asked, whatever became of that
    settings.ARCHIVE_DIR = tmp_path / "good"
    assert fetched(crawl(NOW)) == {}
    assert fetched(crawl(host.next_at)) == {"ok": 1}


def test_crawl_keeps_a_page_that_breaks_us_from_the_others(web, paper):
    web.routes |= {"/feed": page(), "/b": page()}
    # A page that calls itself a feed and has no row of one: our own mistake.
    broken = add_page(paper, "http://one.example/feed", NOW, PageKind.FEED)
    good = add_page(paper, "http://two.example/b", NOW)

    report = crawl(NOW)

    broken.refresh_from_db()
    good.refresh_from_db()
    assert (good.outcome, report.next_ids["pages"]) == ("ok", (good.pk,))
    assert (broken.outcome, broken.attempts) == ("", 1)
    assert broken.last_error.startswith("KeyError")
    assert Host.objects.filter(lease_owner="").count() == 2
    assert Host.objects.filter(next_at__gte=NOW + timedelta(seconds=5)).count() == 2


def test_crawl_of_a_private_address_is_refused_behind_the_proxy(web, paper):
    story = add_page(paper, "http://10.0.0.1/admin", NOW)

    report = crawl(NOW)

    story.refresh_from_db()
    assert fetched(report) == {"private_address": 1}
    assert story.last_error == "The address 10.0.0.1 is private."
    assert web.n_connections == 0


def test_crawl_claims_nothing_of_a_paused_paper(web, paper):
    paper.state = "paused"
    paper.save()
    add_page(paper, STORY, NOW)

    assert crawl(NOW).n_claimed == 0


def test_crawl_outcomes_are_all_words_of_the_list(web, paper):
    web.routes["/a"] = answer(b"", 418)
    add_page(paper, "http://karoo.example/a", NOW)

    assert set(fetched(crawl(NOW))) <= {outcome.value for outcome in Outcome}


def test_crawl_statements_do_not_grow_with_the_pages(
    web, paper, settings, django_assert_max_num_queries
):
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    web.routes |= {f"/{n}": page(f"{n}") for n in range(8)}
    for host in range(8):
        for n in range(2):
            add_page(paper, f"http://paper-{host}.example/{n}", NOW)
    add_feed(paper, "http://paper-0.example/feed", NOW)

    with django_assert_max_num_queries(110):
        report = crawl(NOW)

    assert fetched(report)["ok"] == 16
