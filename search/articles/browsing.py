"""The list of articles, newest first: filters → one page of rows with the counts beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F
from django.utils import timezone

from dedup.models import Detection
from extraction.comment_status import is_named_only, named_words
from extraction.models import Article, Comment
from extraction.text.language_names import language_name
from extraction.versions import ChangeSummary, latest_changes
from search.articles.facets import FilterChoice, facets, total_of
from search.articles.filters import BrowseRequest

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class ArticleRow:
    article: Article
    n_comments: int
    original_id: int | None = None  # the article of which this one is a copy
    change: ChangeSummary | None = None  # the last one of its text
    comments_elsewhere: str = ""  # those that cannot be collected, named

    @property
    def language(self) -> str:
        return language_name(self.article.language)


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """One page of the list; `counted_at` where its numbers are not of now."""

    rows: tuple[ArticleRow, ...]
    total: int
    next_after: tuple[datetime, int] | None
    publications: tuple[FilterChoice, ...]
    kinds: tuple[FilterChoice, ...]
    languages: tuple[FilterChoice, ...]
    has_collections: bool
    counted_at: datetime | None


def browse(request: BrowseRequest) -> ArticlePage:
    """One page of articles, newest first, in eight queries at most whatever its length.

    Pages are read by key (date and id of the last row), so a deep page costs as much as the first.
    """
    now, rows = timezone.now(), request.matches()
    if request.after:
        moment, key = request.after
        rows = rows.filter(dated_at__lte=moment).exclude(dated_at=moment, pk__gte=key)
    found = list(
        rows.select_related("thread")
        .prefetch_related("publication")  # joined, SQLite would sort the articles of all of them
        .defer("text", "blocks", "sources")
        .order_by("-dated_at", "-pk")[: PAGE_SIZE + 1]
    )
    shown = found[:PAGE_SIZE]
    last = shown[-1] if len(found) > PAGE_SIZE else None
    known = facets(now)
    total = total_of(request, known, now)
    return ArticlePage(
        rows=tuple(_with_notes(shown)),
        total=total.figures,
        next_after=(last.dated_at, last.pk) if last else None,
        publications=known.publications(),
        kinds=known.kinds(),
        languages=known.languages(),
        has_collections=bool(known.collections),
        counted_at=total.counted_at or known.counted_at,
    )


def _with_notes(articles: list[Article]) -> Iterator[ArticleRow]:
    counted = (
        Comment.shown.filter(article__in=articles)
        .order_by()
        .values_list("article")
        .annotate(Count("pk"))
    )
    n_comments = dict(counted)
    originals = dict(
        Detection.objects.filter(article__in=articles)
        .exclude(original=F("article"))
        .values_list("article", "original")
    )
    changed = latest_changes(articles)
    return (
        ArticleRow(
            article,
            n_comments.get(article.pk, 0),
            originals.get(article.pk),
            changed.get(article.pk),
            _elsewhere(article),
        )
        for article in articles
    )


def _elsewhere(article: Article) -> str:
    thread = getattr(article, "thread", None)  # few articles have one
    return named_words(thread) if thread is not None and is_named_only(thread) else ""
