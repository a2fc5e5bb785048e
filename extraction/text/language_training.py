"""Softmax regression over hashed features, in whole numbers: pieces in, small weights out.

A model that counts n-grams (naive Bayes) treats overlapping n-grams as if each were news; trained
to tell the languages apart it names 1.5 more of 100 pieces of 15 characters. AdaGrad (Duchi, Hazan
and Singer 2011) from zero, which also leaves what was never of use at zero. Gradients are sums of
whole numbers, which no machine adds in another way; what remains (square root, division, rounding)
is exact by IEEE 754. The exponential is a table.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from extraction.text.language_features import BUCKET_BITS, features

SEED = 20261122  # fixed, so that the file can be made again
# Three rounds: a fourth gains nothing on pieces of unseen texts, a first alone is 0.6 points short.
N_ROUNDS = 3
BATCH = 4096
# Step of a weight in nats when its feature is first met; halved and doubled it is no better.
STEP = 0.05
# Whole numbers a nat while training and in the file. 16 fit int8 and lose nothing.
_FINE = 1 << 16
SCALE = 16
# Probabilities in 1/32768; differences of scores in 1/256 nats up to 16 nats.
_ONE = 1 << 15
_TABLE_STEPS = 256
_TABLE = np.array(
    [round(_ONE * math.exp(-place / _TABLE_STEPS)) for place in range(16 * _TABLE_STEPS)],
    dtype=np.int64,
)
# Languages with fewer pieces count more: the root of how much rarer they are, in 1/16.
_WEIGHT_STEPS = 16


@dataclass(frozen=True, slots=True)
class TrainingPiece:
    """A piece of a text as `letters_of` gives it, and the column of its language."""

    column: int
    letters: str


@dataclass(frozen=True, slots=True)
class Trained:
    """Weights (buckets x languages, int8), in 1/`scale` nats."""

    weights: npt.NDArray[np.int8]
    scale: int


def train(pieces: Sequence[TrainingPiece], n_columns: int) -> Trained:
    """Fit weights that tell the languages of the pieces apart.

    Parameters
    ----------
    pieces
        Training pieces in any order that is the same each time; shuffled here.
    n_columns
        Number of languages.

    Returns
    -------
    Trained
        One row for each bucket. About 20 s for 600,000 pieces.
    """
    columns = np.array([piece.column for piece in pieces])
    importance = _importance(columns, n_columns)
    weights = np.zeros((1 << BUCKET_BITS, n_columns), dtype=np.int32)
    squares = np.full(weights.shape, 0.01 * _ONE * _ONE)
    order = np.random.RandomState(SEED)
    for _ in range(N_ROUNDS):
        shuffled = order.permutation(len(pieces))
        for start in range(0, len(pieces), BATCH):
            batch = shuffled[start : start + BATCH]
            _learn(weights, squares, [pieces[k].letters for k in batch], columns[batch], importance)
    small = np.rint(weights / (_FINE / SCALE))
    return Trained(np.clip(small, -127, 127).astype(np.int8), SCALE)


def _importance(columns: npt.NDArray[np.int64], n_columns: int) -> npt.NDArray[np.int64]:
    counts = np.maximum(np.bincount(columns, minlength=n_columns), 1)
    rarer = np.sqrt(len(columns) / n_columns / counts)
    return np.asarray(np.rint(_WEIGHT_STEPS * rarer).astype(np.int64))


def _learn(
    weights: npt.NDArray[np.int32],
    squares: npt.NDArray[np.float64],
    letters: Sequence[str],
    columns: npt.NDArray[np.int64],
    importance: npt.NDArray[np.int64],
) -> None:
    """One step on a batch; changes `weights` and `squares`."""
    seen = features(letters)
    errors = -_probabilities(seen.sums(weights))
    errors[np.arange(len(columns)), columns] += _ONE
    errors = errors * importance[columns][:, None] // _WEIGHT_STEPS
    buckets = seen.buckets[_ranges(seen.starts.ravel(), seen.ends.ravel())]
    n_each = seen.ends - seen.starts
    texts = np.concatenate([np.repeat(np.arange(len(letters)), row) for row in n_each])
    order = np.argsort(buckets, kind="stable")
    buckets = buckets[order]
    firsts = np.flatnonzero(np.append(True, buckets[1:] != buckets[:-1]))
    gradient = np.add.reduceat(errors[texts[order]], firsts, axis=0).astype(np.float64)
    rows = buckets[firsts]
    squares[rows] += gradient * gradient
    weights[rows] += np.rint(_FINE * STEP * gradient / np.sqrt(squares[rows])).astype(np.int32)


def _probabilities(scores: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Softmax of each row, in 1/32768."""
    behind = scores.max(axis=1, keepdims=True).astype(np.int64) - scores
    places = np.minimum(behind * _TABLE_STEPS // _FINE, len(_TABLE) - 1)
    powers = _TABLE[places]
    return np.asarray(powers * _ONE // powers.sum(axis=1, keepdims=True))


def _ranges(starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """All numbers of the half-open ranges, one range behind the other."""
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths))
