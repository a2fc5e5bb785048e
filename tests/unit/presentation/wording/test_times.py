"""Ages, dates and lengths of time as they are written everywhere."""

import doctest
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from presentation.wording import times

NOW = datetime(2026, 11, 20, 14, 5, tzinfo=UTC)


def test_examples_hold():
    assert doctest.testmod(times).failed == 0


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(0), "now"),
        (timedelta(seconds=-0.4), "now"),
        (timedelta(seconds=1), "1 s ago"),
        (timedelta(seconds=38), "38 s ago"),
        (timedelta(minutes=2, seconds=10), "2 min 10 s ago"),
        (timedelta(minutes=59, seconds=59), "59 min ago"),
        (timedelta(hours=47), "1 d 23 h ago"),
        (timedelta(days=3), "17 Nov 2026, 14:05"),
        (timedelta(minutes=-24), "in 24 min"),
        (timedelta(hours=-3, minutes=-40), "in 3 h 40 min"),
        (timedelta(days=-3), "23 Nov 2026, 14:05"),
    ],
)
def test_age_is_words_up_to_48_hours_and_a_date_beyond(passed, words):
    assert times.age(NOW - passed, NOW) == words


def test_age_is_a_date_in_the_zone_of_the_moment():
    moment = (NOW - timedelta(days=9)).astimezone(ZoneInfo("Africa/Johannesburg"))

    assert times.age(moment, NOW) == "11 Nov 2026, 16:05"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-3, "0 s"), (59.6, "1 min"), (61, "1 min 1 s"), (299, "4 min 59 s"), (3600, "1 h")],
)
def test_span_has_at_most_two_units(seconds, words):
    assert times.span(seconds) == words


def test_a_day_of_another_year_bears_its_year():
    today = NOW.date()

    assert times.short_day(date(2026, 1, 5), today) == "5 Jan"
    assert times.short_day(date(2024, 1, 5), today) == "5 Jan 2024"
    assert times.month(today) == "Nov 2026"
    assert times.exact_stamp(NOW) == "20 Nov 2026, 14:05:00"
