"""Pages visited again: planned, below the ceiling, asked for, and after their host's trouble."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from integration.feeds.newspapers import add_feed, add_page, crawl, fetched, make_paper
from integration.feeds.origin import answer, page
from killed_work import is_killed_at

from feeds import revisits
from feeds.frontier import claim_turns
from feeds.models import Fetch, Host, Page, PageKind, VisitFinding
from feeds.planning import ceiling
from feeds.sources.publications import pause
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STORY = "http://karoo.example/news/rain-falls-on-the-karoo-at-last"
PATH = "/news/rain-falls-on-the-karoo-at-last"
HTML = "text/html; charset=utf-8"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0
    settings.MAX_ATTEMPTS = 3


@pytest.fixture
def paper():
    return make_paper(NOW)


@pytest.fixture
def story(web, paper):
    """A story that was fetched when it was new."""
    web.routes[PATH] = tagged("<p>Rain.</p>", '"1"')
    row = add_page(paper, STORY, NOW)
    crawl(NOW)
    row.refresh_from_db()
    return row


def tagged(text, tag):
    """Answer as a server does that knows conditional requests."""

    async def give(request, writer):
        is_known = request.headers.get("if-none-match") == tag
        headers = (("ETag", tag), ("Content-Type", HTML))
        status = 304 if is_known else 200
        await answer(b"" if is_known else text.encode(), status, headers)(request, writer)

    return give


def stubborn(text, tag, content_type=HTML):
    """Answer "not modified" to every conditional request, whatever has changed."""

    async def give(request, writer):
        is_conditional = "if-none-match" in request.headers
        headers = (("ETag", tag), ("Content-Type", content_type))
        status = 304 if is_conditional else 200
        body = b"" if is_conditional else text.encode()
        await answer(body, status, headers)(request, writer)

    return give


def make_rows(paper, urls, **changes):
    """Add pages that were visited once, with their columns changed."""
    rows = [add_page(paper, url, NOW) for url in urls]
    Page.objects.filter(pk__in=[row.pk for row in rows]).update(**changes)
    return rows


# --- The plan -------------------------------------------------------------------------------------


def test_page_is_visited_at_the_ages_of_the_plan(story, web):
    visits = []
    while story.due_at:
        visits.append((round((story.due_at - NOW) / HOUR), story.due_reason.split(",")[0]))
        crawl(story.due_at)
        story.refresh_from_db()

    assert [words for _, words in visits] == [
        "planned: four hours after publication",
        "planned: a day after publication",
        "planned: a week after publication",
        "planned: a month after publication",
    ]
    assert [age <= hours <= age * 1.11 for age, (hours, _) in zip([4, 24, 168, 720], visits)]  # noqa: B905
    assert (story.purpose, story.due_reason) == ("", "")
    assert web.asked("karoo.example").count(PATH) == 5


def test_hurried_plan_makes_the_same_visits_by_a_faster_clock(web, paper, settings):
    settings.CRAWL_VISIT_HURRY = 3600
    settings.CRAWL_MIN_DELAY_SECONDS = 0.0
    web.routes[PATH] = tagged("<p>Rain.</p>", '"1"')
    page = add_page(paper, STORY, NOW)
    crawl(NOW)

    seconds, reasons = [], []
    for _ in range(20):
        page.refresh_from_db()
        if page.due_at is None:
            break
        seconds.append((page.due_at - NOW).total_seconds())
        reasons.append(page.due_reason)
        crawl(page.due_at)

    assert [
        age <= waited <= age * 1.1 for age, waited in zip((4, 24, 168, 720), seconds, strict=True)
    ] == ([True] * 4)
    assert reasons[0] == (
        "planned: four hours after publication, no visit at this age is known yet"
        " (hurried 3\u202f600 times)"
    )
    counts = VisitFinding.objects.order_by("age_hours").values_list("age_hours", "n_visits")
    assert list(counts) == [(4, 1), (24, 1), (168, 1), (720, 1)]


def test_visit_says_why_it_was_made_and_what_it_found(story, web):
    crawl(NOW + 5 * HOUR)
    web.routes[PATH] = tagged("<p>Rain.</p>", '"2"')
    story.refresh_from_db()
    crawl(story.due_at)
    web.routes[PATH] = tagged("<p>Rain, hail.</p>", '"3"')
    story.refresh_from_db()
    crawl(story.due_at)

    rows = Fetch.objects.filter(page=story).order_by("pk")
    assert [(row.status, row.found, row.visit_reason.partition(",")[0]) for row in rows] == [
        (200, "", ""),
        (304, "not_modified", "planned: four hours after publication"),
        (200, "same_bytes", "planned: a day after publication"),
        (200, "", "planned: a week after publication"),
    ]
    found = VisitFinding.objects.values_list("age_hours", "n_visits", "n_changed")
    assert list(found) == [(4, 1, 0), (24, 1, 0)]


def test_new_document_goes_on_and_an_equal_one_does_not(story, web):
    assert crawl(NOW + 5 * HOUR).next_ids["pages"] == ()
    web.routes[PATH] = tagged("<p>Rain, hail.</p>", '"2"')

    assert crawl(NOW + 26 * HOUR).next_ids["pages"] == (story.pk,)


def test_publication_that_wants_no_visits_gets_none(web):
    paper = make_paper(NOW, visit_share=0)
    web.routes[PATH] = page()
    row = add_page(paper, STORY, NOW)

    crawl(NOW)

    row.refresh_from_db()
    assert (row.due_at, row.purpose) == (None, "")


def test_copy_of_a_web_archive_is_visited_once(web, paper):
    path = "/web/20200101000000id_/http://karoo.example/a-story-of-rain"
    web.routes[path] = page()
    row = add_page(paper, f"http://web.archive.org{path}", NOW)

    crawl(NOW)

    row.refresh_from_db()
    assert (row.outcome, row.due_at) == ("ok", None)


def test_old_page_is_left_alone(web, paper):
    web.routes[PATH] = page()
    row = add_page(paper, STORY, NOW)
    Page.objects.update(feed_published_at=NOW - 60 * DAY)

    crawl(NOW)

    row.refresh_from_db()
    assert row.due_at is None


def test_date_that_is_read_from_the_page_corrects_the_plan(story):
    assert revisits.correct_dates({story.pk: NOW - 10 * DAY}, NOW + HOUR) == 1
    story.refresh_from_db()
    assert timedelta(days=20) <= story.due_at - NOW <= timedelta(days=23)

    assert revisits.correct_dates({story.pk: NOW - 100 * DAY}, NOW + HOUR) == 1
    story.refresh_from_db()
    assert (story.due_at, story.purpose) == (None, "")


def test_failed_visit_leaves_the_article_and_goes_on_to_the_next_age(story, web):
    del web.routes[PATH]

    crawl(story.due_at)

    story.refresh_from_db()
    assert (story.outcome, story.quarantined_at, story.purpose) == ("not_found", None, "planned")
    assert story.due_reason.startswith("planned: a day after publication")
    assert story.content_digest


def test_page_that_is_gone_is_not_visited_again(story, web):
    web.routes[PATH] = answer(b"gone", 410)

    crawl(story.due_at)

    story.refresh_from_db()
    assert (story.outcome, story.quarantined_at, story.due_at) == ("gone", None, None)


@pytest.mark.django_db(transaction=True)
def test_visit_killed_at_any_statement_is_made_once(web):
    n_killed = 0
    for n_statements in range(1, 60):
        paper = make_paper(NOW, slug=f"paper-{n_statements}")
        web.routes[f"/{n_statements}"] = tagged("<p>Rain.</p>", '"1"')
        row = add_page(paper, f"http://p{n_statements}.example/{n_statements}", NOW)
        crawl(NOW)
        row.refresh_from_db()
        moment = row.due_at
        n_before = VisitFinding.objects.filter(publication=paper).count()

        n_killed += is_killed_at(n_statements, lambda moment=moment: crawl(moment, "killed"))
        later = moment + timedelta(minutes=30)
        crawl(later, "next")

        row.refresh_from_db()
        finding = VisitFinding.objects.get(publication=paper)
        assert (n_before, finding.n_visits) == (0, 1)
        assert Fetch.objects.filter(page=row, found="not_modified").count() == 1
        assert (row.lease_owner, row.purpose) == ("", "planned")
        assert row.due_reason.startswith("planned: a day")
        Page.objects.filter(pk=row.pk).delete()
    assert n_killed > 5


# --- The ceiling ----------------------------------------------------------------------------------


def turn_pages(now):
    return [page.url for turn in claim_turns(5, 8, Claim("t", now, HOUR)) for page in turn.pages]


def test_planned_visits_come_behind_new_pages_of_the_host(paper):
    make_rows(paper, [f"http://karoo.example/old-{n}" for n in range(3)], purpose="planned")
    Page.objects.update(due_at=NOW - HOUR)
    add_page(paper, "http://karoo.example/new", NOW)

    assert turn_pages(NOW) == ["http://karoo.example/new"]


def test_visits_keep_their_share_of_a_hosts_requests(web, paper, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    n_new, n_known = 60, 120
    for n in range(n_known):
        web.routes[f"/old-{n}"] = web.routes[f"/new-{n}"] = page(f"<p>{n}</p>")
    make_rows(paper, [f"http://karoo.example/old-{n}" for n in range(n_known)], purpose="planned")
    Page.objects.update(due_at=NOW + HOUR)
    for n in range(n_new):
        add_page(paper, f"http://karoo.example/new-{n}", NOW)

    crawl(NOW + HOUR)
    crawl(NOW + HOUR)

    n_visits = sum(path.startswith("/old") for path in web.paths)
    assert sum(path.startswith("/new") for path in web.paths) == n_new
    assert n_visits == n_new  # half of all
    host = Host.objects.get()
    assert (host.n_requests, host.n_visits) == (n_new * 2, n_visits)
    assert host.visits_from == datetime(2026, 11, 21, tzinfo=UTC)


def test_quiet_host_is_visited_a_little_all_the_same(web, paper, settings):
    settings.CRAWL_MIN_DELAY_SECONDS = 0
    web.routes |= {f"/old-{n}": page(f"<p>{n}</p>") for n in range(40)}
    make_rows(
        paper,
        [f"http://karoo.example/old-{n}" for n in range(40)],
        purpose="planned",
        due_at=NOW + 17 * HOUR,
    )
    crawl(NOW + 17 * HOUR)
    assert len(web.paths) - 1 == ceiling.QUIET_VISITS  # robots.txt apart

    crawl(NOW + 18 * HOUR)

    assert len(web.paths) - 1 == 40  # another day


@given(st.lists(st.booleans(), max_size=300), st.floats(0.05, 0.9))
def test_share_holds_at_every_moment(is_visit, share):
    class Paper:
        visit_share = share

    host = Host(name="karoo.example")
    new, known = Page(purpose=""), Page(purpose="planned")
    new._state.fields_cache["publication"] = known._state.fields_cache["publication"] = Paper
    for wanted in is_visit:
        may_visit = host.visits_from is None
        ceiling.count(host, [known if wanted and may_visit else new], NOW)
        assert host.n_visits <= max(ceiling.QUIET_VISITS, share * host.n_requests)


def test_late_visit_goes_on_to_the_next_age(story, web):
    n_requests = len(web.paths)

    crawl(NOW + 30 * HOUR)
    revisits.pending(100, NOW + 30 * HOUR)

    story.refresh_from_db()
    assert len(web.paths) == n_requests
    assert story.due_reason.startswith("planned: a week after publication")
    assert story.due_reason.endswith("the one before was late")


def test_visits_of_a_publication_that_wants_none_any_more_are_dropped(story, paper):
    paper.visit_share = 0
    paper.save()

    revisits.pending(100, story.due_at)

    story.refresh_from_db()
    assert (story.due_at, story.purpose) == (None, "")


# --- "Not modified" for ever ----------------------------------------------------------------------


def test_whole_page_is_asked_for_after_a_week_of_not_modified(story, web):
    web.routes[PATH] = stubborn("<p>Rain, hail.</p>", '"1"')

    while story.due_at:
        crawl(story.due_at)
        story.refresh_from_db()

    rows = Fetch.objects.filter(page=story).order_by("pk")
    assert [row.status for row in rows] == [200, 304, 304, 200, 200]
    # The first whole answer told of the change; the next one is the same.
    assert [row.found for row in rows][3:] == ["", "same_bytes"]


def test_feed_that_is_never_modified_is_asked_whole_once_a_week(web, paper):
    feed = add_feed(paper, "http://karoo.example/feed", NOW)
    document = "<rss version='2.0'><channel><title>Karoo</title></channel></rss>"
    web.routes["/feed"] = stubborn(document, '"f"', "application/rss+xml")
    crawl(NOW)

    for days in (1, 6, 8, 9):
        Page.objects.filter(pk=feed.page_id).update(due_at=NOW + days * DAY)
        crawl(NOW + days * DAY)

    asked = [
        "if-none-match" in request.headers for request in web.requests if request.path == "/feed"
    ]
    assert asked == [False, True, True, False, True]


# --- Asked for ------------------------------------------------------------------------------------


def test_page_that_is_asked_for_comes_at_once_and_above_the_ceiling(story, web):
    Host.objects.update(visits_from=NOW + DAY)
    crawl(NOW + HOUR)

    assert revisits.fetch_again([story.pk], NOW + HOUR, "asked for by Gogo") == 1
    crawl(NOW + HOUR)

    row = Fetch.objects.filter(page=story).latest("pk")
    assert (row.visit_reason, row.found) == ("asked for by Gogo", "not_modified")
    story.refresh_from_db()
    assert story.purpose == "planned"


def test_who_asks_once_more_after_not_modified_gets_the_whole_page(story, web):
    web.routes[PATH] = stubborn("<p>Rain, hail.</p>", '"1"')
    for hours in (1, 2):
        revisits.fetch_again([story.pk], NOW + hours * HOUR, "asked")
        crawl(NOW + hours * HOUR)

    rows = Fetch.objects.filter(page=story).order_by("pk")
    assert [row.status for row in rows] == [200, 304, 200]


def test_page_that_was_put_aside_comes_back_when_asked_for(web, paper):
    row = add_page(paper, STORY, NOW)
    crawl(NOW)
    row.refresh_from_db()
    assert row.quarantined_at
    web.routes[PATH] = page()

    revisits.fetch_again([row.pk], NOW + HOUR, "asked")

    assert fetched(crawl(NOW + HOUR)) == {"ok": 1}


def test_wish_that_comes_while_the_page_is_visited_stands(story):
    claim_turns(1, 1, Claim("slow", story.due_at, HOUR))
    revisits.fetch_again([story.pk], story.due_at, "asked")

    crawl(story.due_at + 2 * HOUR, "next")

    assert Fetch.objects.filter(page=story).latest("pk").visit_reason == "asked"


def test_wishes_and_new_pages_take_turns(paper):
    known = make_rows(paper, [f"http://karoo.example/old-{n}" for n in range(4)], due_at=None)
    revisits.fetch_again([row.pk for row in known], NOW - HOUR, "asked")
    for n in range(4):
        add_page(paper, f"http://karoo.example/new-{n}", NOW)

    order = []
    for n_requests in range(4):
        Host.objects.update(n_requests=n_requests, lease_until=None, lease_owner="")
        turn = claim_turns(1, 1, Claim(f"t{n_requests}", NOW, HOUR))[0]
        order.append(turn.pages[0].purpose)

    assert order == ["asked", "", "asked", ""]


def test_thread_that_was_asked_for_goes_on_as_before(web, paper):
    thread = add_page(paper, "http://disqus.example/embed/comments/?f=x", NOW, PageKind.COMMENTS)
    web.routes["/embed/comments/"] = page("<p>Nothing here.</p>")
    revisits.fetch_again([thread.pk], NOW, "asked")

    crawl(NOW)

    thread.refresh_from_db()
    assert (thread.purpose, thread.due_at > NOW) == ("", True)


def test_addresses_are_known_by_their_canonical_form(story):
    found = revisits.known_addresses([f"{STORY}?utm_source=x#top", "nonsense", f"{STORY}-2"])

    assert [item.page for item in found] == [story, None, None]


# --- After a host's trouble -----------------------------------------------------------------------


def test_pages_put_aside_while_their_host_refused_come_back_when_it_answers(web, paper):
    rows = [add_page(paper, f"http://articles.example/story-{n}", NOW) for n in range(4)]
    web.routes |= {f"/story-{n}": answer(b"no", 403) for n in range(3)}
    moment = NOW
    while Page.objects.quarantined().count() < len(rows):
        moment += timedelta(minutes=1)
        crawl(moment)
    web.routes |= {f"/story-{n}": page(f"<p>{n}</p>") for n in range(3)}
    add_page(paper, "http://articles.example/later", moment)
    web.routes["/later"] = page("<p>Later.</p>")

    for _ in range(60):
        moment += timedelta(minutes=1)
        crawl(moment)

    outcomes = dict(Page.objects.values_list("url", "outcome"))
    assert outcomes == {
        "http://articles.example/story-0": "ok",
        "http://articles.example/story-1": "ok",
        "http://articles.example/story-2": "ok",
        "http://articles.example/story-3": "not_found",
        "http://articles.example/later": "ok",
    }
    assert Page.objects.quarantined().count() == 1
    # What fails for itself was not asked again.
    assert web.paths.count("/story-3") == 1


def test_host_without_anything_new_is_tried_by_one_of_its_pages(web, paper):
    for n in range(5):
        add_page(paper, f"http://articles.example/story-{n}", NOW)
    web.routes |= {f"/story-{n}": answer(b"down", 503) for n in range(5)}
    moment = NOW
    while Page.objects.quarantined().count() < 5:
        moment += timedelta(minutes=5)
        crawl(moment)
        revisits.pending(100, moment)
    n_requests = len(web.paths)
    web.routes |= {f"/story-{n}": page(f"<p>{n}</p>") for n in range(5)}

    end = moment + DAY
    while moment < end:
        moment += timedelta(minutes=20)
        revisits.pending(100, moment)
        crawl(moment)

    assert Page.objects.quarantined().count() == 0
    assert len(web.paths) - n_requests <= 7


def test_page_refused_among_others_that_answer_is_tried_ever_more_rarely(web, paper):
    add_page(paper, "http://karoo.example/members-only", NOW)
    web.routes["/members-only"] = answer(b"no", 403)
    web.routes["/other"] = page()
    other = add_page(paper, "http://karoo.example/other", NOW)

    for hours in range(1, 24 * 20, 4):
        moment = NOW + hours * HOUR
        Page.objects.filter(pk=other.pk).update(due_at=moment, purpose="asked")
        revisits.pending(100, moment)
        crawl(moment)

    assert web.paths.count("/members-only") <= 12


def test_page_of_a_paused_publication_stays_aside(web, paper):
    row = add_page(paper, STORY, NOW)
    Page.objects.update(quarantined_at=NOW, outcome="forbidden", visited_at=NOW, due_at=None)
    Host.objects.update(troubled_since=NOW, failures=5)
    pause(paper, NOW)

    assert revisits.pending(100, NOW + DAY) == 0
    row.refresh_from_db()
    assert row.quarantined_at == NOW


# --- Pages that robots.txt forbade ----------------------------------------------------------------


def robots(text):
    return answer(text.encode(), 200, (("Content-Type", "text/plain"),))


def test_page_that_robots_forbade_comes_back_when_it_permits(web, paper):
    web.routes |= {"/news/a": page("<p>A</p>"), "/x/b": page("<p>B</p>")}
    web.routes["/robots.txt"] = robots("User-agent: *\nDisallow: /news/\nDisallow: /x/")
    for path in ("/news/a", "/x/b"):
        add_page(paper, f"http://karoo.example{path}", NOW)
    crawl(NOW)
    crawl(NOW + HOUR)
    assert Page.objects.quarantined().count() == 2
    web.routes["/robots.txt"] = robots("User-agent: *\nDisallow: /x/")
    web.routes["/c"] = page("<p>C</p>")
    add_page(paper, "http://karoo.example/c", NOW + 2 * DAY)

    crawl(NOW + 2 * DAY)
    crawl(NOW + 2 * DAY + HOUR)

    outcomes = dict(Page.objects.values_list("url", "outcome"))
    assert outcomes == {
        "http://karoo.example/news/a": "ok",
        "http://karoo.example/x/b": "robots_forbid",
        "http://karoo.example/c": "ok",
    }


def test_host_that_forbids_all_is_asked_for_its_robots_once_a_day(web, paper):
    web.routes |= {f"/news/{n}": page(f"<p>{n}</p>") for n in range(3)}
    web.routes["/robots.txt"] = robots("User-agent: *\nDisallow: /")
    for n in range(3):
        add_page(paper, f"http://karoo.example/news/{n}", NOW)
    # Not the whole hour: a doubted robots.txt is fresh for one, and a slow machine would step over.
    step = timedelta(minutes=59)
    for looks in range(72):
        crawl(NOW + looks * step)
        revisits.pending(100, NOW + looks * step)
    assert web.paths.count("/robots.txt") <= 4
    assert Page.objects.quarantined().count() >= 2
    web.routes["/robots.txt"] = robots("")

    for looks in range(72, 100):
        crawl(NOW + looks * step)
        revisits.pending(100, NOW + looks * step)

    assert set(Page.objects.values_list("outcome", flat=True)) == {"ok"}
