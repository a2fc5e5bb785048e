"""How much each stage has to do: read by the status page and `manage.py status`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, Value

from corpus_site.pipeline import STAGES, Stage, active_rows
from feeds.frontier import unfinished_pages
from feeds.models import Page, Work, WorkQuerySet


@dataclass(frozen=True, slots=True)
class StageCount:
    """Rows of one stage: due now (claimed ones too), planned for later, done, quarantined."""

    stage: Stage
    due: int
    running: int
    planned: int
    done: int
    quarantined: int
    oldest_due_at: datetime | None

    @property
    def name(self) -> str:
        return self.stage.name

    @property
    def label(self) -> str:
        return self.stage.label


def stage_counts(now: datetime) -> tuple[StageCount, ...]:
    """Count every stage's rows; two queries a table, each part from an index."""
    return tuple(_sum([_count(stage, model, now) for model in stage.models]) for stage in STAGES)


def _count(stage: Stage, model: type[Work], now: datetime) -> StageCount:
    """Count one table: what waits and what is put aside have partial indexes, the rest is done.

    One statement with a filter for each state would read every row (0.1 s for 100 000 pages).
    """
    rows = active_rows(model)
    due = Q(due_at__lte=now)
    waiting = rows.waiting().aggregate(
        n=Count("pk"),
        due=Count("pk", filter=due),
        running=Count("pk", filter=Q(lease_until__gt=now)),
        oldest=Min("due_at", filter=due),
    )
    quarantined, n_all = _counts(rows.quarantined(), rows)
    if model is Page:  # what its host's ceiling holds back is planned still
        ready = unfinished_pages(now).aggregate(due=Count("pk"), oldest=Min("due_at"))
        waiting |= ready
    return StageCount(
        stage=stage,
        due=waiting["due"],
        running=waiting["running"],
        planned=waiting["n"] - waiting["due"],
        done=n_all - waiting["n"] - quarantined,
        quarantined=quarantined,
        oldest_due_at=waiting["oldest"],
    )


def _counts(*parts: WorkQuerySet[Work]) -> tuple[int, ...]:
    """Count several choices of rows in one query, which the database answers one by one."""
    first, *others = (
        part.order_by().values(place=Value(place)).annotate(n=Count("pk"))
        for place, part in enumerate(parts)
    )
    found = {row["place"]: row["n"] for row in first.union(*others, all=True)}
    return tuple(found.get(place, 0) for place in range(len(parts)))


def _sum(tables: Sequence[StageCount]) -> StageCount:
    """Add up the tables of a stage."""
    oldest = [table.oldest_due_at for table in tables if table.oldest_due_at is not None]
    return StageCount(
        stage=tables[0].stage,
        due=sum(table.due for table in tables),
        running=sum(table.running for table in tables),
        planned=sum(table.planned for table in tables),
        done=sum(table.done for table in tables),
        quarantined=sum(table.quarantined for table in tables),
        oldest_due_at=min(oldest, default=None),
    )
