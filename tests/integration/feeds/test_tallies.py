"""Figures that are dear to count are kept, and counted again by the sweep."""

from datetime import UTC, datetime, timedelta

import pytest

from feeds.models import Tally
from feeds.watching import tallies
from feeds.watching.tallies import (
    LONGEST_REST,
    WAITED_FOR_MS,
    Tallied,
    count_again,
    count_first,
    tally,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
pytestmark = pytest.mark.django_db


class Rows:
    """A table whose count we know; how often it was counted."""

    def __init__(self):
        self.n, self.n_counts = 3, 0

    def count(self, _now):
        self.n_counts += 1
        return {"rows": self.n}


@pytest.fixture
def rows():
    return Rows()


@pytest.fixture
def dear(settings):
    """All counts are dear, and rest as long as may be."""
    settings.TALLY_DEAR_MS = 0

    def make_slow():
        Tally.objects.update(elapsed_ms=10**9)

    return make_slow


def test_cheap_counts_are_of_now_and_kept_nowhere(rows, settings):
    settings.TALLY_DEAR_MS = 10**9
    assert tally("rows", rows.count, NOW) == Tallied({"rows": 3})
    rows.n = 4
    assert tally("rows", rows.count, NOW) == Tallied({"rows": 4})
    assert not Tally.objects.exists()


def test_dear_counts_are_kept_with_their_moment(rows, dear):
    tally("rows", rows.count, NOW)
    dear()
    rows.n = 4
    later = NOW + 5 * MINUTE
    assert tally("rows", rows.count, later) == Tallied({"rows": 3}, NOW)
    assert rows.n_counts == 1


def test_a_sweep_counts_again_what_rested_and_was_looked_at(rows, dear):
    tally("rows", rows.count, NOW)
    dear()
    rows.n = 4
    assert count_again({"rows": rows.count}.get, NOW + 5 * MINUTE) == 0
    at = NOW + LONGEST_REST
    assert count_again({"rows": rows.count}.get, at) == 1
    assert tally("rows", rows.count, at) == Tallied({"rows": 4}, at)
    assert rows.n_counts == 2


def test_nothing_is_counted_for_nobody(rows, dear):
    tally("rows", rows.count, NOW)
    dear()
    assert count_again({"rows": rows.count}.get, NOW + timedelta(hours=2)) == 0


def test_a_view_makes_quick_counts_where_no_sweep_comes(rows, dear):
    tally("rows", rows.count, NOW)
    Tally.objects.update(elapsed_ms=WAITED_FOR_MS)
    rows.n = 4
    at = NOW + 5 * MINUTE
    assert tally("rows", rows.count, at) == Tallied({"rows": 4}, at)


def test_a_view_never_waits_for_what_was_counted_within_a_day(rows, dear):
    tally("rows", rows.count, NOW)
    Tally.objects.update(elapsed_ms=WAITED_FOR_MS + 1)
    rows.n = 4
    morning = NOW + timedelta(hours=23)
    assert tally("rows", rows.count, morning) == Tallied({"rows": 3}, NOW)
    assert count_again({"rows": rows.count}.get, morning) == 1
    assert tally("rows", rows.count, morning) == Tallied({"rows": 4}, morning)
    rows.n = 5
    assert tally("rows", rows.count, morning + timedelta(hours=25)).figures == {"rows": 5}


def test_quick_counts_of_a_first_sweep_are_kept_nowhere(rows, dear):
    assert count_first({"rows": rows.count}.get, NOW, ["rows"]) == 1
    assert not Tally.objects.exists()


def test_what_is_kept_is_not_counted_first(rows, dear, monkeypatch):
    monkeypatch.setattr(tallies, "WAITED_FOR_MS", 0)
    assert count_first({"rows": rows.count}.get, NOW, ["rows"]) == 1
    dear()
    assert tally("rows", rows.count, NOW + MINUTE) == Tallied({"rows": 3}, NOW)
    assert count_first({"rows": rows.count}.get, NOW, ["rows"]) == 0
    assert rows.n_counts == 1


def test_a_view_keeps_the_sweep_counting(rows, dear):
    tally("rows", rows.count, NOW)
    dear()
    at = NOW + 50 * MINUTE
    tally("rows", rows.count, at)
    assert count_again({"rows": rows.count}.get, NOW + 90 * MINUTE) == 1


def test_what_became_cheap_is_counted_at_each_view_again(rows, dear, settings):
    tally("rows", rows.count, NOW)
    dear()
    settings.TALLY_DEAR_MS = 10**9
    assert count_again({"rows": rows.count}.get, NOW + LONGEST_REST) == 1
    assert not Tally.objects.exists()


def test_names_that_nobody_knows_are_forgotten(rows, dear):
    tally("rows", rows.count, NOW)
    dear()
    assert count_again({}.get, NOW + LONGEST_REST) == 0
    assert not Tally.objects.exists()


def test_what_everybody_looks_at_first_is_counted_though_nobody_looked(rows, dear):
    tally("rows", rows.count, NOW)
    rows.n = 4
    next_day = NOW + timedelta(hours=23)
    assert count_again({"rows": rows.count}.get, next_day, always=["rows"]) == 1
    assert tally("rows", rows.count, next_day).figures == {"rows": 4}


def test_what_nobody_wanted_for_a_day_is_forgotten(rows, dear):
    tally("rows", rows.count, NOW)
    tally("always", rows.count, NOW)
    count_of = dict.fromkeys(("rows", "always"), rows.count).get
    count_again(count_of, NOW + timedelta(hours=25), always=["always"])
    assert list(Tally.objects.values_list("name", flat=True)) == ["always"]
