"""The counts beside a concordance: hits by text type, publication, month and form."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from extraction.own_fields import columns_of
from feeds.sources.collections import collection_slugs
from feeds.sources.naming import publication_names
from presentation.wording.times import named_month
from search.answers.part_counts import Counts
from search.asking.indexed_values import own_values
from search.asking.parts import PARTS, part_name
from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.joined_names import NO_NAME, agencies_of
from search.engine.statistics.counting.hit_values import NO_VALUE, Node
from search.engine.statistics.facets import count_by_column
from search.engine.statistics.frequency import RowsWanted, frequencies
from search.wording.value_words import MARK_WORDS, NO_DATE

MOST_VALUES = 8  # as many as the rail shows without scrolling
MOST_MONTHS = 12
# Marks that few texts bear, with the value of all the others.
_MARKS = {"changed": "no", "rights": "none"}
# Counting forms looks at every hit; above this the rail does without.
MOST_HITS_FOR_FORMS = 500_000
MOST_HITS_FOR_PHRASES = 50_000
# Of given texts: columns that a rail has room for, and texts that are looked up in 0.2 s.
MOST_OWN_COLUMNS = 4
MOST_OWN_TEXTS = 20_000
OWN = "column "  # before the name of a column, in that of its facet


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
        _months(counted["month"]),
    ]
    if agencies := _hits_by_agency(hits):
        facets.append(_facet("agency", agencies.most_common(), MOST_VALUES, str))
    facets += [
        _facet(column, counted[column], MOST_VALUES, MARK_WORDS[column].__getitem__)
        for column, unmarked in _MARKS.items()
        if any(value != unmarked for value, _ in counted[column])
    ]
    forms = _forms(hits)
    return (*facets, forms) if forms else tuple(facets)


def _hits_by_agency(hits: Hits) -> Counter[str]:
    """Count hits by the agencies that sign their articles, most first, then by name."""
    found: Counter[int] = Counter()
    names = agencies_of(hits.snapshot)
    for part in hits.parts if len(names.numbers) else ():
        columns, counts = part.view.segment.documents, part.document_counts
        rows = np.flatnonzero((counts > 0) & (columns.kind != DocumentKind.COMMENT))
        places, numbers = names.parted(columns.author[rows])
        kept = numbers != NO_NAME
        distinct, inverse = np.unique(numbers[kept], return_inverse=True)
        sums = np.bincount(inverse, weights=counts[rows[places[kept]]], minlength=len(distinct))
        for number, n in zip(distinct.tolist(), sums.tolist(), strict=True):
            found[number] += int(n)
    named = {names.spell(number): n for number, n in found.items()}
    return Counter(dict(sorted(named.items())))


def _months(counted: list[tuple[str, int]]) -> Facet:
    """List the newest months, and below them what has no date."""
    of_months = [row for row in counted if row[0] != NO_VALUE]
    facet = _facet("month", of_months[::-1], MOST_MONTHS, named_month)
    undated = tuple(FacetValue(NO_VALUE, NO_DATE, n) for value, n in counted if value == NO_VALUE)
    return replace(facet, values=facet.values + undated)


def own_facets(hits: Hits) -> tuple[Facet, ...]:
    """Count the hits in given texts by the columns of their files, most hits first.

    None where there are too many such texts to be looked up; a column that names each text, as
    numbers and addresses do, is none to narrow by.
    """
    if not own_values(hits.snapshot):
        return ()
    n_hits = _hits_in_collections(hits)
    if not 0 < len(n_hits) <= MOST_OWN_TEXTS:
        return ()
    counted: dict[str, Counter[str]] = {}
    n_texts: Counter[str] = Counter()
    for article, values in columns_of(n_hits).items():
        for name, value in values.items():
            counted.setdefault(name, Counter())[value] += n_hits[article]
            n_texts[name] += 1
    kept = [
        name
        for name, values in counted.items()
        if len(values) <= max(MOST_VALUES, n_texts[name] // 2)
    ]
    ordered = sorted(kept, key=lambda name: (-counted[name].total(), name))[:MOST_OWN_COLUMNS]
    return tuple(_own_facet(name, counted[name]) for name in ordered)


def _own_facet(name: str, values: Counter[str]) -> Facet:
    rows = sorted(values.items(), key=lambda row: (-row[1], row[0]))
    return _facet(f"{OWN}{name}", rows, MOST_VALUES, str)


def _hits_in_collections(hits: Hits) -> dict[int, int]:
    """Count hits by article of a collection, its parts with it."""
    numbers = [hits.snapshot.lexicon.find_value(slug) for slug in collection_slugs()]
    wanted = [number for number in numbers if number is not None]
    found: Counter[int] = Counter()
    for part in hits.parts:
        columns, counts = part.view.segment.documents, part.document_counts
        rows = np.flatnonzero(counts)
        is_own = np.isin(columns.publication[rows], wanted)
        rows = rows[is_own & (columns.kind[rows] != DocumentKind.COMMENT)]
        for key, n in zip(columns.key[rows].tolist(), counts[rows].tolist(), strict=True):
            found[key] += n
    return found


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
