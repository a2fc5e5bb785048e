"""Many names from one address, tokens behind a new password, and headers of pages."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from factories import make_user

from corpus_site.accounts.models import ApiToken
from corpus_site.accounts.spraying import MOST_WRONG
from corpus_site.accounts.tokens import make_token

pytestmark = pytest.mark.django_db

PASSWORD = "long-enough-for-us"
NEW = "another-one-as-long"
WRONG = "wrong"


@pytest.fixture
def token_of():
    def make(owner):
        now = timezone.now()
        wanted = ApiToken(
            owner=owner, name="notebook", scope="read", expires_at=now + timedelta(hours=1)
        )
        return make_token(wanted, now)

    return make


@pytest.fixture
def person():
    user = make_user("linguist", username="thandi")
    user.set_password(PASSWORD)
    user.save()
    return user


def try_name(client, name, password=WRONG, address="198.51.100.7"):
    given = {"username": name, "password": password}
    return client.post("/sign-in/", given, REMOTE_ADDR=address)


def test_many_names_from_one_address_are_slowed(client, person):
    answers = [try_name(client, f"name{n}").status_code for n in range(MOST_WRONG + 2)]

    assert answers == [200] * MOST_WRONG + [429] * 2
    refused = try_name(client, "thandi", PASSWORD)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert try_name(client, "thandi", PASSWORD, "198.51.100.8").status_code == 302


def test_right_passwords_cost_an_address_nothing(person):
    answers = [try_name(Client(), "thandi", PASSWORD).status_code for _ in range(MOST_WRONG + 2)]

    assert answers == [302] * (MOST_WRONG + 2)


def test_tokens_end_with_a_changed_password(client, person, token_of):
    shown = {"authorization": f"Bearer {token_of(person).text}"}
    assert Client().get("/api/corpus", headers=shown).status_code == 200
    try_name(client, "thandi", PASSWORD)

    fields = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    changed = client.post("/settings/password/", fields)

    assert changed.status_code == 302
    assert Client().get("/api/corpus", headers=shown).status_code == 401
    assert not ApiToken.objects.filter(owner=person).exists()


def test_tokens_of_others_stay(person, token_of):
    other = token_of(make_user("linguist"))
    person.set_password(NEW)
    person.save()

    assert ApiToken.objects.filter(pk=other.row.pk).exists()


def test_tokens_outlive_a_password_that_is_hashed_anew(client, person, token_of, settings):
    token_of(person)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher",
                                 *settings.PASSWORD_HASHERS]  # fmt: skip

    assert try_name(client, "thandi", PASSWORD).status_code == 302

    assert ApiToken.objects.filter(owner=person).exists()


def test_pages_of_people_are_kept_by_no_cache(linguist):
    assert "no-store" in linguist.get("/sources/")["Cache-Control"]


@pytest.mark.parametrize("path", ["/sources/", "/sign-in/", "/api/corpus", "/nowhere/"])
def test_every_page_says_who_may_use_it_and_what_it_may_use(linguist, path):
    answer = linguist.get(path)

    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]


def test_cookies_are_bound_to_the_host_where_there_is_https_only():
    code = (
        "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'corpus_site.settings';"
        "from django.conf import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME)"
    )
    names = {
        https: subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "HTTPS_ONLY": https},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for https in ("0", "1")
    }

    assert names == {
        "0": ["sessionid", "csrftoken"],
        "1": ["__Host-sessionid", "__Host-csrftoken"],
    }
