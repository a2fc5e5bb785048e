"""Read side of the texts: totals, the newest articles, articles per day, texts of a publication.

Lists leave the text itself in the database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Avg, Count, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import TruncDate

from extraction.models import Article, Comment

_NOT_IN_LISTS = ("text", "blocks", "sources", "standfirst")


@dataclass(frozen=True, slots=True)
class CorpusTotals:
    """What is stored: articles (those left out of the corpus among them), comments, days."""

    articles: int
    left_out: int
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
    """Count articles and the comments under them, in two queries."""
    articles = Article.objects.aggregate(
        n=Count("pk"),
        left_out=Count("pk", filter=Q(in_corpus=False)),
        first=Min("dated_at"),
        last=Max("dated_at"),
    )
    comments = Comment.objects.filter(is_deleted=False).aggregate(
        n=Count("pk"), under=Count("article", distinct=True)
    )
    return CorpusTotals(
        articles["n"],
        articles["left_out"],
        comments["n"],
        comments["under"],
        articles["first"],
        articles["last"],
    )


def listed() -> QuerySet[Article]:
    """Articles for a list: with their publication, without their texts."""
    return Article.objects.select_related("publication").defer(*_NOT_IN_LISTS)


def just_in(limit: int) -> list[Article]:
    """List the articles that were stored last."""
    return list(listed().order_by("-created_at", "-pk")[:limit])


def latest_of(publication_id: int, limit: int) -> list[Article]:
    """List the latest articles of a publication, those outside the corpus among them."""
    return list(listed().filter(publication=publication_id).order_by("-created_at", "-pk")[:limit])


def stored_since(since: datetime) -> int:
    """Count the articles stored since a moment."""
    return Article.objects.filter(created_at__gte=since).count()


def articles_per_day(now: datetime, days: int) -> list[tuple[date, int]]:
    """Count articles by day of publication, one entry for every day up to today.

    Days are those of the zone of `now`.
    """
    first = now.date() - timedelta(days=days - 1)
    counts = dict.fromkeys((first + timedelta(days=n) for n in range(days)), 0)
    start = datetime(first.year, first.month, first.day, tzinfo=now.tzinfo)
    rows = (
        Article.objects.filter(dated_at__gte=start)
        .order_by()
        .annotate(day=TruncDate("dated_at", tzinfo=now.tzinfo))
        .values_list("day")
        .annotate(n=Count("pk"))
    )
    for day, n in rows:
        if day in counts:
            counts[day] = n
    return list(counts.items())


def texts_by_publication(ids: Sequence[int]) -> dict[int, PublicationTexts]:
    """Sum up the articles of each publication, in one query."""
    rows = (
        Article.objects.filter(publication__in=ids)
        .order_by()
        .values("publication")
        .annotate(
            n=Count("pk"),
            left_out=Count("pk", filter=Q(in_corpus=False)),
            words=Sum("n_words", filter=Q(in_corpus=True)),
            first=Min("dated_at"),
            last=Max("dated_at"),
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
    rows = Comment.objects.filter(article__in=ids, is_deleted=False).order_by()
    return dict(rows.values_list("article").annotate(n=Count("pk")))
