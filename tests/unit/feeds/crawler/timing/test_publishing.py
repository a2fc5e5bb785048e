"""What papers usually bring: simulated papers of nine habits, their false alarms, their ends."""

import random
from datetime import UTC, datetime, timedelta
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.timing.publishing import HOUR, WINDOW, Pattern, expect, learn

START = datetime(2026, 1, 5, tzinfo=UTC)  # a Monday
DAY = timedelta(days=1)
YEARS = 2
HOLIDAYS = {(1, 1), (3, 21), (4, 27), (5, 1), (6, 16), (8, 9), (9, 24), (12, 16), (12, 25),
            (12, 26)}  # fmt: skip


def poisson(chance, mean):
    if mean > 50:
        return max(0, round(chance.gauss(mean, mean**0.5)))
    least, n, product = exp(-mean), 0, chance.random()
    while product >= least:
        n, product = n + 1, product * chance.random()
    return n


def daily(chance, at):
    share = 0.6 if at.weekday() > 4 else 1.0
    return poisson(chance, share * 20 / 14 if 5 <= at.hour < 19 else 0.02)


def large(chance, at):
    return poisson(chance, 120 / 18 if 4 <= at.hour < 22 else 0.5)


def without_weekends(chance, at):
    is_open = at.weekday() < 5 and 6 <= at.hour < 16
    return poisson(chance, 1.5) if is_open else 0


def without_holidays(chance, at):
    return 0 if (at.month, at.day) in HOLIDAYS else without_weekends(chance, at)


def closed_at_christmas(chance, at):
    return 0 if (at.month, at.day) in {(12, 25), (12, 26), (1, 1)} else daily(chance, at)


def weekly(chance, at):
    hour = 9 + at.isocalendar().week % 4
    return 12 if (at.weekday(), at.hour) == (2, hour) else 0


def in_bursts(chance, at):
    return poisson(chance, 6) if chance.random() < 1 / 30 else 0


def rare(chance, at):
    return int(chance.random() < 2 / 168)


def in_the_evening(chance, at):
    return poisson(chance, 40) if at.hour == 17 else 0


def lived(paper, seed, days, *, ends=None, share=0.0):
    """Live some days with a paper that brings only a share from a day on: moments of alarms.

    A day is learnt two days later, and once something has come after it, as the sweep does.
    """
    chance, pattern, hours, n_learnt, last_at = random.Random(seed), Pattern(), [], 0, START
    expectation, rings, was_ringing = expect(pattern), [], False
    for day in range(days):
        for at in (START + day * DAY + hour * HOUR for hour in range(24)):
            n = paper(chance, at)
            if ends is not None and day >= ends:
                n = sum(chance.random() < share for _ in range(n)) if share else 0
            hours.append(n)
            now = at + HOUR
            last_at = now if n else last_at
            is_ringing = expectation.is_silent(last_at, now) or (
                len(hours) > 72 and expectation.is_fewer(sum(hours[-72:]), now - WINDOW, now)
            )
            # What rings again while its window still holds the same days is one alarm.
            if is_ringing and not was_ringing and not (rings and now - rings[-1] < 4 * DAY):
                rings.append(now)
            was_ringing = is_ringing
        while n_learnt <= day - 2 and START + n_learnt * DAY < last_at:
            hours_of_day = hours[n_learnt * 24 : (n_learnt + 1) * 24]
            pattern = learn(pattern, START + n_learnt * DAY, hours_of_day)
            expectation, n_learnt = expect(pattern), n_learnt + 1
    return rings


PAPERS = [
    # habit, days until its end is told at the latest
    (daily, 2.5),
    (large, 1.6),
    (without_weekends, 3.6),
    (without_holidays, 3.6),
    (closed_at_christmas, 2.5),
    (weekly, 14.0),
    (in_bursts, 15.0),
    (rare, 30.0),
    (in_the_evening, 2.0),
]


@pytest.mark.parametrize(
    ("paper", "latest"), PAPERS, ids=lambda value: getattr(value, "__name__", "")
)
def test_papers_ring_once_a_year_at_most_and_soon_after_their_end(paper, latest):
    false_alarms = sum(len(lived(paper, seed, 365 * YEARS)) for seed in range(2))
    end = 200
    rings = [at for at in lived(paper, 7, end + 31, ends=end) if at > START + end * DAY]

    assert false_alarms <= 2 * YEARS
    assert (rings[0] - START) / DAY - end <= latest


@pytest.mark.parametrize("paper", [daily, large, without_weekends])
def test_a_quarter_of_the_usual_is_told_within_a_week(paper):
    rings = lived(paper, 3, 208, ends=200, share=0.25)

    assert [at for at in rings if at > START + 200 * DAY]


def test_newcomer_may_be_quiet_for_a_week():
    newcomer = expect(Pattern())

    assert not newcomer.is_silent(START, START + 6 * DAY)
    assert newcomer.is_silent(START, START + 8 * DAY)
    assert not newcomer.is_fewer(0, START, START + 3 * DAY)


def test_newcomer_is_believed_to_bring_what_others_bring():
    first = learn(Pattern(), START, [0] * 12 + [20] + [0] * 11)

    assert expect(Pattern(), 30).articles_a_day == 30
    assert 20 < expect(first, 30).articles_a_day < 30


def test_pattern_survives_its_column():
    pattern = learn(Pattern(), START, [n % 3 for n in range(24)])

    assert Pattern.of_stored(pattern.stored()) == pattern


@given(
    st.lists(st.integers(0, 500), min_size=24, max_size=24),
    st.floats(0, 400),
    st.floats(0, 400),
    st.floats(0, 400),
)
def test_expectations_add_up_and_never_shrink(counts, first, second, third):
    """What three moments enclose is what lies between them, whatever was learnt."""
    expectation = expect(learn(Pattern(), START, counts))
    a, b, c = sorted(START + timedelta(hours=hours) for hours in (first, second, third))

    for measure in (expectation.n_articles, expectation.surprise):
        assert measure(a, b) >= 0
        assert measure(a, b) + measure(b, c) == pytest.approx(measure(a, c), abs=0.05)
