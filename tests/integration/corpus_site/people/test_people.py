"""People: invited, given roles, sent away; links for passwords, by mail or by hand."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from factories import make_user
from pages import markup, parsed

from corpus_site.accounts import forgotten, people
from corpus_site.accounts.models import (
    ExternalAccount,
    PasswordWish,
    PersonEvent,
    Role,
    SignInWay,
    User,
)
from corpus_site.accounts.people import Actor, PersonRefusedError
from corpus_site.accounts.roles import is_last_admin

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

PASSWORD = "long-enough-for-us"
NEW = {"new_password1": PASSWORD, "new_password2": PASSWORD}


@pytest.fixture
def admin(browse):
    make_user("admin", username="first")
    return browse("admin")


@pytest.fixture
def with_mail(settings):
    settings.EMAIL_URL = "smtp://localhost"


def invite(client, **changes):
    given = {"username": "thandi", "email": "thandi@uni.example", "role": "editor"}
    return client.post("/people/invite/", given | changes)


def shown_link(answer):
    return (
        parsed(answer).xpath("string(//*[@id='password-link'])").removeprefix("http://testserver")
    )


def set_password(link):
    client = Client()
    form = client.get(link, follow=True)
    return client, client.post(form.request["PATH_INFO"], NEW, follow=True)


def test_an_invited_person_chooses_a_password_and_signs_in(admin):
    client, answer = set_password(shown_link(invite(admin)))

    assert "Your password is set. Sign in with it." in markup(answer)
    assert client.post("/sign-in/", {"username": "thandi", "password": PASSWORD}).url == "/"
    assert client.get("/sources/add/").status_code == 200


def test_a_link_works_once(admin):
    link = shown_link(invite(admin))
    set_password(link)

    assert "This link has been used" in markup(Client().get(link, follow=True))


def test_without_a_mail_server_the_link_is_handed_over(admin):
    page = markup(invite(admin))

    assert "Hand this link over to" in page
    assert mail.outbox == []


def test_an_invitation_is_mailed(admin, with_mail):
    link = shown_link(invite(admin))

    (sent,) = mail.outbox
    assert sent.to == ["thandi@uni.example"]
    assert sent.subject == "Your account at Broadsheet"
    assert f"http://testserver{link}" in sent.body


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"username": "First"}, "There is an account of that name."),
        ({"username": ""}, "This field is required."),
        ({"email": "no address"}, "Enter a valid email address."),
        ({"role": "king"}, "king is not one of the available choices"),
    ],
)
def test_a_wrong_invitation_is_explained(admin, changes, said):
    answer = invite(admin, **changes)

    assert answer.status_code == 400
    assert said in markup(answer)
    assert not User.objects.filter(username="thandi").exists()


def test_roles_are_given_and_kept_in_the_log(admin):
    thandi = make_user("linguist", username="thandi")

    admin.post(f"/people/{thandi.pk}/role/", {"role": "editor"})

    thandi.refresh_from_db()
    event = PersonEvent.objects.get(user=thandi)
    assert thandi.role == Role.EDITOR
    assert (event.what, event.said) == ("role", "linguist → editor")


def test_who_is_sent_away_is_out_at_once_and_may_come_back(admin, browse):
    editor = browse("editor")
    pk = editor.session["_auth_user_id"]

    admin.post(f"/people/{pk}/send-away/")
    outside = editor.get("/sources/").status_code
    admin.post(f"/people/{pk}/let-in/")

    assert outside == 302
    assert User.objects.get(pk=pk).is_active


@pytest.mark.parametrize("act", ["role", "send-away"])
def test_nobody_does_away_with_himself(admin, act):
    pk = admin.session["_auth_user_id"]

    answer = admin.post(f"/people/{pk}/{act}/", {"role": "linguist"}, follow=True)

    assert "This is your own account" in markup(answer)
    assert User.objects.get(pk=pk).is_admin


def test_an_admin_of_a_directory_is_no_last_admin():
    local, outside = make_user("admin"), make_user("admin")
    now = timezone.now()
    ExternalAccount.objects.create(
        user=outside, way=SignInWay.OPENID, subject="7", created_at=now, last_used_at=now
    )

    assert is_last_admin([local.pk])
    with pytest.raises(PersonRefusedError):
        people.send_away(local.pk, Actor(outside, now))


@pytest.mark.parametrize("role", ["linguist", "editor", "reader"])
def test_only_admins_see_people(browse, role):
    assert browse(role).get("/people/").status_code in {302, 403}
    assert browse(role).post("/people/invite/").status_code in {302, 403}


def test_people_are_found_by_their_words(admin):
    make_user(username="thandi", email="t@uni.example", first_name="Thandi", last_name="Nkosi")
    make_user(username="pieter")

    names = parsed(admin.get("/people/?q=nkosi uni")).xpath("//tbody//b/text()")

    assert names == ["thandi"]


def test_a_forgotten_password_is_mailed_once_in_ten_minutes(client, with_mail):
    user = make_user(username="thandi", email="t@uni.example")
    user.set_password("before-before-before")
    user.save()

    for whose in ("thandi", "T@uni.example"):
        client.post("/sign-in/forgotten/", {"whose": whose})
        forgotten.send(timezone.now())
    first = len(mail.outbox)
    PersonEvent.objects.update(at=timezone.now() - timedelta(minutes=11))
    client.post("/sign-in/forgotten/", {"whose": "thandi"})
    forgotten.send(timezone.now())

    assert (first, len(mail.outbox)) == (1, 2)
    link = re.search(r"http://testserver(\S+)", mail.outbox[-1].body)[1]
    set_password(link)
    assert client.post("/sign-in/", {"username": "thandi", "password": PASSWORD}).url == "/"


def test_who_is_unknown_learns_nothing(client, with_mail):
    known = make_user(username="thandi", email="t@uni.example")
    known.set_password(PASSWORD)
    known.save()

    answers = [
        parsed(client.post("/sign-in/forgotten/", {"whose": whose})).xpath("string(//main)")
        for whose in ("thandi", "nobody")
    ]

    assert "If there is such an account" in answers[0]
    assert answers[0] == answers[1]


def test_the_page_does_the_same_work_whoever_is_meant(client, with_mail):
    known = make_user(username="thandi", email="t@uni.example")
    known.set_password(PASSWORD)
    known.save()

    asked = []
    for whose in ("thandi", "t@uni.example", "nobody"):
        with CaptureQueriesContext(connection) as queries:
            client.post("/sign-in/forgotten/", {"whose": whose})
        asked.append([query["sql"].split("VALUES")[0] for query in queries.captured_queries])

    assert asked[0] == asked[1] == asked[2]
    assert (mail.outbox, PasswordWish.objects.count()) == ([], 3)


def test_a_mail_server_that_is_away_is_tried_again_for_an_hour(client, with_mail):
    known = make_user(username="thandi", email="t@uni.example")
    known.set_password(PASSWORD)
    known.save()
    now = timezone.now()
    forgotten.ask("thandi", "https://corpus.example/", now)
    with override_settings(
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1
    ):
        away = forgotten.send(now)

    back = forgotten.send(now + timedelta(minutes=5))
    forgotten.ask("thandi", "https://corpus.example/", now)
    late = forgotten.send(now + timedelta(minutes=61))

    assert (away, back, late) == (0, 1, 0)
    assert "https://corpus.example/" in mail.outbox[0].body
    assert not PasswordWish.objects.exists()


def test_nobody_fills_the_table(client, with_mail):
    for n in range(forgotten.MOST_WAITING + 5):
        forgotten.ask(f"nobody-{n}", "https://corpus.example/", timezone.now())

    assert PasswordWish.objects.count() == forgotten.MOST_WAITING
