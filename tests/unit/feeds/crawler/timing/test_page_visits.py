"""The plan of visits to an article's page, and what it finds at papers that change their texts."""

import random
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.timing.page_visits import (
    AGES,
    HOUR,
    LAST_AGE,
    Found,
    PageLife,
    age_of,
    ages_visited,
    next_visit,
)

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
BASE = [4, 24, 168, 720]


def hours(found):
    return [age.hours for age in ages_visited(found)]


def test_newcomer_is_visited_at_four_ages():
    moments, now = [], NOON
    while visit := next_visit(PageLife(NOON, now), {}):
        moments.append((visit.at - NOON) / HOUR)
        now = visit.at

    assert moments == BASE


def test_reason_names_the_age_and_what_was_found_there():
    found = {4: Found(80, 12)}

    assert (
        next_visit(PageLife(NOON, NOON), found).reason
        == "planned: four hours after publication, where 15 % of the last 80 visits found a change"
    )
    assert (
        next_visit(PageLife(NOON, NOON), {}).reason
        == "planned: four hours after publication, no visit at this age is known yet"
    )


@pytest.mark.parametrize(("n_changed", "words"), [(0, "no change"), (1, "a change")])
def test_reason_of_a_single_visit_names_no_share(n_changed, words):
    planned = next_visit(PageLife(NOON, NOON), {4: Found(1, n_changed)})

    assert planned.reason.endswith(f"where the last visit found {words}")


def test_page_that_is_older_than_the_last_age_is_left_alone():
    assert next_visit(PageLife(NOON - LAST_AGE, NOON), {}) is None


def test_visit_shortly_after_another_is_left_out():
    visit = next_visit(PageLife(NOON - timedelta(hours=3, minutes=30), NOON), {})

    assert visit.at == NOON + timedelta(hours=20, minutes=30)


def test_age_that_finds_nothing_is_left_to_a_sample():
    found = {168: Found(41, 0)}
    after_a_day = NOON + timedelta(days=1)

    assert hours(found) == [4, 24, 720]
    assert next_visit(PageLife(NOON, after_a_day, lot=0.5), found).at == NOON + LAST_AGE
    sample = next_visit(PageLife(NOON, after_a_day, lot=0.05), found)
    assert sample.at == NOON + timedelta(days=7)
    assert sample.reason.startswith("planned: a week after publication, one page in ten as a samp")


def test_finer_age_is_added_where_much_is_found_and_ends_where_it_finds_nothing():
    assert hours({24: Found(50, 20)}) == [4, 12, 24, 168, 720]
    assert hours({24: Found(50, 20), 12: Found(80, 2)}) == BASE


def test_page_open_to_comments_is_looked_at_daily():
    life = PageLife(NOON, NOON + timedelta(days=2), open_until=NOON + timedelta(days=7))

    assert next_visit(life, {}).at == NOON + timedelta(days=3)


def test_findings_fade():
    assert Found(0, 0).after(1000, 0).n_visits == pytest.approx(1000)
    many = Found(200, 100)
    for _ in range(400):
        many = many.after(1, 0)
    assert many.n_changed < 15
    assert many.n_visits == pytest.approx(200)


@given(st.floats(0, 60), st.floats(0, 0.999), st.floats(0, 0.999))
def test_visits_come_later_and_later_and_end(age_days, spread, lot):
    now = NOON + timedelta(days=age_days)
    moments = [now]
    while visit := next_visit(PageLife(NOON, moments[-1], spread, lot), {}):
        moments.append(visit.at)

    assert moments == sorted(set(moments))
    assert len(moments) <= len(BASE) + 1
    assert moments[-1] <= max(now, NOON + LAST_AGE * 1.1)


@given(st.integers(0, 2_000))
def test_visit_counts_as_the_age_nearest_to_it(n_hours):
    age = age_of(timedelta(hours=n_hours))

    assert (age is None) == (n_hours > 1440)
    if age:
        assert all(abs(age.hours - n_hours) <= abs(other.hours - n_hours) * 3 for other in AGES)


