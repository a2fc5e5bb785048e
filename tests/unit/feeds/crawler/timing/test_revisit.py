from datetime import UTC, datetime, timedelta

import pytest

from feeds.crawler.outcomes import Outcome
from feeds.crawler.timing.revisit import (
    PollObservation,
    Rhythm,
    TermName,
    VisitLimits,
    VisitRequest,
    failure_weight,
    interrupted,
    learn,
    may_have_missed,
    next_visit,
)

NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)
LIMITS = VisitLimits(least_seconds=600, most_seconds=86_400)


@pytest.mark.parametrize(
    ("poll", "interval"),
    [
        (PollObservation(30, 21), 7_800),
        (PollObservation(30, 30, quiet_days=40), 10_800),
        (PollObservation(0, 0, is_unchanged=True), 7_800),
        (PollObservation(0, 0), 7_800),
        (PollObservation(30, 15), 7_200),
        (PollObservation(30, 5), 1_800),
        (PollObservation(30, 30, late_seconds=2_000), 7_200),
    ],
)
def test_interval_of_two_hours_is_learnt_from_overlap(poll, interval):
    assert learn(Rhythm(7_200, good_polls=1), poll, LIMITS) == Rhythm(interval, 2)


def test_interval_below_default_shrinks_by_an_hour_to_the_least():
    assert learn(Rhythm(1_200, 5), PollObservation(30, 0), LIMITS) == Rhythm(600, 6)


def test_interval_never_grows_above_the_most():
    assert learn(Rhythm(86_400, 5), PollObservation(30, 30), LIMITS) == Rhythm(86_400, 6)


def test_nothing_is_learnt_from_the_first_good_poll():
    assert learn(Rhythm(), PollObservation(30, 0), LIMITS) == Rhythm(None, 1)


def test_failure_starts_the_count_of_good_polls_anew():
    assert interrupted(Rhythm(1_200, 5)) == Rhythm(1_200, 0)


@pytest.mark.parametrize(
    ("previous", "poll", "missed"),
    [
        (30, PollObservation(30, 0), True),
        (30, PollObservation(30, 1), False),
        (0, PollObservation(30, 0), False),
        (30, PollObservation(0, 0), False),
        (30, PollObservation(0, 0, is_unchanged=True), False),
    ],
)
def test_items_may_be_missed_without_overlap(previous, poll, missed):
    assert may_have_missed(previous, poll) is missed


@pytest.mark.parametrize(
    ("request_", "minutes", "winner"),
    [
        (VisitRequest(1_800), 30, TermName.LEARNT),
        (VisitRequest(10), 10, TermName.LEARNT),
        (VisitRequest(10**6), 1_440, TermName.LEARNT),
        (VisitRequest(600, ttl_seconds=3_600), 60, TermName.TTL),
        (VisitRequest(600, ttl_seconds=10**7), 1_440, TermName.TTL),
        (VisitRequest(600, max_age_seconds=900), 15, TermName.MAX_AGE),
        (VisitRequest(600, crawl_delay_seconds=1_200), 20, TermName.CRAWL_DELAY),
        (VisitRequest(600, retry_after_seconds=3_600), 60, TermName.RETRY_AFTER),
        (VisitRequest(600, retry_after_seconds=90_000), 1_500, TermName.RETRY_AFTER),
        (VisitRequest(1_800, failures=2.5), 105, TermName.FAILURES),
        (VisitRequest(86_400, failures=500), 43_200, TermName.FAILURES),
    ],
)
def test_next_visit_is_the_largest_term_within_limits(request_, minutes, winner):
    visit = next_visit(NOW, request_, LIMITS)

    assert visit.at == NOW + timedelta(minutes=minutes)
    assert [term.name for term in visit.terms if term.decides] == [winner]


@pytest.mark.parametrize(
    ("learnt", "told", "hours"),
    [
        (3_600, 30 * 86_400, 4),  # four times the interval
        (36_000, 30 * 86_400, 24),  # but daily
        (3_600, 2.2 * 3_600, 2),  # and by the end of the lease, spread included
        (3_600, 600, 1),  # from which on the interval holds
    ],
)
def test_visits_are_rarer_while_a_hub_tells(learnt, told, hours):
    request = VisitRequest(learnt, told_seconds=told)

    assert next_visit(NOW, request, LIMITS).at - NOW == timedelta(hours=hours)


def test_hub_gives_way_to_a_schedule_by_hand():
    request = VisitRequest(3_600, told_seconds=864_000, by_hand_seconds=600, by_hand_words="noon")

    assert next_visit(NOW, request, LIMITS).at - NOW == timedelta(minutes=10)


def test_next_visit_keeps_all_terms_for_the_table():
    visit = next_visit(
        NOW,
        VisitRequest(600, "overlap 71 % of 30 items", ttl_seconds=300, retry_after_seconds=1_800),
        LIMITS,
    )

    assert [(term.name, term.seconds, term.origin) for term in visit.terms] == [
        (TermName.LEARNT, 600, "overlap 71 % of 30 items"),
        (TermName.TTL, 300, "asked for by the feed"),
        (TermName.RETRY_AFTER, 1_800, "asked for by the server"),
    ]
    assert visit.reason == "Retry-After: 30 min, asked for by the server"


def test_next_visit_is_spread_by_a_tenth_but_not_before_retry_after():
    spread = next_visit(NOW, VisitRequest(1_000, spread=0.5), LIMITS)
    asked = next_visit(NOW, VisitRequest(600, retry_after_seconds=1_800, spread=0.9), LIMITS)

    assert spread.at == NOW + timedelta(seconds=1_050)
    assert asked.at == NOW + timedelta(seconds=1_800)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_failure_has_a_weight(outcome):
    assert (failure_weight(outcome) > 0) is not outcome.is_answer
