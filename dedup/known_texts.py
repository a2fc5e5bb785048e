"""Stored texts that newcomers are compared with: copies by digest, candidates by number."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from dedup.chunks import chunks
from dedup.comparing import Known
from dedup.models import Detection
from dedup.pairs import Text
from dedup.redoing import AGAIN
from dedup.sketching import sketched
from extraction.models import Article

_COLUMNS = ("pk", "dated_at", "text_digest", "text", "detection__original_id")


@dataclass(frozen=True, slots=True)
class Copy:
    """The earliest detected article of a digest, and the text that it was joined to."""

    article_id: int
    representative_id: int

    @property
    def both(self) -> tuple[int, int]:
        return self.article_id, self.representative_id


def copies_by_digest(texts: Sequence[Text]) -> dict[str, Copy]:
    """Find for each digest the earliest article with it, outside the batch and of the corpus.

    Articles that wait to be detected again are left out: where they belong was found under another
    limit, or with a text that is gone.
    """
    placed = Detection.objects.filter(representative__isnull=False)
    stored = earliest_by_digest(texts, placed.exclude(done_digest__startswith=AGAIN)).values_list(
        "article__text_digest", "article_id", "representative_id"
    )
    return {digest: Copy(article_id, name or article_id) for digest, article_id, name in stored}


def earliest_by_digest(texts: Sequence[Text], rows: "QuerySet[Detection]") -> "QuerySet[Detection]":
    """Choose the earliest of the rows with each digest of a batch, outside it and of the corpus."""
    return (
        rows.filter(
            article__text_digest__in={text.digest for text in texts if text.digest},
            article__in_corpus=True,
            detected_at__isnull=False,
        )
        .exclude(article_id__in=[text.article_id for text in texts])
        .annotate(
            rank=Window(
                RowNumber(),
                partition_by=F("article__text_digest"),
                order_by=["article__dated_at", "article_id"],
            )
        )
        .filter(rank=1)
    )


def known_texts(article_ids: Collection[int]) -> dict[int, Known]:
    """Read and sketch articles; those that are gone are left out."""
    found: dict[int, Known] = {}
    for chunk in chunks(article_ids):
        rows = Article.objects.filter(pk__in=chunk, in_corpus=True)
        for pk, dated_at, digest, body, cluster in rows.values_list(*_COLUMNS):
            found[pk] = Known(Text(pk, dated_at, digest, (), sketched(body)), cluster or pk, body)
    return found
