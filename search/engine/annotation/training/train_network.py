"""Train a window network with a linear chain above it; `train_tagger` calls it.

Input: sentences as numbers of word types with their tags, and what is known of the types. Output: a
`WindowNetwork` and its transitions. Stochastic gradients of the chain's likelihood with Adam;
inputs, hidden units and word forms are left out at random (Srivastava et al. 2014). The order of
additions is fixed, so one seed gives one network on one kind of processor (see `train`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from search.engine.annotation.decoding import Scores
from search.engine.annotation.features import N_PLACES, PLACE_OFFSETS, UInt32
from search.engine.annotation.network import EmbeddingTable, WindowNetwork
from search.engine.annotation.training.chain_gradient import BatchOrder, Numbers, chain_gradient
from search.engine.annotation.word_vectors import Floats

# As published, but for the second: gradients change faster here than over a thousand steps.
DECAY_MEAN = 0.9
DECAY_SQUARE = 0.99
EPSILON = 1e-7


class Adam:
    """Small steps along gradients (Kingma and Ba 2015); parameters are changed in place."""

    def __init__(self, parameters: Mapping[str, Floats]) -> None:
        self._parameters = parameters
        self._means = {name: np.zeros_like(array) for name, array in parameters.items()}
        self._squares = {name: np.zeros_like(array) for name, array in parameters.items()}
        self._n_steps = 0

    def step(self, gradients: Mapping[str, Floats], rate: float) -> None:
        """Move each parameter against its gradient, by about `rate` in each number."""
        self._n_steps += 1
        size = rate * np.sqrt(1 - DECAY_SQUARE**self._n_steps) / (1 - DECAY_MEAN**self._n_steps)
        for name, gradient in gradients.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - DECAY_MEAN) * (gradient - mean)
            square += (1 - DECAY_SQUARE) * (gradient * gradient - square)
            change = mean / (np.sqrt(square) + EPSILON)
            change *= np.float32(size)
            self._parameters[name][...] -= change


# Length of the learnt vectors of form, endings, beginnings, shape, flag, tag set, capitals and
# clusters. A form of 48 numbers was no better than one of 24.
DIMENSIONS = (24, 6, 12, 16, 16, 4, 8, 12, 14, 4, 24, 6, 12, 16)
# Values of fewer types than this share the vector of the unknown (forms: of fewer tokens).
MIN_COUNTS = (2, 2, 3, 3, 3, 2, 3, 3, 2, 2, 2, 2, 2, 2)
# How much a place weighs before anything is learnt.
PLACE_SIZES = (1.0, 0.7, 0.7, 0.4, 0.4)
BATCHES_PER_POOL = 40
WARM_UP_STEPS = 200
# Beside the constant share, a form seen n times is left out once in 2 n times.
FORGET_RARE = 0.5


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """How a network is trained; figures of other settings stand in `docs/design/tagging.md`."""

    hidden: int = 128
    epochs: int = 14
    batch: int = 48
    rate: float = 2.5e-3
    drop_input: float = 0.2
    drop_hidden: float = 0.5
    forget_form: float = 0.15
    seed: int = 1


@dataclass(frozen=True, slots=True)
class TypeInputs:
    """Of n types: the columns of `features`, word vectors (n, d), occurrences of the form (n,)."""

    columns: UInt32
    vectors: Floats
    counts: Numbers

    def keys(self) -> list[UInt32]:
        """Values of each column that get a vector of their own, sorted."""
        chosen = [np.unique(self.columns[self.counts >= MIN_COUNTS[0], 0])]
        for column, least in zip(self.columns.T[1:], MIN_COUNTS[1:], strict=True):
            values, counts = np.unique(column, return_counts=True)
            chosen.append(values[counts >= least])
        return chosen


@dataclass(frozen=True, slots=True)
class TaggedTypes:
    """A sentence: type numbers with two boundaries at either end, and tag numbers."""

    types: Numbers
    tags: Numbers


@dataclass(frozen=True, slots=True)
class _Batch:
    """Tokens of some sentences: their distinct types, places of the windows' types, right tags."""

    types: Numbers
    windows: Numbers
    gold: Numbers
    order: BatchOrder


