"""The clock by which pages grow old."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.timing.page_visits import LAST_AGE
from feeds.crawler.timing.plan_clock import PlanClock

FOUND = datetime(2026, 11, 20, 6, tzinfo=UTC)
SPANS = st.timedeltas(timedelta(days=-4000), timedelta(days=4000))
SPEEDS = st.floats(1, 86_400)
CLOSE = timedelta(seconds=1)


@given(SPANS)
def test_plain_clock_shows_the_true_time(span):
    clock = PlanClock(FOUND)

    assert clock.shows(FOUND + span) == clock.moment(FOUND + span) == FOUND + span
    assert clock.words == ""


@given(SPANS, SPEEDS)
def test_moment_of_what_is_shown_is_the_moment_until_the_clock_stops(span, speed):
    clock = PlanClock(FOUND, speed)

    shown = clock.shows(FOUND + span)

    is_running = span * speed < LAST_AGE * 100
    assert not is_running or abs(clock.moment(shown) - FOUND - span) < CLOSE
    assert span > timedelta() or shown == FOUND + span


@given(SPANS, SPANS, SPEEDS)
def test_hurried_clock_never_runs_backwards(one, other, speed):
    clock = PlanClock(FOUND, speed)
    earlier, later = sorted((FOUND + one, FOUND + other))

    assert clock.shows(earlier) <= clock.shows(later)
