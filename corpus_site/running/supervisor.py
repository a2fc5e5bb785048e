"""`manage.py up`: start web, workers and scheduler, restart what dies, stop everything cleanly.

Each child leads a session of its own, is told to end when the supervisor dies, and is ended with
its whole group when it does not stop in time. One instance per data folder: a locked file says so.
"""

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

# A child that is told to stop has this long; the whole stop takes at most 10 s.
GRACE_SECONDS = 8.0
# A child that dies at once again and again is restarted ever more slowly, up to this.
MAX_RESTART_WAIT_SECONDS = 30.0
# A child that lived this long is well: its restart wait starts anew.
HEALTHY_SECONDS = 20.0
# A child that was never well and has ended by itself so often, in some two minutes, cannot start.
MAX_FAILED_STARTS = 8
TICK_SECONDS = 0.2  # a child that died is seen at once, for no processor time
# Numbers of Linux (sys/prctl.h).
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


class AlreadyRunningError(Exception):
    """Raised by `single_instance`, shown by the `up` command: the data folder has an instance."""


@dataclass(slots=True)
class Child:
    """One process to be kept alive."""

    name: str
    command: Sequence[str]
    environment: dict[str, str] = field(default_factory=dict)
    is_quiet: bool = False
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    restart_at: float = 0.0
    restart_wait: float = 0.5
    was_well: bool = False
    n_failed_starts: int = 0

    def start(self, clock: float) -> None:
        supervisor = os.getpid()
        self.process = subprocess.Popen(  # noqa: S603 (our own commands)
            self.command,
            env=os.environ | self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if self.is_quiet else None,
            start_new_session=True,
            preexec_fn=lambda: _end_with(supervisor),  # noqa: PLW1509 (no threads run here)
        )
        self.started_at = clock

    def note_death(self, clock: float, code: int) -> None:
        """Plan the restart, and end what the child may have left behind."""
        if self.process is not None:
            signal_group(self.process.pid, signal.SIGKILL)
        if clock - self.started_at > HEALTHY_SECONDS:
            self.restart_wait, self.was_well = 0.5, True
        if code > 0 and not self.was_well:  # below 0 somebody ended it
            self.n_failed_starts += 1
        self.process = None
        self.restart_at = clock + self.restart_wait
        self.restart_wait = min(self.restart_wait * 2, MAX_RESTART_WAIT_SECONDS)


@dataclass(slots=True)
class Supervisor:
    """Keep `children` alive until a signal; `say` gets one line for each event."""

    children: list[Child]
    say: Callable[[str], None]
    watch: Callable[[], Sequence[int]] = lambda: ()
    max_failed_starts: int = MAX_FAILED_STARTS
    is_stopping: bool = False
    is_hurried: bool = False
    exit_code: int = 0

    def run(self) -> int:
        """Start the children and stay until SIGTERM or Ctrl-C; then stop them all.

        Returns the exit code: 1 where a child could never start.
        """
        adopt_orphans()
        for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(signum, self._on_signal)
        try:
            while not self.is_stopping:
                self._tick(time.monotonic())
                time.sleep(TICK_SECONDS)
        finally:
            self._stop_all()
        return self.exit_code

    def _on_signal(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.is_hurried = self.is_stopping
        self.is_stopping = True

    def _tick(self, clock: float) -> None:
        for child in self.children:
            if child.process is None:
                if clock >= child.restart_at:
                    child.start(clock)
            elif (code := child.process.poll()) is not None:
                child.note_death(clock, code)
                self._say_death(child, code)
        for pid in self.watch():
            self._end_stuck(pid)
        reap_orphans({child.process.pid for child in self.children if child.process})

    def _say_death(self, child: Child, code: int) -> None:
        if child.n_failed_starts < self.max_failed_starts:
            self.say(f"{child.name} ended with {code}, starting it again")
            return
        self.say(
            f"{child.name} cannot start: it ended with {code} {child.n_failed_starts} times "
            "and was never well. What it said stands above; everything is stopped."
        )
        self.is_stopping, self.exit_code = True, 1

    def _end_stuck(self, pid: int) -> None:
        for child in self.children:
            if child.process is not None and child.process.pid == pid:
                self.say(f"{child.name} has outlived the time for its work, ending it")
                signal_group(pid, signal.SIGKILL)

    def _stop_all(self) -> None:
        running = [child.process for child in self.children if child.process is not None]
        for process in running:
            signal_group(process.pid, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline and not self.is_hurried:
            if all(process.poll() is not None for process in running):
                break
            time.sleep(0.05)
        for process in running:
            signal_group(process.pid, signal.SIGKILL)
            process.wait()
        reap_orphans(set())


def signal_group(pid: int, signum: int) -> None:
    """Signal a child's whole process group; a group that is gone is fine."""
    try:
        os.killpg(pid, signum)
    except ProcessLookupError:
        return


def adopt_orphans() -> None:
    """Become the parent of grandchildren whose own parent dies (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def reap_orphans(own: set[int]) -> None:
    """Collect adopted processes that have ended, leaving the children themselves to Popen."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if ended is None or ended.si_pid in own:
            return
        os.waitpid(ended.si_pid, 0)


def _end_with(supervisor: int) -> None:
    """In the child: ask the kernel for SIGTERM when the supervisor dies (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != supervisor:
            os._exit(0)


@contextmanager
def single_instance(data_dir: Path) -> Iterator[None]:
    """Hold the data folder's lock file; AlreadyRunningError when another instance does."""
    path = data_dir / "up.lock"
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise AlreadyRunningError(lock.read().strip()) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        os.set_inheritable(lock.fileno(), True)  # noqa: FBT003 (`up` goes on as another program)
        yield
