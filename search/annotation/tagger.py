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

import numpy as np
import numpy.typing as npt

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
Scores = npt.NDArray[np.float32]

# Types kept with their scores: 16,000 x 5 places x 49 tags x 4 bytes are 16 MB; a thousand
# articles have 18,000 types. When full, the table keeps the half that was used most.
MAX_TYPES = 16_000
# Longer "sentences" (lists without stops, binary rubbish) are tagged in pieces of this many tokens.
LONGEST_SENTENCE = 400
# Best tags of a token that Viterbi weighs: 6 of 49 change 13 tags of 53,000 and save two thirds.
CANDIDATE_TAGS = 6
# Added to a closed-class tag of a word never seen in training: it cannot win.
FORBIDDEN = np.float32(-1e4)

_BOUNDARY = ("", CaseFlag.NORMAL)


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
        pieces = [
            sentence[start : start + LONGEST_SENTENCE]
            for sentence in sentences
            for start in range(0, len(sentence), LONGEST_SENTENCE)
        ]
        bounds = list(accumulate(map(len, sentences), initial=0))
        allowed = {bounds[number] + place: tags for (number, place), tags in (fixed or {}).items()}
        with self._one_thread:
            flat = self._tag_pieces(pieces, allowed)
        return [flat[first:last] for first, last in pairwise(bounds)]

    def _tag_pieces(
        self, pieces: list[Sequence[str]], allowed: dict[int, tuple[str, ...]]
    ) -> list[str]:
        """Tag the tokens of all pieces, one after the other; `allowed` is by token number."""
        if not pieces:
            return []
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
        lengths = np.array([len(ids) for ids in types])
        best = viterbi(scores, lengths, self._model.transitions)
        tagged: list[str] = self._names[best].tolist()
        for token, tags in allowed.items():
            if tagged[token] not in tags:  # a tag the model does not have
                tagged[token] = tags[0]
        return tagged

    def _reset(self) -> None:
        """Start with an empty table of types."""
        n_tags = len(self._model.tags)
        self._ids: dict[tuple[str, CaseFlag], int] = {_BOUNDARY: 0}
        self._new: list[tuple[str, CaseFlag]] = [_BOUNDARY]
        self._table = np.zeros((256, N_PLACES, n_tags), dtype=np.float32)
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
            n_old, n_tags = len(self._table), len(self._model.tags)
            table = np.zeros((size, N_PLACES, n_tags), dtype=np.float32)
            table[:n_old] = self._table
            self._table = table
            self._folded = np.concatenate([self._folded, np.zeros(size - n_old, dtype=np.uint32)])
            self._uses = np.concatenate([self._uses, np.zeros(size - n_old, dtype=np.int64)])
        attributes = type_attributes(self._new, self._model.word_classes)
        self._folded[first:n_types] = attributes.folded
        for place, values in enumerate(attributes.by_place):
            rows = self._model.single.rows_of(values)
            groups = np.broadcast_to(np.arange(len(values))[:, None], values.shape)
            has_weights = rows >= 0
            self._table[first:n_types, place] = self._model.single.add_up(
                rows[has_weights], groups[has_weights], (len(values), len(self._model.tags))
            )
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


def viterbi(
    scores: Scores,
    lengths: npt.NDArray[np.int64],
    transitions: Scores,
    n_candidates: int = CANDIDATE_TAGS,
) -> npt.NDArray[np.intp]:
    """Best tag sequences of many sentences.

    Parameters
    ----------
    scores
        (tokens, tags) of all sentences, one after the other.
    lengths
        Tokens of each sentence, all positive.
    transitions
        (tags, tags): score of going from row to column.
    n_candidates
        How many of a token's best tags take part; all of them make the search exact.

    Returns
    -------
    array of int
        Number of the best tag of every token.

    Notes
    -----
    One step handles one token of every sentence that still runs; tokens are brought into that order
    first, so a step works on slices. O(tokens x candidates²).
    """
    if len(scores) == 0:
        return np.zeros(0, dtype=np.intp)
    n_candidates = min(n_candidates, scores.shape[1])
    by_length = np.argsort(-lengths, kind="stable")
    starts = (np.cumsum(lengths) - lengths)[by_length]
    sorted_lengths = lengths[by_length]
    steps = np.arange(int(sorted_lengths[0]))
    n_running = np.searchsorted(-sorted_lengths, -steps, side="left")
    ends = np.cumsum(n_running)
    ranks = np.arange(len(scores)) - np.repeat(ends - n_running, n_running)
    rows = starts[ranks] + np.repeat(steps, n_running)

    tags = np.argpartition(scores, -n_candidates, axis=1)[:, -n_candidates:][rows]
    emissions = np.take_along_axis(scores[rows], tags, axis=1)
    running_before = np.arange(int(ends[0]), len(rows)) - np.repeat(n_running[:-1], n_running[1:])
    # moves[i, j, k]: from candidate k of the token before to candidate j of token i.
    moves = transitions[tags[running_before][:, None, :], tags[int(ends[0]) :, :, None]]
    back = np.zeros(tags.shape, dtype=np.intp)
    best = emissions
    for step in range(1, len(steps)):
        begin, end = int(ends[step - 1]), int(ends[step])
        before = best[begin - int(n_running[step - 1]) :][: end - begin]
        paths = moves[begin - int(ends[0]) : end - int(ends[0])] + before[:, None, :]
        paths.argmax(axis=2, out=back[begin:end])
        best[begin:end] += paths.max(axis=2)
    return _trace(tags, best, back, (ends, n_running), rows)


def _trace(
    tags: npt.NDArray[np.intp],
    best: Scores,
    back: npt.NDArray[np.intp],
    steps: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    rows: npt.NDArray[np.intp],
) -> npt.NDArray[np.intp]:
    """Follow the back pointers from each sentence's last token; one tag a token, in text order."""
    ends, n_running = steps
    chosen = np.zeros(len(tags), dtype=np.intp)
    following = np.zeros(0, dtype=np.intp)
    for end, n in zip(ends[::-1].tolist(), n_running[::-1].tolist(), strict=True):
        begin = end - n
        picks = best[begin:end].argmax(axis=1)
        picks[: len(following)] = following
        chosen[begin:end] = picks
        following = np.take_along_axis(back[begin:end], picks[:, None], axis=1)[:, 0]
    result = np.empty(len(tags), dtype=np.intp)
    result[rows] = np.take_along_axis(tags, chosen[:, None], axis=1)[:, 0]
    return result


@cache
def shared_tagger() -> Tagger:
    """Return the process's tagger, read at its first use."""
    return Tagger.load()
