"""Signing in and out, the lock after wrong passwords, one's own settings."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from factories import make_user
from pages import markup

from corpus_site.accounts.models import ApiToken
from corpus_site.accounts.tokens import MOST_TOKENS

pytestmark = pytest.mark.django_db

PASSWORD = "long-enough-for-us"


@pytest.fixture
def person(settings):
    user = make_user("linguist", username="thandi")
    user.set_password(PASSWORD)
    user.save()
    return user


def sign_in(client, password=PASSWORD, **more):
    return client.post("/sign-in/", {"username": "thandi", "password": password} | more)


def test_signing_in_leads_to_where_one_wanted_to_go(client, person):
    assert sign_in(client, next="/sources/")["Location"] == "/sources/"


def test_signing_in_never_leads_to_another_site(client, person):
    assert sign_in(client, next="https://evil.example/")["Location"] == "/"


def test_a_wrong_password_is_said_without_telling_which_half(client, person):
    answer = sign_in(client, "wrong")

    assert "The name and the password do not belong together." in markup(answer)
    assert 'value="thandi"' in markup(answer)


def test_five_wrong_passwords_close_the_door_for_a_while(client, person):
    for _ in range(5):
        answer = sign_in(client, "wrong")

    assert answer.status_code == 429
    assert "Too many attempts" in markup(answer)
    assert sign_in(client).status_code == 429


def test_signing_out_is_posted(client, person):
    sign_in(client)

    assert client.get("/sign-out/").url == "/"
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert client.get("/").status_code == 302


def test_single_keys_are_switched_off_by_who_does_not_want_them(client, person):
    sign_in(client)
    before = markup(client.get("/settings/"))
    client.post("/settings/", {"theme": "system"})
    off = markup(client.get("/settings/"))
    client.post("/settings/", {"theme": "system", "single_keys": "on"})

    assert " data-keys hx-headers" in before
    assert ' data-keys="off" hx-headers' in off
    assert " data-keys hx-headers" in markup(client.get("/"))


def test_the_theme_is_kept_and_set_by_the_server(client, person):
    sign_in(client)

    client.post("/settings/", {"theme": "dark", "first_name": "Thandi"})

    assert '<html lang="en-ZA" data-theme="dark">' in markup(client.get("/"))
    assert "<summary>Thandi</summary>" in markup(client.get("/"))


def test_wrong_settings_are_explained_and_not_kept(client, person):
    sign_in(client)

    answer = client.post("/settings/", {"theme": "purple", "email": "nobody"})

    assert answer.status_code == 400
    assert markup(answer).count('class="error"') == 2
    assert 'data-theme="purple"' not in markup(answer)


def test_the_password_can_be_changed_and_the_session_stays(client, person):
    sign_in(client)
    new = {
        "old_password": PASSWORD,
        "new_password1": "another-long-word",
        "new_password2": "another-long-word",
    }

    answer = client.post("/settings/password/", new)

    person.refresh_from_db()
    assert answer["Location"] == "/settings/"
    assert person.check_password("another-long-word")
    assert client.get("/settings/").status_code == 200


def test_a_weak_password_is_refused(client, person):
    sign_in(client)
    weak = {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}

    answer = client.post("/settings/password/", weak)

    assert answer.status_code == 400
    assert "at least 12 characters" in markup(answer)


def test_an_unknown_address_is_answered_in_words(client, person):
    sign_in(client)

    answer = client.get("/nowhere/")

    assert answer.status_code == 404
    assert "Nothing lies at <code>/nowhere/</code>." in markup(answer)


def make_token(client, **more):
    return client.post("/settings/tokens/add/", {"name": "R", "scope": "read", "days": 30} | more)


def test_a_token_is_shown_once_and_opens_the_api(client, person):
    sign_in(client)
    made = make_token(client, scope="export", days=365)
    text = re.search(r'id="new-token">(bs_[\w-]{43})<', made.content.decode())[1]

    asked = Client().get("/api/token/", headers={"authorization": f"Bearer {text}"})
    later = markup(client.get("/settings/"))
    ends = (person.api_tokens.get().expires_at - timezone.now()).days

    assert (made.status_code, asked.json()["user"], ends) == (200, "thandi", 364)
    assert "no-store" in made["Cache-Control"]
    assert text not in later
    assert f"<code>{text[:9]}…</code>" in later
    assert "read and export" in later


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "x" * 81}, {"scope": "write"}, {"days": 9999}, {"days": ""}]
)
def test_a_wrong_token_is_not_made(client, person, wrong):
    sign_in(client)

    assert make_token(client, **wrong).status_code == 400
    assert person.api_tokens.count() == 0


def test_a_token_is_revoked_by_its_owner_alone(client, person):
    sign_in(client)
    make_token(client)
    row = person.api_tokens.get()
    stranger = Client()
    stranger.force_login(make_user(), backend="corpus_site.accounts.backends.RoleBackend")

    foreign = stranger.post(f"/settings/tokens/{row.pk}/revoke/").status_code
    kept = person.api_tokens.count()
    own = client.post(f"/settings/tokens/{row.pk}/revoke/", follow=True)

    assert (foreign, kept, person.api_tokens.count()) == (404, 1, 0)
    assert "The token “R” opens nothing any more." in markup(own)


def test_nobody_has_more_tokens_than_can_be_remembered(client, person):
    sign_in(client)
    now = timezone.now()
    values = {"owner": person, "name": "R", "created_at": now, "expires_at": now}
    ApiToken.objects.bulk_create(ApiToken(digest=n, **values) for n in range(MOST_TOKENS))

    refused = make_token(client)

    assert (refused.status_code, person.api_tokens.count()) == (400, MOST_TOKENS)
    assert f"You have {MOST_TOKENS} tokens." in markup(refused)
