"""Names that are told apart: where a name stands twice, its host stands beside it."""

from collections import Counter
from collections.abc import Iterable
from urllib.parse import urlsplit

from feeds.models import Publication
from feeds.sources.publications import site_of


def host_of(home_url: str) -> str:
    """Give the host of a home page as people say it: without "www."."""
    return site_of(urlsplit(home_url).netloc.lower())


def told_apart(rows: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Name publications by slug so that no two look alike.

    Parameters
    ----------
    rows
        Slug, name and home page of each; a collection has none.

    Examples
    --------
    >>> told_apart(
    ...     [("a", "Herald", "https://www.a.example/"), ("b", "herald", "https://b.example/")]
    ... )
    {'a': 'Herald (a.example)', 'b': 'herald (b.example)'}
    """
    known = list(rows)
    counts = Counter(name.casefold() for _, name, _ in known)
    named = {
        slug: f"{name} ({host_of(home) or 'collection'})" if counts[name.casefold()] > 1 else name
        for slug, name, home in known
    }
    again = Counter(named.values())
    return {slug: f"{name} ({slug})" if again[name] > 1 else name for slug, name in named.items()}


def publication_names() -> dict[str, str]:
    """Name all publications by slug, in the order of their names; one query."""
    return names_and_removed()[0]


def names_and_removed() -> tuple[dict[str, str], frozenset[str]]:
    """Name all publications, and give the slugs of those that were removed; one query."""
    rows = list(Publication.objects.values_list("slug", "name", "home_url", "deleted_at"))
    removed = frozenset(slug for slug, *_, deleted_at in rows if deleted_at is not None)
    return told_apart(row[:3] for row in rows), removed


def same_named(publication: Publication) -> list[Publication]:
    """Find the other publications of a publication's name, the oldest first."""
    return [other for other in of_name(publication.name) if other.pk != publication.pk]


def of_name(name: str) -> list[Publication]:
    """Find the publications of a name, in capitals or not, the oldest first."""
    return list(Publication.kept.filter(name__iexact=name).order_by("pk"))
