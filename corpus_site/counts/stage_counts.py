"""How much each stage has to do: read by the status page and `manage.py status`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import Aggregate, Count, Min, Q, Value

from corpus_site.pipeline import MODELS, STAGES, Stage, active_rows
from feeds.frontier import unfinished_pages
from feeds.models import Page, Work, WorkQuerySet
from feeds.work.prepared import Prepared


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
    """Count every stage's rows, in three queries whose every part comes from an index."""
    return known_and_stages(now)[1]


def known_and_stages(now: datetime) -> tuple[int, tuple[StageCount, ...]]:
    """Count all pages that are known too, those of publications that rest among them."""
    models = [model for stage in STAGES for model in stage.models]
    parts = [part for model in models for part in (_quarantined(model), active_rows(model))]
    n_known, *others = counts_of(Page.objects.all(), *parts)
    numbers = iter(others)
    ends = {model: (next(numbers), next(numbers)) for model in models}
    waiting = dict(zip(models, _waiting(models, now), strict=True))
    return n_known, tuple(
        _sum([_count(stage, model, ends[model], waiting[model], now) for model in stage.models])
        for stage in STAGES
    )


def _quarantined(model: type[Work]) -> WorkQuerySet[Work]:
    return active_rows(model).quarantined()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Rows of one table that are neither done nor put aside; `come` are those whose time has."""

    n: int = 0
    come: int = 0
    oldest: datetime | None = None
    running: int = 0


def _waiting(models: Sequence[type[Work]], now: datetime) -> list[_Waiting]:
    """Count what waits in each table, which has a partial index.

    One statement with a filter for each state would read every row (0.1 s for 100 000 pages).
    """
    found = _by_place(
        [active_rows(model).waiting() for model in models],
        n=Count("*"),
        come=Count("pk", filter=Q(due_at__lte=now)),
        oldest=Min("due_at"),
        running=Count("pk", filter=Q(lease_until__gt=now)),
    )
    return [_Waiting(**found.get(place, {})) for place in range(len(models))]


def _count(
    stage: Stage, model: type[Work], ends: tuple[int, int], waiting: _Waiting, now: datetime
) -> StageCount:
    """Count one table: of all rows, what neither waits nor is put aside is done."""
    n_due, oldest = waiting.come, waiting.oldest
    if model is Page:  # of which some wait for their host's share
        unfinished = unfinished_pages(now).aggregate(n=Count("*"), oldest=Min("due_at"))
        n_due, oldest = unfinished["n"], unfinished["oldest"]
    quarantined, n_all = ends
    return StageCount(
        stage=stage,
        due=n_due,
        running=waiting.running,
        planned=waiting.n - waiting.come,
        done=n_all - waiting.n - quarantined,
        quarantined=quarantined,
        postponed=waiting.come - n_due,
        oldest_due_at=oldest if n_due else None,
    )


def counts_of(*parts: WorkQuerySet[Work]) -> tuple[int, ...]:
    """Count several choices of rows in one query, which the database answers one by one."""
    found = _by_place(parts, n=Count("*"))
    return tuple(found[place]["n"] if place in found else 0 for place in range(len(parts)))


def quarantined_by_model() -> dict[type[Work], int]:
    """Count what was put aside in each stage's tables; pages ask for more than that."""
    counts = dict[int, int](_quarantined_counts().rows())
    return {model: counts.get(place, 0) for place, model in enumerate(_NOT_PAGES)}


_NOT_PAGES = tuple(model for model in MODELS if model is not Page)


@cache
def _quarantined_counts() -> Prepared:
    first, *others = (
        _quarantined(model).order_by().values(place=Value(place)).annotate(n=Count("*"))
        for place, model in enumerate(_NOT_PAGES)
    )
    return Prepared.of(first.union(*others, all=True))


def _by_place(
    parts: Sequence[WorkQuerySet[Work]], **figures: Aggregate
) -> dict[int, dict[str, Any]]:
    """Ask for figures of several choices of rows in one query; a choice without rows has none."""
    first, *others = (
        part.order_by().values(place=Value(place)).annotate(**figures)
        for place, part in enumerate(parts)
    )
    rows = (dict[str, Any](row) for row in first.union(*others, all=True))
    return {row.pop("place"): row for row in rows}


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
