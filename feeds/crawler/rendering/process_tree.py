"""All processes below one: how many they are, what memory is theirs alone, and their end.

A browser's processes leave the group and the session of who started them, so they are found by
their parents, as Linux' /proc tells them. Below a process that takes up orphans (`adopt_orphans`)
none escapes by the death of its parent.
"""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
# Rounds in which all that is found is killed; what forks between two looks is met in the next.
_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class TreeUse:
    """What a process and all below it take: processes, bytes of memory that they share with none.

    Memory is RssAnon: programs and libraries that lie in all of them are not counted.
    """

    n_processes: int
    n_bytes: int


def is_supported() -> bool:
    """Whether this system tells its processes as Linux does."""
    return (_PROC / "self" / "status").exists()


def adopt_orphans() -> None:
    """Let this process be the parent of all below it whose own parent dies (prctl(2))."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(root: int) -> list[int]:
    """Process ids below a process, parents first."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents():
        children.setdefault(parent, []).append(pid)
    found = list(children.get(root, ()))
    for pid in found:  # grows while it is read
        found += children.get(pid, ())
    return found


def tree_use(root: int) -> TreeUse:
    """Count a process and all below it."""
    pids = [root, *descendants(root)]
    return TreeUse(len(pids), sum(_own_bytes(pid) for pid in pids))


def kill_below(root: int) -> None:
    """Kill all below a process that adopts orphans, until none is left."""
    for _ in range(_ROUNDS):
        pids = [pid for pid in descendants(root) if not _is_zombie(pid)]
        if not pids:
            return
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def kill_tree(root: int) -> None:
    """Kill all below a process, then the process."""
    kill_below(root)
    with suppress(ProcessLookupError):
        os.kill(root, signal.SIGKILL)


def _parents() -> Iterator[tuple[int, int]]:
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            # Its name stands in brackets and may hold anything; state and parent follow.
            with suppress(OSError, ValueError, IndexError):
                fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
                yield int(entry.name), int(fields[1])


def _is_zombie(pid: int) -> bool:
    with suppress(OSError, IndexError):
        stat = (_PROC / str(pid) / "stat").read_text(errors="replace")
        return stat.rpartition(")")[2].split()[0] == "Z"
    return True


def _own_bytes(pid: int) -> int:
    with suppress(OSError, ValueError):
        for line in (_PROC / str(pid) / "status").read_text(errors="replace").splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return 0
