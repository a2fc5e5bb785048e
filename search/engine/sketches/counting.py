"""Counts of a list of a sketch: how often each collocate stands in it.

Input → output: a snapshot's documents, a list of a grammar and the word → counts by key.
The key of a count is the collocate's lemma, with that of the token `by:` where a list has one.

Only the word's own tokens are looked at, and what stands around them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.index.lexicon.lexicon import LexiconView
from search.engine.index.selection import Selection
from search.engine.query.ast import And, Condition
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.sketches.fields import Conditions, WindowField
from search.engine.sketches.grammar import Grammar, SketchList
from search.engine.sketches.matches import Matches, join_matches, matches, shown_by_query
from search.engine.sketches.queries import lemma_is

I64 = npt.NDArray[np.int64]

GROUP_SHIFT = 32  # numbers of forms have 32 bits
LEMMA_MASK = (1 << GROUP_SHIFT) - 1


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts by key, ascending: two arrays of shape (n_keys,)."""

    keys: I64
    counts: I64

    @classmethod
    def of(cls, parts: list[I64]) -> "Counts":
        """Count keys."""
        keys, counts = np.unique(
            np.concatenate([np.empty(0, np.int64), *parts]), return_counts=True
        )
        return cls(keys, counts.astype(np.int64))

    @classmethod
    def sum(cls, parts: list["Counts"]) -> "Counts":
        """Add up counts."""
        if len(parts) == 1:
            return parts[0]
        nothing = np.empty(0, np.int64)
        keys, numbers = np.unique(
            np.concatenate([nothing, *(part.keys for part in parts)]), return_inverse=True
        )
        weights = np.concatenate([nothing, *(part.counts for part in parts)])
        sums = np.bincount(numbers, weights=weights, minlength=len(keys))
        return cls(keys, sums.astype(np.int64))

    def at(self, keys: I64) -> I64:
        """Return the counts of some keys, 0 where there is none."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.int64)
        found = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[found] == keys, self.counts[found], 0)


@dataclass(frozen=True, slots=True)
class Keys:
    """How lemmas become keys; the same in every snapshot, as numbers of forms never change."""

    lexicon: LexiconView

    def collocates(self, found: Matches) -> I64:
        """Return for each match its key: the collocate's lemma, and that of `by:`."""
        return self.groups(found) << GROUP_SHIFT | self.lexicon.lemmas[found.collocates]

    def groups(self, found: Matches) -> I64:
        """Return for each match the lemma of `by:`, 0 where its list has none."""
        if found.by is None:
            return np.zeros(len(found), dtype=np.int64)
        return self.lexicon.lemmas[found.by].astype(np.int64)

    def names(self, key: int) -> tuple[str, str]:
        """Return the lemmas of `by:` and of the collocate."""
        by, collocate = key >> GROUP_SHIFT, key & LEMMA_MASK
        return self.lexicon.form(by), self.lexicon.form(collocate)


@dataclass(frozen=True, slots=True)
class FoundMatches:
    """The matches of a word in one list, in each segment; ``numbers`` are those of segments."""

    numbers: tuple[int, ...]
    parts: tuple[Matches, ...]


class WordPlaces:
    """Where a word of a class stands in the documents of a selection, ready to look around."""

    def __init__(self, selection: Selection, grammar: Grammar, word_class: str, lemma: str) -> None:
        snapshot = selection.snapshot
        self.word_class = word_class
        conditions = Conditions(snapshot)
        asked: Condition = And((grammar.classes[word_class], lemma_is(lemma)))
        condition = TokenCondition(snapshot, asked)
        self._fields: list[tuple[int, WindowField]] = []
        masks = zip(snapshot.segments, selection.document_masks, selection.is_empty_in, strict=True)
        for number, (view, mask, is_empty) in enumerate(masks):
            if is_empty:
                continue
            positions = view.segment.postings.of_rows(condition.rows(view.segment)).astype(np.int64)
            if mask is not None:
                positions = positions[mask.holds(positions)]
            if len(positions):
                field = WindowField(view.segment, positions, conditions)
                self._fields.append((number, field))

    @property
    def n_hits(self) -> int:
        """Tokens of the word."""
        return sum(len(field) for _, field in self._fields)

    def matches(self, sketch_list: SketchList) -> FoundMatches:
        """Find the matches of a list, one for each pair of word and collocate."""
        parts = []
        for _, field in self._fields:
            everywhere = np.arange(len(field))
            found = [matches(field, p, label, everywhere) for p, label in sketch_list.sides]
            parts.append(join_matches(found))
        return FoundMatches(tuple(number for number, _ in self._fields), tuple(parts))


def by_collocate(found: FoundMatches, keys: Keys) -> tuple[Counts, Counts]:
    """Count the hits of each collocate, and those of the whole list (of each `by:`)."""
    of_collocates: list[I64] = []
    of_groups: list[I64] = []
    for part in found.parts:
        for make, into in ((keys.collocates, of_collocates), (keys.groups, of_groups)):
            made = make(part)
            into.append(made[shown_by_query(part.starts, part.ends, made)])
    return Counts.of(of_collocates), Counts.of(of_groups)
