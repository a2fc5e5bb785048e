"""Read side of the twins: copies, and how many similar texts an article has."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q

from dedup.models import APART, Detection, Duplicate, Verdict


@dataclass(frozen=True, slots=True)
class TwinNote:
    """Earlier texts that an article is similar to without being one, and whether it is a copy."""

    n_similar: int = 0
    is_copy: bool = False


def twin_notes(article_ids: Sequence[int]) -> dict[int, TwinNote]:
    """Tell of each article how many similar texts it has, in two queries.

    What an editor has told apart counts no more.
    """
    pairs = (
        Duplicate.objects.filter(article__in=article_ids, joins=False)
        .exclude(verdict__in=[*APART, Verdict.SAME])
        .order_by()
        .values_list("article")
        .annotate(n=Count("*"))
    )
    similar = dict(pairs)
    copies = set(copied(article_ids))
    return {pk: TwinNote(similar.get(pk, 0), pk in copies) for pk in article_ids}


def copied(article_ids: Sequence[int]) -> list[int]:
    """Articles among these whose text was published before by another."""
    later = Detection.objects.filter(article__in=article_ids, original__isnull=False)
    return list(later.exclude(original=F("article")).values_list("article", flat=True))


def n_copies() -> int:
    """Count articles of the corpus that are copies of earlier ones."""
    is_copy = Q(original__isnull=False) & ~Q(original=F("article"))
    return Detection.objects.filter(is_copy, article__in_corpus=True).count()
