"""The counts beside a concordance: hits by text type, publication, month and form."""

from collections.abc import Callable
from dataclasses import dataclass

from feeds.models import Publication
from search.index.hits import Hits
from search.statistics.facets import count_by_column
from search.statistics.frequency import node_frequencies

MOST_VALUES = 8  # as many as the rail shows without scrolling
MOST_MONTHS = 12
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
KIND_LABELS = {"article": "Articles", "comment": "Comments"}
# Counting forms looks at every hit; above this the rail does without.
MOST_HITS_FOR_FORMS = 500_000


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value to narrow by, and the hits on it."""

    value: str
    label: str
    hits: int


@dataclass(frozen=True, slots=True)
class Facet:
    """Values of one column with most hits first (months: newest first), and what is left over."""

    name: str
    values: tuple[FacetValue, ...]
    n_more: int
    rest_hits: int


def facets_of(hits: Hits) -> tuple[Facet, ...]:
    """Count hits by kind, publication, month and form."""
    names = dict(Publication.objects.values_list("slug", "name"))
    counted = {
        column: [(row.value, row.n_hits) for row in count_by_column(hits, column)]
        for column in ("kind", "publication", "month")
    }
    facets = [
        _facet("kind", counted["kind"], MOST_VALUES, lambda v: KIND_LABELS[v]),
        _facet("publication", counted["publication"], MOST_VALUES, lambda v: names.get(v, v)),
        _facet("month", counted["month"][::-1], MOST_MONTHS, _month_label),
    ]
    if hits.total <= MOST_HITS_FOR_FORMS:
        rows = node_frequencies(hits, "word", hits.total, fold_case=True)
        forms = [(row.value, row.n_hits) for row in rows]
        facets.append(_facet("form", forms, MOST_VALUES, str))
    return tuple(facets)


def _facet(
    name: str, counts: list[tuple[str, int]], most: int, label: Callable[[str], str]
) -> Facet:
    shown, rest = counts[:most], counts[most:]
    return Facet(
        name,
        tuple(FacetValue(value, label(value), n) for value, n in shown),
        len(rest),
        sum(n for _, n in rest),
    )


def _month_label(month: str) -> str:
    year, number = month.split("-")
    return f"{MONTHS[int(number) - 1]} {year}"
