"""Texts on their way out of the index: hidden from now on, out of all generations, off the disk.

What an editor withdraws goes first and all at once, however many texts wait to be indexed: its rows
in `LeavingText` are done before a batch is claimed, and deleted once the commit is on disk. A crash
in between does it again, which changes nothing; a text that is told of in between, since it was
erased only then, waits for the next commit. The texts' own rows are due too and close later.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from django.db.models import Case, Q, QuerySet, When

from extraction.models import Article, Comment
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import ARTICLE_KINDS, PART_KINDS, TEXT_KINDS, DocumentKind
from search.models import LeavingText
from search.stage.texts_to_index import Place, TextInput

# A commit that takes so many out of twenty segments needs about a second.
TEXTS_PER_COMMIT = 20_000
_ROWS_PER_STATEMENT = 5_000

_IS_WITHDRAWN = Q(withdrawn_at__isnull=False)
_IS_WITHDRAWN_COMMENT = _IS_WITHDRAWN | Q(article__withdrawn_at__isnull=False)


def register_articles(article_ids: Collection[int], now: datetime) -> None:  # noqa: ARG001
    """Let those of some articles that are withdrawn leave before all else; as others register."""
    _register(DocumentKind.ARTICLE, article_ids)


def register_comments(comment_ids: Collection[int], now: datetime) -> None:  # noqa: ARG001
    """Let those of some comments leave that are withdrawn, themselves or with their article."""
    _register(DocumentKind.COMMENT, comment_ids)


def _register(kind: DocumentKind, keys: Collection[int]) -> None:
    # In one order, so that two who tell of the same texts do not wait for each other.
    rows = [LeavingText(kind=kind, key=key) for key, _ in sorted(_withdrawn(kind, keys))]
    LeavingText.objects.bulk_create(
        rows,
        batch_size=_ROWS_PER_STATEMENT,
        update_conflicts=True,
        unique_fields=["kind", "key"],
        update_fields=["mark"],
    )


def forget_withdrawn(writer: IndexWriter) -> int:
    """Take out what waits and is still withdrawn, in one commit; returns how many were waiting."""
    waiting = list(LeavingText.objects.order_by("pk")[:TEXTS_PER_COMMIT])
    if not waiting:
        return 0
    for kind in sorted(TEXT_KINDS):
        for keys in _chunks([row.key for row in waiting if row.kind == kind]):
            for key, is_erased in _withdrawn(kind, keys):
                act = writer.erase if is_erased else writer.withdraw
                for part in with_parts(kind):
                    act(part, key)
    writer.commit()
    for rows in _chunks(waiting):
        known = LeavingText.objects.filter(pk__in=[row.pk for row in rows])
        known.filter(mark__in=[row.mark for row in rows]).delete()
    return len(waiting)


def leave(writer: IndexWriter, text: TextInput) -> None:
    """Take a text out that is not to be shown, as far as its place says."""
    ways = {Place.WITHDRAWN: writer.withdraw, Place.ERASED: writer.erase}
    act = ways.get(text.place, writer.remove)
    for kind in with_parts(text.document.kind):
        act(kind, text.document.key)


def with_parts(kind: DocumentKind) -> tuple[DocumentKind, ...]:
    """Return the kinds of documents that leave with one: an article takes its parts along.

    Who tells of an article need not know whether it is a post.
    """
    return (kind,) if kind not in ARTICLE_KINDS else (*sorted(ARTICLE_KINDS | PART_KINDS),)


def _withdrawn(kind: DocumentKind, keys: Collection[int]) -> list[tuple[int, bool]]:
    """Choose the texts that are withdrawn; says of each whether it was erased."""
    rows: QuerySet[Any] = Article.objects.filter(_IS_WITHDRAWN, pk__in=keys)
    is_erased = Q(erased_at__isnull=False)
    if kind is DocumentKind.COMMENT:
        rows = Comment.objects.filter(_IS_WITHDRAWN_COMMENT, pk__in=keys)
        is_erased |= Q(article__erased_at__isnull=False)
    told = rows.order_by().annotate(gone=Case(When(is_erased, then=True), default=False))
    return list(told.values_list("pk", "gone"))


def _chunks(values: list[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(values), _ROWS_PER_STATEMENT):
        yield values[start : start + _ROWS_PER_STATEMENT]
