"""Work on a stranger's bytes in a forked child, which the system ends at its limits.

Work → its result, or `WorkEndedError`. What libxml2 or a regular expression is doing cannot be
interrupted from inside, and whoever waits in the same process waits with it; a child can be ended
by the system, and takes nobody along when it dies. A fork costs 4 ms in a small process and 12 in
one of 800 MB. The child sends its result whole or not at all and closes nothing of its parent's:
it must not touch a database.
"""

import os
import pickle
import resource
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeVar

T = TypeVar("T")

_MOST_RESULT_BYTES = 256 << 20  # ten times the largest page that is read, with marks
_PIECE_BYTES = 1 << 16
# A child has whatever is open when it is forked: also the writing end of another thread's pipe,
# whose reader would wait for this child as well. So one thread at a time goes from pipe to close.
_FORKING = threading.Lock()
# A third of the weight of a process at rest with it (Linux' sched(7)). With 19, a hundredth, an
# editor's trial beside four busy workers took longer than the 30 s that it may.
_NICENESS = 5
_used = threading.local()
# How a child's place is waited for; whoever sets nothing waits for none.
_place: ContextVar[Callable[[], AbstractContextManager[None]]] = ContextVar(
    "place", default=nullcontext
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What work may take: processor time, time by the clock, memory beyond its parent's.

    `more_bytes` of 0 bounds no memory; without Linux' /proc it is not bounded either. Work that
    `yields` has a third of what others have of a busy processor, and waits for a place.
    """

    cpu_seconds: int
    wall_seconds: float
    more_bytes: int = 0
    yields: bool = False


# Of what somebody waits for in a browser: the worst pages that are known take 3 s and 400 MB, most
# 40 ms. Beside what the web process holds, some 300 MB, none stands above 1 GB.
FOR_A_REQUEST = Limits(cpu_seconds=10, wall_seconds=30, more_bytes=600 << 20, yields=True)
TOO_MUCH = (
    f"To read this page takes more than {FOR_A_REQUEST.cpu_seconds} seconds of work, or too much"
    " memory: it was given up."
)
TOO_MUCH_OF_FILE = TOO_MUCH.replace("page", "file")


class WorkEndedError(Exception):
    """Raised where work was ended before it was done; the caller knows whose bytes it was about."""


@contextmanager
def waiting_for(place: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Let work that yields be done inside of what `place` gives, which may wait, or raise."""
    mark = _place.set(place)
    try:
        yield
    finally:
        _place.reset(mark)


def run_limited(work: Callable[[], T], limits: Limits) -> T:
    """Do work in a child; what it raises is raised here.

    Raises
    ------
    WorkEndedError
        When a limit was reached, or the child died of something else; whatever the wait for a place
        raises.
    """
    with _place.get()() if limits.yields else nullcontext():
        data = _answer_of_child(work, limits)
    if not data:
        raise WorkEndedError
    is_done, result = pickle.loads(data)  # noqa: S301 (our own child's)
    if not is_done:
        raise result
    found: T = result
    return found


def _answer_of_child(work: Callable[[], object], limits: Limits) -> bytes:
    """Do work in a child: what it has sent, nothing where it was ended."""
    reading, child = _forked(work, limits)
    try:
        data = _read_all(reading, child, limits.wall_seconds)
    finally:
        os.close(reading)
        _, _, used = os.wait4(child, 0)
        _used.seconds = children_seconds() + used.ru_utime + used.ru_stime
    return data


def children_seconds() -> float:
    """Give the processor time of all children of this thread, to count it with what asked."""
    seconds: float = getattr(_used, "seconds", 0.0)
    return seconds


def _forked(work: Callable[[], object], limits: Limits) -> tuple[int, int]:
    """Give the end to read of a pipe that the child alone writes to, and the child."""
    with _FORKING:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            _FORKING.release()  # the child's own copy: its work may fork too
            os.close(reading)
            _answer(work, limits, writing)
        os.close(writing)
    return reading, child


def _answer(work: Callable[[], object], limits: Limits, writing: int) -> NoReturn:
    """Do the work as the child: send what came of it, whole or not at all."""
    try:
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if limits.yields:
            os.nice(_NICENESS)
        _bound(resource.RLIMIT_CPU, limits.cpu_seconds)
        _bound_memory(limits.more_bytes)
        answer = _pickled(work)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(answer)
    finally:
        os._exit(0)  # nothing of the parent's is to be closed or written twice


def _pickled(work: Callable[[], object]) -> bytes:
    try:
        return pickle.dumps((True, work()))
    except MemoryError:
        return b""
    except Exception as error:  # noqa: BLE001 (the parent raises it)
        return _pickled_error(error)


def _pickled_error(error: Exception) -> bytes:
    """Pickle an error; one that cannot be told so is told by its words."""
    try:
        data = pickle.dumps((False, error))
        pickle.loads(data)  # noqa: S301 (our own; some are written and cannot be read)
    except Exception:  # noqa: BLE001 (of whatever kind it is)
        return pickle.dumps((False, RuntimeError(repr(error))))
    return data


def _bound(kind: int, most: int) -> None:
    """Set a limit of this process; one that holds already is never raised."""
    hard = resource.getrlimit(kind)[1]
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (least, least))


def _bound_memory(more_bytes: int) -> None:
    statm = Path("/proc/self/statm")
    if more_bytes and statm.exists():
        most = int(statm.read_text().split()[0]) * resource.getpagesize() + more_bytes
        _bound(resource.RLIMIT_AS, most)


def _read_all(reading: int, child: int, seconds: float) -> bytes:
    """Read what the child sends until it ends; it is killed when that takes or is too much."""
    pieces: list[bytes] = []
    n_bytes, end = 0, time.monotonic() + seconds
    while n_bytes <= _MOST_RESULT_BYTES:
        left = end - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            break
        piece = os.read(reading, _PIECE_BYTES)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        n_bytes += len(piece)
    os.kill(child, signal.SIGKILL)
    return b""
