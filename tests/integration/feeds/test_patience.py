"""Pages that fail for themselves at hosts that answer: asked again for a month, ever less often."""

from datetime import UTC, datetime, timedelta

import pytest
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, answer, page, raw

from feeds.models import Host, Page

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
CUT_SHORT = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n<p>Maas is")
UNWELL = answer(b"unwell", 503)
FORBIDDEN = answer(b"no", 403)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def web(settings):
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        yield started


def n_tries(web):
    return web.paths.count("/ill")


def pass_by(web, paper, first, length):
    """Let hours go by in each of which another story of the host is fetched well."""
    now = first
    while now < first + length:
        web.routes[f"/{now:%d-%H}"] = page()
        add_page(paper, f"http://karoo.example/{now:%d-%H}", now)
        for minute in range(0, 60, 10):
            crawl(now + timedelta(minutes=minute))
        now += HOUR


@pytest.mark.parametrize("fault", [CUT_SHORT, UNWELL], ids=["a body cut short", "503"])
def test_page_that_failed_for_hours_is_fetched_when_it_is_well(web, fault):
    paper = make_paper(NOW)
    web.routes["/ill"] = fault
    story = add_page(paper, "http://karoo.example/ill", NOW)

    pass_by(web, paper, NOW, 3 * HOUR)
    n_while_ill = n_tries(web)
    web.routes["/ill"] = page()
    pass_by(web, paper, NOW + 3 * HOUR, 5 * HOUR)

    story.refresh_from_db()
    assert (story.outcome, story.quarantined_at) == ("ok", None)
    assert 4 <= n_while_ill <= 6  # three attempts, then at twice the age each time


def test_page_that_stays_ill_is_put_aside_after_a_month(web):
    paper = make_paper(NOW)
    web.routes["/ill"] = UNWELL
    story = add_page(paper, "http://karoo.example/ill", NOW - 20 * DAY)

    pass_by(web, paper, NOW, 2 * HOUR)
    patient = Page.objects.get(pk=story.pk)
    pass_by(web, paper, patient.due_at, HOUR)

    story.refresh_from_db()
    assert patient.quarantined_at is None
    assert patient.due_at >= NOW + 20 * DAY
    assert story.quarantined_at is not None


def test_page_that_is_forbidden_for_itself_is_put_aside_at_once(web):
    paper = make_paper(NOW)
    web.routes["/ill"] = FORBIDDEN
    story = add_page(paper, "http://karoo.example/ill", NOW)

    pass_by(web, paper, NOW, 2 * HOUR)

    story.refresh_from_db()
    assert story.quarantined_at is not None


def test_page_that_was_forbidden_before_its_host_refused_all_comes_back_with_the_others(web):
    paper = make_paper(NOW)
    web.routes["/ill"] = FORBIDDEN
    story = add_page(paper, "http://karoo.example/ill", NOW)
    pass_by(web, paper, NOW, 2 * HOUR)
    story.refresh_from_db()
    assert story.quarantined_at is not None

    for number in range(3):
        web.routes[f"/{number}"] = FORBIDDEN
        add_page(paper, f"http://karoo.example/{number}", NOW + 2 * HOUR)
    for hours in range(2, 12):
        crawl(NOW + hours * HOUR)
    assert Host.objects.get().blocked_since is not None
    web.routes |= {"/ill": page(), "/last": page()} | {f"/{number}": page() for number in range(3)}
    add_page(paper, "http://karoo.example/last", NOW + 12 * HOUR)
    for hours in range(12, 24):
        crawl(NOW + hours * HOUR)

    story.refresh_from_db()
    assert (story.outcome, story.quarantined_at) == ("ok", None)


def test_pages_of_a_host_that_refused_all_are_asked_for_until_they_are_let_through(web):
    paper = make_paper(NOW)
    paths = [f"/ill-{number}" for number in range(3)]
    for path in paths:
        web.routes[path] = FORBIDDEN
        add_page(paper, f"http://karoo.example{path}", NOW)

    pass_by(web, paper, NOW, 8 * HOUR)
    n_while_ill = max(web.paths.count(path) for path in paths)
    web.routes |= {path: page() for path in paths}
    pass_by(web, paper, NOW + 8 * HOUR, 12 * HOUR)

    stories = Page.objects.filter(url__contains="/ill-")
    assert set(stories.values_list("outcome", "quarantined_at")) == {("ok", None)}
    assert n_while_ill <= 10
