"""Work without a broker.

A loop that claims what is due and runs it, in the very functions that Celery tasks call.

With two or more workers the last one never fetches, so that texts go on to the index while others
wait for slow sites.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import FrameType

from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, close_old_connections
from django.utils import timezone

from corpus_site import pipeline
from corpus_site.alarms.keeping import keep_if_due
from corpus_site.counts.keeping import keep_counts
from corpus_site.messaging.heartbeat import beat_if_due
from corpus_site.pipeline import Stage
from corpus_site.running import disks, memory
from corpus_site.running.memory import FreeMemory
from corpus_site.running.resting import rest
from corpus_site.running.trouble_log import TroubleLog
from feeds.models import Worker
from feeds.work.batches import Report
from feeds.work.leases import Claim
from feeds.work.machine import name_of_start

logger = logging.getLogger(__name__)

# An idle worker looks for work this often: at once after work, then ever less, so that idling costs
# next to nothing.
IDLE_WAIT_SECONDS = (0.1, 0.2, 0.4, 0.8, 1.0)
# After so many turns without work, some 15 s, a worker gives back what made its work faster.
REST_AFTER_TURNS = 18
BEAT_SECONDS = 5.0
# A stage's batch may take this long before the supervisor ends its worker; its leases run out by
# themselves.
HARD_LIMIT = timedelta(seconds=180)
_DATABASE_AWAY = (OperationalError, InterfaceError)


@dataclass(slots=True)
class Heartbeat:
    """The worker's row, stamped every few seconds: what it does and until when it may."""

    kind: str
    name: str = ""
    written_at: float = -BEAT_SECONDS
    hard_limit: timedelta | None = HARD_LIMIT  # None: nobody ends it, however long its work takes

    def __post_init__(self) -> None:
        self.name = name_of_start(self.kind)

    def stamp(self, doing: str, now: datetime) -> None:
        clock = time.monotonic()
        if clock - self.written_at < BEAT_SECONDS:
            return
        self.written_at = clock
        present = {
            "kind": self.kind,
            "pid": os.getpid(),
            "beat_at": now,
            "doing": doing,
            "hard_limit_at": None if self.hard_limit is None else now + self.hard_limit,
        }
        Worker.objects.update_or_create(
            name=self.name,
            defaults=present,
            create_defaults=present | {"started_at": now},
        )

    def remove(self) -> None:
        Worker.objects.filter(name=self.name).delete()


