"""What people asked for, and what the program does by itself: the read side of `/status/jobs/`.

Jobs come from the stages that do them. A person may do two things with one: stop it, and let it go
on.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from corpus_site.pipeline import STAGES
from dedup.models import StoryPass
from feeds.jobs import Job
from feeds.models import AskedWork, Lock, Worker, WorkQuerySet
from feeds.parameters.values import value
from feeds.work import leases
from presentation.wording.figures import grouped
from presentation.wording.times import span
from search.lexicon.uses import ROUND
from search.models import UseCount


@dataclass(frozen=True, slots=True)
class Schedule:
    """Work that begins by itself: how often, when last and when next, and how long it took."""

    name: str
    what: str
    every: str
    last_at: datetime | None
    next_at: datetime | None
    took_seconds: float | None = None


def jobs(now: datetime) -> list[Job]:
    """List the newest jobs of every kind: those that run first, then by the time of asking."""
    found = [job for stage in STAGES if stage.jobs for job in stage.jobs(now)]
    return sorted(found, key=_newest_open_first)


def stoppable(table: str, pk: int) -> WorkQuerySet[AskedWork] | None:
    """Choose the row of a job that may be stopped; None where the table has no such rows."""
    for stage in STAGES:
        for model in stage.models:
            if model._meta.model_name == table and issubclass(model, AskedWork):
                rows: WorkQuerySet[AskedWork] = model._default_manager.filter(pk=pk)
                return rows if model.IS_STOPPABLE else None
    return None


def stop(rows: WorkQuerySet[AskedWork]) -> bool:
    """Stop a job after its present slice at the latest; what it has counted stays."""
    return bool(leases.stop(rows))


def go_on(rows: WorkQuerySet[AskedWork], now: datetime) -> bool:
    """Let a stopped or failed job go on where it stands."""
    unfinished = rows.filter(finished_at=None)
    return bool(leases.resume(unfinished, now) or leases.release_quarantine(rows, now))


def schedules() -> list[Schedule]:
    """List what begins by itself, the shortest round first."""
    return [_sweeps(), _story_passes(), _use_counts()]


def _newest_open_first(job: Job) -> tuple[bool, float]:
    return not job.is_open, -(job.asked_at.timestamp() if job.asked_at else 0)


def _sweeps() -> Schedule:
    every = timedelta(seconds=settings.SWEEP_SECONDS)
    beats = Worker.objects.filter(kind="scheduler").order_by("-beat_at")
    last = beats.values_list("beat_at", flat=True).first()
    last = last or Lock.objects.filter(name="sweep").values_list("last_run_at", flat=True).first()
    return Schedule(
        "Sweep",
        "finds work whose message was lost, learns what sites share, opens and closes alarms",
        span(every.total_seconds()),
        last,
        last + every if last else None,
    )


def _story_passes() -> Schedule:
    row = StoryPass.objects.first()
    return Schedule(
        "Stories",
        f"new articles looked at: {grouped(row.n_placed)}, "
        f"beside reports of the last days: {grouped(row.n_reports)}"
        if row
        else "finds reports of the same event",
        f"{value('STORY_MINUTES'):g} min; at once while the corpus is small",
        row.last_run_at if row else None,
        row.due_at if row else None,
        row.elapsed_ms / 1000 if row and row.elapsed_ms is not None else None,
    )


def _use_counts() -> Schedule:
    row = UseCount.objects.first()
    next_at = row.due_at if row else None
    last_at = next_at - ROUND if next_at and row and not row.attempts else None
    return Schedule(
        "Uses of the lexicon",
        "counts how often each entry stands in the corpus and overrules the tagger",
        span(ROUND.total_seconds()),
        last_at,
        next_at,
    )
