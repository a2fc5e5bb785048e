"""Training of networks: it learns, it repeats itself, it survives being stored."""

from dataclasses import replace

import numpy as np
import pytest

from search.engine.annotation.features import CaseFlag, type_attributes
from search.engine.annotation.model import TaggerModel
from search.engine.annotation.network import NetworkGroup
from search.engine.annotation.tagger import Tagger
from search.engine.annotation.training.build_word_classes import no_word_classes
from search.engine.annotation.training.train_network import NetworkSettings
from search.engine.annotation.training.train_tagger import TrainingText, train
from search.engine.annotation.word_vectors import WordVectors

# The tag of "b" hangs on the word two places before it, so neither a word nor a pair decides it.
SENTENCES = [
    (["x", "a", "b"], ["X", "A", "B1"]),
    (["y", "a", "b"], ["Y", "A", "B2"]),
    (["x", "c", "b"], ["X", "C", "B1"]),
    (["y", "c", "b"], ["Y", "C", "B2"]),
] * 8
SETTINGS = NetworkSettings(hidden=16, epochs=30, batch=4, rate=0.02, drop_hidden=0.1)


def trained(settings=SETTINGS):
    text = TrainingText(SENTENCES, no_word_classes(), WordVectors.none())
    return train(text, (settings,), rounds=1)


@pytest.fixture(scope="module")
def model():
    return trained()


def without_perceptron(model):
    """Return the model with its network alone."""
    parts = {
        name: replace(part, weights=np.zeros_like(part.weights))
        for name, part in (("single", model.single), ("pairs", model.pairs))
    }
    return replace(model, **parts)


def network_scores(model):
    types = [("", CaseFlag.NORMAL), ("x", CaseFlag.FIRST), ("b", CaseFlag.NORMAL)]
    attributes = type_attributes(types, model.word_classes)
    return model.networks.tabulate(attributes.columns, attributes.folded, len(model.tags))


def test_what_was_shown_is_learnt(model):
    tagger = Tagger(without_perceptron(model))

    found = tagger.tag_sentences([words for words, _ in SENTENCES])

    assert found == [tags for _, tags in SENTENCES]


def test_the_same_seed_gives_the_same_network(model):
    first, second = model.networks.networks[0], trained().networks.networks[0]

    assert np.array_equal(first.first, second.first)
    assert np.array_equal(first.second, second.second)


def test_another_seed_gives_another_network(model):
    other = trained(NetworkSettings(hidden=16, epochs=1, batch=4, seed=2)).networks.networks[0]

    assert not np.array_equal(model.networks.networks[0].first, other.first)


def test_a_stored_model_scores_nearly_alike(model, tmp_path):
    path = tmp_path / "model.npz"
    np.savez(path, **model.arrays())

    stored = TaggerModel.load(path)

    for before, after in zip(network_scores(model), network_scores(stored), strict=True):
        assert np.abs(before - after).max() < 0.2 * np.abs(before).max()
    tagged = Tagger(stored).tag_sentences([words for words, _ in SENTENCES])
    assert tagged == [tags for _, tags in SENTENCES]


def test_no_network_adds_nothing():
    attributes = type_attributes([("x", CaseFlag.FIRST)], no_word_classes())

    products, direct = NetworkGroup.none().tabulate(attributes.columns, attributes.folded, 3)

    assert products.shape == (5, 1, 0)
    assert direct.tolist() == [[0, 0, 0]]
