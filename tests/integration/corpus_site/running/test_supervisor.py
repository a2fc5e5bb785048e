"""The supervisor with real child processes: restarts, clean stops, and its own sudden death."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

from corpus_site.running.supervisor import GRACE_SECONDS, AlreadyRunningError, single_instance

ROOT = Path(__file__).resolve().parents[4]
SCRIPT = """
import sys
from corpus_site.running.supervisor import Child, Supervisor
sleeper = [sys.executable, "-c", {child!r}]
children = [Child("one", sleeper), Child("two", sleeper)]
sys.exit(Supervisor(children, lambda line: print(line, flush=True), max_failed_starts=2).run())
"""
SLEEPER = "import time; time.sleep(600)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
GRANDPARENT = (
    "import subprocess, sys, time;"
    " subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); time.sleep(600)"
)


@pytest.fixture
def start():
    running: list[subprocess.Popen] = []

    def _start(child: str) -> psutil.Process:
        process = subprocess.Popen([sys.executable, "-c", SCRIPT.format(child=child)], cwd=ROOT)
        running.append(process)
        return psutil.Process(process.pid)

    yield _start
    for process in running:
        if process.poll() is None:
            process.kill()
        process.wait()


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [p for p in processes if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


def test_killed_child_is_started_again(start):
    supervisor = start(SLEEPER)
    wait_until(lambda: len(supervisor.children()) == 2)
    first = supervisor.children()[0]

    first.kill()

    wait_until(
        lambda: (
            len(supervisor.children()) == 2
            and first.pid not in {c.pid for c in supervisor.children()}
        )
    )


def test_child_that_can_never_start_ends_everything_with_a_sentence():
    broken = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(child="raise SystemExit(3)")],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert broken.returncode == 1
    assert "one cannot start: it ended with 3 2 times and was never well" in broken.stdout


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_everything_with_exit_code_0(start, signum):
    supervisor = start(GRANDPARENT)
    wait_until(lambda: len(supervisor.children(recursive=True)) == 4)
    family = supervisor.children(recursive=True)

    supervisor.send_signal(signum)

    assert supervisor.wait(timeout=60) == 0
    wait_until(lambda: not alive(family))


def test_stubborn_child_is_ended_within_10_seconds(start):
    supervisor = start(STUBBORN)
    wait_until(lambda: len(supervisor.children()) == 2)
    family = supervisor.children()

    supervisor.terminate()

    assert supervisor.wait(timeout=60) == 0
    assert alive(family) == []
    assert GRACE_SECONDS < 10


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux'")
def test_death_of_the_supervisor_ends_its_children(start):
    supervisor = start(SLEEPER)
    wait_until(lambda: len(supervisor.children()) == 2)
    family = supervisor.children()

    os.kill(supervisor.pid, signal.SIGKILL)

    wait_until(lambda: not alive(family), seconds=60)


def test_second_instance_on_a_data_folder_is_refused_with_the_first_ones_pid(tmp_path):
    with (
        single_instance(tmp_path),
        pytest.raises(AlreadyRunningError, match=str(os.getpid())),
        single_instance(tmp_path),
    ):
        pass
