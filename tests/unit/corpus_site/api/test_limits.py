"""Buckets of questions: emptied, filled again evenly, apart from each other, forgotten in time."""

from corpus_site.api.limits import Buckets


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def test_a_bucket_holds_a_minutes_questions_and_fills_again():
    clock = Clock()
    buckets = Buckets(clock)

    taken = [buckets.take("a", 3) for _ in range(4)]
    clock.now += 19
    early = buckets.take("a", 3)
    clock.now += 1
    in_time = buckets.take("a", 3)

    assert taken == [0, 0, 0, 20]
    assert (round(early, 9), in_time) == (1, 0)


def test_who_waits_takes_nothing_and_others_are_not_meant():
    buckets = Buckets(Clock())

    waits = [buckets.wait("a", 1) for _ in range(3)]
    taken = [buckets.take("a", 1), buckets.take("b", 1), buckets.wait("a", 1)]

    assert waits == [0, 0, 0]
    assert taken == [0, 0, 60]


def test_a_bucket_never_holds_more_than_a_minutes_questions():
    clock = Clock()
    buckets = Buckets(clock)
    buckets.take("a", 2)
    clock.now += 3600

    assert [buckets.take("a", 2) for _ in range(3)] == [0, 0, 30]


def test_zero_is_no_limit():
    buckets = Buckets(Clock())

    assert {buckets.take("a", 0) for _ in range(500)} == {0}


def test_whoever_asked_longest_ago_is_forgotten_first():
    buckets = Buckets(Clock(), most=2)
    for key in "abc":
        buckets.take(key, 1)

    assert [buckets.wait(key, 1) for key in "abc"] == [0, 60, 60]
