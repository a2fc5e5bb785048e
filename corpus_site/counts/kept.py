"""What pages show of whole tables, as it is kept: by name, so that a sweep can count it again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from corpus_site.counts.stage_counts import StageCount, stage_counts
from corpus_site.pipeline import BY_NAME
from feeds.models import Page
from feeds.watching.tallies import count_again, tally

_FETCH = "fetch"
_FIGURES = ("due", "running", "planned", "done", "quarantined", "postponed")


@dataclass(frozen=True, slots=True)
class CrawlCounts:
    """Rows of each stage, and all pages that are known; `counted_at` where they are not of now."""

    stages: tuple[StageCount, ...]
    n_known: int
    counted_at: datetime | None

    @property
    def fetch(self) -> StageCount:
        """The stage whose rows are the frontier."""
        return next(row for row in self.stages if row.name == _FETCH)


def crawl_counts(now: datetime) -> CrawlCounts:
    """Give how much each stage has to do, as pages show it."""
    found = tally("crawl", _count_crawl, now)
    stages = tuple(_stage(row) for row in found.figures["stages"])
    return CrawlCounts(stages, found.figures["n_known"], found.counted_at)


def _count_crawl(now: datetime) -> dict[str, Any]:
    stages = [
        {"name": row.name, "oldest_due_at": row.oldest_due_at and row.oldest_due_at.isoformat()}
        | {figure: getattr(row, figure) for figure in _FIGURES}
        for row in stage_counts(now)
    ]
    return {"stages": stages, "n_known": Page.objects.count()}


def _stage(row: dict[str, Any]) -> StageCount:
    oldest = row["oldest_due_at"]
    return StageCount(
        stage=BY_NAME[row["name"]],
        oldest_due_at=datetime.fromisoformat(oldest) if oldest else None,
        **{figure: row[figure] for figure in _FIGURES},
    )


_COUNTS: dict[str, Callable[[datetime], Any]] = {"crawl": _count_crawl}


def keep_counts(now: datetime) -> int:
    """Count again what pages showed lately and is no longer fresh; returns how many figures."""
    return count_again(_COUNTS.get, now)
