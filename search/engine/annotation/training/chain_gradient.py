"""How a linear chain should change: scores, transitions, right tags → loss and gradients.

The forward and backward sums of a conditional random field (Lafferty, McCallum and Pereira 2001),
in probabilities that are scaled at every token (Rabiner 1989), for a batch of sentences at once.
Needed by training only.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.engine.annotation.decoding import Scores

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BatchOrder:
    """Tokens of a batch, first those that begin a sentence, then the second ones, and so on.

    `n_running` tells how many sentences have a token of each place; the sentences stand longest
    first, so the first `n_running[t]` go on to place t.
    """

    n_running: Numbers
    sentences: Numbers
    places: Numbers

    @classmethod
    def build(cls, lengths: Numbers) -> "BatchOrder":
        """Order the tokens of sentences of the given positive lengths, longest first."""
        steps = np.arange(int(lengths[0]))
        n_running = np.searchsorted(-lengths, -steps, side="left")
        ends = np.cumsum(n_running)
        ranks = np.arange(int(ends[-1])) - np.repeat(ends - n_running, n_running)
        return cls(n_running, ranks, np.repeat(steps, n_running))

    def slices(self) -> list[slice]:
        """Rows of each place in a sentence."""
        ends = np.cumsum(self.n_running).tolist()
        return [slice(end - n, end) for end, n in zip(ends, self.n_running.tolist(), strict=True)]


@dataclass(frozen=True, slots=True)
class ChainGradient:
    """Negative log-likelihood of the right tags, and what it grows by with scores and transitions.

    `scores` has the shape of the batch's scores (tokens, tags), `transitions` (tags, tags).
    """

    loss: float
    scores: Scores
    transitions: Scores


def chain_gradient(
    scores: Scores, transitions: Scores, gold: Numbers, order: BatchOrder
) -> ChainGradient:
    """Compare what a chain expects with the right tags.

    Parameters
    ----------
    scores
        (tokens, tags), tokens in the batch's order.
    transitions
        (tags, tags): score of going from row to column.
    gold
        (tokens,): number of the right tag.
    order
        Of the tokens.

    Returns
    -------
    ChainGradient
        Sums over the batch. O(tokens x tags²).
    """
    steps = order.slices()
    heights = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - heights)
    moves = np.exp(transitions - transitions.max())
    forward = weights.copy()
    totals = np.empty((len(scores), 1), dtype=scores.dtype)
    for number, rows in enumerate(steps):
        if number:
            before = steps[number - 1].start
            forward[rows] *= forward[before : before + rows.stop - rows.start] @ moves
        totals[rows] = forward[rows].sum(axis=1, keepdims=True)
        forward[rows] /= totals[rows]
    backward = np.ones_like(weights)
    pairs = np.zeros_like(moves)
    for number in range(len(steps) - 1, 0, -1):
        rows, start = steps[number], steps[number - 1].start
        before_rows = slice(start, start + rows.stop - rows.start)
        ahead = weights[rows] * backward[rows] / totals[rows]
        backward[before_rows] = ahead @ moves.T
        pairs += forward[before_rows].T @ ahead
    pairs *= moves
    expected = forward * backward
    tokens = np.arange(len(gold))
    expected[tokens, gold] -= 1
    before_tokens = _tokens_before(order)
    later = int(order.n_running[0])
    np.subtract.at(pairs, (gold[before_tokens], gold[later:]), 1)
    loss = float(np.log(totals).sum() + heights.sum() - scores[tokens, gold].sum())
    loss -= float((transitions - transitions.max())[gold[before_tokens], gold[later:]].sum())
    return ChainGradient(loss, expected, pairs)


def _tokens_before(order: BatchOrder) -> Numbers:
    """Row of the token before each token but the sentences' first ones."""
    later = int(order.n_running[0])
    return np.arange(later, len(order.places)) - np.repeat(
        order.n_running[:-1], order.n_running[1:]
    )
