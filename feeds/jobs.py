"""Work that people asked for, as `/status/jobs/` lists it: what, how far, and about how long still.

Each stage that does such work lists its own jobs (`pipeline.Stage.jobs`).
"""

from dataclasses import dataclass
from datetime import datetime

from feeds.models import AskedWork
from feeds.watching.states import ShownState

# The newest of each kind; who looks for older ones finds them on the page of what they were for.
JOBS_PER_KIND = 50


class JobState(ShownState):
    """How far a job is."""

    RUNNING = ("●", "Runs", "ok")
    WAITING = ("+", "Waits", "info")
    FAILED = ("✕", "Failed", "bad")
    STOPPED = ("‖", "Stopped", "")
    DONE = ("●", "Done", "ok")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work: what, for whom, how far, and where its result is.

    One without a row is done by rows of many things: it runs until all of them are done. `since` is
    when the work began, by which the time left is estimated.
    """

    kind: str
    subject: str
    address: str
    n_done: int
    n_all: int
    unit: str
    now: datetime
    row: AskedWork | None = None
    asked_by: object = None
    asked_at: datetime | None = None
    since: datetime | None = None

    @property
    def state(self) -> JobState:
        row = self.row
        if row is None:
            return JobState.RUNNING if self.n_done < self.n_all else JobState.DONE
        if row.quarantined_at:
            return JobState.FAILED
        if row.finished_at:
            return JobState.DONE
        if row.due_at is None:
            return JobState.STOPPED
        is_held = row.lease_until is not None and row.lease_until > self.now
        return JobState.RUNNING if self.n_done or is_held else JobState.WAITING

    @property
    def is_unfinished(self) -> bool:
        """Tell whether it can still be stopped or go on."""
        return self.state is not JobState.DONE

    @property
    def is_open(self) -> bool:
        return self.state in {JobState.RUNNING, JobState.WAITING}

    @property
    def is_stoppable(self) -> bool:
        return self.row is not None and self.row.IS_STOPPABLE

    @property
    def table(self) -> str:
        """Name of the row's model, by which a form asks for it."""
        return self.row._meta.model_name or "" if self.row else ""

    @property
    def pk(self) -> int:
        return self.row.pk if self.row else 0

    @property
    def error(self) -> str:
        return self.row.last_error if self.row else ""

    @property
    def finished_at(self) -> datetime | None:
        return self.row.finished_at if self.row else None

    @property
    def left_seconds(self) -> float | None:
        """Estimate the time left from the pace so far."""
        if self.state is not JobState.RUNNING or self.since is None or not self.n_done:
            return None
        pace = (self.now - self.since).total_seconds() / self.n_done
        return pace * max(0, self.n_all - self.n_done)
