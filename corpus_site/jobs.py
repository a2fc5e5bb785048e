"""Work that people asked for, and what the program does by itself (screens.md, 6.6).

Rows of the stages that stand beside the way → Job; the read side of `/status/jobs/`, and the two
things a person may do with a job: stop it, and let it go on.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.urls import reverse

from corpus_site.wording import group_digits, span
from dedup.models import StoryPass, ThresholdTrial
from extraction.models import DryRun, EvaluationRun, RereadPage, RuleVersion
from feeds import leases
from feeds.models import Lock, Worker
from feeds.states import ShownState
from search.lexicon_uses import ROUND
from search.models import Retagging, UseCount

JOBS_PER_KIND = 50
# Jobs whose rows only their stage reads: stopping one leaves nothing half done.
STOPPABLE: dict[str, type[DryRun | EvaluationRun | ThresholdTrial]] = {
    "dryrun": DryRun,
    "evaluationrun": EvaluationRun,
    "thresholdtrial": ThresholdTrial,
}


class JobState(ShownState):
    """How far a job is."""

    RUNNING = ("●", "Runs", "ok")
    WAITING = ("+", "Waits", "info")
    FAILED = ("✕", "Failed", "bad")
    STOPPED = ("‖", "Stopped", "")
    DONE = ("●", "Done", "ok")


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work: what, for whom, how far, and where its result is."""

    kind: str
    subject: str
    address: str
    state: JobState
    asked_by: str
    asked_at: datetime | None
    finished_at: datetime | None
    n_done: int
    n_all: int
    unit: str
    error: str = ""
    table: str = ""
    pk: int = 0
    left_seconds: float | None = None

    @property
    def is_open(self) -> bool:
        return self.state in {JobState.RUNNING, JobState.WAITING}

    @property
    def is_unfinished(self) -> bool:
        """Tell whether it can still be stopped or go on."""
        return self.state is not JobState.DONE

    @property
    def is_stoppable(self) -> bool:
        return self.table in STOPPABLE


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
    found = [*_dry_runs(now), *_evaluations(now), *_trials(now), *_retaggings(now), *_rereads()]
    return sorted(found, key=_newest_open_first)


def stop(table: str, pk: int | None) -> bool:
    """Stop a job after its present slice at the latest; what it has counted stays."""
    return bool(leases.stop(STOPPABLE[table]._default_manager.filter(pk=pk)))


def go_on(table: str, pk: int | None, now: datetime) -> bool:
    """Let a stopped or failed job go on where it stands."""
    rows = STOPPABLE[table]._default_manager.filter(pk=pk)
    unfinished = rows.filter(finished_at=None)
    return bool(leases.resume(unfinished, now) or leases.release_quarantine(rows, now))


def schedules() -> list[Schedule]:
    """List what begins by itself, the shortest round first."""
    return [_sweeps(), _story_passes(), _use_counts()]


def _newest_open_first(job: Job) -> tuple[bool, float]:
    return not job.is_open, -(job.asked_at.timestamp() if job.asked_at else 0)


def _state(row: Any, now: datetime, n_done: int) -> JobState:
    if row.quarantined_at:
        return JobState.FAILED
    if row.finished_at:
        return JobState.DONE
    if row.due_at is None:
        return JobState.STOPPED
    is_held = row.lease_until is not None and row.lease_until > now
    return JobState.RUNNING if n_done or is_held else JobState.WAITING


def _left(state: JobState, since: datetime | None, done: tuple[int, int], now: datetime) -> Any:
    """Estimate the seconds left from the pace so far."""
    n_done, n_all = done
    if state is not JobState.RUNNING or since is None or not n_done:
        return None
    return (now - since).total_seconds() / n_done * max(0, n_all - n_done)


