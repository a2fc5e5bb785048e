"""How much is stored and searched: of the corpus, and of its publications."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from django.utils import timezone

from dedup.status import n_copies
from extraction.sites.publication_languages import LanguageCount, language_counts
from extraction.status import (
    NO_TEXTS,
    CorpusTotals,
    PublicationTexts,
    articles_per_day,
    corpus_totals,
    texts_by_publication,
)
from feeds.models import Publication
from feeds.watching.tallies import tally
from search.status import TokenTotals, token_totals, tokens_by_publication

N_DAYS = 30  # of the home page's chart: a month, so that a missing day shows
CORPUS = "corpus"  # name of the figures that are kept
_PUBLICATION, _PUBLICATIONS = "publication", "publications"


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """Texts, tokens and copies of the corpus; `counted_at` where they are not of now.

    `days` are the last `N_DAYS` with the articles that were published on each.
    """

    totals: CorpusTotals
    tokens: TokenTotals
    n_copies: int
    days: tuple[tuple[date, int], ...]
    counted_at: datetime | None


@dataclass(frozen=True, slots=True)
class PublicationCounts:
    """Texts and tokens of a publication, and the languages of its articles, most first."""

    texts: PublicationTexts = NO_TEXTS
    n_tokens: int = 0
    languages: tuple[LanguageCount, ...] = ()
    counted_at: datetime | None = None


def corpus_counts(now: datetime) -> CorpusCounts:
    """Give how much the corpus holds."""
    found = tally(CORPUS, _count_corpus, now)
    figures = found.figures
    return CorpusCounts(
        CorpusTotals(**_with_moments(figures["totals"])),
        TokenTotals(**figures["tokens"]),
        figures["n_copies"],
        tuple((date.fromisoformat(day), n) for day, n in figures["days"]),
        found.counted_at,
    )


def publication_counts(publication_id: int, now: datetime) -> PublicationCounts:
    """Give how much is stored of one publication."""
    name = f"{_PUBLICATION}:{publication_id}"
    found = tally(name, lambda _: _count_publication(publication_id), now)
    figures = found.figures
    return PublicationCounts(
        PublicationTexts(**_with_moments(figures["texts"])),
        figures["n_tokens"],
        tuple(LanguageCount(**row) for row in figures["languages"]),
        found.counted_at,
    )


def publications_counts(ids: Sequence[int], now: datetime) -> dict[int, PublicationCounts]:
    """Give how much is stored of each publication; their languages are left out."""
    found = tally(_PUBLICATIONS, _count_publications, now)
    counts = {
        row["id"]: PublicationCounts(
            PublicationTexts(**_with_moments(row["texts"])),
            row["n_tokens"],
            counted_at=found.counted_at,
        )
        for row in found.figures
    }
    return {pk: counts.get(pk, PublicationCounts(counted_at=found.counted_at)) for pk in ids}


def count_named(name: str) -> Callable[[datetime], Any] | None:
    """Give what counts the figures of a name; None for names that are not of this module."""
    head, _, key = name.partition(":")
    if head == _PUBLICATION and key.isdigit():
        return lambda _: _count_publication(int(key))
    return {CORPUS: _count_corpus, _PUBLICATIONS: _count_publications}.get(name)


def _count_corpus(now: datetime) -> dict[str, Any]:
    days = articles_per_day(timezone.localtime(now), N_DAYS)
    return {
        "totals": _without_moments(asdict(corpus_totals())),
        "tokens": asdict(token_totals()),
        "n_copies": n_copies(),
        "days": [[day.isoformat(), n] for day, n in days],
    }


def _count_publication(pk: int) -> dict[str, Any]:
    return _texts_and_tokens([pk])[0] | {
        "languages": [asdict(count) for count in language_counts(pk)]
    }


def _count_publications(_now: datetime) -> list[dict[str, Any]]:
    return _texts_and_tokens(list(Publication.objects.values_list("pk", flat=True)))


def _texts_and_tokens(ids: Sequence[int]) -> list[dict[str, Any]]:
    texts, tokens = texts_by_publication(ids), tokens_by_publication(ids)
    return [
        {
            "id": pk,
            "texts": _without_moments(asdict(texts.get(pk, NO_TEXTS))),
            "n_tokens": tokens.get(pk, 0),
        }
        for pk in ids
    ]


def _without_moments(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _with_moments(row: dict[str, Any]) -> dict[str, Any]:
    """Read moments back: the fields that end as such."""
    return {
        name: datetime.fromisoformat(value) if value and name.endswith("_at") else value
        for name, value in row.items()
    }
