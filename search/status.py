"""Read side of the index: tokens by scope and publication, how long a text takes to be found."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Sum, Value

from search.models import IndexedArticle, IndexedComment

# Enough for a median; a first crawl of an hour may bring tens of thousands.
_LATENCY_SAMPLE = 2_000


@dataclass(frozen=True, slots=True)
class TokenTotals:
    """Tokens in the index by scope, and the newest generation."""

    articles: int
    comments: int
    generation: int

    @property
    def both(self) -> int:
        return self.articles + self.comments


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds from the storing of a text to its being found; None where nothing came in."""

    median: float | None
    p95: float | None
    n: int


def token_totals() -> TokenTotals:
    """Sum the tokens of both scopes, in one query."""
    parts = [
        model._default_manager.order_by()
        .values_list(Value(place))
        .annotate(tokens=Sum("n_tokens"), newest=Max("generation"))
        for place, model in enumerate((IndexedArticle, IndexedComment))
    ]
    found = {place: (tokens, newest) for place, tokens, newest in parts[0].union(parts[1])}
    (articles, newest_article), (comments, newest_comment) = (
        found.get(place, (0, 0)) for place in range(len(parts))
    )
    return TokenTotals(articles or 0, comments or 0, max(newest_article or 0, newest_comment or 0))


def tokens_by_publication(ids: Sequence[int]) -> dict[int, int]:
    """Sum the tokens of articles by publication."""
    rows = IndexedArticle.objects.filter(article__publication__in=ids).order_by()
    return dict(rows.values_list("article__publication").annotate(n=Sum("n_tokens")))


def latency_since(since: datetime) -> Latency:
    """Time from stored to findable of the articles stored since a moment, of 2,000 last indexed.

    Stored is the last time the text was written: after a new site rule it waits anew.
    """
    # The newest rows first, then those of them that count: an index that was built anew has all of
    # its rows within the hour.
    newest = IndexedArticle.objects.filter(indexed_at__gte=since).order_by("-indexed_at")
    rows = newest.values_list("indexed_at", "article__updated_at")[:_LATENCY_SAMPLE]
    waits = sorted(
        (indexed - stored).total_seconds()
        for indexed, stored in rows
        if indexed and since <= stored <= indexed
    )
    if not waits:
        return Latency(None, None, 0)
    last = len(waits) - 1
    return Latency(waits[last // 2], waits[round(last * 0.95)], len(waits))


def indexed_of(publication_id: int) -> int:
    """Count the articles of a publication that search finds."""
    rows = IndexedArticle.objects.filter(article__publication=publication_id)
    return rows.filter(indexed_at__isnull=False, n_tokens__gt=0).count()
