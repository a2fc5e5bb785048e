"""What the crawl did, half hour by half hour and publication by publication.

Fetches and articles → frozen rows; read by `/status/report/` and `manage.py report`.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, Value, When
from django.db.models.functions import TruncHour

from extraction.models import Article
from extraction.status import ON_A_PAGE
from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch, PageKind, Publication

# The watcher of the South African corpus ran, and reported, every half hour.
STEP = timedelta(minutes=30)
_ANSWERS = [outcome.value for outcome in Outcome if outcome.is_answer]


@dataclass(slots=True)
class CrawlWork:
    """Counts of a stretch of time or of a publication."""

    n_feeds: int = 0
    n_pages: int = 0
    n_refused: int = 0
    n_new: int = 0
    n_bytes: int = 0
    seconds: float = 0.0

    def __add__(self, other: "CrawlWork") -> "CrawlWork":
        return CrawlWork(
            *(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__)
        )


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """Work since a moment: by half hour, newest first, and by publication, slowest first."""

    since: datetime
    until: datetime
    by_time: tuple[tuple[datetime, CrawlWork], ...]
    by_publication: tuple[tuple[Publication, CrawlWork], ...]
    total: CrawlWork = field(default_factory=CrawlWork)


def crawl_report(since: datetime, until: datetime) -> CrawlFigures:
    """Count what was done between two moments, in five queries.

    `since` goes back to the beginning of its half hour, so that each row is a whole one.
    """
    since = since.replace(minute=since.minute // 30 * 30, second=0, microsecond=0)
    fetches = Fetch.objects.filter(started_at__gte=since, started_at__lt=until)
    articles = Article.objects.filter(ON_A_PAGE, created_at__gte=since, created_at__lt=until)
    by_time = _by_time(fetches, articles)
    by_publication = _by_publication(fetches, articles)
    return CrawlFigures(
        since=since,
        until=until,
        by_time=tuple(sorted(by_time.items(), reverse=True)),
        by_publication=tuple(
            sorted(by_publication, key=lambda item: (-item[1].seconds, item[0].name))
        ),
        total=sum(by_time.values(), CrawlWork()),
    )


def _by_time(fetches: QuerySet[Fetch], articles: QuerySet[Article]) -> dict[datetime, CrawlWork]:
    found: dict[datetime, CrawlWork] = defaultdict(CrawlWork)
    for row in _counted(_halved(fetches, "started_at"), "hour", "half"):
        found[_moment(row)] = _work(row)
    for row in _halved(articles, "created_at").values("hour", "half").annotate(n=Count("*")):
        found[_moment(row)].n_new = row["n"]
    return dict(found)


def _by_publication(
    fetches: QuerySet[Fetch], articles: QuerySet[Article]
) -> list[tuple[Publication, CrawlWork]]:
    found: dict[int, CrawlWork] = defaultdict(CrawlWork)
    for row in _counted(fetches.exclude(page=None), "page__publication"):
        found[row["page__publication"]] = _work(row)
    new = articles.order_by().values_list("publication").annotate(n=Count("*"))
    for publication_id, n in new:
        found[publication_id].n_new = n
    publications = Publication.objects.in_bulk(list(found))
    return [(publications[pk], work) for pk, work in found.items() if pk in publications]


def _halved(rows: QuerySet[Any], name: str) -> QuerySet[Any]:
    half = Case(
        When(**{f"{name}__minute__gte": 30}, then=Value(30)),
        default=Value(0),
        output_field=IntegerField(),
    )
    halved: QuerySet[Any] = rows.order_by().annotate(hour=TruncHour(name), half=half)
    return halved


def _counted(rows: QuerySet[Fetch], *names: str) -> Iterable[dict[str, Any]]:
    is_feed = Q(page__kind=PageKind.FEED)
    counted: Iterable[dict[str, Any]] = (
        rows.order_by()
        .values(*names)
        .annotate(
            feeds=Count("pk", filter=is_feed),
            pages=Count("pk", filter=~is_feed & Q(page__isnull=False)),
            refused=Count("pk", filter=~Q(outcome__in=_ANSWERS)),
            size=Sum("wire_bytes"),
            took=Sum("elapsed_ms"),
        )
    )
    return counted


def _work(row: dict[str, Any]) -> CrawlWork:
    return CrawlWork(
        n_feeds=row["feeds"],
        n_pages=row["pages"],
        n_refused=row["refused"],
        n_bytes=row["size"] or 0,
        seconds=(row["took"] or 0) / 1000,
    )


def _moment(row: dict[str, Any]) -> datetime:
    hour: datetime = row["hour"]
    return hour + timedelta(minutes=row["half"])
