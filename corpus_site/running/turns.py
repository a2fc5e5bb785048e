"""Whose turn it is to work: few questions at a time, and who has spent least goes first.

All threads of a process share one interpreter, so whoever works takes time from whoever works
beside. A question waits for a turn before its work and, when it has worked for some time, gives it
up to those who have spent less, as a scheduler of processes does (fair queueing, Nagle, RFC 970).
"""

import bisect
import itertools
import threading
from dataclasses import dataclass, field

TURNS = 2  # one works in numpy, or waits for the database, while the other has the interpreter


@dataclass(slots=True, eq=False)
class _Waiting:
    """One thread that waits; ranked by what it has spent, then by when it came."""

    rank: tuple[float, int]
    has_turn: bool = False
    called: threading.Event = field(default_factory=threading.Event)


class Turns:
    """Turns of one process; safe between threads."""

    def __init__(self, n_turns: int = TURNS) -> None:
        self._n_turns = n_turns
        self._n_working = 0
        self._waiting: list[_Waiting] = []  # who goes first stands first
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    @property
    def n_asking(self) -> int:
        """How many work or wait for their turn."""
        return self._n_working + len(self._waiting)

    def n_waiting_from(self, spent: float) -> int:
        """Tell how many wait who have spent so many seconds or more."""
        with self._lock:
            return sum(each.rank[0] >= spent for each in self._waiting)

    def begin(self, spent: float, wait_seconds: float) -> bool:
        """Take a turn, or wait for it behind all who have spent less.

        Parameters
        ----------
        spent : float
            Seconds of processor time that count against who asks.
        wait_seconds : float
            How long to wait at most.

        Returns
        -------
        bool
            Whether there is a turn now, for `end` to give back.
        """
        with self._lock:
            if self._n_working < self._n_turns:  # then nobody waits
                self._n_working += 1
                return True
            mine = _Waiting((spent, next(self._numbers)))
            bisect.insort(self._waiting, mine, key=lambda each: each.rank)
        mine.called.wait(wait_seconds)
        with self._lock:
            if not mine.has_turn:
                self._waiting.remove(mine)
            return mine.has_turn

    def begin_beside(self) -> None:
        """Work although no turn is free, for who has waited long enough."""
        with self._lock:
            self._n_working += 1

    def is_wanted(self, spent: float) -> bool:
        """Whether somebody waits who has spent less."""
        with self._lock:
            return bool(self._waiting) and self._waiting[0].rank[0] < spent

    def end(self) -> None:
        """Give a turn back; who goes first among the waiting has it."""
        with self._lock:
            self._n_working -= 1
            while self._waiting and self._n_working < self._n_turns:
                first = self._waiting.pop(0)
                first.has_turn = True
                self._n_working += 1
                first.called.set()
