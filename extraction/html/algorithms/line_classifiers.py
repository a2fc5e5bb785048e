"""The three classifiers that DGWC names: linear SVM, Naive Bayes, decision tree.

Each is trained from flags or levels with weights and answers with a margin; above 0 is topical.
Seeds are fixed, so the same lines give the same classifier.

References
----------
S. Shalev-Shwartz, Y. Singer, N. Srebro, A. Cotter: Pegasos: primal estimated sub-gradient solver
for SVM. Mathematical Programming 127, 2011. J. R. Quinlan: C4.5, 1993 (gain ratio).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from extraction.html.algorithms.line_values import Matrix
from extraction.html.algorithms.memberships import N_LEVELS

Flags = npt.NDArray[np.bool_]
Vector = npt.NDArray[np.float64]

# Pegasos: regularisation, lines a step and steps. More steps move the weights by less than 0.01.
SVM_LAMBDA = 1e-3
SVM_BATCH = 256
SVM_STEPS = 20_000
SVM_SEED = 1
# Laplace's estimate, so that a level never seen forbids nothing.
NAIVE_BAYES_PRIOR = 1.0
# C4.5's way to stop: a branch must hold this share of all lines, or it is decided as it stands.
TREE_LEAST_SHARE = 1e-4


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Margin = inputs · weights + bias; what SVM and Naive Bayes come to on flags."""

    weights: Vector
    bias: float

    def margins(self, inputs: Matrix) -> Vector:
        """Margins of shape (n_lines,); above 0 is topical."""
        found: Vector = inputs @ self.weights + self.bias
        return found


@dataclass(frozen=True, slots=True)
class TableModel:
    """A decision tree over levels, written out: the share of topical lines in each cell's leaf.

    `shares` has one axis of length 3 a value.
    """

    shares: npt.NDArray[np.float64]

    def margins(self, found: npt.NDArray[np.int64]) -> Vector:
        """Share of topical lines in the leaf minus one half, shape (n_lines,)."""
        margins: Vector = self.shares[tuple(found.T)] - 0.5
        return margins


def train_svm(
    inputs: Matrix, topical: Flags, *, n_steps: int = SVM_STEPS, seed: int = SVM_SEED
) -> LinearModel:
    """Linear SVM by mini-batch Pegasos with averaged weights over the second half of the steps.

    The bias is a constant input of 1 and is regularised with the rest, as in section 6 of the
    paper.
    """
    random = np.random.default_rng(seed)
    extended = np.concatenate([inputs, np.ones((len(inputs), 1))], axis=1)
    signs = np.where(topical, 1.0, -1.0)
    weights = np.zeros(extended.shape[1])
    total = np.zeros_like(weights)
    for step in range(1, n_steps + 1):
        rows = random.integers(0, len(extended), SVM_BATCH)
        batch, batch_signs = extended[rows], signs[rows]
        violated = batch_signs * (batch @ weights) < 1.0
        push = (batch_signs[violated] @ batch[violated]) / SVM_BATCH
        weights = (1.0 - 1.0 / step) * weights + push / (SVM_LAMBDA * step)
        norm = float(np.linalg.norm(weights))
        weights *= min(1.0, 1.0 / (np.sqrt(SVM_LAMBDA) * norm)) if norm else 1.0
        if step > n_steps // 2:
            total += weights
    mean = total / (n_steps - n_steps // 2)
    return LinearModel(mean[:-1], float(mean[-1]))


def train_naive_bayes(flags: Matrix, topical: Flags) -> LinearModel:
    """Naive Bayes over the levels: log odds of the classes are linear in the flags."""
    n_topical, n_others = int(topical.sum()), int((~topical).sum())
    in_topical = _log_shares(flags[topical].sum(axis=0), n_topical)
    in_others = _log_shares(flags[~topical].sum(axis=0), n_others)
    return LinearModel(in_topical - in_others, float(np.log(n_topical) - np.log(n_others)))


def train_tree(found: npt.NDArray[np.int64], topical: Flags) -> TableModel:
    """Decision tree by gain ratio over the levels, each value asked at most once on a path."""
    counts = np.zeros((2, *(N_LEVELS,) * found.shape[1]))
    np.add.at(counts, (topical.astype(np.int64), *found.T), 1.0)
    shares = np.zeros(counts.shape[1:])
    _grow(counts, shares, list(range(found.shape[1])), TREE_LEAST_SHARE * counts.sum())
    return TableModel(shares)


def _log_shares(counts: Vector, n_lines: int) -> Vector:
    smoothed: Vector = np.log(counts + NAIVE_BAYES_PRIOR) - np.log(
        n_lines + N_LEVELS * NAIVE_BAYES_PRIOR
    )
    return smoothed


def _grow(
    counts: npt.NDArray[np.float64],
    shares: npt.NDArray[np.float64],
    unasked: list[int],
    least: float,
) -> None:
    """Decide the cells of a branch: `counts` and `shares` are views of its part of the table."""
    others, topical = counts[0].sum(), counts[1].sum()
    total = others + topical
    if total > 0.0:
        shares[...] = topical / total
    if total <= least or 0.0 in (others, topical):
        return
    gains = {value: _gain_ratio(counts, value) for value in unasked}
    best = max(gains, key=gains.__getitem__, default=-1)
    if best < 0 or gains[best] <= 0.0:
        return
    rest = [value for value in unasked if value != best]
    for level in range(N_LEVELS):
        branch = [slice(None)] * shares.ndim
        branch[best] = slice(level, level + 1)
        _grow(counts[(slice(None), *branch)], shares[tuple(branch)], rest, least)


def _gain_ratio(counts: npt.NDArray[np.float64], value: int) -> float:
    axes = tuple(axis + 1 for axis in range(counts.ndim - 1) if axis != value)
    by_level = counts.sum(axis=axes)  # (class, level)
    sizes = by_level.sum(axis=0)
    after = sum(
        size * _entropy(by_level[:, level]) for level, size in enumerate(sizes.tolist()) if size
    )
    gain = _entropy(by_level.sum(axis=1)) - after / sizes.sum()
    split = _entropy(sizes)
    return float(gain / split) if split else 0.0


def _entropy(counts: npt.NDArray[np.float64]) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())
