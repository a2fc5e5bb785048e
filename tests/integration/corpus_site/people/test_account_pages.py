"""Accounts at newspapers in the browser: added, tried, changed and removed; refusals are told."""

from datetime import timedelta

import pytest
from django.utils import timezone
from integration.feeds.newspaper_log_in import Newspaper
from integration.feeds.newspapers import add_feed, make_paper
from integration.feeds.origin import Origin

from corpus_site.alarms.keeping import keep, present_needs
from corpus_site.alarms.models import Alarm
from feeds.models import Account, PublicationChange

pytestmark = pytest.mark.django_db

PAGE = "/sources/karoo-courier/accounts/"


@pytest.fixture
def newspaper(settings):
    with Origin() as web:
        settings.CRAWL_PROXY_URL = web.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0.05
        served = Newspaper()
        served.serve(web)
        yield served


@pytest.fixture
def paper():
    now = timezone.now()
    made = make_paper(now - timedelta(days=3), started_at=now - timedelta(days=3))
    add_feed(made, "http://karoo.example/feed", now)
    return made


def given(newspaper, **changes):
    values = {
        "kind": "form",
        "user_name": newspaper.user,
        "secret": newspaper.password,
        "log_in_address": "http://karoo.example/log-in",
        "is_active": "on",
    }
    return values | changes


def test_an_editor_adds_an_account_and_tries_it(editor, newspaper, paper):
    editor.post(PAGE, given(newspaper))
    account = Account.objects.get()
    shown = editor.post(f"{PAGE}{account.pk}/try/", follow=True).content.decode()

    assert "Signed in: the site has set csrf, sid." in shown
    assert "● Signed in" in shown
    assert "canary" not in shown
    account.refresh_from_db()
    assert (bool(account.session), "canary" in account.sealed_session) == (True, False)
    change = PublicationChange.objects.get()
    assert (change.field, change.before, change.after) == (
        "accounts",
        "",
        "Log-in form of the newspaper",
    )


def test_a_refusal_is_told_on_the_page_and_as_an_alarm_until_it_works(editor, newspaper, paper):
    editor.post(PAGE, given(newspaper, secret="wrong"))
    account = Account.objects.get()
    shown = editor.post(f"{PAGE}{account.pk}/try/", follow=True).content.decode()
    keep(present_needs(timezone.now()), timezone.now())
    alarm = Alarm.objects.get(kind="log_in")

    editor.post(f"{PAGE}{account.pk}/", given(newspaper, secret=newspaper.password))
    editor.post(f"{PAGE}{account.pk}/try/")
    keep(present_needs(timezone.now()), timezone.now())

    assert "■ Log-in refused" in shown
    assert alarm.sentence.startswith("does not let us in: log-in refused since ")
    assert (alarm.address, alarm.publication_id, alarm.host) == (PAGE, paper.pk, "karoo.example")
    alarm.refresh_from_db()
    assert alarm.closed_at is not None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"log_in_address": ""}, "Give the address of the page with the form."),
        ({"log_in_address": "http://else.example/in"}, "It is not of karoo.example"),
        ({"log_in_address": "ftp://karoo.example/"}, "Only http and https are fetched"),
        ({"user_name": ""}, "Give the name that the form asks for."),
        ({"secret": ""}, "Give the password or the cookie."),
    ],
)
def test_what_cannot_work_is_said_at_once(editor, newspaper, paper, changes, said):
    answer = editor.post(PAGE, given(newspaper, **changes))

    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert "canary" not in answer.content.decode()
    assert not Account.objects.exists()


def test_an_account_is_changed_without_its_password_and_removed(editor, newspaper, paper):
    editor.post(PAGE, given(newspaper))
    account = Account.objects.get()

    shown = editor.get(f"{PAGE}{account.pk}/").content.decode()
    editor.post(f"{PAGE}{account.pk}/", given(newspaper, secret="", absent_text="Subscribe"))
    account.refresh_from_db()
    held = (account.secret, account.absent_text, account.session)
    editor.post(f"{PAGE}{account.pk}/remove/")

    assert "canary" not in shown
    assert held == (newspaper.password, "Subscribe", None)
    assert not Account.objects.exists()


def test_accounts_are_for_editors(linguist, newspaper, paper):
    assert linguist.get(PAGE).status_code == 403
    assert linguist.post(PAGE, given(newspaper)).status_code == 403
