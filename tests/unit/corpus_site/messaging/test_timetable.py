"""Hours of readers, gaps and retries, whatever the clock does."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from corpus_site.messaging.timetable import (
    GAPS,
    MOST_TRIES,
    RETRIES,
    Hours,
    next_gap,
    next_try,
)

ZONES = ["UTC", "Africa/Johannesburg", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]
MOMENTS = st.integers(0, 63_000_000).map(
    lambda seconds: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)
CLOCKS = st.times().map(lambda clock: clock.replace(second=0, microsecond=0))
HOURS = st.builds(
    Hours,
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    daily_at=CLOCKS,
    weekday=st.integers(0, 6),
    quiet_from=CLOCKS,
    quiet_until=CLOCKS,
)
# Where clocks are changed a day has 23 or 25 hours.
SHIFT = timedelta(hours=1)


@given(HOURS, MOMENTS)
def test_the_next_day_is_later_at_its_hour_and_within_a_day(hours, now):
    moment = hours.next_day(now)

    assert now < moment.astimezone(UTC) <= now + timedelta(days=1) + SHIFT
    assert moment.time() == hours.daily_at


@given(HOURS, MOMENTS)
def test_the_next_week_is_later_on_its_day_and_within_a_week(hours, now):
    moment = hours.next_week(now)

    assert now < moment.astimezone(UTC) <= now + timedelta(days=7) + SHIFT
    assert (moment.time(), moment.weekday()) == (hours.daily_at, hours.weekday)


@given(HOURS, MOMENTS)
def test_the_end_of_quiet_hours_is_later_and_no_longer_quiet(hours, now):
    end = hours.quiet_end(now)

    if end is not None:
        assert now < end.astimezone(UTC) <= now + timedelta(days=1) + SHIFT
        assert end.time() == hours.quiet_until


def test_a_clock_that_is_put_back_makes_no_moment_of_the_past():
    hours = Hours(ZoneInfo("Europe/Berlin"), daily_at=time(2, 45))
    now = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)  # 02:30 for the second time

    assert hours.next_day(now).astimezone(UTC) > now
    assert hours.next_week(now).astimezone(UTC) > now


def test_quiet_hours_pass_midnight():
    hours = Hours(ZoneInfo("UTC"), quiet_from=time(22), quiet_until=time(6))
    quiet = [
        hour for hour in range(24) if hours.quiet_end(datetime(2026, 11, 20, hour, tzinfo=UTC))
    ]

    assert quiet == [0, 1, 2, 3, 4, 5, 22, 23]


def test_gaps_grow_while_things_go_on_and_begin_anew_after_a_rest():
    now = datetime(2026, 11, 20, tzinfo=UTC)

    assert next_gap(0, None, now) == 0
    assert next_gap(0, now - GAPS[0], now) == 1
    assert next_gap(len(GAPS) - 1, now - GAPS[-1], now) == len(GAPS) - 1
    assert next_gap(len(GAPS) - 1, now - 3 * GAPS[-1], now) == 0


def test_tries_end_after_three_days():
    now = moment = datetime(2026, 11, 20, tzinfo=UTC)
    n_tries = 1
    while (later := next_try(n_tries, moment)) is not None:
        n_tries, moment = n_tries + 1, later

    assert n_tries == MOST_TRIES
    assert timedelta(days=2, hours=20) < moment - now < timedelta(days=3, hours=4)
    assert next_try(1, now) == now + RETRIES[0]
