"""Who may ask the API: tokens good and bad, sessions, nobody; how often; and what is said to it."""

import ipaddress
import json
import logging
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from factories import make_user

from corpus_site.accounts.models import ApiToken
from corpus_site.accounts.tokens import note_use, revoke_token
from corpus_site.pages.refusals import fault

pytestmark = pytest.mark.django_db
CORPUS = "/api/corpus/"


def error(response):
    return response.json()["error"]


def test_a_token_opens_and_tells_whose_it_is(ask, new_token):
    token = new_token(owner=make_user(username="thandi"))

    response = ask("/api/token/", token.text)

    assert response.status_code == 200
    assert response.json()["user"] == "thandi"
    assert response.json()["token"]["scope"] == "read"
    assert "no-store" in response["Cache-Control"]
    assert "sessionid" not in response.cookies


def test_the_table_holds_no_token(new_token):
    token = new_token()

    row = ApiToken.objects.values().get()

    assert token.text not in map(str, row.values())
    assert token.text.startswith(row["prefix"])
    assert len(row["prefix"]) == 9


@pytest.mark.parametrize(
    ("header", "happened"),
    [
        ("Bearer bs_short", "This is no token of this site."),
        ("Bearer", "This is no token of this site."),
        ("Basic dXNlcjpwYXNz", "This is no token of this site."),
        ("Bearer bs_é" + "x" * 42, "This is no token of this site."),
        ("Bearer bs_" + "x" * 43, "This token is unknown here or was revoked."),
        ("Bearer bs_" + "x" * 5000, "This is no token of this site."),
    ],
)
def test_what_is_no_token_opens_nothing_even_where_all_may_read(client, settings, header, happened):
    settings.READING_WITHOUT_SIGN_IN = True

    response = client.get(CORPUS, headers={"authorization": header})

    assert (response.status_code, error(response)["happened"]) == (401, happened)
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_an_ended_token_opens_nothing(ask, new_token):
    token = new_token(expires_at=timezone.now())

    response = ask(CORPUS, token.text)

    assert (response.status_code, error(response)["happened"]) == (401, "This token has ended.")


def test_a_revoked_token_opens_nothing(ask, new_token):
    token = new_token()
    before = ask(CORPUS, token.text).status_code
    revoke_token(token.row.owner, token.row.pk)

    assert (before, ask(CORPUS, token.text).status_code) == (200, 401)


def test_a_token_of_a_closed_account_opens_nothing(ask, new_token):
    token = new_token(owner=make_user(is_active=False))

    response = ask(CORPUS, token.text)

    assert response.status_code == 401
    assert error(response)["happened"] == "The account of this token is closed."


def test_a_token_in_the_address_is_no_token(client, new_token):
    token = new_token().text

    assert client.get(CORPUS, {"token": token, "access_token": token}).status_code == 401


def test_a_token_that_may_read_does_not_export(ask, new_token):
    token = new_token().text

    response = ask("/api/search/export/", token, q="rain")

    assert (response.status_code, error(response)["status"]) == (403, 403)
    assert "export" in error(response)["to_do"]


@pytest.mark.parametrize(("is_open", "status"), [(True, 200), (False, 401)])
def test_who_shows_nothing_may_read_where_the_site_says_so(client, settings, is_open, status):
    settings.READING_WITHOUT_SIGN_IN = is_open

    assert client.get(CORPUS).status_code == status


def test_a_session_reads_and_a_wrong_token_beside_it_does_not(client):
    client.force_login(make_user(), backend="corpus_site.accounts.backends.RoleBackend")

    with_session = client.get(CORPUS)
    with_both = client.get(CORPUS, headers={"authorization": "Bearer bs_wrong"})

    assert (with_session.status_code, with_both.status_code) == (200, 401)


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_nothing_is_written(method):
    client = Client(enforce_csrf_checks=True)

    response = getattr(client, method)(CORPUS)

    assert (response.status_code, error(response)["happened"]) == (405, "The API only reads.")
    assert response["Allow"] == "GET, HEAD"


def test_too_many_questions_of_a_token_are_refused_by_token(ask, new_token, settings):
    settings.API_TOKEN_QUESTIONS_PER_MINUTE = 2
    first, other = new_token().text, new_token().text

    statuses = [ask(CORPUS, first).status_code for _ in range(3)]
    refused = ask(CORPUS, first)

    assert statuses == [200, 200, 429]
    assert 0 < int(refused["Retry-After"]) <= 30
    assert error(refused)["to_do"] == f"Ask again in {refused['Retry-After']} seconds."
    assert ask(CORPUS, other).status_code == 200


def test_guessing_tokens_from_an_address_ends_soon(ask, new_token, settings):
    settings.API_ADDRESS_QUESTIONS_PER_MINUTE = 2

    statuses = [ask(CORPUS, "bs_" + letter * 43).status_code for letter in "abc"]

    assert statuses == [401, 401, 429]


def test_the_last_use_is_written_once_a_minute(new_token):
    token, now = new_token().row, timezone.now()

    for seconds in (0, 30, 59, 61):
        token.refresh_from_db()
        note_use(token, now + timedelta(seconds=seconds))
        token.refresh_from_db()
        assert token.last_used_at == now + timedelta(seconds=seconds // 60 * 61)


def test_no_log_holds_a_token(ask, new_token, caplog):
    token = new_token().text

    with caplog.at_level(logging.DEBUG):
        ask(CORPUS, token)
        ask("/api/articles/0/", token)
        ask(CORPUS, token[:-1])

    assert token[:-1] not in caplog.text


def test_an_address_that_there_is_not_is_said_in_json(ask):
    response = ask("/api/nothing/here")

    assert (response.status_code, error(response)["happened"]) == (
        404,
        "There is no /api/nothing/here.",
    )


def test_networks_outside_are_refused_in_json(ask, settings):
    settings.ALLOWED_NETWORKS = [ipaddress.ip_network("10.0.0.0/8")]

    response = ask(CORPUS)

    assert (response.status_code, error(response)["status"]) == (403, 403)
    assert "network" in error(response)["to_do"]


def test_a_fault_of_ours_is_said_in_json_to_programs_and_on_a_page_to_people(rf):
    for_program, for_person = fault(rf.get("/api/search/")), fault(rf.get("/search/"))

    assert (for_program.status_code, for_person.status_code) == (500, 500)
    assert json.loads(for_program.content)["error"]["happened"] == "A fault of ours."
    assert b"<h1>" in for_person.content
