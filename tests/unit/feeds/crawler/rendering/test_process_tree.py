"""Processes are found by their parents, however they run away, and none is left."""

import os
import subprocess
import sys

import pytest
from waiting import wait_until

from feeds.crawler.rendering.process_tree import (
    descendants,
    is_supported,
    kill_below,
    kill_tree,
    tree_use,
)

pytestmark = pytest.mark.skipif(not is_supported(), reason="needs Linux' /proc")

# Adopts orphans, starts a child that starts a grandchild in a session of its own and ends.
ROOT = """
import subprocess, sys, time
from feeds.crawler.rendering.process_tree import adopt_orphans
adopt_orphans()
grandchild = "import time; held = bytearray(50 << 20); time.sleep(600)"
child = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', %r], " \\
        "start_new_session=True)" % grandchild
subprocess.run([sys.executable, "-c", child])
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def root():
    process = subprocess.Popen([sys.executable, "-c", ROOT], stdout=subprocess.PIPE)
    process.stdout.readline()
    yield process
    kill_tree(process.pid)
    process.wait(10)
    process.stdout.close()


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123 (no path to be made)
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_orphan_in_a_session_of_its_own_is_found_and_counted(root):
    [orphan] = descendants(root.pid)

    assert os.getsid(orphan) != os.getsid(root.pid)
    wait_until(lambda: tree_use(root.pid).n_bytes > 50 << 20)
    assert tree_use(root.pid).n_processes == 2


def test_all_below_are_killed_and_the_root_is_left(root):
    [orphan] = descendants(root.pid)

    kill_below(root.pid)

    wait_until(lambda: not is_running(orphan))
    assert is_running(root.pid)


def test_tree_is_killed_with_its_root(root):
    pids = [root.pid, *descendants(root.pid)]

    kill_tree(root.pid)

    wait_until(lambda: not any(map(is_running, pids)))


def test_tree_of_a_process_that_is_gone_is_empty():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()

    assert descendants(process.pid) == []
    assert tree_use(process.pid).n_bytes == 0
    kill_tree(process.pid)
