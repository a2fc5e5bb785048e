"""What people said of marked lines, counted: by category and person, and how far they agree.

Input → output: a marking and who asks → the marks that this reader may see, and numbers of them.
Numbers are of lines that the marking's generation still has: those of withdrawn texts are counted
as gone.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from search.engine.concordance.kwic import KwicLine, PageRequest
from search.engine.statistics.agreement import Agreement, cohen, fleiss
from search.engine.statistics.counting.intervals import MILLION, wilson_per_million
from search.marking.places import find_lines
from search.models import LineMark, Marker, Marking
from search.models.marking import DELETED
from search.opened_index import current_snapshot
from search.wording.value_words import NO_DATE

LEFT_OUT = "left out"
_BARE = PageRequest(context=0)


def names_of(marking: Marking) -> dict[int, str]:
    """Name the values of marks: categories by their keys, then what is left out."""
    return {**dict(enumerate(marking.categories, 1)), DELETED: LEFT_OUT}


def markers_seen(marking: Marking, person: Any) -> list[Marker]:
    """Return whose marks somebody may see: their own alone until the marks are opened."""
    rows = marking.markers.order_by("pk")
    return list(rows if marking.is_open else rows.filter(person=person))


@dataclass(frozen=True, slots=True)
class LineValues:
    """The lines that are there, and who put which into what category: marker → line → value.

    ``n_gone`` lines were drawn and are not in the generation (any more).
    """

    marking: Marking
    markers: tuple[Marker, ...]
    lines: dict[int, KwicLine]
    values: dict[int, dict[int, int]]
    n_gone: int

    def of(self, marker: Marker) -> dict[int, int]:
        """Return a person's values by line."""
        return self.values.get(marker.pk, {})


def line_values(marking: Marking, markers: Sequence[Marker]) -> LineValues:
    """Read marks of some people, of the lines that are there."""
    rows = list(marking.lines.order_by("number"))
    found = find_lines(rows, current_snapshot(), marking.generation, _BARE)
    pairs = zip(rows, found, strict=True)
    lines = {row.pk: line for row, line in pairs if line is not None}
    values: dict[int, dict[int, int]] = defaultdict(dict)
    marks = LineMark.objects.filter(marker__in=markers, value__isnull=False)
    for marker, line, value in marks.values_list("marker", "line", "value"):
        if line in lines and value is not None:
            values[marker][line] = value
    return LineValues(marking, tuple(markers), lines, dict(values), marking.n_lines - len(lines))


@dataclass(frozen=True, slots=True)
class Share:
    """Lines of a category: their share of all that somebody sorted, with its 95 % interval.

    ``n_estimated`` is how many of all hits that comes to; None where the lines do not stand for
    all hits.
    """

    value: int
    name: str
    n: int
    share: float
    low: float
    high: float
    n_estimated: float | None


def stands_for_all(found: LineValues, marker: Marker) -> bool:
    """Say whether what somebody sorted may be taken for all hits of the query.

    It may where the lines are random or are all hits, none is gone, none is unsorted, and the
    generation is that of the draw.
    """
    marking = found.marking
    is_fair = marking.seed is not None or marking.n_lines == marking.n_hits
    is_whole = not found.n_gone and len(found.of(marker)) == marking.n_lines
    return is_fair and is_whole and not marking.is_carried


def shares(found: LineValues, marker: Marker) -> list[Share]:
    """Count a person's lines by category; none where nothing is sorted yet."""
    counts = Counter(found.of(marker).values())
    total = counts.total()
    if not total:
        return []
    hits = found.marking.n_hits if stands_for_all(found, marker) else None
    names = names_of(found.marking)
    ends = wilson_per_million([counts[value] for value in names], total)
    low, high = (end / MILLION for end in ends)
    return [
        Share(
            value,
            name,
            counts[value],
            counts[value] / total,
            float(low[at]),
            float(high[at]),
            None if hits is None else hits * counts[value] / total,
        )
        for at, (value, name) in enumerate(names.items())
    ]


@dataclass(frozen=True, slots=True)
class Grouped:
    """Lines by a value of their texts (most lines first) and by category: `counts` of each."""

    group: str
    counts: dict[int, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


GROUPS: dict[str, Callable[[KwicLine], str]] = {
    "publication": lambda line: line.info.publication,
    "year": lambda line: NO_DATE if line.info.is_undated else str(line.info.day.year),
    "type": lambda line: line.kind.label.replace("_", " "),
    "form": lambda line: line.node.lower(),
}


def by_group(found: LineValues, marker: Marker, by: str) -> list[Grouped]:
    """Count a person's lines by category and a value of `GROUPS`; years in their order."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for line, value in found.of(marker).items():
        counts[GROUPS[by](found.lines[line])][value] += 1
    rows = [Grouped(group, dict(values)) for group, values in counts.items()]
    if by == "year":
        return sorted(rows, key=lambda row: row.group)
    return sorted(rows, key=lambda row: (-row.total, row.group))


@dataclass(frozen=True, slots=True)
class Compared:
    """Some people, and how far they agree on the lines that each of them sorted."""

    people: tuple[str, ...]
    agreement: Agreement


def compare(found: LineValues) -> list[Compared]:
    """Compare all people at once where they are three or more, and each two of them."""
    everybody = [marker for marker in found.markers if found.of(marker)]
    pairs = [
        Compared((one.name, other.name), cohen(_both(found.of(one), found.of(other))))
        for one, other in combinations(everybody, 2)
    ]
    if len(pairs) < 2:
        return pairs
    names = tuple(marker.name for marker in everybody)
    return [Compared(names, _all_of(found, everybody)), *pairs]


def _both(one: dict[int, int], other: dict[int, int]) -> list[tuple[int, int]]:
    return [(value, other[line]) for line, value in one.items() if line in other]


def _all_of(found: LineValues, people: Sequence[Marker]) -> Agreement:
    first, *others = (found.of(marker) for marker in people)
    lines = [line for line in first if all(line in other for other in others)]
    n_values = len(found.marking.categories) + 1
    counts = np.zeros((len(lines), n_values), dtype=np.int64)
    for values in (first, *others):
        chosen = np.array([values[line] for line in lines], dtype=np.intp)
        counts[np.arange(len(lines)), chosen] += 1
    return fleiss(counts)
