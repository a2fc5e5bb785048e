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
    """Rows of one stage: due now (claimed ones too), planned for later, done, quarantined.

    Postponed are visits whose time has come while their host's share for visits is used up.
    """

    stage: Stage
    due: int
    running: int
    planned: int
    done: int
    quarantined: int
    postponed: int
    oldest_due_at: datetime | None

    @property
    def name(self) -> str:
        return self.stage.name

    @property
    def label(self) -> str:
        return self.stage.label


def stage_counts(now: datetime) -> tuple[StageCount, ...]:
    """Count every stage's rows; one query a table and one for all, each part from an index."""
    return known_and_stages(now)[1]


def known_and_stages(now: datetime) -> tuple[int, tuple[StageCount, ...]]:
    """Count all pages that are known too, those of publications that rest among them."""
    models = [model for stage in STAGES for model in stage.models]
    parts = [part for model in models for part in (_quarantined(model), active_rows(model))]
    n_known, *others = counts_of(Page.objects.all(), *parts)
    numbers = iter(others)
    ends = {model: (next(numbers), next(numbers)) for model in models}
    return n_known, tuple(
        _sum([_count(stage, model, ends[model], now) for model in stage.models]) for stage in STAGES
    )


def _quarantined(model: type[Work]) -> WorkQuerySet[Work]:
    return active_rows(model).quarantined()


def _count(stage: Stage, model: type[Work], ends: tuple[int, int], now: datetime) -> StageCount:
    """Count one table: what waits and what is put aside have partial indexes, the rest is done.

    One statement with a filter for each state would read every row (0.1 s for 100 000 pages).
    """
    rows = active_rows(model)
    waiting = rows.waiting().aggregate(
        n=Count("*"),
        come=Count("pk", filter=Q(due_at__lte=now)),
        oldest=Min("due_at"),
        running=Count("pk", filter=Q(lease_until__gt=now)),
    )
    due = {"n": waiting["come"], "oldest": waiting["oldest"]}
    if model is Page:  # of which some wait for their host's share
        due = unfinished_pages(now).aggregate(n=Count("*"), oldest=Min("due_at"))
    quarantined, n_all = ends
    return StageCount(
        stage=stage,
        due=due["n"],
        running=waiting["running"],
        planned=waiting["n"] - waiting["come"],
        done=n_all - waiting["n"] - quarantined,
        quarantined=quarantined,
        postponed=waiting["come"] - due["n"],
        oldest_due_at=due["oldest"] if due["n"] else None,
    )


def counts_of(*parts: WorkQuerySet[Work]) -> tuple[int, ...]:
    """Count several choices of rows in one query, which the database answers one by one."""
    first, *others = (
        part.order_by().values(place=Value(place)).annotate(n=Count("*"))
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
        postponed=sum(table.postponed for table in tables),
        oldest_due_at=min(oldest, default=None),
    )
