"""What is sent with a request is refused by its length, unread, where it is too much."""

import pytest
from django.conf import settings

from corpus_site.middleware.bodies import MOST_OF_PEOPLE, MOST_OF_STRANGERS

pytestmark = pytest.mark.django_db

FILES = "multipart/form-data; boundary=xx"
FORM = "application/x-www-form-urlencoded"
PATHS = ("/sign-in/", "/search/", "/no-such-page", "/hub/abc/", "/messages/")


class Unread:
    """A body of which nothing may be read."""

    def read(self, *_):
        raise AssertionError("The body was read.")

    readline = __iter__ = read


def sent(client, path, n_bytes, kind=FILES):
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    return client.generic(
        "POST",
        path,
        content_type=kind,
        CONTENT_LENGTH=str(n_bytes),
        **{"wsgi.input": Unread()},
    )


@pytest.fixture
def strict(client):
    """A stranger's client, whose forms are checked as a browser's are."""
    client.handler.enforce_csrf_checks = True
    return client


@pytest.mark.parametrize("kind", [FILES, FORM, "application/json", "text/plain"])
@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_read_of_what_a_stranger_sends_too_much_of(strict, settings, path, kind):
    settings.READING_WITHOUT_SIGN_IN = True

    answer = sent(strict, path, MOST_OF_STRANGERS + 1, kind)

    assert answer.status_code == 413
    assert "larger than 10 MB, and was not read" in answer.content.decode()


def test_nothing_is_read_of_a_file_that_no_form_takes(browse):
    answer = sent(browse("editor"), "/web-archives/", MOST_OF_PEOPLE + 1)

    assert answer.status_code == 413
    assert "larger than 1.0 GB, and was not read" in answer.content.decode()


def test_a_refusal_of_the_api_is_json(client):
    answer = sent(client, "/api/search", MOST_OF_STRANGERS + 1, "application/json")

    assert answer.status_code == 413
    assert answer.json()["error"]["happened"].startswith("What was sent is larger")


@pytest.mark.parametrize("n_bytes", ["-1", "x", "9" * 5_000])
def test_a_length_that_is_none_does_no_harm(client, n_bytes):
    assert sent(client, "/sign-in/", n_bytes).status_code < 500
