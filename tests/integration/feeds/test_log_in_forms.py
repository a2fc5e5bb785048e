"""Log-in forms of newspapers: signed in once, anew when it has ended, told to nobody else."""

import gzip
import io
import json
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from integration.feeds.newspaper_log_in import Newspaper
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import Origin, page, redirect

from feeds.archive.fetches import read_exchange
from feeds.archive.verifying import verify
from feeds.models import Account, AccountKind, Fetch, Host
from feeds.network import archive_writer
from feeds.visiting.log_ins import MOST_A_DAY, try_now

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def web(settings):
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0.05
        yield started


@pytest.fixture
def newspaper(web):
    served = Newspaper()
    served.serve(web)
    return served


@pytest.fixture
def paper(newspaper):
    made = make_paper(NOW)
    make_account(made, newspaper.password)
    return made


def make_account(paper, password, **changes):
    values = {
        "kind": AccountKind.FORM,
        "user_name": "desk@corpus.example",
        "log_in_address": "http://karoo.example/log-in",
    }
    return Account.objects.create(publication=paper, secret=password, **values | changes)


def run(moment, times=1):
    """Let the host have so many turns, an hour apart."""
    for n in range(times):
        Host.objects.update(next_at=moment)
        crawl(moment + timedelta(seconds=n))


def stored(url):
    exchange = read_exchange(Fetch.objects.filter(url=url).latest("pk"))
    return exchange.raw_body.decode()


def test_a_page_is_read_as_somebody_who_is_signed_in(web, newspaper, paper):
    story = add_page(paper, "http://karoo.example/a", NOW)

    run(NOW, times=2)

    story.refresh_from_db()
    assert (story.outcome, "the whole of the Karoo" in stored(story.url)) == ("ok", True)
    assert newspaper.sent == [
        {
            "csrf": newspaper.sent[0]["csrf"],
            "back": "/my account",
            "go": "in",
            "log": newspaper.user,
            "pwd": newspaper.password,
        }
    ]
    account = Account.objects.get()
    assert (account.n_log_ins, account.refused_since) == (1, None)
    assert account.log_in_steps == [
        "http://karoo.example/log-in was read (200).",
        (
            "Its fields “log” and “pwd” were filled in, 3 more sent as they came; "
            "http://karoo.example/in answered 302."
        ),
        "It leads to http://karoo.example/account (200).",
        "Signed in: the site has set csrf, sid.",
    ]


def test_one_log_in_serves_many_pages_and_processes(web, newspaper, paper):
    for name in "abc":
        add_page(paper, f"http://karoo.example/{name}", NOW)

    run(NOW, times=5)

    assert len(newspaper.sent) == 1
    assert len(newspaper.seen_cookies) == 3
    assert all("sid=canary" in cookies for _, cookies in newspaper.seen_cookies)


def test_a_session_that_has_ended_is_begun_anew_and_the_page_asked_again(web, newspaper, paper):
    add_page(paper, "http://karoo.example/a", NOW)
    run(NOW, times=2)
    newspaper.sessions.clear()
    later = add_page(paper, "http://karoo.example/b", NOW)

    run(NOW + timedelta(hours=2), times=3)

    later.refresh_from_db()
    assert (len(newspaper.sent), later.outcome) == (2, "ok")
    assert "the whole of the Karoo" in stored(later.url)
    dropped = Fetch.objects.filter(page=later, visit_reason="the log-in had ended")
    assert [read_exchange(fetch) is not None for fetch in dropped] == [True]


def test_a_site_that_forgets_us_at_once_is_not_asked_for_ever(web, newspaper, paper):
    names = [f"story-{n}" for n in range(30)]
    for name in names:
        web.routes[f"karoo.example/{name}"] = newspaper.story
        add_page(paper, f"http://karoo.example/{name}", NOW)

    for hour in range(12):
        newspaper.sessions.clear()
        run(NOW + timedelta(hours=hour), times=4)

    assert len(newspaper.sent) == MOST_A_DAY
    assert not Fetch.objects.filter(page__due_at__lte=NOW).exclude(outcome="ok").exists()


def test_a_wrong_password_is_told_and_tried_again_ever_later(web, newspaper, paper):
    newspaper.password = "changed"
    story = add_page(paper, "http://karoo.example/a", NOW)

    run(NOW, times=3)
    after_minutes = len(newspaper.sent)
    story.refresh_from_db()
    for hour in range(1, 48):
        story.due_at = NOW + timedelta(hours=hour)
        type(story).objects.filter(pk=story.pk).update(due_at=story.due_at)
        run(story.due_at, times=2)

    account = Account.objects.get()
    assert (after_minutes, story.outcome) == (1, "ok")  # read as by anybody meanwhile
    assert len(newspaper.sent) == 4  # after 0, 4, 20 and 44 hours
    assert NOW <= account.refused_since < NOW + timedelta(minutes=1)
    assert account.log_in_steps[-1] == (
        "The answer is that to somebody who is not signed in: the log-in was refused."
    )
    assert newspaper.password not in account.log_in_said


