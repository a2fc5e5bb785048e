r"""The sketch of a word: its collocates by grammatical relation, the most typical first.

Input → output: a selection, a grammar, a lemma and its class → `WordSketch`.

Notes
-----
Typical is what has a high logDice within its relation (Rychlý, P. 2008. A Lexicographer-Friendly
Association Score. RASLAN 2008, 6-9, formula for word sketches):

.. math:: 14 + \log_2 \frac{2 \|w_1, R, w_2\|}{\|w_1, R, *\| + \|*, R, w_2\|}

Each number of it is that of the hits of a query: of the list with the word and the collocate, with
the word alone, with the collocate alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.sketches.counting import (
    GROUP_SHIFT,
    Counts,
    Keys,
    WordPlaces,
    by_collocate,
)
from search.engine.sketches.grammar import Grammar, SketchList
from search.engine.sketches.queries import Asked, cql_of
from search.engine.sketches.totals import A_BIT, AT_ONCE, ListTotals, list_totals
from search.engine.statistics.collocation.association import contingency, log_dice
from search.engine.statistics.frequency import largest

I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]

MOST_BY = 12  # lists of one relation with `by:`, those with most hits
KEPT_WORDS = 32  # of a selection; a frequent word has 1 MB of counts


@dataclass(frozen=True, slots=True)
class SketchRequest:
    """What to sketch.

    Parameters
    ----------
    lemma, word_class : str
        Exactly that lemma, and the name of a class of the grammar.
    least : int
        Fewest hits of a collocate.
    limit : int
        Collocates of each list.
    is_whole : bool
        Count all totals, however long it takes, see `totals.list_totals`.
    """

    lemma: str
    word_class: str
    least: int = 2
    limit: int = 12
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class SketchCollocate:
    """A collocate in a list: its hits with the word, with any word, and its logDice.

    ``key`` is what it is counted under, see `counting.Keys`.
    """

    lemma: str
    key: int
    n_hits: int
    n_total: int
    score: float


@dataclass(frozen=True, slots=True)
class SketchRelation:
    """A list: its hits with the word, and its best collocates of ``n_collocates``.

    ``number`` is that of the list in the grammar (of its class), ``by`` the lemma in its name.
    """

    name: str
    number: int
    by: str
    n_hits: int
    n_collocates: int
    collocates: tuple[SketchCollocate, ...]
    sketch_list: SketchList

    def cql(self, word: str, collocate: str = "") -> str:
        """Write the query of a number; without a collocate, of all of the list."""
        return cql_of(self.sketch_list, Asked(word, collocate, self.by))


@dataclass(frozen=True, slots=True)
class WordSketch:
    """The lists of a word that have hits. ``share`` is how much the totals were counted of."""

    lemma: str
    word_class: str
    n_hits: int
    relations: tuple[SketchRelation, ...]
    share: float


@dataclass(frozen=True, slots=True)
class WordCounts:
    """All counts of a word: of each list by collocate, and by the lemma of `by:`."""

    n_hits: int
    collocates: tuple[Counts, ...]
    groups: tuple[Counts, ...]


_COUNTED: Remembered[tuple[str, str, str], WordCounts] = Remembered(KEPT_WORDS)


def word_counts(selection: Selection, grammar: Grammar, word_class: str, lemma: str) -> WordCounts:
    """Count around all tokens of a word; kept with the selection.

    Raises
    ------
    KeyError
        If the grammar has no such class.
    """

    def counted() -> WordCounts:
        keys = Keys(selection.snapshot.lexicon)
        places = WordPlaces(selection, grammar, word_class, lemma)
        found = [by_collocate(places.matches(each), keys) for each in grammar.lists_of(word_class)]
        of_collocates, of_groups = zip(*found, strict=True) if found else ((), ())
        return WordCounts(places.n_hits, tuple(of_collocates), tuple(of_groups))

    return _COUNTED.of(selection).get_or((grammar.digest, word_class, lemma), counted)


def word_sketch(selection: Selection, grammar: Grammar, request: SketchRequest) -> WordSketch:
    """Make the sketch of a word.

    Returns
    -------
    WordSketch
        Lists in the order of the grammar, those of one relation with `by:` by their hits. O(hits *
        places of the patterns), and what `totals.list_totals` takes.

    Raises
    ------
    KeyError
        If the grammar has no such class.
    """
    counted, totals = counts_of(selection, grammar, request)
    if not counted.n_hits:
        return WordSketch(request.lemma, request.word_class, 0, (), 1.0)
    keys = Keys(selection.snapshot.lexicon)
    relations = [
        _relation(each, number, scored, (keys, request))
        for number, each in enumerate(grammar.lists_of(request.word_class))
        for scored in scored_lists(counted, totals, number)
    ]
    return WordSketch(
        request.lemma,
        request.word_class,
        counted.n_hits,
        tuple(relations),
        totals.share,
    )


def counts_of(
    selection: Selection, grammar: Grammar, request: SketchRequest
) -> tuple[WordCounts, ListTotals]:
    """Count a word and the totals of its class, these as far as one question may."""
    (counted,), totals = all_counts_of(selection, grammar, (request,))
    return counted, totals


def all_counts_of(
    selection: Selection, grammar: Grammar, requests: Sequence[SketchRequest]
) -> tuple[list[WordCounts], ListTotals]:
    """Count words of one class and its totals, these as far as one question may."""
    known, counted, at_once = _COUNTED.of(selection), [], A_BIT
    for one in requests:
        is_kept = (grammar.digest, one.word_class, one.lemma) in known
        counted.append(word_counts(selection, grammar, one.word_class, one.lemma))
        if counted[-1].n_hits and not is_kept:
            at_once = AT_ONCE
    if requests[0].is_whole:
        at_once = selection.snapshot.n_tokens
    return counted, list_totals(selection, grammar, requests[0].word_class, at_once=at_once)


@dataclass(frozen=True, slots=True)
class ScoredList:
    """The collocates of a list (with one lemma of `by:`), by key: arrays of one length."""

    group: int
    n_hits: int
    keys: I64
    counts: I64
    totals: I64
    scores: F64


def scored_lists(counted: WordCounts, totals: ListTotals, number: int) -> Iterator[ScoredList]:
    """Give the list of a number, or those of its most frequent lemmas of `by:`, with scores."""
    groups, collocates = counted.groups[number], counted.collocates[number]
    order = np.lexsort((groups.keys, -groups.counts))[:MOST_BY]
    for group, n_hits in zip(
        groups.keys[order].tolist(), groups.counts[order].tolist(), strict=True
    ):
        low, high = np.searchsorted(
            collocates.keys, [group << GROUP_SHIFT, (group + 1) << GROUP_SHIFT]
        )
        keys, counts = collocates.keys[low:high], collocates.counts[low:high]
        # An estimate may be less than what is known to be there.
        total = np.maximum(totals.at(number, keys), counts)
        scores = log_dice(contingency(counts, n_hits, total, np.maximum(total, n_hits) * 2))
        yield ScoredList(group, n_hits, keys, counts, total, scores)


def _relation(
    sketch_list: SketchList, number: int, scored: ScoredList, of: tuple[Keys, SketchRequest]
) -> SketchRelation:
    keys, request = of
    by = keys.lexicon.form(scored.group) if sketch_list.has_by else ""
    enough = np.flatnonzero(scored.counts >= request.least)
    best = enough[
        largest(
            scored.scores[enough],
            request.limit,
            lambda i: (keys.names(int(scored.keys[enough[i]]))[1],),
        )
    ]
    rows = []
    for i in best.tolist():
        lemma = keys.names(int(scored.keys[i]))[1]
        rows.append(
            SketchCollocate(
                lemma,
                int(scored.keys[i]),
                int(scored.counts[i]),
                int(scored.totals[i]),
                float(scored.scores[i]),
            )
        )
    return SketchRelation(
        sketch_list.named(by), number, by, scored.n_hits, len(enough), tuple(rows), sketch_list
    )
