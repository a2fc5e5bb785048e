"""Schedules by hand: laws of the next moment, words, and the way into a column and back."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.timing.schedules import BadScheduleError, Schedule, read_times

FRIDAY = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ZONES = [ZoneInfo(name) for name in ("Africa/Johannesburg", "Africa/Casablanca", "Europe/Berlin")]
days = st.frozensets(st.integers(0, 6))
times = st.lists(st.times().map(lambda at: at.replace(second=0, microsecond=0)), min_size=1)
schedules = st.one_of(
    st.builds(Schedule, every_minutes=st.integers(1, 10_080), days=days),
    st.builds(Schedule, times=times.map(tuple).map(lambda found: found[:48]), days=days),
)
moments = st.integers(1_577_000_000, 1_893_000_000).map(lambda at: datetime.fromtimestamp(at, UTC))


@given(schedules, moments, st.sampled_from(ZONES))
def test_next_moment_is_later_and_on_a_day_that_was_chosen(schedule, now, zone):
    at = schedule.next_after(now, zone)

    assert now < at <= now + timedelta(days=9) + timedelta(minutes=schedule.every_minutes or 0)
    assert not schedule.days or at.astimezone(zone).weekday() in schedule.days


@given(schedules, moments, moments, st.sampled_from(ZONES))
def test_a_later_look_never_gives_an_earlier_moment(schedule, one, other, zone):
    first, last = sorted([one, other])

    assert schedule.next_after(first, zone) <= schedule.next_after(last, zone)


@given(schedules)
def test_schedule_comes_back_from_its_column(schedule):
    found = Schedule.from_json(schedule.to_json())

    assert str(found) == str(schedule)
    assert found.to_json() == schedule.to_json()


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (Schedule(every_minutes=90), "2026-11-20T13:30:00+00:00"),
        (Schedule(every_minutes=90, days=frozenset({6})), "2026-11-21T22:00:00+00:00"),
        (Schedule(times=(time(6), time(18, 30))), "2026-11-20T16:30:00+00:00"),
        (Schedule(times=(time(6),), days=frozenset({4})), "2026-11-27T04:00:00+00:00"),
    ],
)
def test_moments_are_those_of_the_publications_clock(schedule, expected):
    assert schedule.next_after(FRIDAY, ZoneInfo("Africa/Johannesburg")).isoformat() == expected


def test_time_that_a_day_does_not_have_comes_an_hour_later():
    night = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)

    at = Schedule(times=(time(2, 30),)).next_after(night, ZoneInfo("Europe/Berlin"))

    assert at.isoformat() == "2026-03-29T01:30:00+00:00"


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        (Schedule(every_minutes=15), "every 15 min"),
        (Schedule(every_minutes=1440, days=frozenset({0, 1, 4})), "every 1 d, on Mon, Tue and Fri"),
        (Schedule(times=(time(18, 30), time(6))), "at 06:00 and 18:30"),
    ],
)
def test_schedule_is_said_in_words(schedule, words):
    assert str(schedule) == words


@pytest.mark.parametrize(
    "make",
    [
        Schedule,
        lambda: Schedule(every_minutes=5, times=(time(6),)),
        lambda: Schedule(every_minutes=0),
        lambda: Schedule(every_minutes=10_081),
        lambda: Schedule(every_minutes=5, days=frozenset({7})),
        lambda: Schedule(times=tuple(time(n // 60, n % 60) for n in range(49))),
        lambda: read_times("6:00 noon"),
        lambda: read_times("25:00"),
    ],
)
def test_what_is_no_schedule_is_refused(make):
    with pytest.raises(BadScheduleError):
        make()


@pytest.mark.parametrize("found", [None, {}, {"times": ["x"]}, {"every_minutes": "5"}, {"days": 3}])
def test_column_that_holds_something_else_is_no_schedule(found):
    assert Schedule.from_json(found) is None
