"""Train the line model: `python -m extraction.html.training.train_line_model DATA`.

Labelled pages → `data/line_model.npz`. With `--folds` it writes nothing and reports the model's
loss and accuracy on sites it has not seen (whole domains are held out); `--without-fold` writes the
model that has not seen one of five folds, for the gate on unseen sites. Adam (Kingma & Ba 2015) on
the weighted log loss, dropout, cosine decay; seeds are fixed, and with OPENBLAS_NUM_THREADS=1 one
kind of processor makes the same file again.
"""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from extraction.html.lines.line_forms import FloatMatrix
from extraction.html.lines.line_model import (
    MIN_DEVIATION,
    MODEL_PATH,
    LineModel,
    sigmoid,
)
from extraction.html.training.training_pages import TrainingPage, read_pages

# Layers of a network; networks whose mean is the model; domains are held out in so many folds.
HIDDEN = (96, 48)
N_NETWORKS = 6
N_FOLDS = 5
# How each network is trained; `--folds` reports the loss on sites it has not seen.
EPOCHS = 8
BATCH = 1024
LEARNING_RATE = 2e-3
DROPOUT = 0.35
# Share of the features each example does without, so that the networks don't lean on a few class
# words. Cross-validated by domain: log loss .1199 → .1098, mean F1 of the sets .9554 → .9570.
INPUT_DROPOUT = 0.15
DECAY = 1e-4
_BETA_1, _BETA_2, _EPSILON = 0.9, 0.999, 1e-8  # of Adam, as its authors propose

Vector = npt.NDArray[np.float32]


@dataclass(slots=True)
class _Network:
    """Weights in training with Adam's moments."""

    weights: list[FloatMatrix]
    biases: list[Vector]
    random: np.random.Generator
    moments: list[tuple[FloatMatrix, FloatMatrix]] = field(default_factory=list)
    n_steps: int = 0

    @classmethod
    def make(cls, n_inputs: int, seed: int) -> "_Network":
        random = np.random.default_rng(seed)
        sizes = (n_inputs, *HIDDEN, 1)
        weights = [
            (random.standard_normal((wide, narrow)) * np.sqrt(2 / wide)).astype(np.float32)
            for wide, narrow in pairwise(sizes)
        ]
        biases = [np.zeros(size, dtype=np.float32) for size in sizes[1:]]
        network = cls(weights, biases, random)
        network.moments = [(np.zeros_like(p), np.zeros_like(p)) for p in (*weights, *biases)]
        return network

    def step(self, inputs: FloatMatrix, labels: Vector, weights: Vector, rate: float) -> None:
        """One step down the weighted log loss of a batch."""
        signals: list[FloatMatrix] = [inputs * self._mask(inputs.shape, INPUT_DROPOUT)]
        masks: list[FloatMatrix] = []
        for matrix, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            signal = np.maximum(signals[-1] @ matrix + bias, np.float32(0.0))
            masks.append(self._mask(signal.shape, DROPOUT))
            signals.append(signal * masks[-1])
        output = (signals[-1] @ self.weights[-1] + self.biases[-1])[:, 0]
        error = ((sigmoid(output) - labels) * weights / len(labels))[:, None].astype(np.float32)
        gradients: list[FloatMatrix] = []
        bias_gradients: list[Vector] = []
        for layer in range(len(self.weights) - 1, -1, -1):
            gradients.insert(0, signals[layer].T @ error + DECAY * self.weights[layer])
            bias_gradients.insert(0, error.sum(axis=0))
            if layer:
                error = (error @ self.weights[layer].T) * masks[layer - 1] * (signals[layer] > 0)
        self._adam([*gradients, *bias_gradients], rate)

    def _mask(self, shape: tuple[int, ...], dropped: float) -> FloatMatrix:
        """Zeros for the dropped share, and the others raised so that sums stay."""
        kept = self.random.random(shape, dtype=np.float32) > dropped
        return kept.astype(np.float32) / np.float32(1 - dropped)

    def _adam(self, gradients: Sequence[npt.NDArray[np.float32]], rate: float) -> None:
        self.n_steps += 1
        parameters = (*self.weights, *self.biases)
        for parameter, gradient, (first, second) in zip(
            parameters, gradients, self.moments, strict=True
        ):
            first[:] = _BETA_1 * first + (1 - _BETA_1) * gradient
            second[:] = _BETA_2 * second + (1 - _BETA_2) * gradient * gradient
            mean = first / (1 - _BETA_1**self.n_steps)
            spread = np.sqrt(second / (1 - _BETA_2**self.n_steps)) + _EPSILON
            parameter[:] = parameter - rate * mean / spread


