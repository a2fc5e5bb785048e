"""Headers of safety on every answer: all addresses of the site, files, refusals and errors."""

import ipaddress
import logging

import pytest
from all_addresses import address, make_rows, routes
from django.core.exceptions import BadRequest
from django.test import Client
from django.urls import path

from corpus_site import urls
from corpus_site.middleware import bounds
from corpus_site.middleware.bounds import MOST_AT_ONCE, spending
from corpus_site.middleware.headers import HEADERS
from corpus_site.running.turns import Turns
from corpus_site.running.web_worker import too_long

pytestmark = pytest.mark.django_db

FRAMED = {"X-Frame-Options": "SAMEORIGIN"}  # shown in frames of our own pages


def missing(answer) -> set[str]:
    """Name the headers that an answer lacks, or that allow more than they should."""
    lacking = {name for name in HEADERS if name not in answer}
    fixed = HEADERS | FRAMED if answer.get("X-Frame-Options") == "SAMEORIGIN" else HEADERS
    wrong = {
        name
        for name, value in fixed.items()
        if name not in lacking | {"Content-Security-Policy"} and answer[name] != value
    }
    policy = answer.get("Content-Security-Policy", "")
    if "default-src 'none'" not in policy or "unsafe" in policy.partition("style-src")[0]:
        wrong.add(f"policy {policy}")
    return lacking | wrong | {name for name in ("Server", "X-Powered-By") if name in answer}


@pytest.fixture
def client(browse):
    made = browse("admin")
    made.raise_request_exception = False
    return made


def test_every_address_of_the_site_answers_with_all_headers(client, caplog):
    caplog.set_level(logging.CRITICAL, logger="django.request")
    rows = make_rows()
    asked = sorted({address(route, rows) for route in routes() if not route.startswith("admin/")})

    found = {}
    for each in asked:
        spending.clear()
        answer = client.options(each)
        found[each] = missing(answer)

    assert len(asked) > 150
    assert {each: names for each, names in found.items() if names} == {}


def raising(error):
    def view(_request):
        raise error

    return view


@pytest.fixture
def broken(settings, caplog):
    """Give the site addresses that end in errors of each kind."""
    caplog.set_level(logging.CRITICAL)
    settings.ROOT_URLCONF = type(
        "Addresses",
        (),
        {
            "urlpatterns": [
                path("broken-400/", raising(BadRequest("no"))),
                path("broken-500/", raising(RuntimeError("no"))),
                *urls.urlpatterns,
            ],
            **{name: getattr(urls, name) for name in dir(urls) if name.startswith("handler")},
        },
    )


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    ("asked", "status", "more"),
    [
        ("/broken-400/", 400, {}),
        ("/broken-500/", 500, {}),
        ("/nothing-here/", 404, {}),
        ("/api/nothing-here", 404, {}),
        ("/", 400, {"headers": {"Host": "evil.example"}}),
        ("/articles", 301, {}),
        ("/healthz", 200, {}),
        ("/static/broadsheet.css", 200, {}),
        ("/static/nothing.css", 404, {}),
        ("/search/?q=" + "x" * 9, 200, {}),
        ("/search/frequency/?q=rain&export=csv", 200, {}),
        ("/search/export/?q=rain", 200, {}),
        ("/api/search?q=rain", 200, {}),
    ],
)
def test_every_kind_of_answer_has_all_headers(client, asked, status, more):
    answer = client.get(asked, **more)

    assert (answer.status_code, missing(answer)) == (status, set())
    answer.close()


def test_who_is_refused_before_any_page_has_them_too(settings, monkeypatch, caplog):
    caplog.set_level(logging.CRITICAL)
    reader = Client(enforce_csrf_checks=True)
    settings.READING_WITHOUT_SIGN_IN = True

    forged = reader.post("/sign-in/", {"username": "thandi"})
    spending.begin("address 127.0.0.1", MOST_AT_ONCE)
    spending.end("address 127.0.0.1", 20.0, 30)
    monkeypatch.setattr(bounds, "turns", Turns(0))
    monkeypatch.setattr(bounds, "MOST_WAIT_SECONDS", 0.0)
    busy = reader.get("/search/?q=rain")
    spending.begin("address 127.0.0.1", MOST_AT_ONCE)
    spending.end("address 127.0.0.1", 1e6, 30)
    too_much = reader.get("/search/?q=rain")
    settings.ALLOWED_NETWORKS = [ipaddress.ip_network("198.51.100.0/24")]
    outside = reader.get("/")

    answers = (forged, busy, too_much, outside)
    assert [answer.status_code for answer in answers] == [403, 503, 429, 403]
    assert [missing(answer) for answer in answers] == [set()] * 4


def test_what_the_web_server_answers_itself_has_them_too():
    head = too_long().partition(b"\r\n\r\n")[0].decode()

    assert [name for name in HEADERS if f"\r\n{name}: " not in head] == []
