"""How much each stage has to do: read by the status page and `manage.py status`."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from corpus_site.pipeline import STAGES, active_rows
from feeds.models import Work


@dataclass(frozen=True, slots=True)
class StageCount:
    """Rows of one stage: due now (claimed ones too), planned for later, done, quarantined."""

    name: str
    due: int
    running: int
    planned: int
    done: int
    quarantined: int
    oldest_due_at: datetime | None


def stage_counts(now: datetime) -> tuple[StageCount, ...]:
    """Count every stage's rows; one query a table."""
    return tuple(_count(stage.name, stage.models, now) for stage in STAGES)


def _count(name: str, models: tuple[type[Work], ...], now: datetime) -> StageCount:
    alive = Q(quarantined_at=None)
    due = alive & Q(due_at__lte=now)
    rows = [
        active_rows(model).aggregate(
            due=Count("pk", filter=due),
            running=Count("pk", filter=alive & Q(lease_until__gt=now)),
            planned=Count("pk", filter=alive & Q(due_at__gt=now)),
            done=Count("pk", filter=alive & Q(due_at=None)),
            quarantined=Count("pk", filter=~alive),
            oldest=Min("due_at", filter=due),
        )
        for model in models
    ]
    oldest = [row["oldest"] for row in rows if row["oldest"] is not None]
    sums = {
        key: sum(row[key] for row in rows)
        for key in ("due", "running", "planned", "done", "quarantined")
    }
    return StageCount(name=name, oldest_due_at=min(oldest, default=None), **sums)
