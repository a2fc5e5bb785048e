"""Gradients of a linear chain, against sums over every sequence."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.engine.annotation.training.chain_gradient import BatchOrder, chain_gradient

N_TAGS = 3


def loss_by_trying_all(scores, transitions, gold, order):
    """Negative log-likelihood, sentence by sentence, sequence by sequence."""
    total = 0.0
    for sentence in range(int(order.n_running[0])):
        rows = np.flatnonzero(order.sentences == sentence)
        emissions = scores[rows]

        def value(path, emissions=emissions):
            moves = sum(transitions[a, b] for a, b in itertools.pairwise(path))
            return sum(row[tag] for row, tag in zip(emissions, path, strict=True)) + moves

        paths = itertools.product(range(N_TAGS), repeat=len(rows))
        total += np.log(sum(np.exp(value(path)) for path in paths)) - value(gold[rows])
    return total


def test_tokens_stand_place_by_place():
    order = BatchOrder.build(np.array([3, 2, 2, 1]))

    assert order.n_running.tolist() == [4, 3, 1]
    assert order.sentences.tolist() == [0, 1, 2, 3, 0, 1, 2, 0]
    assert order.places.tolist() == [0, 0, 0, 0, 1, 1, 1, 2]


@settings(max_examples=25)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(0, 2**32 - 1))
def test_loss_and_gradients_are_those_of_all_sequences(lengths, seed):
    order = BatchOrder.build(np.array(sorted(lengths, reverse=True)))
    random = np.random.default_rng(seed)
    scores = random.normal(size=(sum(lengths), N_TAGS))
    transitions = random.normal(size=(N_TAGS, N_TAGS))
    gold = random.integers(N_TAGS, size=len(scores))

    found = chain_gradient(scores, transitions, gold, order)

    assert found.loss == pytest.approx(loss_by_trying_all(scores, transitions, gold, order))
    for array, gradient in ((scores, found.scores), (transitions, found.transitions)):
        place = tuple(random.integers(size) for size in array.shape)
        steps = []
        for step in (1e-5, -1e-5):
            array[place] += step
            steps.append(loss_by_trying_all(scores, transitions, gold, order))
            array[place] -= step
        assert gradient[place] == pytest.approx((steps[0] - steps[1]) / 2e-5, abs=1e-4)
