"""Training: it learns, and gives the same bytes on every machine."""

import hashlib

import numpy as np

from extraction.text.language_features import features
from extraction.text.language_training import TrainingPiece, train

WORDS = (
    ["die", "kat", "sit", "op", "die", "mat", "en", "die", "hond", "slaap"],
    ["the", "cat", "sits", "on", "the", "mat", "and", "the", "dog", "sleeps"],
    ["ikati", "ihleli", "phezu", "kocansi", "futhi", "inja", "ilele"],
)
PIECES = [
    TrainingPiece(column, " ".join(words[start : start + 3]))
    for column, words in enumerate(WORDS)
    for start in range(len(words) - 2)
    for _ in range(20)
]


def test_training_tells_its_pieces_apart():
    trained = train(PIECES, 3)

    sums = features([piece.letters for piece in PIECES]).sums(trained.weights)
    assert np.argmax(sums, axis=1).tolist() == [piece.column for piece in PIECES]


def test_training_gives_the_same_bytes_on_every_machine():
    trained = train(PIECES, 3)

    assert hashlib.sha256(trained.weights.tobytes()).hexdigest()[:16] == "9333a477f96bc962"


def test_what_was_never_seen_has_no_weight():
    trained = train(PIECES, 3)

    seen = set(features([piece.letters for piece in PIECES]).buckets.tolist())
    unseen = [bucket for bucket in range(2000) if bucket not in seen]
    assert not trained.weights[unseen].any()
