"""Two sketches beside each other: of two words, or of one word in two parts of the corpus.

Input → output: two sides, each a word and the selection it is looked for in → for each list the
collocates by which they differ most, with hits and logDice on both sides.

Notes
-----
The *sketch difference* of Kilgarriff & Tugwell (2002), Sketching Words, in *Lexicography and
Natural Language Processing*, 125-137. A collocate that a side does not have counts as 0 there, as
on the page of collocates; so what is typical of one side alone comes first and last.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from search.engine.index.selection import Selection
from search.engine.sketches.counting import Keys
from search.engine.sketches.grammar import Grammar
from search.engine.sketches.sketch import (
    ScoredList,
    SketchRequest,
    WordCounts,
    all_counts_of,
    counts_of,
    scored_lists,
)
from search.engine.sketches.totals import ListTotals

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SketchSide:
    """What one side is: a word and where it is looked for."""

    selection: Selection
    lemma: str


@dataclass(frozen=True, slots=True)
class ComparedCollocate:
    """A collocate on both sides: hits and logDice, 0 where it is not."""

    lemma: str
    n_hits: tuple[int, int]
    scores: tuple[float, float]

    @property
    def difference(self) -> float:
        """How much more typical it is of the first side."""
        return self.scores[0] - self.scores[1]


@dataclass(frozen=True, slots=True)
class ComparedRelation:
    """A list on both sides: its hits, and the collocates that differ most of ``n_collocates``."""

    name: str
    number: int
    by: str
    n_hits: tuple[int, int]
    n_collocates: int
    collocates: tuple[ComparedCollocate, ...]


@dataclass(frozen=True, slots=True)
class SketchDifference:
    """Both words' hits, their lists, and the least share that totals were counted of."""

    n_hits: tuple[int, int]
    relations: tuple[ComparedRelation, ...]
    share: float


def sketch_difference(
    first: SketchSide, second: SketchSide, grammar: Grammar, request: SketchRequest
) -> SketchDifference:
    """Compare two sides; of the request its word is not looked at.

    Raises
    ------
    KeyError
        If the grammar has no such class.
    """
    keys = Keys(first.selection.snapshot.lexicon)
    counted = _counted((first, second), grammar, request)
    relations = []
    for number, each in enumerate(grammar.lists_of(request.word_class)):
        sides = [
            {scored.group: scored for scored in scored_lists(counts, totals, number)}
            for counts, totals in counted
        ]
        for group in sorted(sides[0] | sides[1], key=lambda g: -_hits_of(sides, g)):
            by = keys.lexicon.form(group) if each.has_by else ""
            rows = _rows(sides[0].get(group), sides[1].get(group), keys, request)
            n_hits = tuple(side[group].n_hits if group in side else 0 for side in sides)
            shown = _ends(rows, request.limit)
            relations.append(
                ComparedRelation(
                    each.named(by), number, by, (n_hits[0], n_hits[1]), len(rows), shown
                )
            )
    hits = tuple(counts.n_hits for counts, _ in counted)
    share = min(totals.share for _, totals in counted)
    return SketchDifference((hits[0], hits[1]), tuple(relations), share)


def _counted(
    sides: tuple[SketchSide, SketchSide], grammar: Grammar, request: SketchRequest
) -> list[tuple[WordCounts, ListTotals]]:
    """Count both sides; the totals of the same texts once."""
    first, second = (replace(request, lemma=side.lemma) for side in sides)
    there = sides[1].selection
    if sides[0].selection is there:
        counts, totals = all_counts_of(there, grammar, (first, second))
        return [(each, totals) for each in counts]
    here = counts_of(sides[0].selection, grammar, first)
    return [here, counts_of(there, grammar, second)]


def _hits_of(sides: list[dict[int, ScoredList]], group: int) -> int:
    return sum(side[group].n_hits for side in sides if group in side)


def _rows(
    first: ScoredList | None, second: ScoredList | None, keys: Keys, request: SketchRequest
) -> list[ComparedCollocate]:
    """Return the collocates that either side has often enough, most typical of the first first."""
    enough = [
        scored.keys[scored.counts >= request.least]
        for scored in (first, second)
        if scored is not None
    ]
    chosen = np.unique(np.concatenate(enough))
    sides = [_at(scored, chosen) for scored in (first, second)]
    rows = [
        ComparedCollocate(keys.names(key)[1], (n1, n2), (score1, score2))
        for key, n1, n2, score1, score2 in zip(
            chosen.tolist(),
            sides[0][0].tolist(),
            sides[1][0].tolist(),
            sides[0][1].tolist(),
            sides[1][1].tolist(),
            strict=True,
        )
    ]
    return sorted(rows, key=lambda row: (-row.difference, row.lemma))


def _at(scored: ScoredList | None, keys: I64) -> tuple[I64, F64]:
    """Return hits and scores of some keys, 0 where there are none; scores are never below it."""
    counts, scores = np.zeros(len(keys), np.int64), np.zeros(len(keys))
    if scored is not None and len(scored.keys):
        at = np.minimum(np.searchsorted(scored.keys, keys), len(scored.keys) - 1)
        found = scored.keys[at] == keys
        counts[found] = scored.counts[at[found]]
        scores[found] = np.maximum(scored.scores[at[found]], 0)
    return counts, scores


def _ends(rows: list[ComparedCollocate], limit: int) -> tuple[ComparedCollocate, ...]:
    """Return both ends of a list, all of a short one."""
    if len(rows) <= limit:
        return tuple(rows)
    first = (limit + 1) // 2
    return (*rows[:first], *rows[len(rows) - (limit - first) :])
