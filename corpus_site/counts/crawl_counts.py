"""Rows of each stage as pages show them: of now, or as they are kept where they are dear."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from corpus_site.counts.stage_counts import StageCount, known_and_stages
from corpus_site.pipeline import BY_NAME
from feeds.models import Crawl, CrawlAddress, Host
from feeds.watching.tallies import tally

CRAWL, HOSTS = "crawl", "hosts"  # names of the figures that are kept
_ARTICLES = "crawl-articles"  # with the key of a crawl
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
    found = tally(CRAWL, count_crawl, now)
    stages = tuple(_stage(row) for row in found.figures["stages"])
    return CrawlCounts(stages, found.figures["n_known"], found.counted_at)


def count_crawl(now: datetime) -> dict[str, Any]:
    """Count the rows of the stages, as they are kept."""
    n_known, counted = known_and_stages(now)
    stages = [
        {"name": row.name, "oldest_due_at": row.oldest_due_at and row.oldest_due_at.isoformat()}
        | {figure: getattr(row, figure) for figure in _FIGURES}
        for row in counted
    ]
    return {"stages": stages, "n_known": n_known}


def n_hosts(now: datetime) -> int:
    """Give how many hosts are known, as pages show it."""
    found: int = tally(HOSTS, count_hosts, now).figures
    return found


def crawled_articles(crawl: Crawl, now: datetime) -> int:
    """Give how many articles of the corpus a crawl has found, as pages show it."""
    name = f"{_ARTICLES}:{crawl.pk}"
    found: int = tally(name, lambda _: _count_articles(crawl.pk), now).figures
    return found


def count_named(name: str) -> Callable[[datetime], int] | None:
    """Give the function that counts what is kept by a name, None for names of others."""
    owner, _, key = name.partition(":")
    if owner != _ARTICLES or not key.isdecimal():
        return None
    return lambda _: _count_articles(int(key))


def _count_articles(crawl_id: int) -> int:
    found = CrawlAddress.objects.filter(crawl=crawl_id, page__article__in_corpus=True)
    return found.order_by().values("page").distinct().count()


def count_hosts(_now: datetime) -> int:
    return Host.objects.count()


def _stage(row: dict[str, Any]) -> StageCount:
    oldest = row["oldest_due_at"]
    return StageCount(
        stage=BY_NAME[row["name"]],
        oldest_due_at=datetime.fromisoformat(oldest) if oldest else None,
        **{figure: row[figure] for figure in _FIGURES},
    )
