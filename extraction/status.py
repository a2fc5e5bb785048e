"""Read side of the texts: totals, the newest articles, articles per day, texts of a publication.

Lists leave the text itself in the database.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from operator import sub
from typing import Any

from django.db.models import Avg, Count, Max, Min, Q, QuerySet, Sum, Value

from extraction.models import Article, Comment

_USUAL = timedelta(days=7)  # a paper's week: weekends bring less than other days
# What came from the web: how the crawl does says nothing of collections, nor they of it.
ON_A_PAGE = Q(page__isnull=False)
# A given text without a date stands under the day on which it was given: none of its own.
_DATED = ON_A_PAGE | Q(published_at__isnull=False)
_NOT_IN_LISTS = ("text", "blocks", "sources", "standfirst")


@dataclass(frozen=True, slots=True)
class CorpusTotals:
    """What is stored: articles (those left out of the corpus among them), comments, days."""

    articles: int
    comments: int
    commented_articles: int
    first_at: datetime | None
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class PublicationTexts:
    """What was stored of one publication; words are those of articles in the corpus.

    `confidence` is the mean over its articles, 0 to 1.
    """

    n_articles: int
    n_left_out: int
    n_words: int
    first_at: datetime | None
    last_at: datetime | None
    confidence: float | None


NO_TEXTS = PublicationTexts(0, 0, 0, None, None, None)


def corpus_totals() -> CorpusTotals:
    """Count articles and the comments under them, without those that were withdrawn."""
    by_date = Article.shown.order_by("dated_at").values_list("dated_at", flat=True)
    articles = _counts([Article.objects.all(), _withdrawn()])
    comments = _counts(
        [
            Comment.objects.all(),
            Comment.objects.filter(withdrawn_at__isnull=False, article__withdrawn_at=None),
            Comment.objects.filter(article__withdrawn_at__isnull=False),
        ],
        under=Count("article", distinct=True),
    )
    return CorpusTotals(
        articles[0]["n"] - articles[1]["n"],
        comments[0]["n"] - comments[1]["n"] - comments[2]["n"],
        comments[0]["under"] - comments[2]["under"],
        by_date.first(),
        by_date.last(),
    )


def _withdrawn() -> QuerySet[Article]:
    """Articles that are taken off the counts of all: these come from indexes alone so."""
    return Article.objects.filter(withdrawn_at__isnull=False)


def _counts(parts: Sequence[QuerySet[Any]], **more: Count) -> list[Counter[str]]:
    """Count rows of several kinds in one query, as `n` and by other counts' names."""
    counts = [
        rows.order_by().values(place=Value(place)).annotate(n=Count("*"), **more)
        for place, rows in enumerate(parts)
    ]
    found = {row["place"]: Counter(row) for row in counts[0].union(*counts[1:], all=True)}
    return [found.get(place, Counter()) for place in range(len(parts))]


def listed() -> QuerySet[Article]:
    """Articles for a list: with their publication, without their texts.

    Not joined: SQLite would begin with the publications and sort all their articles.
    """
    return Article.shown.prefetch_related("publication").defer(*_NOT_IN_LISTS)


def just_in(limit: int) -> list[Article]:
    """List the articles that were stored last, without those of collections."""
    return list(listed().filter(ON_A_PAGE).order_by("-created_at", "-pk")[:limit])


def latest_of(publication_id: int, limit: int) -> list[Article]:
    """List the latest articles of a publication, those outside the corpus among them."""
    return list(listed().filter(publication=publication_id).order_by("-dated_at", "-pk")[:limit])


def stored_since(since: datetime) -> int:
    """Count the articles stored since a moment, without those of collections."""
    return Article.shown.filter(ON_A_PAGE, created_at__gte=since).count()


def newest_stored_at() -> datetime | None:
    """Say when the newest article was stored, without those of collections."""
    rows = Article.objects.filter(ON_A_PAGE).order_by("-created_at")
    return rows.values_list("created_at", flat=True).first()


def usual_an_hour(now: datetime) -> float | None:
    """Articles an hour over the week before the last hour; None before the first week is full."""
    first = now - _USUAL - timedelta(hours=1)
    rows = Article.objects.filter(ON_A_PAGE)
    if not rows.filter(created_at__lt=first).exists():
        return None
    n = rows.filter(created_at__gte=first, created_at__lt=now - timedelta(hours=1))
    return n.count() / (_USUAL / timedelta(hours=1))


def articles_per_day(now: datetime, days: int) -> list[tuple[date, int]]:
    """Count articles by day of publication, one entry for every day up to today.

    Days are those of the zone of `now`. Articles without a date are in none, as in searches.
    """
    first = now.date() - timedelta(days=days - 1)
    dates = [first + timedelta(days=n) for n in range(days)]
    # A range of the index for each day: truncating dates is a call per row where the database is
    # SQLite (0.9 s for 86 000 articles, against 20 ms).
    starts = [datetime(date.year, date.month, date.day, tzinfo=now.tzinfo) for date in dates]
    ends = [*starts[1:], starts[-1] + timedelta(days=1)]
    rows = [
        some.filter(dated_at__gte=start, dated_at__lt=end, published_at__isnull=False)
        for some in (Article.objects.all(), _withdrawn())
        for start, end in zip(starts, ends, strict=True)
    ]
    counts = [row["n"] for row in _counts(rows)]
    return list(zip(dates, map(sub, counts[:days], counts[days:]), strict=True))


def texts_by_publication(ids: Sequence[int]) -> dict[int, PublicationTexts]:
    """Sum up the articles of each publication, in one query."""
    rows = (
        Article.shown.filter(publication__in=ids)
        .order_by()
        .values("publication")
        .annotate(
            n=Count("*"),
            left_out=Count("pk", filter=Q(in_corpus=False)),
            words=Sum("n_words", filter=Q(in_corpus=True)),
            first=Min("dated_at", filter=_DATED),
            last=Max("dated_at", filter=_DATED),
            confidence=Avg("confidence"),
        )
    )
    return {
        row["publication"]: PublicationTexts(
            row["n"],
            row["left_out"],
            row["words"] or 0,
            row["first"],
            row["last"],
            row["confidence"],
        )
        for row in rows
    }


def comments_by_article(ids: Sequence[int]) -> dict[int, int]:
    """Count the comments under articles that have some."""
    rows = Comment.shown.filter(article__in=ids, is_deleted=False).order_by()
    return dict(rows.values_list("article").annotate(n=Count("*")))