# --- Papers with known changes --------------------------------------------------------------------

# By paper: how likely a page changes in each span of hours, independently.
PAPERS = {
    "corrects within hours": [((0.2, 4), 0.4), ((4, 24), 0.2)],
    "corrects next day": [((8, 30), 0.5)],
    "never changes": [],
    "late additions": [((24, 168), 0.25), ((168, 720), 0.1)],
}
LIVE = "changes all day"
STATES = {LIVE: [((0.2, 1), 0.5), ((1, 4), 0.5), ((4, 12), 0.5), ((12, 24), 0.5)]}
N_PAGES = 1_500


def changes_of(paper, chance):
    return sorted(
        chance.uniform(*span) for span, share in (PAPERS | STATES)[paper] if chance.random() < share
    )


def n_seen(changes, visits):
    """Changes that visits tell of: one each, however many lie between two."""
    seen, before = 0, 0.0
    for visit in visits:
        seen += any(before < change <= visit for change in changes)
        before = visit
    return seen


def visited_by_plan(pages, chance):
    """Ages in hours at which the plan visits each page, while it learns from the pages before."""
    found, all_visits = defaultdict(Found), []
    for changes in pages:
        visits, now, lot = [], NOON + timedelta(minutes=10), chance.random()
        while visit := next_visit(PageLife(NOON, now, 0.0, lot), found):
            at = (visit.at - NOON) / HOUR
            is_changed = n_seen(changes, [*visits, at]) > n_seen(changes, visits)
            hours = age_of(visit.at - NOON).hours
            found[hours] = found[hours].after(1, int(is_changed))
            visits.append(at)
            now = visit.at
        all_visits.append(visits)
    return all_visits


def totals(pages, all_visits):
    """Give the changes seen and the visits made."""
    seen = sum(n_seen(changes, visits) for changes, visits in zip(pages, all_visits, strict=True))
    return seen, sum(map(len, all_visits))


def best_found(pages, n_visits):
    """Changes that the best set of ages finds, known before, with at most so many visits."""
    choices = [age.hours for age in AGES]
    sets = [chosen for n in range(len(choices) + 1) for chosen in combinations(choices, n)]
    allowed = [chosen for chosen in sets if len(chosen) * len(pages) <= n_visits]
    return max(totals(pages, [chosen] * len(pages))[0] for chosen in allowed)


def run_paper(name):
    """Changes found and visits made: by the plan, by the four fixed ages; and the best possible."""
    chance = random.Random(20261120)
    pages = [changes_of(name, chance) for _ in range(N_PAGES)]
    found, n_visits = totals(pages, visited_by_plan(pages, chance))
    fixed = totals(pages, [BASE] * N_PAGES)
    return (found, n_visits), fixed, best_found(pages, n_visits)


@pytest.mark.parametrize("name", PAPERS)
def test_plan_finds_what_the_fixed_ages_find_with_fewer_visits(name):
    (found, n_visits), (fixed_found, fixed_visits), best = run_paper(name)

    assert found >= 0.98 * fixed_found
    assert found >= 0.95 * best
    assert n_visits <= 0.65 * fixed_visits


def test_plan_finds_more_than_the_fixed_ages_where_texts_change_all_the_time():
    (found, n_visits), (fixed_found, fixed_visits), best = run_paper(LIVE)

    assert found >= 1.3 * fixed_found
    assert found >= 0.95 * best
    assert n_visits <= 1.1 * fixed_visits


def test_paper_that_never_changes_is_soon_left_alone():
    (_, n_visits), (_, fixed_visits), _ = run_paper("never changes")

    assert n_visits <= 0.15 * fixed_visits


def test_paper_that_begins_to_change_is_noticed():
    chance = random.Random(7)
    quiet = [[] for _ in range(500)]
    busy = [changes_of("corrects next day", chance) for _ in range(1000)]
    all_visits = visited_by_plan(quiet + busy, chance)

    seen, _ = totals(busy[500:], all_visits[1000:])
    assert seen >= 0.9 * totals(busy[500:], [BASE] * 500)[0]
