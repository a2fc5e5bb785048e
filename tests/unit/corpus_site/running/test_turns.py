"""Turns of work: how many at a time, and who goes first of those who wait."""

import threading
from dataclasses import dataclass

from waiting import wait_until

from corpus_site.running.turns import STILL_SECONDS, Turns


@dataclass
class Reader:
    spent: float
    yields: bool = True
    is_modest: bool = True


class Clock:
    def __init__(self):
        self.seconds = 100.0

    def __call__(self):
        return self.seconds


def asked(turns, who, name, order, seconds=60.0):
    """Ask for a turn in a thread of its own, which gives it back at once."""

    def work():
        has_turn = turns.begin(who, seconds)
        order.append(name if has_turn else f"{name} in vain")
        if has_turn:
            turns.end()

    thread = threading.Thread(target=work)
    before = turns.n_asking
    thread.start()
    wait_until(lambda: turns.n_asking > before or order)
    return thread


def test_who_has_spent_least_goes_first_and_of_these_who_came_first():
    turns, order = Turns(1), []
    assert turns.begin(Reader(99.0), 0)
    threads = [
        asked(turns, Reader(spent), name, order)
        for spent, name in [(9.0, "much"), (0.0, "first"), (2.0, "some"), (0.0, "second")]
    ]

    turns.end()
    for thread in threads:
        thread.join()

    assert order == ["first", "second", "some", "much"]
    assert turns.n_asking == 0


def test_whose_rank_changes_while_it_waits_goes_by_what_counts_then():
    turns, order = Turns(1), []
    turns.begin(Reader(0.0), 0)
    helper = Reader(9.0)
    threads = [asked(turns, helper, "helper", order), asked(turns, Reader(2.0), "other", order)]

    helper.spent = 1.0
    turns.end()
    for thread in threads:
        thread.join()

    assert order == ["helper", "other"]


def test_who_waits_in_vain_has_no_turn_and_keeps_none_from_others():
    turns = Turns(1)

    assert turns.begin(Reader(0.0), 0)
    assert not turns.begin(Reader(0.0), 0)
    turns.end()
    assert turns.begin(Reader(5.0), 0)


def test_where_the_line_is_full_who_has_spent_most_is_sent_away_whenever_it_came():
    turns, order = Turns(1, most_waiting=2), []
    turns.begin(Reader(0.0), 0)
    threads = [
        asked(turns, Reader(9.0), "much", order),
        asked(turns, Reader(99.0, yields=False), "known", order),
        asked(turns, Reader(0.0), "little", order),
    ]

    wait_until(lambda: order == ["much in vain"])
    turns.end()
    for thread in threads:
        thread.join()

    assert order == ["much in vain", "little", "known"]


def test_where_nobody_may_be_sent_away_the_line_grows():
    turns, order = Turns(1, most_waiting=1), []
    turns.begin(Reader(0.0), 0)
    threads = [asked(turns, Reader(1.0, yields=False), name, order) for name in ("one", "other")]

    turns.end()
    for thread in threads:
        thread.join()

    assert order == ["one", "other"]


def test_who_works_beside_leaves_the_turns_to_others_when_he_ends():
    turns, order = Turns(1), []
    turns.begin(Reader(0.0), 0)
    turns.begin_beside()
    thread = asked(turns, Reader(0.0), "waiting", order)

    turns.end()
    assert order == []
    turns.end()
    thread.join()

    assert order == ["waiting"]


def test_when_no_turn_moves_the_first_in_the_line_works_beside():
    clock = Clock()
    turns = Turns(1, now=clock)
    turns.begin(Reader(0.0), 0)
    clock.seconds += STILL_SECONDS

    assert turns.begin(Reader(5.0), 60.0)
    assert turns.n_asking == 2


def test_a_turn_is_wanted_by_who_has_spent_less_alone():
    turns = Turns(1)
    turns.begin(Reader(1.0), 0)
    thread = asked(turns, Reader(3.0), "waiting", [])

    wanted = [turns.is_wanted(spent) for spent in (1.0, 3.0, 4.0)]
    turns.end()
    thread.join()

    assert wanted == [False, False, True]


def test_who_has_spent_much_works_beside_nobody_where_that_is_said():
    clock, order = Clock(), []
    turns = Turns(1, all_go_beside=False, now=clock)
    turns.begin(Reader(0.0), 0)
    much = asked(turns, Reader(1.0, is_modest=False), "much", order)
    clock.seconds += STILL_SECONDS
    modest = asked(turns, Reader(2.0), "modest", order)
    modest.join(20)
    turns.end()
    much.join(20)

    assert order == ["modest", "much"]
