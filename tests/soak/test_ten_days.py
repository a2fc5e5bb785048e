"""Ten days of crawling with twenty faults, as `make soak` lives through a year of them."""

from datetime import UTC, datetime

import pytest
from soak.report import alarms, texts
from soak.year import Plan, lived

PLAN = Plan(datetime(2026, 1, 5, tzinfo=UTC), n_days=10, n_papers=6, n_articles=100, n_faults=28)
# Days go by, statement after statement; workers are killed, so everything is really committed.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]


def test_ten_days_with_twenty_faults_lose_nothing_and_double_nothing():
    with lived(PLAN) as year:
        found, told = texts(year), alarms(year)

    assert sum(year.happened.values()) >= 20, year.happened
    assert found.appeared >= 50
    assert found.stored + found.not_to_be_had == found.appeared
    assert (found.lost, found.twice, found.strange, found.wrong) == (0, 0, 0, 0), found.examples
    assert found.late == 0, found.examples
    assert year.n_too_soon == 0
    assert (dict(told.missed), dict(told.wrong)) == ({}, {}), told.examples
