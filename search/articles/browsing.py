"""The list of articles, newest first: filters → one page of rows with the counts beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from dedup.models import Detection
from extraction.comment_status import is_named_only, named_words
from extraction.models import Article, ArticleKind, Comment, RightsSaid
from extraction.text.language_names import language_name
from extraction.versions import ChangeSummary, latest_changes
from feeds.models import Publication
from feeds.sources.naming import publication_names

PAGE_SIZE = 50
# As searches name them; an article of which nothing was said has no word in its column.
RIGHTS_CHOICES = {
    "reserved": RightsSaid.RESERVED,
    "granted": RightsSaid.GRANTED,
    "none": RightsSaid.NOTHING,
}


@dataclass(frozen=True, slots=True)
class BrowseRequest:
    """Which articles, and after which row; empty values do not narrow."""

    publication: str = ""
    kind: str = ""
    language: str = ""
    rights: str = ""
    day: date | None = None
    only_copies: bool = False
    only_changed: bool = False
    after: tuple[datetime, int] | None = None

    def matches(self) -> QuerySet[Article]:
        """All articles that the filters let through."""
        rows = Article.shown.all()
        if self.publication:
            rows = rows.filter(publication__slug=self.publication)
        if self.kind:
            rows = rows.filter(kind=self.kind)
        if self.language:
            rows = rows.filter(language=self.language)
        if self.rights:
            rows = rows.filter(rights=RIGHTS_CHOICES[self.rights])
        if self.only_copies:
            rows = rows.filter(detection__original__isnull=False, in_corpus=True)
            rows = rows.exclude(detection__original=F("pk"))
        if self.only_changed:
            rows = rows.exclude(changed_at=None)
        if self.day:
            start = timezone.make_aware(datetime.combine(self.day, time.min))
            end = timezone.make_aware(datetime.combine(self.day + timedelta(days=1), time.min))
            rows = rows.filter(dated_at__gte=start, dated_at__lt=end)
        return rows


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """A value of a filter with its name and how many articles have it."""

    value: str
    label: str
    n: int


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
    """One page of the list."""

    rows: tuple[ArticleRow, ...]
    total: int
    next_after: tuple[datetime, int] | None
    publications: tuple[FilterChoice, ...]
    kinds: tuple[FilterChoice, ...]
    languages: tuple[FilterChoice, ...]


def browse(request: BrowseRequest) -> ArticlePage:
    """One page of articles, newest first, in eight queries whatever its length.

    Pages are read by key (date and id of the last row), so a deep page costs as much as the first.
    """
    matches = request.matches()
    rows = matches
    if request.after:
        moment, key = request.after
        rows = rows.filter(dated_at__lte=moment).exclude(dated_at=moment, pk__gte=key)
    found = list(
        rows.select_related("publication", "thread")
        .defer("text", "blocks", "sources")
        .order_by("-dated_at", "-pk")[: PAGE_SIZE + 1]
    )
    shown = found[:PAGE_SIZE]
    last = shown[-1] if len(found) > PAGE_SIZE else None
    return ArticlePage(
        rows=tuple(_with_notes(shown)),
        total=matches.count(),
        next_after=(last.dated_at, last.pk) if last else None,
        publications=_publications(),
        kinds=_kinds(),
        languages=_languages(),
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


def _publications() -> tuple[FilterChoice, ...]:
    texts = Count("articles", filter=Q(articles__withdrawn_at=None))
    counted = Publication.objects.annotate(n_texts=texts).filter(n_texts__gt=0)
    names = publication_names()
    return tuple(
        FilterChoice(publication.slug, names[publication.slug], publication.n_texts)
        for publication in counted
    )


def _kinds() -> tuple[FilterChoice, ...]:
    counted = Article.shown.order_by().values_list("kind").annotate(Count("pk"))
    return tuple(FilterChoice(kind, ArticleKind(kind).label, n) for kind, n in sorted(counted))


def _languages() -> tuple[FilterChoice, ...]:
    counted = Article.shown.order_by().values_list("language").annotate(Count("pk"))
    return tuple(
        FilterChoice(code, language_name(code), n)
        for code, n in sorted(counted, key=lambda pair: -pair[1])
        if code
    )
