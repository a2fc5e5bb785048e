"""Looks at threads that never close: how many, when, and that a host's queue stays bounded."""

import heapq
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.timing.thread_looks import (
    LAST_LOOK_AGE,
    LookRules,
    day_of,
    looks_a_day,
    next_once_kept,
    next_while_open,
    wait_while_open,
    with_room,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
RULES = LookRules(check=DAY, keep_after=14 * DAY)


@dataclass
class Host:
    """A comment system's host that is asked for threads that never close, oldest due first."""

    seconds_a_look: float
    new_a_day: int
    planned: Counter[datetime] = field(default_factory=Counter)
    queue: list[tuple[datetime, datetime, bool]] = field(default_factory=list)
    lateness_of_first: timedelta = timedelta(0)
    longest_queue: int = 0
    looks: Counter[datetime] = field(default_factory=Counter)
    kept_late: timedelta = timedelta(0)

    def run(self, days: int) -> None:
        """Live through the days: threads begin evenly, each look takes its time."""
        free_at, capacity = START, looks_a_day(self.seconds_a_look, 0.5)
        births = [START + DAY * n / self.new_a_day for n in range(days * self.new_a_day)]
        for born_at in births:
            self._plan(born_at + DAY, born_at, is_first=True)
        while self.queue and self.queue[0][0] < START + days * DAY:
            due_at, born_at, is_first = heapq.heappop(self.queue)
            now = max(free_at, due_at)
            free_at = now + timedelta(seconds=self.seconds_a_look)
            self.planned[day_of(due_at)] -= 1
            self.looks[day_of(now)] += 1
            if is_first:
                self.lateness_of_first = max(self.lateness_of_first, now - due_at)
            self._answered(now, born_at, capacity)

    def _answered(self, now: datetime, born_at: datetime, capacity: int) -> None:
        def room(wished: datetime) -> datetime | None:
            return with_room(wished, self.planned.__getitem__, capacity)

        if now - born_at < RULES.keep_after:
            self._plan(next_while_open(now, born_at, RULES, room, None), born_at)
        else:
            if now - born_at < 1.5 * RULES.keep_after:
                self.kept_late = max(self.kept_late, now - born_at - RULES.keep_after)
            due_at = next_once_kept(now, born_at, RULES, room)
            if due_at is not None:
                self._plan(due_at, born_at)

    def _plan(self, due_at: datetime, born_at: datetime, *, is_first: bool = False) -> None:
        self.planned[day_of(due_at)] += 1
        heapq.heappush(self.queue, (due_at, born_at, is_first))


def test_375_never_closing_threads_a_day_leave_room_at_a_host_of_5_seconds():
    """In the same proportion, a fifth of both: 75 threads a day at 25 s a look, for 200 days."""
    host = Host(seconds_a_look=25, new_a_day=75)

    host.run(200)

    assert host.lateness_of_first < timedelta(hours=1)
    assert host.kept_late < timedelta(hours=1)
    # All that is planned: at most some twenty looks a thread, so the day's number does not grow.
    assert host.looks[START + 190 * DAY] < 1.3 * host.looks[START + 100 * DAY]
    assert max(host.looks.values()) < 0.5 * 86_400 / 25


def test_eight_times_as_many_threads_are_looked_at_less_often_and_none_late():
    """3,000 a day at 5 s, in proportion: first looks and keeping looks take a third of the day."""
    host = Host(seconds_a_look=50, new_a_day=300)

    host.run(60)

    assert host.lateness_of_first < timedelta(hours=6)
    assert host.kept_late < timedelta(hours=6)
    assert max(host.looks.values()) <= 86_400 / 50


def test_thread_that_never_closes_has_some_twenty_looks_in_its_life():
    now, n_looks = START + DAY, 0
    while now is not None:
        n_looks += 1
        if now - START < RULES.keep_after:
            now = next_while_open(now, START, RULES, lambda wished: wished, None)
        else:
            now = next_once_kept(now, START, RULES, lambda wished: wished)

    assert n_looks == 19


@given(st.floats(0, 60), st.floats(0.1, 30), st.floats(0.01, 3))
def test_open_thread_is_looked_at_by_the_age_at_which_it_is_kept(age, keep_after, check):
    rules = LookRules(timedelta(days=check), timedelta(days=keep_after))
    wait = wait_while_open(timedelta(days=age), rules)

    assert wait > timedelta(0)
    if age < keep_after:
        assert timedelta(days=age) + wait <= rules.keep_after + timedelta(microseconds=1)


@given(st.integers(1, 50), st.dictionaries(st.integers(0, 70), st.integers(0, 60)))
def test_look_goes_to_the_first_day_tried_that_has_room(capacity, planned):
    load = {START + n * DAY: count for n, count in planned.items()}
    at = with_room(START + DAY / 2, lambda day: load.get(day, 0), capacity)

    tried = [START + n * DAY for n in (0, 1, 2, 4, 8, 16, 32, 64)]
    free = [day for day in tried if load.get(day, 0) < capacity]
    assert at == (free[0] + DAY / 2 if free else None)


def test_host_without_a_delay_has_room_for_any_number():
    assert (looks_a_day(0, 0.5), looks_a_day(5, 0.5)) == (0, 8_640)
    assert with_room(START, {}.__getitem__, 0) == START
    assert LAST_LOOK_AGE == 365 * DAY
