"""The part-of-speech tagger: sentences of words in, tags out (Penn for English).

A first-order linear chain whose attributes each depend on one word type (form and case flag) at a
fixed place, plus pairs of neighbouring words, plus a window network. What a type contributes from
each of five places is therefore computed once and kept (`type_table`); a token's scores are a few
gathers and additions and one small product, and Viterbi runs over the best candidates of all
sentences at once. Trained by `train`; design and figures: `docs/design/tagging.md`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from search.engine.annotation.decoding import Scores, tag_probabilities, viterbi
from search.engine.annotation.features import (
    AFTER,
    AFTER_2,
    BEFORE,
    BEFORE_2,
    HERE,
    N_PLACES,
    PAIR_AFTER,
    PAIR_BEFORE,
    PLACE_OFFSETS,
    pair_keys,
)
from search.engine.annotation.model import MODEL_PATH, TaggerModel
from search.engine.annotation.type_table import FORBIDDEN, MAX_TYPES, TypeTable

# Tags a token may take, by (sentence, place): what the lexicon decides.
FixedTags = Mapping[tuple[int, int], tuple[str, ...]]

# Longer "sentences" (lists without stops, binary rubbish) are tagged in pieces of this many tokens.
LONGEST_SENTENCE = 400
# So many tokens at once: each may be a type of its own, which takes 6 kB of the table (a megabyte
# of invented words took 2.4 GB in one piece).
TOKENS_AT_ONCE = 20_000
# Types kept where there is nothing to tag, 3 MB of them.
TYPES_AT_REST = 500
# Tokens whose hidden units fit into the processor's cache; all at once take twice the time.
TOKENS_PER_STEP = 512
# Larger products numpy's library gives to several threads, which spin more than they work.
TOKENS_PER_PRODUCT = 16


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
        self._types = TypeTable(model, max_types)
        self._one_thread = Lock()
        tags = model.tags
        self._names = np.array(tags, dtype=object)
        self._columns = {tag: number for number, tag in enumerate(tags)}
        self._bias = model.networks.bias()
        self._second = model.networks.second(len(tags))

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
            Tags of the model, in the shape of the argument.
        """
        bounds = list(accumulate(map(len, sentences), initial=0))
        allowed = {bounds[number] + place: tags for (number, place), tags in (fixed or {}).items()}
        pieces = [piece for sentence in sentences for piece in _pieces(sentence)]
        flat: list[str] = []
        with self._one_thread:
            for group in _groups(pieces):
                first, last = len(flat), len(flat) + sum(map(len, group))
                theirs = {n - first: allowed[n] for n in range(first, last) if n in allowed}
                flat += self._tag_pieces(group, theirs)
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
            At most five a word, best first; the first is the tag that `tag_sentences` gives. The
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

    def forget_types(self) -> None:
        """Keep only the word types that nearly every text has."""
        with self._one_thread:
            self._types.keep(TYPES_AT_REST)

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
        scores = self._scores(self._types.numbers(pieces))
        for token, tags in allowed.items():
            columns = [self._columns[tag] for tag in tags if tag in self._columns]
            kept = scores[token, columns]
            # Below what the table forbids, for the lexicon may allow that ("wena" is a pronoun).
            scores[token] = 10 * FORBIDDEN
            scores[token, columns] = kept
        return scores

    def _network_scores(self, ids: npt.NDArray[np.int64], kept: npt.NDArray[np.int64]) -> Scores:
        """Compute what the networks' hidden layers add to the scores of the tokens at `kept`."""
        n_hidden = self._types.products.shape[2]
        added: Scores = np.zeros((len(kept), len(self._model.tags)), dtype=np.float32)
        if not n_hidden:
            return added
        rows = self._types.products.reshape(-1, n_hidden)
        # Row of each type at each place in the table seen as one of rows.
        windows = [
            N_PLACES * ids[kept + offset] + place for place, offset in enumerate(PLACE_OFFSETS)
        ]
        hidden = np.zeros((TOKENS_PER_STEP, n_hidden), dtype=np.float32)
        more = np.zeros_like(hidden)
        for start in range(0, len(kept), TOKENS_PER_STEP):
            step = slice(start, start + TOKENS_PER_STEP)
            n_tokens = len(kept[step])
            np.take(rows, windows[HERE][step], axis=0, out=hidden[:n_tokens], mode="clip")
            for window in windows[BEFORE:]:
                np.take(rows, window[step], axis=0, out=more[:n_tokens], mode="clip")
                hidden += more
            hidden += self._bias
            np.maximum(hidden, 0, out=hidden)
            by_group = hidden.reshape(-1, TOKENS_PER_PRODUCT, n_hidden) @ self._second
            added[step] = by_group.reshape(TOKENS_PER_STEP, -1)[:n_tokens]
        return added

    def _scores(self, types: list[list[int]]) -> Scores:
        """Scores of all tokens of all sentences, one row a token."""
        padded = [0, 0]
        for sentence in types:
            padded += [*sentence, 0, 0]
        ids = np.array(padded)
        # Each sentence is followed by two boundaries; drop them from the rows that are kept.
        lengths = np.array([len(sentence) for sentence in types])
        kept = np.arange(int(lengths.sum())) + np.repeat(2 * np.arange(1, len(types) + 1), lengths)
        table = self._types.scores
        scores: Scores = table[ids[kept], HERE]
        scores += table[ids[kept - 1], BEFORE]
        scores += table[ids[kept + 1], AFTER]
        scores += table[ids[kept - 2], BEFORE_2]
        scores += table[ids[kept + 2], AFTER_2]
        scores += self._network_scores(ids, kept)
        folded = self._types.folded[ids]
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


def _pieces(sentence: Sequence[str]) -> list[Sequence[str]]:
    """Cut a sentence where it is longer than any sentence is."""
    return [
        sentence[start : start + LONGEST_SENTENCE]
        for start in range(0, len(sentence), LONGEST_SENTENCE)
    ]


def _groups(pieces: Sequence[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    """Part the pieces so that no group has many more than `TOKENS_AT_ONCE` tokens."""
    group: list[Sequence[str]] = []
    n_tokens = 0
    for piece in pieces:
        group.append(piece)
        n_tokens += len(piece)
        if n_tokens >= TOKENS_AT_ONCE:
            yield group
            group, n_tokens = [], 0
    if group:
        yield group


def _ranking(tags: list[str], shares: list[float]) -> tuple[TagProbability, ...]:
    return tuple(map(TagProbability, tags, shares))


@cache
def shared_tagger() -> Tagger:
    """Return the process's tagger, read at its first use."""
    return Tagger.load()
