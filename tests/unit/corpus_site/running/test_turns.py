"""Turns of work: how many at a time, and who goes first of those who wait."""

import threading

from waiting import wait_until

from corpus_site.running.turns import Turns


def asked(turns, spent, name, order, seconds=60.0):
    """Ask for a turn in a thread of its own, which gives it back at once."""

    def work():
        if turns.begin(spent, seconds):
            order.append(name)
            turns.end()

    thread = threading.Thread(target=work)
    before = turns.n_asking
    thread.start()
    wait_until(lambda: turns.n_asking > before)
    return thread


def test_who_has_spent_least_goes_first_and_of_these_who_came_first():
    turns, order = Turns(1), []
    assert turns.begin(99.0, 0)
    threads = [
        asked(turns, spent, name, order)
        for spent, name in [(9.0, "much"), (0.0, "first"), (2.0, "some"), (0.0, "second")]
    ]

    turns.end()
    for thread in threads:
        thread.join()

    assert order == ["first", "second", "some", "much"]
    assert turns.n_asking == 0


def test_who_waits_in_vain_has_no_turn_and_keeps_none_from_others():
    turns = Turns(1)

    assert turns.begin(0.0, 0)
    assert not turns.begin(0.0, 0)
    turns.end()
    assert turns.begin(5.0, 0)


def test_who_works_beside_leaves_the_turns_to_others_when_he_ends():
    turns, order = Turns(1), []
    turns.begin(0.0, 0)
    turns.begin_beside()
    thread = asked(turns, 0.0, "waiting", order)

    turns.end()
    assert order == []
    turns.end()
    thread.join()

    assert order == ["waiting"]


def test_a_turn_is_wanted_by_who_has_spent_less_alone():
    turns = Turns(1)
    turns.begin(1.0, 0)
    thread = asked(turns, 3.0, "waiting", [])

    wanted = [turns.is_wanted(spent) for spent in (1.0, 3.0, 4.0)]
    counted = [turns.n_waiting_from(spent) for spent in (1.0, 3.0, 4.0)]
    turns.end()
    thread.join()

    assert (wanted, counted) == ([False, False, True], [1, 1, 0])
