"""Signing in and out, the lock after wrong passwords, one's own settings."""

import pytest
from factories import make_user

pytestmark = pytest.mark.django_db

PASSWORD = "long-enough-for-us"


@pytest.fixture
def person(settings):
    user = make_user("linguist", username="thandi")
    user.set_password(PASSWORD)
    user.save()
    return user


def words(response):
    return " ".join(response.content.decode().split())


def sign_in(client, password=PASSWORD, **more):
    return client.post("/sign-in/", {"username": "thandi", "password": password} | more)


def test_signing_in_leads_to_where_one_wanted_to_go(client, person):
    assert sign_in(client, next="/sources/")["Location"] == "/sources/"


def test_signing_in_never_leads_to_another_site(client, person):
    assert sign_in(client, next="https://evil.example/")["Location"] == "/"


def test_a_wrong_password_is_said_without_telling_which_half(client, person):
    answer = sign_in(client, "wrong")

    assert "The name and the password do not belong together." in words(answer)
    assert 'value="thandi"' in words(answer)


def test_five_wrong_passwords_close_the_door_for_a_while(client, person):
    for _ in range(5):
        answer = sign_in(client, "wrong")

    assert answer.status_code == 429
    assert "Too many attempts" in words(answer)
    assert sign_in(client).status_code == 429


def test_signing_out_is_posted(client, person):
    sign_in(client)

    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert client.get("/").status_code == 302


def test_single_keys_are_switched_off_by_who_does_not_want_them(client, person):
    sign_in(client)
    before = words(client.get("/settings/"))
    client.post("/settings/", {"theme": "system"})
    off = words(client.get("/settings/"))
    client.post("/settings/", {"theme": "system", "single_keys": "on"})

    assert " data-keys hx-headers" in before
    assert ' data-keys="off" hx-headers' in off
    assert " data-keys hx-headers" in words(client.get("/"))


def test_the_theme_is_kept_and_set_by_the_server(client, person):
    sign_in(client)

    client.post("/settings/", {"theme": "dark", "first_name": "Thandi"})

    assert '<html lang="en-ZA" data-theme="dark">' in words(client.get("/"))
    assert "<summary>Thandi</summary>" in words(client.get("/"))


def test_wrong_settings_are_explained_and_not_kept(client, person):
    sign_in(client)

    answer = client.post("/settings/", {"theme": "purple", "email": "nobody"})

    assert answer.status_code == 400
    assert words(answer).count('class="error"') == 2
    assert 'data-theme="purple"' not in words(answer)


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
    assert "at least 12 characters" in words(answer)


def test_an_unknown_address_is_answered_in_words(client, person):
    sign_in(client)

    answer = client.get("/nowhere/")

    assert answer.status_code == 404
    assert "Nothing lies at <code>/nowhere/</code>." in words(answer)
