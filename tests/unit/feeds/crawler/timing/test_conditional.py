"""What headers say about asking again (RFC 9110, RFC 9111)."""

from datetime import UTC, datetime

import pytest

from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.conditional import (
    Freshness,
    Validators,
    cache_directives,
    freshness,
    header,
    http_date,
    outcome_of_status,
    request_headers,
    retry_after_seconds,
    validators,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
# RFC 9110, 5.6.7: the same moment in the three forms.
MOMENT = datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ],
)
def test_http_date_reads_all_three_forms(text):
    assert http_date(text) == MOMENT


@pytest.mark.parametrize("text", ["", "0", "yesterday", "Sun, 99 Nov 1994 08:49:37 GMT", "1"])
def test_http_date_of_anything_else_is_none(text):
    assert http_date(text) is None


def test_header_is_found_in_any_case():
    assert header((("eTaG", "x"), ("ETag", "y")), "etag") == "x"
    assert header((), "etag") is None


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ((("ETag", '"a"'),), Validators('"a"', "")),
        ((("ETag", 'W/"a"'),), Validators('W/"a"', "")),
        ((("ETag", '""'),), Validators('""', "")),
        ((("ETag", "unquoted"),), Validators()),
        ((("ETag", '"' + "x" * 600 + '"'),), Validators()),
        (
            (("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),),
            Validators("", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ),
        ((("Last-Modified", "0"),), Validators()),
    ],
)
def test_validators_keeps_what_can_be_sent_back(headers, expected):
    assert validators(headers) == expected


def test_request_headers_sends_both_validators():
    sent = request_headers(Validators('"a"', "Sun, 06 Nov 1994 08:49:37 GMT"))

    assert sent == (
        ("If-None-Match", '"a"'),
        ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"),
    )
    assert request_headers(Validators()) == ()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30.0),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0.0),
        ("-5", None),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after_seconds_reads_seconds_and_dates(value, seconds):
    assert retry_after_seconds((("Retry-After", value),), NOW) == seconds


def test_retry_after_seconds_measures_a_date_by_the_servers_clock():
    headers = (
        ("Date", "Fri, 20 Nov 2026 15:00:00 GMT"),
        ("Retry-After", "Fri, 20 Nov 2026 15:01:00 GMT"),
    )

    assert retry_after_seconds(headers, NOW) == 60.0


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ((), Freshness(None)),
        ((("Cache-Control", "max-age=300"),), Freshness(300.0, "max-age")),
        ((("Cache-Control", "public,Max-Age = 60"),), Freshness(60.0, "max-age")),
        ((("Cache-Control", 'max-age="60"'),), Freshness(60.0, "max-age")),
        ((("Cache-Control", "no-cache, max-age=300"),), Freshness(0.0, "no-cache")),
        ((("Cache-Control", "no-store"),), Freshness(0.0, "no-store")),
        (
            (("Cache-Control", "max-age=10"), ("Expires", "Fri, 20 Nov 2026 13:00:00 GMT")),
            Freshness(10.0, "max-age"),
        ),
        ((("Expires", "Fri, 20 Nov 2026 13:00:00 GMT"),), Freshness(3600.0, "Expires")),
        ((("Expires", "0"),), Freshness(0.0, "Expires")),
        ((("Cache-Control", "max-age=soon"),), Freshness(None)),
    ],
)
def test_freshness_follows_the_order_of_the_rfc(headers, expected):
    assert freshness(headers, NOW) == expected


def test_cache_directives_keep_the_first_of_each():
    headers = (("Cache-Control", "max-age=1, private"), ("cache-control", "max-age=2"))

    assert cache_directives(headers) == {"max-age": "1", "private": ""}


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, Outcome.OK),
        (206, Outcome.OK),
        (304, Outcome.NOT_MODIFIED),
        (400, Outcome.CLIENT_ERROR),
        (401, Outcome.FORBIDDEN),
        (403, Outcome.FORBIDDEN),
        (404, Outcome.NOT_FOUND),
        (410, Outcome.GONE),
        (429, Outcome.RATE_LIMITED),
        (451, Outcome.FORBIDDEN),
        (500, Outcome.SERVER_ERROR),
        (503, Outcome.SERVER_ERROR),
        (599, Outcome.SERVER_ERROR),
    ],
)
def test_outcome_of_status_names_each_class(status, outcome):
    assert outcome_of_status(status, is_conditional=True) == outcome


def test_outcome_of_status_304_without_a_condition_is_a_fault():
    assert outcome_of_status(304, is_conditional=False) == Outcome.SERVER_ERROR