def test_cookies_go_to_the_newspaper_alone(web, newspaper, paper):
    web.routes["karoo.example/out"] = redirect("http://else.example/a")
    web.routes["else.example/a"] = newspaper.story
    web.routes["premium.karoo.example/a"] = newspaper.story
    for url in ("http://karoo.example/out", "http://premium.karoo.example/a"):
        add_page(paper, url, NOW)
    add_page(paper, "http://foreign.example/a", NOW)

    run(NOW, times=4)

    asked = {
        request.host + request.path: request.headers.get("cookie", "")
        for request in web.requests
        if request.path not in {"/robots.txt", "/log-in", "/in"}
    }
    assert "sid=" in asked["karoo.example/out"]
    assert "sid=" in asked["premium.karoo.example/a"]
    assert (asked["else.example/a"], asked["foreign.example/a"]) == ("", "")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"method": "get"}, "The form would write the password into an address: it was not sent."),
        (
            {"action": "http://else.example/in"},
            (
                "The form would send the password to else.example, which is not of this "
                "newspaper’s site: not sent."
            ),
        ),
    ],
)
def test_a_password_is_sent_to_no_other_place(web, newspaper, paper, changes, said):
    for name, value in changes.items():
        setattr(newspaper, name, value)

    tried = try_now(Account.objects.get(), NOW)

    assert (tried.is_in, tried.steps[-1]) == (False, said)
    assert newspaper.sent == []
    assert newspaper.password not in str([(one.target, one.body) for one in web.requests])


def test_a_form_that_wants_the_password_twice_gets_it_once(web, newspaper, paper):
    web.routes["karoo.example/in"] = redirect("http://else.example/in", 307)
    web.routes["else.example/in"] = newspaper.take_form

    tried = try_now(Account.objects.get(), NOW)

    assert tried.steps[-1] == "The site wants the password sent a second time: it was not."
    assert newspaper.sent == []


def test_robots_txt_holds_for_log_ins_too(web, newspaper, paper):
    web.routes["karoo.example/robots.txt"] = page("User-agent: *\nDisallow: /log-in")

    tried = try_now(Account.objects.get(), NOW)

    assert (tried.is_in, newspaper.sent) == (False, [])
    assert "robots.txt" in tried.steps[-1]


def test_success_can_be_known_by_a_cookie_or_by_a_text(web, newspaper, paper):
    account = Account.objects.get()

    by_cookie = _tried_with(account, success_cookie="sid")
    no_cookie = _tried_with(account, success_cookie="member")
    by_text = _tried_with(account, absent_text="Read on as a subscriber")
    no_text = _tried_with(account, absent_text="Your account")

    assert [by_cookie.is_in, no_cookie.is_in, by_text.is_in, no_text.is_in] == [
        True,
        False,
        True,
        False,
    ]
    assert no_cookie.steps[-1] == "The cookie “member” was not set: the log-in was refused."


def _tried_with(account, **columns):
    for name, value in ({"success_cookie": "", "absent_text": ""} | columns).items():
        setattr(account, name, value)
    account.save()
    Host.objects.update(next_at=NOW)  # it has rested since the last one
    return try_now(account, NOW)


def test_no_secret_lies_in_the_data_folder(web, newspaper, paper, settings, caplog, tmp_path):
    caplog.set_level(logging.DEBUG)
    add_page(paper, "http://karoo.example/a", NOW)
    run(NOW, times=2)
    newspaper.sessions.clear()
    add_page(paper, "http://karoo.example/b", NOW)
    run(NOW + timedelta(hours=2), times=3)
    archive_writer().sync()
    dump = tmp_path / "rows.json"
    call_command("dumpdata", "feeds", output=str(dump))

    held = {str(path): _plain(path) for path in [*_files(settings), dump]}

    assert len(newspaper.sent) == 2
    assert any(b"Karoo" in text for name, text in held.items() if ".warc" in name)
    assert [name for name, text in held.items() if b"canary" in text] == []
    assert "canary" not in caplog.text
    assert "canary" not in json.dumps(list(Account.objects.values()), default=str)
    assert all(report.is_sound for report in verify())


def _files(settings):
    folders = {Path(settings.DATA_DIR), Path(settings.ARCHIVE_DIR)}
    return [path for folder in folders for path in folder.rglob("*") if path.is_file()]


def _plain(path):
    text = path.read_bytes()
    if ".warc" in path.name:
        return gzip.GzipFile(fileobj=io.BytesIO(text)).read()
    return text
