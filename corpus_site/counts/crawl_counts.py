"""Rows of each stage as pages show them: of now, or as they are kept where they are dear."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, Sum

from corpus_site.counts.stage_counts import StageCount, known_and_stages
from corpus_site.pipeline import BY_NAME
from extraction.models import Article, Extraction
from feeds.models import Crawl, CrawlAddress, Host
from feeds.watching.tallies import tally

CRAWL, HOSTS = "crawl", "hosts"  # names of the figures that are kept
_TEXTS = "crawl-texts"  # with the key of a crawl
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


@dataclass(frozen=True, slots=True)
class CrawledTexts:
    """What a crawl has brought into the corpus, and how much its pages showed before cleaning.

    `n_kept_words` are those of articles of the corpus, `n_page_words` all of the `n_pages` pages
    that were read, articles or not; `ratio` is their characters of text a tag, None without pages.
    """

    n_articles: int
    n_pages: int
    n_page_words: int
    n_kept_words: int
    ratio: float | None

    @property
    def kept_share(self) -> float:
        return self.n_kept_words / (self.n_page_words or 1)


def crawled_texts(crawl: Crawl, now: datetime) -> CrawledTexts:
    """Count the texts of a crawl, as pages show it."""
    name = f"{_TEXTS}:{crawl.pk}"
    found = tally(name, lambda _: _count_texts(crawl.pk), now).figures
    return CrawledTexts(
        n_articles=found["articles"],
        n_pages=found["pages"],
        n_page_words=found["words"] or 0,
        n_kept_words=found["kept"] or 0,
        ratio=found["chars"] / (found["tags"] or 1) if found["pages"] else None,
    )


def count_named(name: str) -> Callable[[datetime], dict[str, Any]] | None:
    """Give the function that counts what is kept by a name, None for names of others."""
    owner, _, key = name.partition(":")
    if owner != _TEXTS or not key.isdecimal():
        return None
    return lambda _: _count_texts(int(key))


def _count_texts(crawl_id: int) -> dict[str, Any]:
    """Sum up the pages of a crawl that were read, each once however many addresses lead to it."""
    addresses = CrawlAddress.objects.filter(crawl=crawl_id, page__isnull=False)
    pages = addresses.order_by().values("page")
    articles = Article.objects.filter(page__in=pages, in_corpus=True)
    read = Extraction.objects.filter(page__in=pages, page_words__isnull=False)
    sums = read.aggregate(
        pages=Count("*"),
        words=Sum("page_words"),
        chars=Sum("page_chars"),
        tags=Sum("page_tags"),
        kept=Sum("page__article__n_words", filter=Q(page__article__in_corpus=True)),
    )
    return sums | {"articles": articles.count()}


def count_hosts(_now: datetime) -> int:
    return Host.objects.count()


def _stage(row: dict[str, Any]) -> StageCount:
    oldest = row["oldest_due_at"]
    return StageCount(
        stage=BY_NAME[row["name"]],
        oldest_due_at=datetime.fromisoformat(oldest) if oldest else None,
        **{figure: row[figure] for figure in _FIGURES},
    )
