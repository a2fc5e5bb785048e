"""Withdrawing and putting back: articles, comments, earlier versions, whole publications.

Ids and an order → rows marked, entries in the register. Each function returns what it changed;
whoever calls it lets the stages follow (`corpus_site.pipeline.follow`). Many ids cost few
statements. What is withdrawn keeps its row and its text, so that it can be put back.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from extraction.models import Article, ArticleVersion, Comment, Measure, Subject
from extraction.stage.placed_rows import PLACED_COLUMNS, place
from extraction.stage.withdrawn_rows import open_entries, reason_of, reasons_of_publications
from extraction.withdrawal import register
from extraction.withdrawal.register import Order
from feeds.models import Publication
from feeds.work.row_updates import update_rows

# Rows of one transaction: below the variables that SQLite takes, and short for other writers.
CHUNK = 2_000


@dataclass(frozen=True, slots=True)
class Changed:
    """What was written: how many of what was asked for, and whose rows the stages follow."""

    n: int = 0
    articles: tuple[int, ...] = ()
    comments: tuple[int, ...] = ()

    def __add__(self, other: "Changed") -> "Changed":
        return Changed(
            self.n + other.n, self.articles + other.articles, self.comments + other.comments
        )


def chunks(ids: Collection[int]) -> Iterator[list[int]]:
    ordered = sorted(set(ids))
    for start in range(0, len(ordered), CHUNK):
        yield ordered[start : start + CHUNK]


# Articles


def withdraw_articles(ids: Collection[int], order: Order) -> Changed:
    """Withdraw articles; those that are withdrawn by themselves already stay as they are."""
    return sum((_withdraw_some(chunk, order) for chunk in chunks(ids)), Changed())


@transaction.atomic
def _withdraw_some(ids: list[int], order: Order) -> Changed:
    known = open_entries(Subject.ARTICLE).filter(article__in=ids)
    fresh = set(ids).difference(known.values_list("article_id", flat=True))
    rows = list(
        Article.objects.filter(pk__in=fresh, erased_at=None)
        .select_related(*register.IDENTITY)
        .only(*register.IDENTITY_COLUMNS)
        .select_for_update(of=("self",))
        .order_by("pk")
    )
    register.enter(map(register.of_article, rows), Measure.WITHDRAWN, order)
    written = tuple(row.pk for row in rows)
    _take_out(Article.objects.filter(pk__in=written), order.reason, order.now)
    return Changed(len(written), written, comments_of(written))


def put_back_articles(ids: Collection[int], by: Any, now: datetime) -> Changed:
    """Put articles back; those of a withdrawn publication stay out with it."""
    return sum((_put_back_some(chunk, by, now) for chunk in chunks(ids)), Changed())


@transaction.atomic
def _put_back_some(ids: list[int], by: Any, now: datetime) -> Changed:
    rows = _locked(Article.objects.filter(pk__in=ids, erased_at=None, withdrawn_at__isnull=False))
    entries = open_entries(Subject.ARTICLE).filter(article__in=[row.pk for row in rows])
    n = register.end(entries, by, now)
    written = _settle(rows, now)
    return Changed(n, written, comments_of(written))


def _locked(rows: QuerySet[Article]) -> list[Article]:
    """Take articles for writing, with what their place in the corpus follows from."""
    columns = ("publication", "url", "text", "slug_twin", "rights", "withdrawn_at")
    found = rows.select_related("publication").only(*columns, *PLACED_COLUMNS)
    found = found.select_for_update(of=("self",))
    return list(found.order_by("pk"))


def _settle(rows: list[Article], now: datetime) -> tuple[int, ...]:
    """Let rows whose entries have ended stand as the pages themselves make them stand."""
    publications = reasons_of_publications({row.publication_id for row in rows})
    back = [row for row in rows if row.publication_id not in publications]
    for row in back:
        row.withdrawn_at, row.updated_at = None, now
    place(back, {row.publication_id: row.publication for row in back})
    update_rows(back, ["withdrawn_at", "updated_at", *PLACED_COLUMNS])
    for publication_id, words in publications.items():
        theirs = [row.pk for row in rows if row.publication_id == publication_id]
        _take_out(Article.objects.filter(pk__in=theirs), words, now)
    return tuple(row.pk for row in back)


def _take_out(rows: QuerySet[Article], reason: str, now: datetime) -> None:
    rows.update(withdrawn_at=now, in_corpus=False, reason=reason_of(reason), updated_at=now)


def comments_of(article_ids: Collection[int]) -> tuple[int, ...]:
    """Keys of the comments under articles: they go and come back with them."""
    found = Comment.objects.filter(article__in=article_ids).order_by()
    return tuple(found.values_list("pk", flat=True))


# Comments


def withdraw_comments(ids: Collection[int], order: Order) -> Changed:
    """Withdraw comments; their threads keep a gap."""
    return sum((_withdraw_comments(chunk, order) for chunk in chunks(ids)), Changed())


@transaction.atomic
def _withdraw_comments(ids: list[int], order: Order) -> Changed:
    rows = list(
        Comment.objects.filter(pk__in=ids, withdrawn_at=None)
        .select_related(*(f"article__{name}" for name in register.IDENTITY))
        .only(*(f"article__{name}" for name in register.IDENTITY_COLUMNS))
        .select_for_update(of=("self",))
        .order_by("pk")
    )
    register.enter(map(register.of_comment, rows), Measure.WITHDRAWN, order)
    written = tuple(row.pk for row in rows)
    Comment.objects.filter(pk__in=written).update(withdrawn_at=order.now, updated_at=order.now)
    return Changed(len(written), comments=written)


def put_back_comments(ids: Collection[int], by: Any, now: datetime) -> Changed:
    """Put comments back."""
    return sum((_put_back_comments(chunk, by, now) for chunk in chunks(ids)), Changed())


@transaction.atomic
def _put_back_comments(ids: list[int], by: Any, now: datetime) -> Changed:
    rows = Comment.objects.filter(pk__in=ids, erased_at=None, withdrawn_at__isnull=False)
    written = tuple(rows.select_for_update().order_by("pk").values_list("pk", flat=True))
    register.end(open_entries(Subject.COMMENT).filter(comment__in=written), by, now)
    Comment.objects.filter(pk__in=written).update(withdrawn_at=None, updated_at=now)
    return Changed(len(written), comments=written)


# Earlier versions of a text


def withdraw_version(article: Article, number: int, order: Order) -> Changed:
    """Withdraw an earlier text of an article. The newest one stands in the article itself.

    Raises
    ------
    ValueError
        If the number is not that of an earlier text.
    """
    if not 1 <= number < article.n_versions:
        raise ValueError(f"version {number} is no earlier text of article {article.pk}")
    with transaction.atomic():
        rows = ArticleVersion.objects.filter(article=article, number=number, withdrawn_at=None)
        if not rows.update(withdrawn_at=order.now):
            return Changed()
        register.enter([register.of_version(article, number)], Measure.WITHDRAWN, order)
    return Changed(1)


def put_back_version(article: Article, number: int, by: Any, now: datetime) -> Changed:
    """Put an earlier text back."""
    entries = open_entries(Subject.VERSION).filter(article=article, version_number=number)
    with transaction.atomic():
        ArticleVersion.objects.filter(article=article, number=number).update(withdrawn_at=None)
        return Changed(register.end(entries, by, now))


# Publications


def withdraw_publication(publication: Publication, order: Order) -> Changed:
    """Withdraw all of a publication, with what comes later until it is put back."""
    with transaction.atomic():
        if open_entries(Subject.PUBLICATION).filter(publication=publication).exists():
            return Changed()
        register.enter([register.of_publication(publication)], Measure.WITHDRAWN, order)
    rows = Article.objects.filter(publication=publication, withdrawn_at=None, erased_at=None)
    written: list[int] = []
    for chunk in chunks(list(rows.order_by().values_list("pk", flat=True))):
        _take_out(Article.objects.filter(pk__in=chunk, withdrawn_at=None), order.reason, order.now)
        written += chunk
    return Changed(1, tuple(written), _all_comments_of(written))


def put_back_publication(publication: Publication, by: Any, now: datetime) -> Changed:
    """Put a publication back, but for what is withdrawn by itself."""
    entries = open_entries(Subject.PUBLICATION).filter(publication=publication)
    if not register.end(entries, by, now):
        return Changed()
    rows = Article.objects.filter(publication=publication, withdrawn_at__isnull=False)
    own = open_entries(Subject.ARTICLE).filter(publication=publication)
    kept = set(own.values_list("article_id", flat=True))
    written: list[int] = []
    for chunk in chunks(set(rows.values_list("pk", flat=True)) - kept):
        with transaction.atomic():
            written += _settle(_locked(rows.filter(pk__in=chunk, erased_at=None)), now)
    return Changed(1, tuple(written), _all_comments_of(written))


def _all_comments_of(article_ids: Collection[int]) -> tuple[int, ...]:
    return tuple(pk for chunk in chunks(article_ids) for pk in comments_of(chunk))
