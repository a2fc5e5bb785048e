"""When a host may be asked again, and why."""

from datetime import UTC, datetime, timedelta

import pytest

from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.politeness import (
    MAX_PAUSE_SECONDS,
    HostRate,
    delay_seconds,
    next_turn,
    page_retry_at,
    smoothed,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
FLOOR = HostRate(min_delay_seconds=5)


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [
        (HostRate(5), 5),
        (HostRate(5, crawl_delay_seconds=2), 5),
        (HostRate(5, crawl_delay_seconds=20), 20),
        (HostRate(5, crawl_delay_seconds=86_400), 300),
        (HostRate(5, response_seconds=12), 12),
        (HostRate(5, response_seconds=90), 30),
        (HostRate(0, response_seconds=90), 0),
        (HostRate(0, crawl_delay_seconds=2), 2),
    ],
)
def test_delay_seconds_is_the_greatest_wish(rate, seconds):
    assert delay_seconds(rate) == seconds


def test_next_turn_after_an_answer_waits_the_delay():
    turn = next_turn(NOW, FLOOR, Outcome.OK)

    assert turn.at == NOW + timedelta(seconds=5)
    assert turn.reason == "Delay of 5 s between two requests."


def test_next_turn_names_the_crawl_delay_that_decides():
    turn = next_turn(NOW, HostRate(5, crawl_delay_seconds=30), Outcome.OK)

    assert turn.at == NOW + timedelta(seconds=30)
    assert turn.reason == "Crawl-delay of 30 s in robots.txt."


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome.RATE_LIMITED,
        Outcome.SERVER_ERROR,
        Outcome.CONNECTION_ERROR,
        Outcome.BAD_ENCODING,
        Outcome.TIMEOUT,
    ],
)
def test_next_turn_keeps_retry_after(outcome):
    turn = next_turn(NOW, FLOOR, outcome, 1, retry_after_seconds=120)

    assert turn.at == NOW + timedelta(seconds=120)
    assert turn.reason == "The server asked for 2 min (Retry-After)."


def test_next_turn_caps_retry_after_at_a_day():
    turn = next_turn(NOW, FLOOR, Outcome.RATE_LIMITED, 1, retry_after_seconds=88 * 3600)

    assert turn.at == NOW + timedelta(days=1)


def test_next_turn_ignores_retry_after_of_an_answer():
    assert next_turn(NOW, FLOOR, Outcome.OK, 0, 3600).at == NOW + timedelta(seconds=5)


@pytest.mark.parametrize(("n_failures", "seconds"), [(1, 60), (2, 120), (3, 240), (20, 21_600)])
def test_next_turn_doubles_the_pause_with_failures_in_a_row(n_failures, seconds):
    turn = next_turn(NOW, FLOOR, Outcome.RATE_LIMITED, n_failures)

    assert turn.at == NOW + timedelta(seconds=min(seconds, MAX_PAUSE_SECONDS))


def test_next_turn_of_a_missing_page_is_no_pause():
    assert next_turn(NOW, FLOOR, Outcome.NOT_FOUND, 0).at == NOW + timedelta(seconds=5)


@pytest.mark.parametrize(("attempt", "seconds"), [(1, 60), (2, 300), (3, 1500), (9, 86_400)])
def test_page_retry_at_grows_by_five(attempt, seconds):
    assert page_retry_at(NOW, attempt) == NOW + timedelta(seconds=seconds)


def test_smoothed_gives_a_quarter_to_the_new_sample():
    assert smoothed(0, 400) == 400
    assert smoothed(400, 800) == 500
