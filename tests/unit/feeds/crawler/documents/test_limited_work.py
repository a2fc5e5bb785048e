"""Work in a child: its result or its error comes back; beyond its limits it is ended."""

import fcntl
import os
import resource
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from lxml import etree

from feeds.crawler.documents.limited_work import (
    FOR_A_REQUEST,
    Limits,
    WorkEndedError,
    children_seconds,
    run_limited,
)

AMPLE = Limits(cpu_seconds=30, wall_seconds=60)


def no_child_is_left():
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    return True


def seconds_by_system():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def spin():
    while True:
        pass


def test_a_result_comes_back_and_nothing_else_changes():
    here: list[int] = []

    assert run_limited(lambda: here.append(1) or "x" * 10_000_000, AMPLE) == "x" * 10_000_000
    assert here == []
    assert no_child_is_left()


def test_an_error_comes_back_as_it_was_raised():
    with pytest.raises(ValueError, match="no page"):
        run_limited(lambda: (_ for _ in ()).throw(ValueError("no page")), AMPLE)


def test_an_error_that_cannot_be_told_comes_back_in_words():
    def fail():
        etree.fromstring("<a>")

    with pytest.raises((etree.XMLSyntaxError, RuntimeError), match="a"):
        run_limited(fail, AMPLE)


def test_work_that_spins_is_ended_by_the_processors_clock():
    with pytest.raises(WorkEndedError):
        run_limited(spin, Limits(cpu_seconds=1, wall_seconds=60))
    assert no_child_is_left()


def test_work_in_a_child_may_have_a_child_with_wider_limits():
    narrow = Limits(cpu_seconds=5, wall_seconds=60, more_bytes=1 << 30)
    wide = Limits(cpu_seconds=30, wall_seconds=60, more_bytes=4 << 30)

    assert run_limited(lambda: run_limited(lambda: 7, wide), narrow) == 7


def test_work_that_waits_is_ended_by_the_wall_clock():
    with pytest.raises(WorkEndedError):
        run_limited(signal.pause, Limits(cpu_seconds=30, wall_seconds=0.2))
    assert no_child_is_left()


def test_a_result_that_is_read_too_late_is_none():
    """So a parent that others keep from the processor decides as any other."""
    is_late = [True]
    ended = partial(os.waitid, os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    os.register_at_fork(after_in_parent=lambda: is_late and ended())

    with pytest.raises(WorkEndedError):
        run_limited(int, Limits(cpu_seconds=1, wall_seconds=0))

    is_late.clear()
    assert run_limited(int, AMPLE) == 0
    assert no_child_is_left()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from Linux' /proc")
def test_work_that_takes_all_memory_is_ended():
    limits = Limits(cpu_seconds=30, wall_seconds=60, more_bytes=64 << 20)

    with pytest.raises(WorkEndedError):
        run_limited(lambda: len(bytearray(256 << 20)), limits)
    assert run_limited(lambda: len(bytearray(16 << 20)), limits) == 16 << 20


def test_a_child_that_dies_takes_nobody_along():
    with pytest.raises(WorkEndedError):
        run_limited(lambda: os.kill(os.getpid(), signal.SIGKILL), AMPLE)
    assert no_child_is_left()


def test_a_result_without_end_is_not_taken_in(monkeypatch):
    monkeypatch.setattr("feeds.crawler.documents.limited_work._MOST_RESULT_BYTES", 1 << 20)

    with pytest.raises(WorkEndedError):
        run_limited(lambda: "x" * (4 << 20), AMPLE)
    assert no_child_is_left()


def pipes_to_write() -> int:
    """Count the pipes that this process could write to."""
    numbers = [int(path.name) for path in Path("/proc/self/fd").iterdir()]
    return sum(map(is_pipe_to_write, numbers))


def is_pipe_to_write(number: int) -> bool:
    try:
        kind = str(Path(f"/proc/self/fd/{number}").readlink())
        how = fcntl.fcntl(number, fcntl.F_GETFL)
    except OSError:  # that of the listing
        return False
    return kind.startswith("pipe:") and how & os.O_ACCMODE == os.O_WRONLY


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are read from /proc")
def test_no_child_holds_the_pipe_of_another():
    """Else the other's reader would wait for this child too."""
    alone = run_limited(pipes_to_write, AMPLE)

    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: run_limited(pipes_to_write, AMPLE), range(200)))

    assert found == {alone}


def test_the_time_of_children_is_known_to_the_thread_that_asked():
    before, before_by_system = children_seconds(), seconds_by_system()
    with pytest.raises(WorkEndedError):
        run_limited(spin, Limits(cpu_seconds=1, wall_seconds=60))
    with ThreadPoolExecutor(1) as another:
        of_another = another.submit(children_seconds).result()

    spent = seconds_by_system() - before_by_system
    assert children_seconds() - before == pytest.approx(spent, abs=1e-5)
    assert 0 < spent <= 3
    assert of_another == 0


def test_what_somebody_waits_for_yields_where_others_work():
    assert run_limited(lambda: os.nice(0), FOR_A_REQUEST) == os.nice(0) + 5
    assert run_limited(lambda: os.nice(0), AMPLE) == os.nice(0)
