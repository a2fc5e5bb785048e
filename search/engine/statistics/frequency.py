"""Frequency lists: how often each value, or tuple of values, is what the hits are counted by.

Input → output: hits and up to three keys → rows with hits, texts, publications and dispersion.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import nsmallest

import numpy as np
import numpy.typing as npt

from search.engine.allowance import go_on
from search.engine.index.hits import Hits
from search.engine.index.selection import Selection
from search.engine.statistics.counting.grouping import Grouping, group_hits
from search.engine.statistics.counting.hit_values import HitColumn, Key, tokens_by_columns

I64 = npt.NDArray[np.int64]

MOST_KEYS = 3  # as many as the pages and the program offer


class FrequencyOrder(StrEnum):
    """What rows are sorted by; ties stand in code-point order of their values."""

    HITS = "hits"
    TEXTS = "texts"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class RowsWanted:
    """Which rows to make.

    Parameters
    ----------
    limit : int
        How many.
    least : int
        Fewest hits of a row.
    with_texts : bool
        Count texts and publications too, which needs the positions of the hits shown.
    """

    limit: int = 100
    order: FrequencyOrder = FrequencyOrder.HITS
    least: int = 1
    with_texts: bool = True


@dataclass(frozen=True, slots=True)
class RowSpread:
    """Over how much of the corpus some hits are spread; see `grouping.GroupSpread`."""

    n_texts: int
    n_publications: int
    deviation: float


@dataclass(frozen=True, slots=True)
class FrequencyRow:
    """The values of a row, one per key, and its figures.

    ``base_tokens`` are the tokens that the rate refers to: those of the row's publication, month
    and so on where it is counted by document columns, else all of the base.
    """

    values: tuple[str, ...]
    n_hits: int
    base_tokens: int
    spread: RowSpread | None = None

    @property
    def per_million(self) -> float:
        """Hits per million tokens of the row's base."""
        return 1e6 * self.n_hits / self.base_tokens if self.base_tokens else 0.0


@dataclass(frozen=True, slots=True)
class FrequencyList:
    """The first rows; ``n_values`` counts all, ``n_hits`` all hits, shown or not."""

    rows: tuple[FrequencyRow, ...]
    n_values: int
    n_hits: int


def frequencies(
    hits: Hits,
    keys: Sequence[Key],
    wanted: RowsWanted | None = None,
    selection: Selection | None = None,
) -> FrequencyList:
    """Count hits by the values of up to three keys.

    Parameters
    ----------
    keys : sequence of Key
        See `search.engine.statistics.counting.hit_values`.
    selection : Selection or None
        The documents the hits were looked for in. Needed for the base of counts by document
        columns; makes counts by attributes of frequent single tokens fast.

    Returns
    -------
    FrequencyList
        Without texts O(types) for one-token queries counted by attributes of the node, else
        O(hits); texts cost O(hits of the rows shown).

    Raises
    ------
    ValueError
        If there are no keys, or more than three.
    """
    if not 1 <= len(keys) <= MOST_KEYS:
        raise ValueError(f"Hits are counted by one to {MOST_KEYS} things, not {len(keys)}.")
    wanted = wanted or RowsWanted()
    groups = group_hits(hits, keys, selection)
    kept = np.flatnonzero(groups.counts >= wanted.least)
    shown = _first_rows(groups, kept, wanted)
    spreads = _spreads(groups, shown) if wanted.with_texts else [None] * len(shown)
    bases = base_tokens_of(hits, keys, groups, shown, selection)
    rows = tuple(
        FrequencyRow(spelled(groups, group), int(groups.counts[group]), base, spread)
        for group, base, spread in zip(shown.tolist(), bases, spreads, strict=True)
    )
    return FrequencyList(rows, len(kept), hits.total)


def spelled(groups: Grouping, group: int) -> tuple[str, ...]:
    """Write the values of a group; of millions while others wait."""
    go_on()
    return tuple(
        spell(int(numbers[group]))
        for spell, numbers in zip(groups.spellers, groups.numbers, strict=True)
    )


def _first_rows(groups: Grouping, kept: I64, wanted: RowsWanted) -> I64:
    """Return the groups to show, in order, spelling no more than needed."""
    if wanted.order is FrequencyOrder.VALUE:
        # Never all names at a time: those of long nodes take much more room than their numbers.
        ranked = nsmallest(wanted.limit, kept.tolist(), lambda group: spelled(groups, group))
        return np.array(ranked, dtype=np.int64)
    weights = groups.counts[kept]
    if wanted.order is FrequencyOrder.TEXTS:
        weights = groups.texts()[kept]
    return kept[largest(weights, wanted.limit, lambda i: spelled(groups, int(kept[i])))]


def largest(
    weights: npt.NDArray[np.number], limit: int, name: Callable[[int], tuple[str, ...]]
) -> I64:
    """Return the places of the largest weights, ties in order of their names.

    Parameters
    ----------
    weights : ndarray of shape (n,)
    name : callable
        Place → what ties are sorted by; called only for places that may be returned.

    Returns
    -------
    ndarray of shape (min(limit, n),)
    """
    places = np.arange(len(weights))
    if limit < 1:
        return places[:0]
    if len(weights) > limit:
        least = np.partition(weights, len(weights) - limit)[len(weights) - limit]
        places = np.flatnonzero(weights >= least)  # with all that tie at the end
    ranked = nsmallest(limit, places.tolist(), lambda i: (-weights[i].item(), name(i)))
    return np.array(ranked, dtype=np.int64)


def _spreads(groups: Grouping, shown: I64) -> list[RowSpread]:
    """Count texts and publications of each row, and how evenly its hits are spread."""
    found = groups.spread(shown)
    columns = (found.n_texts, found.n_publications, found.deviation)
    return [RowSpread(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def base_tokens_of(
    hits: Hits, keys: Sequence[Key], groups: Grouping, shown: I64, selection: Selection | None
) -> list[int]:
    """Return the tokens that each group's rate refers to."""
    places = [i for i, key in enumerate(keys) if isinstance(key, HitColumn)]
    if not places or selection is None:
        return [hits.base.n_tokens] * len(shown)
    names = [key.name for key in keys if isinstance(key, HitColumn)]
    bases = tokens_by_columns(selection, names)
    columns = [groups.numbers[i][shown].tolist() for i in places]
    return [bases.get(values, 0) for values in zip(*columns, strict=True)]
