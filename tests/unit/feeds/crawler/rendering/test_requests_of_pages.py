"""What a page gets of what it asks for, and how long its scripts are remembered."""

from datetime import UTC, datetime, timedelta

import pytest

from feeds.crawler.fetching.exchange import Exchange, FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.crawler.rendering.requests_of_pages import (
    Answered,
    Asked,
    RememberedAnswers,
    is_wanted,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
URL = "https://karoo.example/app.js"


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (Asked(URL, "GET", "script"), True),
        (Asked("https://karoo.example/data", "GET", "xhr"), True),
        (Asked("https://karoo.example/data", "GET", "fetch"), True),
        (Asked("https://cdn.example/s.css", "GET", "stylesheet"), True),
        (Asked("https://karoo.example/data", "POST", "fetch"), False),
        (Asked("https://karoo.example/data", "OPTIONS", "fetch"), False),
        (Asked("https://karoo.example/a.png", "GET", "image"), False),
        (Asked("https://karoo.example/a.woff", "GET", "font"), False),
        (Asked("https://karoo.example/a.mp4", "GET", "media"), False),
        (Asked("https://karoo.example/beacon", "GET", "ping"), False),
        (Asked("https://karoo.example/m", "GET", "manifest"), False),
        (Asked("https://karoo.example/e", "GET", "eventsource"), False),
        (Asked("file:///etc/passwd", "GET", "xhr"), False),
        (Asked("ftp://karoo.example/a", "GET", "xhr"), False),
        (Asked("chrome://settings", "GET", "fetch"), False),
        (Asked("http://[", "GET", "fetch"), False),
        (Asked("https://www.google-analytics.com/g/collect", "GET", "fetch"), False),
        (Asked("https://WWW.GoogleTagManager.com/gtm.js", "GET", "script"), False),
        (Asked("https://securepubads.g.doubleclick.net/tag/js/gpt.js", "GET", "script"), False),
        (Asked("https://notgoogle-analytics.com/app.js", "GET", "script"), True),
    ],
)
def test_only_what_may_put_text_into_a_page_is_answered(asked, wanted):
    assert is_wanted(asked) is wanted


def result(*headers):
    exchange = Exchange(URL, (), 200, "OK", headers, b"", NOW)
    return FetchResult(URL, Outcome.OK, "", NOW, 1, (exchange,))


def answer(n_bytes=10):
    return Answered(200, "text/javascript", b"x" * n_bytes)


@pytest.mark.parametrize(
    ("headers", "fresh"),
    [
        ((), timedelta(hours=1)),
        ((("Cache-Control", "max-age=60"),), timedelta(seconds=60)),
        ((("Cache-Control", "max-age=31536000, immutable"),), timedelta(days=1)),
        ((("Cache-Control", "no-store"),), None),
        ((("Cache-Control", "no-cache"),), None),
        ((("Expires", "0"),), None),
    ],
)
def test_script_is_remembered_while_it_is_fresh_and_not_longer_than_a_day(headers, fresh):
    remembered = RememberedAnswers()

    remembered.keep(URL, result(*headers), answer(), NOW)

    if fresh is None:
        assert remembered.get(URL, NOW) is None
    else:
        assert remembered.get(URL, NOW + fresh - timedelta(seconds=1)) == answer()
        assert remembered.get(URL, NOW + fresh) is None


def test_those_left_longest_unused_go_first():
    remembered = RememberedAnswers(most_bytes=100)
    for name in ("a", "b"):
        remembered.keep(name, result(), answer(40), NOW)
    remembered.get("a", NOW)

    remembered.keep("c", result(), answer(40), NOW)

    assert [bool(remembered.get(name, NOW)) for name in "abc"] == [True, False, True]


def test_the_same_script_takes_its_room_once():
    remembered = RememberedAnswers(most_bytes=100)
    remembered.keep("a", result(), answer(40), NOW)
    for _ in range(5):
        remembered.keep("b", result(), answer(50), NOW)

    assert remembered.get("a", NOW) == answer(40)


def test_what_is_larger_than_all_the_room_is_not_kept():
    remembered = RememberedAnswers(most_bytes=100)
    remembered.keep("a", result(), answer(40), NOW)

    remembered.keep("b", result(), answer(101), NOW)

    assert (remembered.get("a", NOW), remembered.get("b", NOW)) == (answer(40), None)