def _dry_runs(now: datetime) -> Iterable[Job]:
    rows = DryRun.objects.select_related("version__publication").order_by("-pk")
    for row in rows[:JOBS_PER_KIND]:
        publication, n_done = row.version.publication, sum(row.counts.values())
        yield Job(
            kind="Dry run of rules",
            subject=f"{publication.name}, draft of version {row.version.number}",
            address=reverse("rules", args=[publication.slug]),
            state=_state(row, now, n_done),
            asked_by="",
            asked_at=None,
            finished_at=row.finished_at,
            n_done=n_done,
            n_all=row.n_articles,
            unit="article,articles",
            error=row.last_error,
            table="dryrun",
            pk=row.pk,
        )


def _evaluations(now: datetime) -> Iterable[Job]:
    rows = EvaluationRun.objects.select_related("publication", "asked_by").order_by("-pk")
    for row in rows.defer("figures")[:JOBS_PER_KIND]:
        n = len(row.extractors)
        state = _state(row, now, row.n_done)
        yield Job(
            kind="Comparison of extractors",
            subject=f"{row.publication.name}, {n} {'extractor' if n == 1 else 'extractors'}",
            address=reverse("evaluation-run", args=[row.pk]),
            state=state,
            asked_by=str(row.asked_by or ""),
            asked_at=row.asked_at,
            finished_at=row.finished_at,
            n_done=row.n_done,
            n_all=row.n_pages,
            unit="page,pages",
            error=row.last_error,
            table="evaluationrun",
            pk=row.pk,
            left_seconds=_left(state, row.asked_at, (row.n_done, row.n_pages), now),
        )


def _trials(now: datetime) -> Iterable[Job]:
    rows = ThresholdTrial.objects.select_related("asked_by").defer("joined", "parted")
    for row in rows[:JOBS_PER_KIND]:
        state = _state(row, now, row.n_done)
        yield Job(
            kind="Trial of a limit for duplicates",
            subject=f"{row.limit:.2f} instead of {row.limit_before:.2f}",
            address=reverse("threshold-trial", args=[row.pk]),
            state=state,
            asked_by=str(row.asked_by or ""),
            asked_at=row.asked_at,
            finished_at=row.finished_at,
            n_done=row.n_done,
            n_all=row.n_articles,
            unit="article,articles",
            error=row.last_error,
            table="thresholdtrial",
            pk=row.pk,
            left_seconds=_left(state, row.asked_at, (row.n_done, row.n_articles), now),
        )


def _retaggings(now: datetime) -> Iterable[Job]:
    for row in Retagging.objects.select_related("created_by")[:JOBS_PER_KIND]:
        state = _state(row, now, row.n_done)
        yield Job(
            kind="Tagging again",
            subject=row.title,
            address=reverse("lexicon"),
            state=state,
            asked_by=str(row.created_by or ""),
            asked_at=row.created_at,
            finished_at=row.finished_at,
            n_done=row.n_done,
            n_all=row.n_texts,
            unit="text,texts",
            error=row.last_error,
            left_seconds=_left(state, row.started_at, (row.n_done, row.n_texts), now),
        )


def _rereads() -> Iterable[Job]:
    """List published rules that had stored pages read again."""
    waits = Q(page__extraction__due_at__isnull=False, page__extraction__quarantined_at=None)
    counts = {
        version: (n, n_left)
        for version, n, n_left in RereadPage.objects.order_by("-version")
        .values_list("version")
        .annotate(n=Count("pk"), n_left=Count("pk", filter=waits))[:JOBS_PER_KIND]
    }
    for row in RuleVersion.objects.filter(pk__in=counts).select_related(
        "publication", "published_by"
    ):
        n, n_left = counts[row.pk]
        yield Job(
            kind="Reading stored pages again",
            subject=f"{row.publication.name}, rules version {row.number}",
            address=reverse("rules", args=[row.publication.slug]),
            state=JobState.RUNNING if n_left else JobState.DONE,
            asked_by=str(row.published_by or ""),
            asked_at=row.published_at,
            finished_at=None,
            n_done=n - n_left,
            n_all=n,
            unit="page,pages",
        )


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
        f"new articles looked at: {group_digits(row.n_placed)}, "
        f"beside reports of the last days: {group_digits(row.n_reports)}"
        if row
        else "finds reports of the same event",
        f"{settings.STORY_MINUTES} min; at once while the corpus is small",
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
