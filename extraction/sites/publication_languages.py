"""Read side: which languages a publication's articles are in, and which to expect of the next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from extraction.models import Article
from extraction.text.language import UNKNOWN
from extraction.text.language_names import language_name

# A suggestion needs so many articles, and a language so large a share of them.
LEAST_ARTICLES = 20
LEAST_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """Articles of a publication in one language; `share` is of all its articles, 0 to 1."""

    code: str
    n_articles: int
    share: float

    @property
    def name(self) -> str:
        return language_name(self.code)


def language_counts(publication_id: int) -> list[LanguageCount]:
    """Count the articles of the corpus by language, most first."""
    rows = list(
        Article.objects.filter(publication=publication_id, in_corpus=True)
        .exclude(language="")
        .values_list("language")
        .annotate(n=Count("*"))
        .order_by("-n", "language")
    )
    total = sum(n for _, n in rows)
    return [LanguageCount(code, n, n / total) for code, n in rows]


def suggested_languages(counts: Sequence[LanguageCount]) -> tuple[str, ...]:
    """Codes to expect, most frequent first; none while there are few articles."""
    if sum(count.n_articles for count in counts) < LEAST_ARTICLES:
        return ()
    return tuple(
        count.code for count in counts if count.share >= LEAST_SHARE and count.code != UNKNOWN
    )
