"""The averaged perceptron: against means taken step by step, and what it learns."""

import numpy as np
from invented_treebank import words_of

from search.engine.annotation.decoding import viterbi
from search.engine.annotation.learning import perceptron
from search.engine.annotation.learning.perceptron import SEED, learn_tagger
from search.engine.annotation.tagger import Tagger

SENTENCES = [
    ([form for form, _, _ in words_of(number)], [tag for _, _, tag in words_of(number)])
    for number in range(40)
]


def slow_means(rows, gold, n_tags, rounds):
    """Add up all states of the weights and divide: what the fast way must come to."""
    weights = np.zeros((len(rows.keys) + 1, n_tags), dtype=np.float32)
    moves = np.zeros((n_tags, n_tags), dtype=np.float32)
    states, random = [(weights.copy(), moves.copy())], np.random.default_rng(SEED)
    for _ in range(rounds):
        for number in random.permutation(len(rows.bounds) - 1):
            start, end = rows.bounds[number : number + 2]
            right = gold[start:end]
            scores = weights[rows.rows[start:end]].sum(axis=1)
            best = viterbi(scores, np.array([len(right)]), moves)
            for path, sign in ((right, 1), (best, -1)):
                for place, tag in enumerate(path):
                    for attribute in rows.rows[start + place]:
                        if attribute < len(rows.keys):
                            weights[attribute, tag] += sign
                    if place:
                        moves[path[place - 1], tag] += sign
            states.append((weights.copy(), moves.copy()))
    return [
        sum(state[part].astype(np.float64) for state in states) / len(states) for part in (0, 1)
    ]


def test_the_means_are_those_of_all_states():
    some = SENTENCES[:8]
    tags = sorted({tag for _, theirs in some for tag in theirs})
    gold = np.array([tags.index(tag) for _, theirs in some for tag in theirs])
    rows = perceptron._number_attributes([words for words, _ in some])

    weights, moves = perceptron._learn(rows, gold, len(tags), 3, lambda _: None)

    slow_weights, slow_moves = slow_means(rows, gold, len(tags), 3)
    assert np.abs(slow_weights).max() > 0
    np.testing.assert_allclose(weights, slow_weights[:-1], atol=1e-6)
    np.testing.assert_allclose(moves, slow_moves, atol=1e-6)


def test_columns_that_tell_nothing_new_are_left_out():
    rows = perceptron._number_attributes([["one", "two", "three"], ["two", "One"]])

    assert rows.rows.shape[0] == 5
    assert len(set(rows.keys.tolist())) == len(rows.keys)
    # Of the empty word lists' columns at most one is left in each of five places.
    assert rows.rows.shape[1] < 40


def test_words_it_has_never_seen_are_told_by_their_beginnings_and_ends():
    tagger = Tagger(learn_tagger(SENTENCES))

    assert tagger.tag_sentences([["Umuvila", "uyasebela", "abavila", "."]]) == [
        ["NOUN", "VERB", "NOUN", "PUNCT"]
    ]


def test_the_same_sentences_give_the_same_model():
    one, other = learn_tagger(SENTENCES).arrays(), learn_tagger(SENTENCES).arrays()

    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_language_of_one_tag_and_one_word_is_learnt_too():
    assert Tagger(learn_tagger([(["ha"], ["INTJ"])])).tag_sentences([["ha"], ["x", "y"]]) == [
        ["INTJ"], ["INTJ", "INTJ"],
    ]  # fmt: skip


def test_a_large_model_keeps_its_largest_weights(monkeypatch):
    whole = learn_tagger(SENTENCES)
    monkeypatch.setattr(perceptron, "MOST_WEIGHTS", 100)

    small = learn_tagger(SENTENCES)

    kept = np.sort(np.abs(np.concatenate([small.single.weights, small.pairs.weights])))
    every = np.sort(np.abs(np.concatenate([whole.single.weights, whole.pairs.weights])))
    assert np.array_equal(kept, every[-100:])
