"""Work in threads counts as work of who asked for it, and ends with what that question may use."""

import threading
import time

import pytest

from search.engine.allowance import AllowanceUsedError, Asker, allowing, go_on
from search.engine.statistics.counting import in_parallel as module
from search.engine.statistics.counting.in_parallel import in_parallel

PIECE_SECONDS = 0.02


@pytest.fixture(autouse=True)
def several_processors(monkeypatch):
    monkeypatch.setattr(module.os, "cpu_count", lambda: 3)


def work(_):
    """Use some processor time of the thread that this runs in."""
    end = time.thread_time() + PIECE_SECONDS
    while time.thread_time() < end:
        pass
    return threading.get_ident()


def test_time_of_threads_is_counted_as_the_question_s_own():
    with allowing(60) as allowance:
        threads = set(in_parallel(work, range(6)))

    assert threading.get_ident() not in threads
    assert allowance.used >= 6 * PIECE_SECONDS


def test_a_question_whose_threads_have_used_its_seconds_is_ended():
    done = []

    with allowing(5 * PIECE_SECONDS), pytest.raises(AllowanceUsedError, match="more than"):
        done.extend(in_parallel(work, range(100)))

    assert len(done) < 10


def test_work_in_a_thread_sees_between_its_blocks_that_the_seconds_are_used():
    blocks = []

    def in_blocks(item):
        for _ in range(100):
            go_on()
            blocks.append(work(item))

    with allowing(5 * PIECE_SECONDS), pytest.raises(AllowanceUsedError):
        list(in_parallel(in_blocks, range(3)))

    assert len(blocks) < 10


def test_only_the_thread_that_asks_hears_what_was_used():
    heard = []

    class Hearing(Asker):
        def hear(self, used):
            assert used >= 0
            heard.append(threading.get_ident())

    with allowing(60, Hearing()):
        list(in_parallel(lambda item: (go_on(), work(item)), range(4)))

    assert set(heard) == {threading.get_ident()}


def test_without_an_allowance_all_is_worked_on_in_order():
    assert list(in_parallel(str, range(50))) == [str(number) for number in range(50)]


def test_a_reader_who_goes_away_leaves_no_work_behind():
    begun = []

    results = in_parallel(lambda item: begun.append(item) or work(item), range(100))
    next(results)
    results.close()

    assert len(begun) <= 3 + 3 + 1
