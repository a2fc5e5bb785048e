"""Addresses of copies in archives of several kinds, and the moment that an answer names."""

from datetime import UTC, date, datetime

import pytest

from feeds.crawler.addressing.web_archive import (
    copy_moment,
    day_before,
    original_address,
    redirect_in_archive,
)

PAGE = "http://karoo.example/a?b=1"
ASKED = datetime(2013, 12, 25, tzinfo=UTC)
SEEN = datetime(2013, 12, 29, 8, 0, tzinfo=UTC)
COPY = f"http://archive.example/paper/20131225000000id_/{PAGE}"
DATE = "Sun, 29 Dec 2013 08:00:00 GMT"
ORIGINAL = f'<{PAGE}>; rel="original"'
LATER = 'rel="last memento"; datetime="Tue, 31 Dec 2013 08:00:00 GMT"'


@pytest.mark.parametrize(
    "url",
    [
        f"https://web.archive.org/web/20131229080000/{PAGE}",
        f"https://web.archive.org/web/20131229080000id_/{PAGE}",
        f"http://127.0.0.1:8080/paper/20131229080000mp_/{PAGE}",
        f"http://127.0.0.1:8080/wayback/20131229080000im_/{PAGE}",
        f"http://web.archive.org/web/20131229080000/{PAGE.replace('//', '/')}",
    ],
)
def test_original_of_a_copy_in_each_dialect(url):
    assert original_address(url) == PAGE


@pytest.mark.parametrize(
    ("headers", "moment"),
    [
        ((("Memento-Datetime", DATE),), SEEN),
        ((("content-location", f"/paper/20131229080000id_/{PAGE}"),), SEEN),
        ((("Link", f'{ORIGINAL}, <http://x/>; rel="memento"; datetime="{DATE}"'),), SEEN),
        ((("Link", f'<http://x/>; rel="first last memento"; datetime="{DATE}"'),), SEEN),
        ((("Link", f"<http://x/>; {LATER}"),), ASKED),
        ((("Memento-Datetime", "the day before yesterday"),), ASKED),
        ((), ASKED),
    ],
)
def test_moment_of_a_copy_is_what_its_answer_says(headers, moment):
    assert copy_moment(COPY, headers) == moment


def test_page_that_is_no_copy_has_no_moment_whatever_it_says():
    assert copy_moment(PAGE, (("Memento-Datetime", DATE),)) is None


@pytest.mark.parametrize(
    ("location", "asked"),
    [
        ("/c", "http://archive.example/paper/20131225000000id_/http://karoo.example/c"),
        ("//x.example/", "http://archive.example/paper/20131225000000id_/http://x.example/"),
        (f"/paper/20131229080000id_/{PAGE}", f"/paper/20131229080000id_/{PAGE}"),
    ],
)
def test_redirect_of_a_copy_stays_in_its_archive(location, asked):
    assert redirect_in_archive(COPY, location) == asked


def test_redirect_of_another_page_is_as_it_was():
    assert redirect_in_archive(PAGE, "/c") == "/c"


@pytest.mark.parametrize(
    "said",
    [
        "Fri, 31 Dec 9999 23:59:59 -0100",
        "Fri, 20 Dec 99999999999999999999 08:00:00 GMT",
        "Fri, 20 Dec 2013 99999999999:00:00 GMT",
    ],
)
def test_moment_that_no_year_holds_is_not_believed(said):
    url = "https://archive.example/web/20131231104500id_/http://a.example/"
    assert copy_moment(url, (("Memento-Datetime", said),)) == datetime(
        2013, 12, 31, 10, 45, tzinfo=UTC
    )


def test_day_before_the_first_of_all_is_that_day():
    assert day_before(date(2013, 12, 31), datetime(1, 1, 1, tzinfo=UTC)) == date(1, 1, 1)
