"""Budgets of requests as headers tell them."""

from datetime import UTC, datetime, timedelta

import pytest

from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.politeness import HostRate, next_turn
from feeds.crawler.timing.rate_limits import spent_seconds

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
UNIX = int(NOW.timestamp())


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ((("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "2026-11-20T12:05:00Z")), 300.0),
        ((("ratelimit-remaining", "0"), ("ratelimit-reset", str(UNIX + 60))), 60.0),
        ((("RateLimit-Remaining", "0"), ("RateLimit-Reset", "30")), 30.0),
        ((("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", str(UNIX - 9))), 0.0),
        # Against the server's own clock.
        (
            (
                ("Date", "Fri, 20 Nov 2026 11:00:00 GMT"),
                ("X-RateLimit-Remaining", "0"),
                ("X-RateLimit-Reset", "2026-11-20T11:00:20Z"),
            ),
            20.0,
        ),
        ((("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "2026-11-20T12:05:00Z")), None),
        ((("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "soon")), None),
        ((("X-RateLimit-Remaining", "none"),), None),
        ((), None),
    ],
)
def test_seconds_until_a_budget_is_full_again(headers, seconds):
    assert spent_seconds(headers, NOW) == seconds


@pytest.mark.parametrize("outcome", [Outcome.OK, Outcome.RATE_LIMITED])
def test_a_host_rests_until_its_budget_is_full_again(outcome):
    turn = next_turn(NOW, HostRate(5, spent_seconds=300), outcome, 1)
    assert turn.at == NOW + timedelta(minutes=5)
    assert "budget" in turn.reason


def test_a_budget_that_fills_sooner_than_our_delay_changes_nothing():
    assert next_turn(NOW, HostRate(5, spent_seconds=2), Outcome.OK).at == NOW + timedelta(seconds=5)


def test_a_budget_of_years_is_no_wish():
    turn = next_turn(NOW, HostRate(5, spent_seconds=1e9), Outcome.OK)
    assert turn.at == NOW + timedelta(days=1)