@dataclass(slots=True)
class WorkLoop:
    """Run stages until told to stop, or until nothing is due."""

    stages: tuple[Stage, ...]
    heartbeat: Heartbeat
    # Whether this process takes the stages that have one writer in the world. One is enough: it
    # alone holds tagger, word types and lexicon (170 MB). The others step in when it is away.
    is_writer: bool = True
    # Whether others work beside it: a writer that lags behind leaves all else to them.
    has_others: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    total: Report = field(default_factory=Report)
    room: TroubleLog = field(default_factory=lambda: TroubleLog(logger))
    database: TroubleLog = field(default_factory=lambda: TroubleLog(logger))
    # Until when stages are left out while others have work, by the monotonic clock.
    rests_until: dict[str, float] = field(default_factory=dict)
    memory: FreeMemory = field(default_factory=FreeMemory)
    # Stages whose rows are to go back uncounted: the machine failed while they worked.
    spoilt: list[Stage] = field(default_factory=list)

    def run_once(self) -> int:
        """Give every stage one turn; returns how many rows were claimed.

        Stages that rest are left out while others have work.
        """
        self._give_back()
        if self._waits_for_room():
            return 0
        resting = [stage for stage in self.stages if self._rests(stage)]
        claimed = self._catch_up()
        if not claimed:
            claimed = self._take_turns([stage for stage in self.stages if stage not in resting])
        if not claimed:
            claimed = self._take_turns(resting)
        if not self.spoilt:
            self.room.over("all stages can write again")
        return claimed

    def _catch_up(self) -> int:
        """Give a turn to those stages alone that nobody else may write, where they are late."""
        if not (self.is_writer and self.has_others):
            return 0
        now = timezone.now()
        own = [stage for stage in self.stages if stage.writer_lock and pipeline.is_late(stage, now)]
        return self._take_turns(own)

    def _take_turns(self, stages: Sequence[Stage]) -> int:
        """Run one batch of each stage; one that cannot write does not keep the others."""
        claimed = 0
        for stage in stages:
            if self.stop.is_set():
                break
            now = timezone.now()
            self.heartbeat.stamp(stage.name, now)
            if self._leaves(stage, now):
                continue
            report = self._run(stage, now)
            self.total += report
            claimed += report.n_claimed
            if report.n_claimed:
                self.rests_until[stage.name] = time.monotonic() + stage.rest_seconds
                self.memory.give_back()
        return claimed

    def _rests(self, stage: Stage) -> bool:
        return time.monotonic() < self.rests_until.get(stage.name, 0.0)

    def _run(self, stage: Stage, now: datetime) -> Report:
        """Run one batch; a lost database travels, a full disk is waited for."""
        try:
            return stage.run(Claim.make(self.heartbeat.name, now))
        except Exception as error:
            is_machines = disks.is_machines_fault(error)
            if is_machines:
                self.spoilt.append(stage)
            if isinstance(error, _DATABASE_AWAY):
                raise
            if is_machines:
                self.room.note(f"stage {stage.name} waits, its disk fails: {error}")
                return Report()
            # One batch is one item here: its leases run out, its claims are counted, and
            # the third time its rows are quarantined. The other stages go on.
            logger.exception("stage %s failed", stage.name)
            return Report()

    def _give_back(self) -> None:
        while self.spoilt:
            disks.give_back(self.spoilt[-1].models, self.heartbeat.name)
            self.spoilt.pop()

    def _waits_for_room(self) -> bool:
        """Whether the disk is so full that the work pauses; says so in the log and on its row."""
        short = disks.shortage()
        if short:
            self.room.note(f"the work pauses: {short}")
            self.heartbeat.stamp("waiting for room on the disk", timezone.now())
        return short is not None

    def _leaves(self, stage: Stage, now: datetime) -> bool:
        """Whether the stage is another worker's business."""
        is_others = bool(stage.writer_lock) and not self.is_writer
        return is_others and not pipeline.is_neglected(stage, self.heartbeat.name, now)

    def run_forever(self) -> None:
        """Work until `stop` is set; a database that is away is waited for."""
        idle_turns = 0
        while not self.stop.is_set():
            try:
                claimed = self.run_once()
                self.database.over("the database answers again")
            except Error as error:
                self.database.note(f"database away, trying again: {_first_line(error)}")
                close_old_connections()
                claimed = 0
            idle_turns = 0 if claimed else idle_turns + 1
            if idle_turns == REST_AFTER_TURNS:
                rest()
            if not claimed:
                self.stop.wait(idle_wait(idle_turns))

    def run_until_idle(self) -> Report:
        """Work until nothing is due in any stage, rows in other hands included."""
        idle_turns = 0
        while not self.stop.is_set():
            if self.run_once():
                idle_turns = 0
                continue
            idle_turns += 1
            now = timezone.now()
            if idle_turns % len(IDLE_WAIT_SECONDS) == 0:
                # Rows that killed all their workers count as due until the sweep sets them aside.
                pipeline.sweep(now)
            if is_idle(now) and not pipeline.sweep(now):
                break
            self.stop.wait(idle_wait(idle_turns))
        return self.total


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def idle_wait(idle_turns: int) -> float:
    """Seconds to wait after this many turns without work."""
    return IDLE_WAIT_SECONDS[min(idle_turns, len(IDLE_WAIT_SECONDS)) - 1]


def is_idle(now: datetime) -> bool:
    """Whether nothing is due anywhere; pages of paused publications do not count."""
    return not any(pipeline.has_due(stage, now) for stage in pipeline.STAGES)


def make_loop(worker: int, n_workers: int) -> WorkLoop:
    """Make the loop of worker number `worker` (from 0) of `n_workers`.

    The last of several never fetches, and it writes the index.
    """
    is_last = worker == n_workers - 1
    stages = pipeline.TEXT_STAGES if is_last and n_workers > 1 else pipeline.STAGES
    return WorkLoop(
        stages, Heartbeat("worker"), is_writer=is_last, has_others=is_last and n_workers > 1
    )


def run_worker(worker: int, n_workers: int) -> None:
    """Body of a worker process under the supervisor."""
    memory.settle()
    loop = make_loop(worker, n_workers)
    stop_on_signal(loop.stop)
    loop.run_forever()
    loop.heartbeat.remove()


def run_scheduler() -> None:
    """Body of the scheduler process: the sweeps that find what hints have missed."""
    heartbeat, stop = Heartbeat("scheduler"), threading.Event()
    trouble = TroubleLog(logger)
    stop_on_signal(stop)
    while not stop.is_set():
        now = timezone.now()
        try:
            heartbeat.stamp("sweep", now)
            forget_dead_workers(now)
            if not disks.shortage():
                pipeline.sweep(now)
            keep_if_due("scheduler", now)
            keep_counts(now)
            beat_if_due("scheduler", now)
            trouble.over("sweeping again")
        except _DATABASE_AWAY as error:
            trouble.note(f"sweep failed, trying again: {_first_line(error)}")
            close_old_connections()
        except Exception:
            logger.exception("sweep failed, trying again")
        stop.wait(settings.SWEEP_SECONDS)
    heartbeat.remove()


def forget_dead_workers(now: datetime) -> int:
    """Remove the rows of workers that have not stamped for an hour."""
    return Worker.objects.filter(beat_at__lt=now - timedelta(hours=1)).delete()[0]


def stop_on_signal(stop: threading.Event) -> None:
    """Let SIGTERM end the loop after the present batch; Ctrl-C is the supervisor's matter."""

    def handle(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001 (signal's signature)
        stop.set()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
