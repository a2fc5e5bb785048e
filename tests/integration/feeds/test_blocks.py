"""Hosts that refuse us: what is chosen, what the log says; accounts and where they are sent."""

import gzip
import io
from datetime import UTC, datetime, timedelta

import pytest
from factories import make_user
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, answer, page, redirect

from feeds.archive.fetches import read_exchange
from feeds.models import Account, AccountKind, Fetch, Host, HostDecision, Page, Proxy
from feeds.network import archive_folder, archive_writer

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
GUARD = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def other_way():
    """Make a proxy through which the host answers."""
    with Origin({"/a": page("<p>Rain.</p>")}) as started:
        yield started


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 5.0


@pytest.fixture
def admin(client):
    client.force_login(make_user("admin"), backend="corpus_site.accounts.backends.RoleBackend")
    return client


def decisions():
    return [(item.choice, item.reason) for item in HostDecision.objects.order_by("pk")]


def test_blocked_host_is_asked_through_the_pool_where_the_publication_permits_it(web, other_way):
    paper = make_paper(NOW, allow_proxy=True)
    proxy = Proxy.objects.create(name="Cape Town", url=other_way.url)
    web.routes["/a"] = page(GUARD)
    story = add_page(paper, "http://karoo.example/a", NOW)

    crawl(NOW)
    crawl(NOW + timedelta(hours=1))

    story.refresh_from_db()
    assert (story.outcome, Host.objects.get().proxy) == ("ok", proxy)
    assert decisions() == [
        ("proxy", "To Cape Town: Karoo Courier permits it."),
        ("go_on", "It answered through the proxy Cape Town."),
    ]


@pytest.mark.parametrize(
    ("allow_proxy", "reason"),
    [(False, "Karoo Courier permits no proxy."), (True, "The pool has no other proxy.")],
)
def test_block_without_a_way_round_is_waited_out(web, allow_proxy, reason):
    paper = make_paper(NOW, allow_proxy=allow_proxy)
    web.routes["/a"] = page(GUARD)
    add_page(paper, "http://karoo.example/a", NOW)

    crawl(NOW)

    assert decisions() == [("wait", reason)]


def test_wish_for_time_is_never_evaded(web, other_way):
    paper = make_paper(NOW, allow_proxy=True)
    Proxy.objects.create(name="Cape Town", url=other_way.url)
    web.routes["/a"] = answer(b"slow down", 429, (("Retry-After", "60"),))
    add_page(paper, "http://karoo.example/a", NOW)
    Host.objects.update(failures=2)

    crawl(NOW)

    assert decisions() == [("wait", "The host asks for time, which is what it gets.")]
    assert other_way.requests == []


def test_proxy_that_is_refused_too_is_changed_for_the_next(web, other_way):
    paper = make_paper(NOW, allow_proxy=True)
    Proxy.objects.create(name="First", url=web.url)
    second = Proxy.objects.create(name="Second", url=other_way.url)
    web.routes["/a"] = answer(b"no", 403)
    add_page(paper, "http://karoo.example/a", NOW)
    Host.objects.update(failures=2)
    moment = NOW
    for _ in range(4):
        moment += timedelta(hours=2)
        crawl(moment)
        Page.objects.update(quarantined_at=None, attempts=0, due_at=moment)

    crawl(moment + timedelta(hours=12))

    assert [choice for choice, _ in decisions()] == ["proxy", "proxy", "go_on"]
    assert Host.objects.get().proxy == second


def test_fallback_to_a_browser_is_logged_once(web):
    paper = make_paper(NOW, allow_browser_agent=True)
    web.routes["/a"] = answer(b"no", 403)
    add_page(paper, "http://karoo.example/a", NOW)

    crawl(NOW)
    crawl(NOW + timedelta(seconds=10))

    assert decisions() == [("browser", "The publication permits it.")]


@pytest.mark.parametrize(
    ("kind", "header", "value"),
    [
        (AccountKind.BASIC, "authorization", "Basic ZWRpdG9yOnNlY3JldA=="),
        (AccountKind.COOKIE, "cookie", "secret"),
    ],
)
def test_account_signs_in_at_its_own_site_and_is_not_archived(web, kind, header, value):
    paper = make_paper(NOW)
    Account.objects.create(publication=paper, kind=kind, user_name="editor", secret="secret")
    web.routes["karoo.example/a"] = redirect("http://else.example/b")
    web.routes["else.example/b"] = page()
    add_page(paper, "http://karoo.example/a", NOW)
    add_page(paper, "http://foreign.example/c", NOW)

    crawl(NOW)

    sent = {item.host + item.path: item.headers.get(header) for item in web.requests}
    assert sent["karoo.example/a"] == value
    assert (sent["else.example/b"], sent["foreign.example/c"]) == (None, None)
    assert sent["karoo.example/robots.txt"] is None
    archive = b"".join(path.read_bytes() for path in _archive_files())
    assert read_exchange(Fetch.objects.get(final_url="http://else.example/b")) is not None
    assert b"secret" not in _unpacked(archive)


def _archive_files():
    archive_writer().sync()
    return sorted(archive_folder().rglob("*.warc.gz*"))


def _unpacked(archive):
    return gzip.GzipFile(fileobj=io.BytesIO(archive)).read()


def test_secret_goes_into_the_admin_and_never_comes_out(admin):
    paper = make_paper(NOW)
    values = {"publication": paper.pk, "kind": "basic", "user_name": "editor", "is_active": "on"}

    refused = admin.post("/admin/feeds/account/add/", values)
    admin.post("/admin/feeds/account/add/", values | {"secret": "opensesame"})
    account = Account.objects.get()
    shown = admin.get(f"/admin/feeds/account/{account.pk}/change/")
    admin.post(f"/admin/feeds/account/{account.pk}/change/", values | {"user_name": "other"})

    account.refresh_from_db()
    assert (refused.status_code, account.user_name, account.secret) == (200, "other", "opensesame")
    assert "opensesame" not in shown.content.decode()


def test_host_page_shows_what_was_done(web, admin):
    paper = make_paper(NOW)
    web.routes["/a"] = page(GUARD)
    add_page(paper, "http://karoo.example/a", NOW)
    crawl(NOW)

    shown = admin.get("/hosts/karoo.example/").content.decode()

    assert "Karoo Courier permits no proxy." in shown
