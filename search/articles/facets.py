"""How many articles each value of a filter has, and how many a filter lets through.

All counts of the list of articles come from one table of publication × kind × language, and
questions of it that the table cannot answer are counted by themselves; both are kept where they
are dear.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.db.models import Count

from extraction.models import Article, ArticleKind
from extraction.text.language_names import language_name
from feeds.models import Publication
from feeds.sources.collections import collection_slugs
from feeds.sources.naming import publication_names
from feeds.watching.tallies import Tallied, tally
from search.articles.filters import BrowseRequest

ARTICLES = "articles"  # name of the table; a question's name is this, "?" and the filters
_FACETED = ("publication", "kind", "language")


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """A value of a filter with its name and how many articles have it."""

    value: str
    label: str
    n: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Numbers of articles by (slug of the publication, kind, language).

    `counted_at` is given where they are not of now.
    """

    counts: Mapping[tuple[str, str, str], int]
    collections: frozenset[str] = frozenset()  # slugs of those that are no newspapers
    counted_at: datetime | None = None

    def publications(self) -> tuple[FilterChoice, ...]:
        """Publications that have articles, by name."""
        counts, names = self._by(0), publication_names()
        return tuple(
            FilterChoice(slug, names[slug], counts[slug])
            for slug in Publication.objects.values_list("slug", flat=True)
            if counts[slug]
        )

    def kinds(self) -> tuple[FilterChoice, ...]:
        """Kinds of article that occur."""
        return tuple(
            FilterChoice(kind, ArticleKind(kind).label, n)
            for kind, n in sorted(self._by(1).items())
        )

    def languages(self) -> tuple[FilterChoice, ...]:
        """Languages that occur, the most frequent one first."""
        return tuple(
            FilterChoice(code, language_name(code), n)
            for code, n in self._by(2).most_common()
            if code
        )

    def total(self, request: BrowseRequest) -> int:
        """Sum up what the filters by publication, origin, kind and language let through."""
        wanted = [getattr(request, name) for name in _FACETED]
        return sum(
            n
            for key, n in self.counts.items()
            if all(value in ("", own) for value, own in zip(wanted, key, strict=True))
            and request.origin in ("", self._origin_of(key[0]))
        )

    def _origin_of(self, slug: str) -> str:
        return "collections" if slug in self.collections else "newspapers"

    def _by(self, place: int) -> Counter[str]:
        counts: Counter[str] = Counter()
        for key, n in self.counts.items():
            counts[key[place]] += n
        return counts


def facets(now: datetime) -> Facets:
    """Count the articles by all that they are filtered by, or give the counts that are kept."""
    found = tally(ARTICLES, _count_facets, now)
    counts = {tuple(key): n for *key, n in found.figures}
    return Facets(counts, collection_slugs(), found.counted_at)


def total_of(request: BrowseRequest, known: Facets, now: datetime) -> Tallied:
    """Count the articles that a filter lets through."""
    if request.day:  # one day's are counted by their index
        return Tallied(request.matches().count())
    others = (request.rights, request.crawl, request.only_copies, request.only_changed)
    if not any(others):
        return Tallied(known.total(request), known.counted_at)
    filters = urlencode([(name, value) for name, value in asdict(request).items() if value])
    return tally(f"{ARTICLES}?{filters}", lambda _: request.matches().count(), now)


def count_named(name: str) -> Callable[[datetime], Any] | None:
    """Give what counts the figures of a name; None for names that are not of this list."""
    if name == ARTICLES:
        return _count_facets
    head, _, filters = name.partition("?")
    if head != ARTICLES:
        return None
    values = dict(parse_qsl(filters))
    request = BrowseRequest(
        publication=values.get("publication", ""),
        origin=values.get("origin", ""),
        kind=values.get("kind", ""),
        language=values.get("language", ""),
        rights=values.get("rights", ""),
        crawl=int(values["crawl"]) if "crawl" in values else None,
        only_copies="only_copies" in values,
        only_changed="only_changed" in values,
    )
    return lambda _: request.matches().count()


def _count_facets(_now: datetime) -> list[list[Any]]:
    rows = Article.shown.order_by().values_list("publication", "kind", "language")
    slugs = dict(Publication.objects.values_list("pk", "slug"))
    return [[slugs[key], kind, code, n] for key, kind, code, n in rows.annotate(n=Count("*"))]
