from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from extraction.html.fields.publication_dates import (
    DateRequest,
    choose_published,
    in_local_zone,
    on_shown_day,
)
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def published(declared=(), vague=(), shown="", **more):
    outline = outline_page(parse_html(f"<h1>Fire</h1>{shown}"))
    request = DateRequest(now=NOW, outline=outline, headline=0, **more)
    found = choose_published(declared, vague, request)
    return (found.moment.isoformat() if found.moment else "", found.source)


def test_first_declared_date_wins():
    declared = [("json_ld", "2024-06-05T10:00+02:00"), ("meta", "2024-06-07")]

    assert published(declared) == ("2024-06-05T10:00:00+02:00", "json_ld")


def test_page_decides_between_declared_dates():
    declared = [("json_ld", "2024-06-05T10:00+02:00"), ("meta", "2024-06-07")]

    assert published(declared, shown="<p>7 June 2024</p>") == ("2024-06-07T00:00:00+00:00", "meta")
    assert published(declared, shown="<p>9 June 2024</p>")[1] == "json_ld"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("<p>March 9, 2026</p>", "2026-03-09"),
        ("<p>3 September 2026</p>", "2026-09-03"),
        ("", "2026-09-03"),
    ],
)
def test_page_decides_between_day_and_month_first(shown, expected):
    assert published([("meta", "03-09-2026")], shown=shown)[0][:10] == expected


def test_vague_meta_date_comes_after_the_one_by_the_headline():
    assert published((), ["2024-06-12"], shown="<p>5 June 2024</p>")[1] == "page"
    assert published((), ["2024-06-12"]) == ("2024-06-12T00:00:00+00:00", "meta")


def test_address_comes_before_the_visible_page():
    found = published(shown="<p>7 June 2024</p>", url="https://x.example/2024/06/05/fire")

    assert found == ("2024-06-05T00:00:00+00:00", "url")


def test_date_without_a_zone_gets_that_of_the_publication():
    found = published([("meta", "2024-06-05 10:30")], zone=ZoneInfo("Africa/Johannesburg"))

    assert found[0] == "2024-06-05T10:30:00+02:00"


def test_nothing_is_invented():
    assert published([("json_ld", "soon")], ["yesterday"], shown="<p>Now</p>") == ("", "")


AT = datetime(2019, 10, 18, 22, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("texts", "shown", "expected"),
    [
        (["Sat, 19 Oct 2019 00:04:00 +0200"], [], "2019-10-19T00:04:00+02:00"),
        (["2019-10-18T22:04:20Z"], [], "2019-10-18T22:04:00+00:00"),
        (["2019-10-19T09:04:00+02:00"], [], "2019-10-18T22:04:00+00:00"),
        ([], ["19 October 2019 00:04"], "2019-10-19T00:04:00+02:00"),
        ([], ["19 October 2019 03:34"], "2019-10-19T03:34:00+05:30"),
        ([], ["18 October 2019 22:05"], "2019-10-18T22:04:00+00:00"),
        ([], ["20 October 2019 22:04"], "2019-10-18T22:04:00+00:00"),
    ],
)
def test_zone_is_that_of_the_source_that_writes_the_same_moment(texts, shown, expected):
    assert in_local_zone(AT, texts, shown).isoformat() == expected


def test_moment_with_an_offset_keeps_it():
    at = datetime.fromisoformat("2024-06-05T10:00:00+02:00")

    assert in_local_zone(at, ["2024-06-05T09:00:00+01:00"], []) is at


def test_midnight_on_the_page_may_be_no_time_at_all():
    at = datetime(2019, 10, 18, 22, 0, tzinfo=UTC)

    assert in_local_zone(at, [], ["19 October 2019"]) is at


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("<p>3/9/2026 5:30 PM</p><time datetime='2026-03-09'></time>", "2026-03-09T17:30"),
        ("<p>3/9/2026</p><time datetime='2026-09-03'></time>", "2026-09-03T00:00"),
        ("<p>3/9/2026</p><p>Next: 3/28/2026</p>", "2026-03-09T00:00"),
        ("<p>3/9/2026</p>", "2026-09-03T00:00"),
    ],
)
def test_order_of_day_and_month_is_that_of_the_page(shown, expected):
    assert published(shown=shown)[0][:16] == expected


@pytest.mark.parametrize(
    ("moment", "shown", "expected"),
    [
        ("2025-12-19T02:41:00+00:00", ["December 18, 2025"], "2025-12-18T23:41:00-03:00"),
        ("2025-12-19T22:02:00+00:00", ["20 December 2025"], "2025-12-20T00:02:00+02:00"),
        ("2025-12-19T02:41:00+00:00", ["18 Dec 2025", "19 Dec 2025"], "2025-12-19T02:41:00+00:00"),
        ("2025-12-19T22:02:00+00:00", ["December 18, 2025"], "2025-12-19T22:02:00+00:00"),
        ("2025-12-19T02:41:00+01:00", ["December 18, 2025"], "2025-12-19T02:41:00+01:00"),
        ("2025-12-19T00:00:00+00:00", ["December 18, 2025"], "2025-12-19T00:00:00+00:00"),
        ("2025-12-19T02:41:00+00:00", [], "2025-12-19T02:41:00+00:00"),
    ],
)
def test_moment_in_utc_is_of_the_day_that_the_page_shows(moment, shown, expected):
    assert on_shown_day(datetime.fromisoformat(moment), shown).isoformat() == expected


def test_declared_moment_is_of_the_day_by_the_headline():
    declared = [("meta", "2025-12-19T02:41:41+00:00")]

    found = published(declared, shown="<p>Posted on December 18, 2025</p>")

    assert found == ("2025-12-18T23:41:41-03:00", "meta")
