"""Learn a `TaggerModel` from sentences of words and tags: a structured averaged perceptron.

Collins (2002), Discriminative Training Methods for Hidden Markov Models, EMNLP: the weights of a
first-order chain move by one wherever the best path differs from the right one, and the mean of all
states is kept. Attributes are those of the shipped tagger (`features`) without its word lists, so
the same `Tagger` runs both. Seeded and in whole numbers until the mean is taken.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.annotation.decoding import viterbi
from search.engine.annotation.features import (
    PAIR_AFTER,
    PAIR_BEFORE,
    PLACE_OFFSETS,
    CaseFlag,
    TypeAttributes,
    UInt32,
    case_flags,
    fold,
    pair_keys,
    type_attributes,
)
from search.engine.annotation.model import AttributeWeights, TaggerModel
from search.engine.annotation.network import NetworkGroup
from search.engine.annotation.training.build_word_classes import no_word_classes

# As for the shipped tagger: 6 to 10 rounds differ by 0.1 points of accuracy.
ROUNDS = 10
SEED = 20021
MIN_PAIR_COUNT = 2  # pairs of neighbouring words seen less often are not learnt
# Weights nearest to nought are dropped beyond so many, for a file of some 1.5 MB.
MOST_WEIGHTS = 250_000
# An averaged weight below this never decides: a token adds some 25 of them.
SMALLEST_WEIGHT = 0.02
_BOUNDARY = ("", CaseFlag.NORMAL)
_MARGIN = 2  # boundaries at either end of a sentence

TaggedWords = tuple[Sequence[str], Sequence[str]]
Int64 = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Rows:
    """All tokens as rows of attribute numbers; the last number stands for what is not learnt."""

    rows: npt.NDArray[np.int64]
    bounds: Int64
    keys: UInt32
    is_pair: npt.NDArray[np.bool_]


def learn_tagger(
    sentences: Sequence[TaggedWords],
    rounds: int = ROUNDS,
    say: Callable[[str], None] = lambda _: None,
) -> TaggerModel:
    """Learn a tagger.

    Parameters
    ----------
    sentences
        Words and tags of each, at least one word in all.
    rounds
        How often each sentence is looked at, in an order of its own each time.
    say
        Told after each round how many words were tagged right in it.

    Returns
    -------
    TaggerModel
        Without networks and word lists; the same for the same sentences.

    Notes
    -----
    O(rounds x tokens); some 25 µs a token and round, 20 bytes a tag and attribute.
    """
    sentences = [sentence for sentence in sentences if sentence[0]]
    tags = sorted({tag for _, theirs in sentences for tag in theirs})
    numbers = {tag: number for number, tag in enumerate(tags)}
    gold = np.array([numbers[tag] for _, theirs in sentences for tag in theirs])
    rows = _number_attributes([words for words, _ in sentences])
    weights, transitions = _learn(rows, gold, len(tags), rounds, say)
    words = {zlib.crc32(fold(word).encode()) for forms, _ in sentences for word in forms}
    kept = _largest(weights)
    return TaggerModel(
        tuple(tags),
        transitions,
        _pack(rows, weights, kept, is_pair=False),
        _pack(rows, weights, kept, is_pair=True),
        np.array(sorted(words), dtype=np.uint32),
        no_word_classes(),
        NetworkGroup.none(),
    )


def _number_attributes(sentences: Sequence[Sequence[str]]) -> _Rows:
    types: dict[tuple[str, CaseFlag], int] = {_BOUNDARY: 0}
    padded: list[int] = [0] * _MARGIN
    places: list[int] = []
    for words in sentences:
        for key in zip(words, case_flags(words), strict=True):
            places.append(len(padded))
            padded.append(types.setdefault(key, len(types)))
        padded += [0] * _MARGIN
    ids, kept = np.array(padded), np.array(places)
    attributes = type_attributes(list(types), no_word_classes())
    by_place = zip(PLACE_OFFSETS, _telling_columns(attributes), strict=True)
    single = np.concatenate([values[ids[kept + offset]] for offset, values in by_place], axis=1)
    folded = attributes.folded[ids]
    pairs = np.stack(
        [
            pair_keys(folded[kept - 1], folded[kept], PAIR_BEFORE),
            pair_keys(folded[kept], folded[kept + 1], PAIR_AFTER),
        ],
        axis=1,
    )
    single_keys = np.unique(single)
    found, counts = np.unique(pairs, return_counts=True)
    pair_found = np.setdiff1d(found[counts >= MIN_PAIR_COUNT], single_keys)
    keys = np.concatenate([single_keys, pair_found])
    near = np.searchsorted(pair_found, pairs).clip(max=max(0, len(pair_found) - 1))
    is_known = pair_found[near] == pairs if len(pair_found) else np.zeros(pairs.shape, dtype=bool)
    return _Rows(
        np.concatenate(
            [
                np.searchsorted(single_keys, single),
                np.where(is_known, len(single_keys) + near, len(keys)),
            ],
            axis=1,
        ),
        np.concatenate([[0], np.cumsum([len(words) for words in sentences])]),
        keys,
        np.arange(len(keys)) >= len(single_keys),
    )


def _telling_columns(attributes: TypeAttributes) -> list[UInt32]:
    """Leave out columns that tell no more than one before: those of word lists that are empty."""
    kept: list[UInt32] = []
    for values in attributes.by_place:
        seen: set[bytes] = set()
        columns = []
        for column in values.T:
            _, partition = np.unique(column, return_inverse=True)
            first = np.full(int(partition.max()) + 1, len(partition))
            np.minimum.at(first, partition, np.arange(len(partition)))
            if (pattern := first[partition].tobytes()) not in seen:
                seen.add(pattern)
                columns.append(column)
        kept.append(np.stack(columns, axis=1))
    return kept


def _learn(
    rows: _Rows, gold: Int64, n_tags: int, rounds: int, say: Callable[[str], None]
) -> tuple[Weights, Weights]:
    """Move the weights round by round; returns their means, (attributes, tags) and (tags, tags)."""
    nothing = len(rows.keys)
    weights = np.zeros((nothing + 1, n_tags), dtype=np.float32)
    late = np.zeros_like(weights, dtype=np.float64)  # moves times the step at which they came
    transitions = np.zeros((n_tags, n_tags), dtype=np.float32)
    late_transitions = np.zeros_like(transitions, dtype=np.float64)
    random = np.random.default_rng(SEED)
    step = 1
    for turn in range(rounds):
        n_wrong = 0
        for number in random.permutation(len(rows.bounds) - 1).tolist():
            part = slice(rows.bounds[number], rows.bounds[number + 1])
            theirs, right = rows.rows[part], gold[part]
            scores = weights[theirs].sum(axis=1)
            best = viterbi(scores, np.array([len(right)]), transitions)
            wrong = np.flatnonzero(best != right)
            for place in wrong.tolist():
                row, good, bad = theirs[place], right[place], best[place]
                weights[row, good] += 1
                weights[row, bad] -= 1
                late[row, good] += step
                late[row, bad] -= step
            if len(wrong):
                for path, sign in ((right, 1), (best, -1)):
                    np.add.at(transitions, (path[:-1], path[1:]), sign)
                    np.add.at(late_transitions, (path[:-1], path[1:]), sign * step)
                weights[nothing] = 0
            n_wrong += len(wrong)
            step += 1
        say(f"round {turn + 1} of {rounds}: {100 * (1 - n_wrong / len(gold)):.2f} % right")
    late[nothing] = 0
    means = weights - late / step
    return means[:nothing].astype(np.float32), (transitions - late_transitions / step).astype(
        np.float32
    )


def _largest(weights: Weights) -> npt.NDArray[np.bool_]:
    """Choose the weights that are kept."""
    sizes = np.abs(weights)
    kept = sizes >= SMALLEST_WEIGHT
    if int(kept.sum()) > MOST_WEIGHTS:
        order = np.argsort(-sizes, axis=None, kind="stable")[:MOST_WEIGHTS]
        kept = np.zeros(weights.size, dtype=np.bool_)
        kept[order] = True
        kept = kept.reshape(weights.shape)
    return kept


def _pack(
    rows: _Rows, weights: Weights, kept: npt.NDArray[np.bool_], *, is_pair: bool
) -> AttributeWeights:
    """Pack the weights of one kind of attributes, by their keys in order."""
    chosen = np.flatnonzero((rows.is_pair == is_pair) & kept.any(axis=1))
    chosen = chosen[np.argsort(rows.keys[chosen])]
    if not len(chosen):  # a table of one attribute that is of nothing
        return AttributeWeights(
            np.zeros(1, dtype=np.uint32),
            np.zeros(2, dtype=np.int64),
            np.zeros(0, dtype=np.uint8),
            np.zeros(0, dtype=np.float32),
        )
    theirs = kept[chosen]
    places, labels = np.nonzero(theirs)
    return AttributeWeights(
        rows.keys[chosen],
        np.concatenate([[0], np.cumsum(theirs.sum(axis=1))]),
        labels.astype(np.uint8),
        weights[chosen[places], labels],
    )
