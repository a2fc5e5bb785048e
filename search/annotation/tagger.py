"""The part-of-speech tagger: sentences of words in, Penn tags out.

A first-order linear chain whose attributes each depend on one word type (form and case flag) at a
fixed place, plus pairs of neighbouring words. The weights of a type are therefore summed once, into
one vector of tags for each of five places, and kept in a bounded table; a token's scores are five
gathers and additions, and Viterbi runs over the best candidates of all sentences at once. Weights
are those of an averaged perceptron (Collins 2002) trained by `search.annotation.train`; design
and figures: `ARCHITECTURE.md`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from search.annotation.decoding import Scores, tag_probabilities, viterbi
from search.annotation.features import (
    AFTER,
    AFTER_2,
    BEFORE,
    BEFORE_2,
    HERE,
    N_PLACES,
    PAIR_AFTER,
    PAIR_BEFORE,
    CaseFlag,
    UInt32,
    case_flags,
    pair_keys,
    type_attributes,
)
from search.annotation.model import MODEL_PATH, TaggerModel
from search.annotation.tagset import CLOSED_TAGS

# Tags a token may take, by (sentence, place): what the lexicon decides.
FixedTags = Mapping[tuple[int, int], tuple[str, ...]]

# Types kept with their scores: 16,000 x 5 places x (49 tags + hidden units) x 4 bytes are XX MB; a
# thousand articles have 18,000 types. When full, the table keeps the half that was used most.
MAX_TYPES = 16_000
# Longer "sentences" (lists without stops, binary rubbish) are tagged in pieces of this many tokens.
LONGEST_SENTENCE = 400
# Added to a closed-class tag of a word never seen in training: it cannot win.
FORBIDDEN = np.float32(-1e4)

_BOUNDARY = ("", CaseFlag.NORMAL)
_Item = TypeVar("_Item", bound=np.generic)


class TagProbability(NamedTuple):
    """A tag a word may have, and how probable it is."""

    tag: str
    probability: float


class Tagger:
    """Tags sentences with a `TaggerModel`; one per process, safe to share between threads.

    `nltk_tagger` puts it behind NLTK's interface.
    """

    def __init__(self, model: TaggerModel, max_types: int = MAX_TYPES) -> None:
        self._model = model
        self._max_types = max_types
        self._one_thread = Lock()
        tags = model.tags
        self._names = np.array(tags, dtype=object)
        self._columns = {tag: number for number, tag in enumerate(tags)}
        self._bias = model.networks.bias()
        self._second = model.networks.second(len(tags))
        self._closed = np.array([tag in CLOSED_TAGS for tag in tags])
        self._reset()

    @classmethod
    def load(cls, path: Path | None = None) -> "Tagger":
        """Read the model file beside this module, or the one given."""
        return cls(TaggerModel.load(path or MODEL_PATH))

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags that may come out."""
        return self._model.tags

    def tag_sentences(
        self, sentences: Sequence[Sequence[str]], fixed: FixedTags | None = None
    ) -> list[list[str]]:
        """Tag sentences of non-empty words.

        Parameters
        ----------
        sentences
            Words by sentence; empty sentences are allowed.
        fixed
            Tags that some tokens may take only; the rest of the sentence is tagged around them.

        Returns
        -------
        list of list of str
            Penn tags, in the shape of the argument.
        """
        bounds = list(accumulate(map(len, sentences), initial=0))
        allowed = {bounds[number] + place: tags for (number, place), tags in (fixed or {}).items()}
        pieces = [piece for sentence in sentences for piece in _pieces(sentence)]
        with self._one_thread:
            flat = self._tag_pieces(pieces, allowed)
        return [flat[first:last] for first, last in pairwise(bounds)]

    def alternatives(
        self, words: Sequence[str], fixed: FixedTags | None = None
    ) -> list[tuple[TagProbability, ...]]:
        """Say for each word of one sentence which tags came near, and how near.

        Parameters
        ----------
        words
            Non-empty words; none give an empty list.
        fixed
            As in `tag_sentences`, the sentence being number 0.

        Returns
        -------
        list of tuple of TagProbability
            At most six a word, best first; the first is the tag that `tag_sentences` gives. The
            probabilities of a word add up to 1; a word with fixed tags has no others.
        """
        allowed = {place: tags for (_, place), tags in (fixed or {}).items()}
        pieces = _pieces(words)
        if not pieces:
            return []
        with self._one_thread:
            scores = self._allowed_scores(pieces, allowed)
        found: list[tuple[TagProbability, ...]] = []
        for piece in pieces:
            rows = scores[len(found) : len(found) + len(piece)]
            tags, shares = tag_probabilities(rows, self._model.transitions)
            names = self._names[tags].tolist()
            found += map(_ranking, names, shares.tolist())
        for place, tags_allowed in allowed.items():
            kept = tuple(ranked for ranked in found[place] if ranked.tag in tags_allowed)
            found[place] = kept or (TagProbability(tags_allowed[0], 1.0),)
        return found

    def _tag_pieces(
        self, pieces: list[Sequence[str]], allowed: dict[int, tuple[str, ...]]
    ) -> list[str]:
        """Tag the tokens of all pieces, one after the other; `allowed` is by token number."""
        if not pieces:
            return []
        scores = self._allowed_scores(pieces, allowed)
        lengths = np.array([len(piece) for piece in pieces])
        best = viterbi(scores, lengths, self._model.transitions)
        tagged: list[str] = self._names[best].tolist()
        for token, tags in allowed.items():
            if tagged[token] not in tags:  # a tag the model does not have
                tagged[token] = tags[0]
        return tagged

    def _allowed_scores(
        self, pieces: list[Sequence[str]], allowed: dict[int, tuple[str, ...]]
    ) -> Scores:
        """Scores of the tokens of all pieces, those of tags that are not allowed out of reach."""
        types = [self._type_ids(piece) for piece in pieces]
        if len(self._ids) > self._max_types:
            self._forget_rare()
            types = [self._type_ids(piece) for piece in pieces]
        self._fill_table()
        scores = self._scores(types)
        for token, tags in allowed.items():
            columns = [self._columns[tag] for tag in tags if tag in self._columns]
            kept = scores[token, columns]
            # Below what the table forbids, for the lexicon may allow that ("wena" is a pronoun).
            scores[token] = 10 * FORBIDDEN
            scores[token, columns] = kept
        return scores

    def _reset(self) -> None:
        """Start with an empty table of types."""
        n_tags = len(self._model.tags)
        self._ids: dict[tuple[str, CaseFlag], int] = {_BOUNDARY: 0}
        self._new: list[tuple[str, CaseFlag]] = [_BOUNDARY]
        self._table = np.zeros((256, N_PLACES, n_tags), dtype=np.float32)
        n_hidden = self._model.networks.n_hidden
        self._products = np.zeros((256, N_PLACES, n_hidden), dtype=np.float32)
        self._folded: UInt32 = np.zeros(256, dtype=np.uint32)
        self._uses = np.zeros(256, dtype=np.int64)

    def _forget_rare(self) -> None:
        """Keep the half of the full table that was used most, the boundary among it."""
        n_known = len(self._ids) - len(self._new)
        self._uses[0] = np.iinfo(np.int64).max
        kept = np.sort(np.argsort(-self._uses[:n_known], kind="stable")[: self._max_types // 2])
        types = list(self._ids)
        self._ids = {types[old]: number for number, old in enumerate(kept.tolist())}
        self._new = []
        self._table = self._table[kept]
        self._products = self._products[kept]
        self._folded = self._folded[kept]
        # Old merits fade, so that last month's names make room for this month's.
        self._uses = self._uses[kept] // 2

    def _type_ids(self, sentence: Sequence[str]) -> list[int]:
        ids = self._ids
        found = []
        for word, flag in zip(sentence, case_flags(sentence), strict=True):
            key = (word, flag)
            number = ids.get(key)
            if number is None:
                number = ids[key] = len(ids)
                self._new.append(key)
            found.append(number)
        return found

    def _fill_table(self) -> None:
        """Compute the scores of the types met since the last call."""
        if not self._new:
            return
        n_types = len(self._ids)
        first = n_types - len(self._new)
        if n_types > len(self._table):
            size = max(n_types, min(2 * len(self._table), self._max_types))
            self._table = _longer(self._table, size)
            self._products = _longer(self._products, size)
            self._folded = _longer(self._folded, size)
            self._uses = _longer(self._uses, size)
        attributes = type_attributes(self._new, self._model.word_classes)
        self._folded[first:n_types] = attributes.folded
        for place, values in enumerate(attributes.by_place):
            rows = self._model.single.rows_of(values)
            groups = np.broadcast_to(np.arange(len(values))[:, None], values.shape)
            has_weights = rows >= 0
            self._table[first:n_types, place] = self._model.single.add_up(
                rows[has_weights], groups[has_weights], (len(values), len(self._model.tags))
            )
        products, direct = self._model.networks.tabulate(
            attributes.columns, attributes.folded, len(self._model.tags)
        )
        self._products[first:n_types] = products.transpose(1, 0, 2)
        self._table[first:n_types, HERE] += direct
        self._forbid_closed_classes(attributes.folded, first)
        self._new = []

    def _forbid_closed_classes(self, folded: UInt32, first: int) -> None:
        """Words never seen in training are not pronouns, determiners, conjunctions ("maas")."""
        known = self._model.words
        places = np.searchsorted(known, folded).clip(max=len(known) - 1)
        is_unseen = (known[places] != folded) & np.array(
            [form.isalpha() for form, _ in self._new], dtype=np.bool_
        )
        rows = first + np.flatnonzero(is_unseen)
        self._table[rows[:, None], HERE, np.flatnonzero(self._closed)] = FORBIDDEN

    def _network_scores(self, ids: npt.NDArray[np.int64], kept: npt.NDArray[np.int64]) -> Scores:
        """Compute what the networks' hidden layers add to the scores of the tokens at `kept`."""
        products = self._products
        hidden = products[ids[kept], HERE]
        hidden += self._bias
        hidden += products[ids[kept - 1], BEFORE]
        hidden += products[ids[kept + 1], AFTER]
        hidden += products[ids[kept - 2], BEFORE_2]
        hidden += products[ids[kept + 2], AFTER_2]
        np.maximum(hidden, 0, out=hidden)
        added: Scores = hidden @ self._second
        return added

    def _scores(self, types: list[list[int]]) -> Scores:
        """Scores of all tokens of all sentences, one row a token."""
        padded = [0, 0]
        for sentence in types:
            padded += [*sentence, 0, 0]
        ids = np.array(padded)
        self._uses += np.bincount(ids, minlength=len(self._uses))
        # Each sentence is followed by two boundaries; drop them from the rows that are kept.
        lengths = np.array([len(sentence) for sentence in types])
        kept = np.arange(int(lengths.sum())) + np.repeat(2 * np.arange(1, len(types) + 1), lengths)
        table = self._table
        scores: Scores = table[ids[kept], HERE]
        scores += table[ids[kept - 1], BEFORE]
        scores += table[ids[kept + 1], AFTER]
        scores += table[ids[kept - 2], BEFORE_2]
        scores += table[ids[kept + 2], AFTER_2]
        scores += self._network_scores(ids, kept)
        folded = self._folded[ids]
        before = pair_keys(folded[kept - 1], folded[kept], PAIR_BEFORE)
        after = pair_keys(folded[kept], folded[kept + 1], PAIR_AFTER)
        rows = self._model.pairs.rows_of(np.concatenate([before, after]))
        found = np.flatnonzero(rows >= 0)
        if len(found):
            part = self._model.pairs.add_up(
                rows[found], np.arange(len(found)), (len(found), scores.shape[1])
            )
            is_before = found < len(kept)
            scores[found[is_before]] += part[is_before]
            scores[found[~is_before] - len(kept)] += part[~is_before]
        return scores


def _longer(array: npt.NDArray[_Item], size: int) -> npt.NDArray[_Item]:
    """Copy of an array with more rows, the new ones zero."""
    longer = np.zeros((size, *array.shape[1:]), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _pieces(sentence: Sequence[str]) -> list[Sequence[str]]:
    """Cut a sentence where it is longer than any sentence is."""
    return [
        sentence[start : start + LONGEST_SENTENCE]
        for start in range(0, len(sentence), LONGEST_SENTENCE)
    ]


def _ranking(tags: list[str], shares: list[float]) -> tuple[TagProbability, ...]:
    return tuple(map(TagProbability, tags, shares))


@cache
def shared_tagger() -> Tagger:
    """Return the process's tagger, read at its first use."""
    return Tagger.load()