def train(pages: Sequence[TrainingPage], n_networks: int = N_NETWORKS) -> LineModel:
    """Model of the given pages; fewer networks for a quick comparison of features."""
    features = np.concatenate([page.features for page in pages])
    labels = np.concatenate([page.labels for page in pages])
    weights = np.concatenate([page.weights for page in pages])
    mean = features.mean(axis=0)
    deviation = features.std(axis=0) + np.float32(MIN_DEVIATION)
    known = weights > 0
    weights = (weights / weights[known].mean()).astype(np.float32)
    model = LineModel(mean, deviation, ())
    inputs = model.standardized(features[known])
    networks = [_fit(inputs, labels[known], weights[known], seed) for seed in range(n_networks)]
    layers = tuple(tuple(zip(network.weights, network.biases, strict=True)) for network in networks)
    return LineModel(mean, deviation, layers)


def _fit(inputs: FloatMatrix, labels: Vector, weights: Vector, seed: int) -> _Network:
    network = _Network.make(inputs.shape[1], seed)
    n_batches = max(len(inputs) // BATCH, 1)
    n_done, n_total = 0, EPOCHS * n_batches
    for _ in range(EPOCHS):
        order = network.random.permutation(len(inputs))
        for start in range(0, n_batches * BATCH, BATCH):
            rows = order[start : start + BATCH]
            rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * n_done / n_total))
            network.step(inputs[rows], labels[rows], weights[rows], rate)
            n_done += 1
    return network


def fold_of(group: str, n_folds: int) -> int:
    """Fold of a registered domain; the same on every machine."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % n_folds


def cross_validated(pages: Sequence[TrainingPage], n_folds: int) -> list[Vector]:
    """Probabilities of every page by a model that has not seen its site.

    In the order of the pages.
    """
    found: dict[int, Vector] = {}
    for fold in range(n_folds):
        model = train([page for page in pages if fold_of(page.group, n_folds) != fold])
        for position, page in enumerate(pages):
            if fold_of(page.group, n_folds) == fold:
                found[position] = model.probabilities(page.features)
    return [found[position] for position in range(len(pages))]


def main(arguments: Sequence[str]) -> None:
    """Train and write the model, or cross-validate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--output", type=Path, default=MODEL_PATH)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--without-fold", type=int, choices=range(N_FOLDS))
    options = parser.parse_args(arguments)
    pages = list(read_pages(options.data))
    if options.without_fold is not None:
        pages = [page for page in pages if fold_of(page.group, N_FOLDS) != options.without_fold]
    if not options.folds:
        train(pages).save(options.output)
        sys.stdout.write(f"{len(pages)} pages -> {options.output}\n")
        return
    found = cross_validated(pages, options.folds)
    for set_name in sorted({page.set_name for page in pages}):
        chosen = [(p, f) for p, f in zip(pages, found, strict=True) if p.set_name == set_name]
        right = sum(float((page.weights * ((f >= 0.5) == page.labels)).sum()) for page, f in chosen)
        total = sum(float(page.weights.sum()) for page, _ in chosen)
        sys.stdout.write(f"{set_name}: weighted accuracy {right / total:.4f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
