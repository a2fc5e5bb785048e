"""Collocates of two queries, periods or kinds of text side by side.

Input → output: twice hits and their documents → words with their joint frequencies and scores on
both sides and the difference. A word that never stands near one of them scores 0 there, as in the
sketch difference of Kilgarriff, A. et al. 2004. The Sketch Engine. *Proceedings of EURALEX*.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import Hits
from search.engine.index.selection import Selection
from search.engine.statistics.collocation.collocate_places import collocate_places
from search.engine.statistics.collocation.collocates import (
    CollocateCounts,
    CollocateRequest,
    count_collocates,
)
from search.engine.statistics.counting.windows import window_blocks

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ComparedHits:
    """One of the two: hits and the documents they were looked for in, on the same snapshot."""

    hits: Hits
    selection: Selection


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """A word on one side; the score is None where it never stands near the hits."""

    n_joint: int
    n_hits: int
    score: float | None


@dataclass(frozen=True, slots=True)
class ComparedCollocate:
    """A word near the hits of either side; ``difference`` is the first score less the second."""

    value: str
    first: ComparedSide
    second: ComparedSide
    difference: float


@dataclass(frozen=True, slots=True)
class CollocateComparison:
    """Words most typical of the first side, down to those most typical of the second."""

    rows: tuple[ComparedCollocate, ...]
    n_collocates: int


def compare_collocates(
    first: ComparedHits, second: ComparedHits, request: CollocateRequest
) -> CollocateComparison:
    """Compare the collocates of two sides.

    Parameters
    ----------
    first, second : ComparedHits
    request : CollocateRequest
        ``least`` is needed on one side at least. Of more than ``limit`` words the ends of the list
        are returned, half of them from each.

    Returns
    -------
    CollocateComparison
        Largest difference first, then by value. O(hits * window + types) for each side.
    """
    counts = [count_collocates(side.hits, side.selection, request) for side in (first, second)]
    enough = np.flatnonzero(np.maximum(counts[0].joint, counts[1].joint) >= max(1, request.least))
    scores = [_scores(each, enough, request.measure) for each in counts]
    differences = np.nan_to_num(scores[0]) - np.nan_to_num(scores[1])
    order = np.lexsort((enough, -differences))
    shown = order if len(order) <= request.limit else _ends(order, request.limit)
    sides = [
        _sides(side, each, (enough[shown], found[shown]), request)
        for side, each, found in zip((first, second), counts, scores, strict=True)
    ]
    spell = counts[0].values.spell
    rows = [
        ComparedCollocate(spell(value), here, there, difference)
        for value, here, there, difference in zip(
            enough[shown].tolist(), *sides, differences[shown].tolist(), strict=True
        )
    ]
    rows.sort(key=lambda row: (-row.difference, row.value))
    return CollocateComparison(tuple(rows), len(enough))


def _scores(counts: CollocateCounts, values: I64, measure: str) -> F64:
    """Return the scores, NaN where a word never occurs."""
    scores = counts.scores(values, measure)
    return np.where((counts.joint[values] > 0) & np.isfinite(scores), scores, np.nan)


def _ends(order: I64, limit: int) -> I64:
    return np.concatenate([order[: limit - limit // 2], order[len(order) - limit // 2 :]])


def _sides(
    side: ComparedHits, counts: CollocateCounts, shown: tuple[I64, F64], request: CollocateRequest
) -> list[ComparedSide]:
    values, scores = shown
    blocks = window_blocks(side.hits, request.window)
    places = collocate_places(counts.values, values, blocks, request.window)
    return [
        ComparedSide(n_joint, place.n_hits, None if np.isnan(score) else score)
        for n_joint, place, score in zip(
            counts.joint[values].tolist(), places, scores.tolist(), strict=True
        )
    ]
