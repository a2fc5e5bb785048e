"""The counts beside a concordance: hits by text type, publication, month and form."""

from collections.abc import Callable
from dataclasses import dataclass

from feeds.sources.naming import publication_names
from presentation.wording.times import named_month
from search.answers.part_counts import Counts
from search.asking.parts import PARTS, part_name
from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.statistics.counting.hit_values import Node
from search.engine.statistics.facets import count_by_column
from search.engine.statistics.frequency import RowsWanted, frequencies
from search.wording.value_words import MARK_WORDS

MOST_VALUES = 8  # as many as the rail shows without scrolling
MOST_MONTHS = 12
# Marks that few texts bear, with the value of all the others.
_MARKS = {"changed": "no", "rights": "none"}
# Counting forms looks at every hit; above this the rail does without.
MOST_HITS_FOR_FORMS = 500_000
MOST_HITS_FOR_PHRASES = 50_000


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
    """Count hits by kind, publication, month and form, and by marks that some texts bear."""
    names = publication_names()
    counted = {
        column: [(row.value, row.n_hits) for row in count_by_column(hits, column)]
        for column in ("kind", "publication", "month", *_MARKS)
    }
    counted["kind"] = [row for row in counted["kind"] if not DocumentKind[row[0].upper()].is_part]
    facets = [
        _facet("kind", counted["kind"], MOST_VALUES, lambda v: MARK_WORDS["kind"][v].capitalize()),
        _facet("publication", counted["publication"], MOST_VALUES, lambda v: names.get(v, v)),
        _facet("month", counted["month"][::-1], MOST_MONTHS, named_month),
    ]
    facets += [
        _facet(column, counted[column], MOST_VALUES, MARK_WORDS[column].__getitem__)
        for column, unmarked in _MARKS.items()
        if any(value != unmarked for value, _ in counted[column])
    ]
    forms = _forms(hits)
    return (*facets, forms) if forms else tuple(facets)


def part_facet(counts: Counts) -> Facet:
    """List the parts of the text that have hits, in the order of a page."""
    values = [
        FacetValue(name, part_name(kind).capitalize(), n)
        for name, kind in PARTS.items()
        if (n := counts.get(kind, 0))
    ]
    return Facet("part", tuple(values), 0, 0)


def _forms(hits: Hits) -> Facet | None:
    """Count what the node reads; None where that would take too long."""
    if hits.total > MOST_HITS_FOR_FORMS:
        return None
    is_phrase = any(
        int((part.spans.ends - part.spans.starts).max(initial=1)) > 1 for part in hits.parts
    )
    if is_phrase and hits.total > MOST_HITS_FOR_PHRASES:
        return None
    counted = frequencies(hits, [Node("lower")], RowsWanted(MOST_VALUES, with_texts=False))
    values = tuple(FacetValue(row.values[0], row.values[0], row.n_hits) for row in counted.rows)
    shown = sum(value.hits for value in values)
    return Facet("form", values, counted.n_values - len(values), counted.n_hits - shown)


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
