"""Columns that files of given texts name and we have none for: reading them, for searches.

The writer of the table is `stage/collected_rows.py`. A column and a value are written
``register:letter`` in addresses; names of columns hold no colon.
"""

from collections.abc import Collection, Iterable, Mapping

from django.db.models import Count

from extraction.models import CollectedField

MOST_VALUES = 200  # as many as a list to choose from can hold
_AT_ONCE = 500  # variables of a statement


def articles_with(pairs: Iterable[tuple[str, str]]) -> set[int]:
    """Find the articles that have one of the values asked for in each column asked for."""
    by_name: dict[str, set[str]] = {}
    for name, value in pairs:
        by_name.setdefault(name, set()).add(value)
    found: set[int] | None = None
    for name, values in by_name.items():
        rows = CollectedField.objects.filter(name=name, value__in=values)
        ids = set(rows.order_by().values_list("article_id", flat=True))
        found = ids if found is None else found & ids
    return found or set()


def newest_field() -> int | None:
    """Return the number of the column that was written last, None where there is none."""
    return CollectedField.objects.order_by("-pk").values_list("pk", flat=True).first()


def values_there() -> list[tuple[str, str, int]]:
    """List column, value and number of texts of all that is not withdrawn, the first so many."""
    rows = CollectedField.objects.filter(article__withdrawn_at=None)
    counted = rows.order_by("name", "value").values_list("name", "value").annotate(n=Count("pk"))
    return list(counted[:MOST_VALUES])


def names_in(slugs: Collection[str]) -> list[str]:
    """List the columns that texts of some collections have, by their names."""
    rows = CollectedField.objects.filter(article__publication__slug__in=slugs)
    return list(rows.order_by("name").values_list("name", flat=True).distinct())


def columns_of(article_ids: Collection[int]) -> Mapping[int, Mapping[str, str]]:
    """Give the columns of articles: name → value for each that has some."""
    found: dict[int, dict[str, str]] = {}
    ids = list(article_ids)
    for first in range(0, len(ids), _AT_ONCE):
        rows = CollectedField.objects.filter(article__in=ids[first : first + _AT_ONCE])
        for article, name, value in rows.order_by("name").values_list("article", "name", "value"):
            found.setdefault(article, {})[name] = value
    return found