def train_network(
    sentences: Sequence[TaggedTypes],
    known: TypeInputs,
    n_tags: int,
    settings: NetworkSettings,
) -> tuple[WindowNetwork, Scores]:
    """Learn a network and its transitions.

    Parameters
    ----------
    sentences
        None without tokens.
    known
        What is known of each type; row 0 is the boundary.
    n_tags
        Number of tags.
    settings
        Sizes, rates and the seed.

    Returns
    -------
    tuple of WindowNetwork and array (tags, tags)
        Scores are natural logarithms up to a constant.
    """
    learner = _Learner(known, n_tags, settings)
    n_batches = -(-len(sentences) // settings.batch)
    n_steps = settings.epochs * n_batches
    step = 0
    for _ in range(settings.epochs):
        for batch in _batches(sentences, settings.batch, learner.random):
            step += 1
            warm = min(1.0, step / WARM_UP_STEPS)
            learner.learn(batch, settings.rate * warm * (1 - step / (n_steps + 1)))
    return learner.network(), learner.parameters["transitions"]


def _batches(
    sentences: Sequence[TaggedTypes], size: int, random: np.random.Generator
) -> Iterator[_Batch]:
    """Shuffle sentences and put those of like length together."""
    order = random.permutation(len(sentences)).tolist()
    pool_size = size * BATCHES_PER_POOL
    batches: list[list[int]] = []
    for start in range(0, len(order), pool_size):
        pool = sorted(order[start : start + pool_size], key=lambda i: -len(sentences[i].tags))
        batches += [pool[first : first + size] for first in range(0, len(pool), size)]
    for number in random.permutation(len(batches)).tolist():
        yield _batch([sentences[i] for i in batches[number]])


def _batch(sentences: list[TaggedTypes]) -> _Batch:
    lengths = np.array([len(sentence.tags) for sentence in sentences])
    order = BatchOrder.build(lengths)
    types, places = np.unique(
        np.concatenate([sentence.types for sentence in sentences]), return_inverse=True
    )
    starts = np.cumsum(lengths + 4) - (lengths + 4)
    tokens = starts[order.sentences] + 2 + order.places
    first_tags = np.cumsum(lengths) - lengths
    tags = np.concatenate([sentence.tags for sentence in sentences])
    return _Batch(
        types,
        np.stack([places[tokens + offset] for offset in PLACE_OFFSETS]),
        tags[first_tags[order.sentences] + order.places],
        order,
    )


class _Learner:
    """Parameters of a network while they are learnt."""

    def __init__(self, known: TypeInputs, n_tags: int, settings: NetworkSettings) -> None:
        self._known = known
        self._settings = settings
        self._keys = known.keys()
        self.random = np.random.default_rng(settings.seed)
        tables = [EmbeddingTable(keys, np.zeros((0, 0), np.float32)) for keys in self._keys]
        self._rows = np.stack(
            [table.rows(column) for table, column in zip(tables, known.columns.T, strict=True)],
            axis=1,
        )
        self.parameters = self._first_parameters(n_tags)
        self._adam = Adam(self.parameters)

    def _first_parameters(self, n_tags: int) -> dict[str, Floats]:
        hidden = self._settings.hidden
        parameters = {
            f"table{i}": self._normal((len(keys) + 1, size), 0.3)
            for i, (keys, size) in enumerate(zip(self._keys, DIMENSIONS, strict=True))
        }
        n_inputs = sum(DIMENSIONS) + self._known.vectors.shape[1]
        first = self._normal((N_PLACES, n_inputs, hidden), float(np.sqrt(0.5 / n_inputs)))
        return parameters | {
            "first": first * np.array(PLACE_SIZES, dtype=np.float32)[:, None, None],
            "bias": np.zeros(hidden, np.float32),
            "second": self._normal((hidden, n_tags), float(np.sqrt(1 / hidden))),
            "direct": np.zeros((n_inputs, n_tags), np.float32),
            "tag_bias": np.zeros(n_tags, np.float32),
            "transitions": np.zeros((n_tags, n_tags), np.float32),
        }

    def _normal(self, shape: tuple[int, ...], size: float) -> Floats:
        return (self.random.normal(size=shape) * size).astype(np.float32)

    def _mask(self, shape: tuple[int, ...], drop: float) -> Floats:
        """Zero for what is left out; what stays is made larger, so that sums stay alike."""
        kept = self.random.random(shape, dtype=np.float32) >= drop
        return kept.astype(np.float32) / np.float32(1 - drop)

    def learn(self, batch: _Batch, rate: float) -> None:
        """Make one step."""
        settings, weights = self._settings, self.parameters
        rows = self._rows[batch.types].copy()
        forget = settings.forget_form + FORGET_RARE / np.maximum(1, self._known.counts[batch.types])
        rows[self.random.random(len(rows)) < forget, 0] = 0
        tables = [weights[f"table{i}"][column] for i, column in enumerate(rows.T)]
        inputs = np.concatenate([*tables, self._known.vectors[batch.types]], axis=1)
        input_mask = self._mask(inputs.shape, settings.drop_input)
        inputs *= input_mask
        sums = np.repeat(weights["bias"][None], len(batch.gold), axis=0)
        for place, window in enumerate(batch.windows):
            sums += (inputs @ weights["first"][place])[window]
        hidden_mask = self._mask(sums.shape, settings.drop_hidden) * (sums > 0)
        hidden = sums * hidden_mask
        scores = hidden @ weights["second"] + (inputs @ weights["direct"])[batch.windows[0]]
        scores += weights["tag_bias"]

        found = chain_gradient(scores, weights["transitions"], batch.gold, batch.order)
        size = np.float32(1 / int(batch.order.n_running[0]))
        wrong = found.scores * size
        hidden_wrong = ((wrong @ weights["second"].T) * hidden_mask).astype(np.float32)
        gradients = {
            "transitions": found.transitions * size,
            "second": hidden.T @ wrong,
            "tag_bias": wrong.sum(axis=0),
            "bias": hidden_wrong.sum(axis=0),
        }
        input_wrong = self._into_layers(batch, inputs, (wrong, hidden_wrong), gradients)
        self._into_tables(rows, input_wrong * input_mask, gradients)
        self._adam.step(gradients, rate)

    def _into_layers(
        self,
        batch: _Batch,
        inputs: Floats,
        wrong: tuple[Floats, Floats],
        gradients: dict[str, Floats],
    ) -> Floats:
        """Add the gradients of the layers above the inputs; return that of the inputs."""
        n_types = len(inputs)
        by_type = _sums(wrong[0], batch.windows[0], n_types)
        gradients["direct"] = inputs.T @ by_type
        input_wrong: Floats = by_type @ self.parameters["direct"].T
        first = np.empty_like(self.parameters["first"])
        for place, window in enumerate(batch.windows):
            by_type = _sums(wrong[1], window, n_types)
            first[place] = inputs.T @ by_type
            input_wrong += by_type @ self.parameters["first"][place].T
        gradients["first"] = first
        return input_wrong

    def _into_tables(
        self, rows: Numbers, input_wrong: Floats, gradients: dict[str, Floats]
    ) -> None:
        start = 0
        for number, size in enumerate(DIMENSIONS):
            name = f"table{number}"
            n_rows = len(self.parameters[name])
            part = input_wrong[:, start : start + size]
            gradients[name] = _sums(part, rows[:, number], n_rows)
            start += size

    def network(self) -> WindowNetwork:
        """Return what was learnt, but for the transitions."""
        weights = self.parameters
        return WindowNetwork(
            tuple(
                EmbeddingTable(keys, weights[f"table{number}"])
                for number, keys in enumerate(self._keys)
            ),
            weights["first"],
            weights["bias"],
            weights["second"],
            weights["direct"],
            weights["tag_bias"],
        )


def _sums(values: Floats, groups: Numbers, n_groups: int) -> Floats:
    """Add up rows that belong to the same group; zeros for groups without rows."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    sums = np.zeros((n_groups, values.shape[1]), dtype=np.float32)
    sums[ordered[starts]] = np.add.reduceat(values[order], starts, axis=0)
    return sums
