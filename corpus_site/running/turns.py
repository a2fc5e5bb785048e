"""Whose turn it is to work: few questions at a time, and who has spent least goes first.

All threads of a process share one interpreter, so whoever works takes time from whoever works
beside. A question waits for a turn before its work and, when it has worked for some time, gives it
up to those who have spent less, as a scheduler of processes does (fair queueing, Nagle, RFC 970).
The line is short, for a thread that waits answers nobody: where it is full, the last is sent away,
not who came last.
"""

import itertools
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

TURNS = 2  # one works in numpy, or waits for the database, while the other has the interpreter
# A class that opens a page at the same moment. Two work, and threads are left for who comes then.
MOST_WAITING = 30
# When no turn was given, given back or looked at for so long, whoever has one is held up (by a
# database, a child, a long regular expression), and the first in the line works beside.
STILL_SECONDS = 0.3


class InLine(Protocol):
    """Who waits for a turn."""

    @property
    def spent(self) -> float:
        """Seconds that count against it now: less when somebody waits for it who has spent less."""

    @property
    def yields(self) -> bool:
        """Whether it may be sent away."""

    @property
    def is_modest(self) -> bool:
        """Whether it has spent so little that it may work beside others who hold it up."""


@dataclass(slots=True, eq=False)
class _Waiting:
    """One thread that waits; ranked by what counts against it, then by when it came."""

    who: InLine
    number: int
    has_turn: bool = False
    called: threading.Event = field(default_factory=threading.Event)


class Turns:
    """Turns of one process; safe between threads."""

    def __init__(
        self,
        n_turns: int = TURNS,
        most_waiting: int = MOST_WAITING,
        *,
        all_go_beside: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._n_turns = n_turns
        self._most_waiting = most_waiting
        self._all_go_beside = all_go_beside
        self._now = now
        self._moved_at = -math.inf
        self._n_working = 0
        self._waiting: list[_Waiting] = []
        self._watching: _Waiting | None = None
        self._numbers = itertools.count()
        self._lock = threading.Lock()

    @property
    def n_asking(self) -> int:
        """How many work or wait for their turn."""
        return self._n_working + len(self._waiting)

    @property
    def n_waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._waiting)

    def begin(self, who: InLine, wait_seconds: float) -> bool:
        """Take a turn, or wait for it behind all who have spent less.

        Parameters
        ----------
        who : InLine
            Who asks.
        wait_seconds : float
            How long to wait at most.

        Returns
        -------
        bool
            Whether there is a turn now, for `end` to give back.
        """
        with self._lock:
            if self._n_working < self._n_turns:  # then nobody waits
                self._take()
                return True
            mine = _Waiting(who, next(self._numbers))
            self._waiting.append(mine)
            self._watching = self._watching or mine
            self._send_last_away()
        self._wait(mine, self._now() + wait_seconds)
        with self._lock:
            self._leave(mine)
            return mine.has_turn

    def _wait(self, mine: _Waiting, ends: float) -> None:
        """Wait to be called; one of all who wait looks whether turns still change hands."""
        while (left := ends - self._now()) > 0:
            if self._watching is mine:
                left = min(left, max(0.0, self._moved_at + STILL_SECONDS - self._now()))
            mine.called.wait(left)
            with self._lock:
                if mine not in self._waiting:
                    return
                mine.called.clear()
                if self._now() >= self._moved_at + STILL_SECONDS:
                    self._call_beside()

    def begin_beside(self) -> None:
        """Work although no turn is free, for who has waited long enough."""
        with self._lock:
            self._take()

    def is_wanted(self, spent: float) -> bool:
        """Look, with a turn, whether somebody waits who has spent less."""
        with self._lock:
            self._moved_at = self._now()
            return any(each.who.spent < spent for each in self._waiting)

    def end(self) -> None:
        """Give a turn back; who goes first among the waiting has it."""
        with self._lock:
            self._n_working -= 1
            self._moved_at = self._now()
            while self._waiting and self._n_working < self._n_turns:
                self._call_first()

    def _take(self) -> None:
        self._n_working += 1
        self._moved_at = self._now()

    def _call_beside(self) -> None:
        self._moved_at = self._now()
        beside = [each for each in self._waiting if self._all_go_beside or each.who.is_modest]
        if beside:
            self._call(min(beside, key=_rank))

    def _call_first(self) -> None:
        self._call(min(self._waiting, key=_rank))

    def _call(self, first: _Waiting) -> None:
        first.has_turn = True
        self._take()
        self._leave(first)

    def _leave(self, waiting: _Waiting) -> None:
        """Take one out of the line, wherever it stands, and let another look instead."""
        if waiting not in self._waiting:
            return
        self._waiting.remove(waiting)
        waiting.called.set()
        if self._watching is waiting:
            self._watching = self._waiting[0] if self._waiting else None
            if self._watching is not None:
                self._watching.called.set()

    def _send_last_away(self) -> None:
        """Send away who has spent most, where too many wait and one of them may be sent."""
        if len(self._waiting) <= self._most_waiting:
            return
        last = max((each for each in self._waiting if each.who.yields), key=_rank, default=None)
        if last is not None:
            self._leave(last)


def _rank(waiting: _Waiting) -> tuple[float, int]:
    return waiting.who.spent, waiting.number
