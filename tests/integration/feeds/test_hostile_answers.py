"""Answers that say of themselves what no database takes: each is an outcome of its page."""

from datetime import UTC, datetime

import pytest
from integration.feeds.newspapers import add_page, crawl, fetched, make_paper
from integration.feeds.origin import raw

from feeds.models import Fetch

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html"
BODY = b"\r\n\r\n<p>Rain.</p>"
NINES = b"9" * 5_000
ANSWERS = {
    "reason in Latin-1": (b"HTTP/1.1 404 Non trouv\xe9\r\n\r\n", "not_found"),
    "reason of any bytes": (b"HTTP/1.1 503 \xff\xfe\xed\xa0\x80\0 gone\r\n\r\n", "server_error"),
    "long reason": (b"HTTP/1.1 404 " + b"x" * 8_000 + b"\r\n\r\n", "not_found"),
    "long validators": (
        OK + b"\r\nETag: " + b"e" * 7_000 + b"\r\nLast-Modified: " + b"l" * 7_000 + BODY,
        "ok",
    ),
    "validators of any bytes": (OK + b'\r\nETag: "\xff\xed\xa0\x80"' + BODY, "ok"),
    "wait of many digits": (
        b"HTTP/1.1 429 X\r\nRetry-After: " + NINES + b"\r\n\r\n",
        "rate_limited",
    ),
    "wait until year 9999": (
        b"HTTP/1.1 429 X\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 -9999\r\n\r\n",
        "rate_limited",
    ),
    "age of many digits": (
        OK + b"\r\nCache-Control: max-age=" + NINES + b"\r\nAge: " + NINES + BODY,
        "ok",
    ),
    "allowance of many digits": (
        OK + b"\r\nX-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: " + NINES + BODY,
        "ok",
    ),
    "rights of many digits": (
        OK + b"\r\nX-Robots-Tag: unavailable_after: " + NINES + b"\r\nTDM-Reservation: 1" + BODY,
        "ok",
    ),
}
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url


@pytest.mark.parametrize("name", ANSWERS)
def test_what_an_answer_says_of_itself_breaks_no_visit(web, name):
    page = add_page(make_paper(NOW), "http://karoo.example/news/rain", NOW)
    web.routes["/news/rain"] = raw(ANSWERS[name][0])

    report = crawl(NOW)

    assert fetched(report) == {ANSWERS[name][1]: 1}
    assert Fetch.objects.get(page=page).outcome == ANSWERS[name][1]


def test_accents_of_a_reason_are_read_and_other_bytes_left_out(web):
    page = add_page(make_paper(NOW), "http://karoo.example/news/rain", NOW)
    web.routes["/news/rain"] = raw(b"HTTP/1.1 404 Non trouv\xe9\0 ici\r\n\r\n")

    crawl(NOW)

    page.refresh_from_db()
    assert page.last_error == "The server answered 404 Non trouvé  ici."
