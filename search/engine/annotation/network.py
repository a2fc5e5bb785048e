"""A window network whose first layer can be tabulated: word types in, hidden sums and tags out.

A word type is looked up in tables of learnt vectors (its form, endings, beginnings, shape, classes)
and in the word vectors; joined they are its input. A token's hidden layer is the rectified sum of
one product of each of five types, so the products of a type can be kept and a token costs five
additions and one small product (cf. Collobert et al. 2011; the tabulation is ours). A direct layer
leads from the token's own type to the tags.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from search.engine.annotation.features import N_PLACES, UInt32
from search.engine.annotation.word_vectors import Floats, WordVectors

# Steps in a standard deviation of a stored column: 8 lose nothing on the development data and
# compress to two thirds of what 32 take.
STEPS = 8
# Larger products numpy's library gives to several threads, which spin more than they work.
ROWS_PER_PRODUCT = 4

Arrays = dict[str, npt.NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class EmbeddingTable:
    """Sorted values and their learnt vectors; row 0 is that of every other value."""

    keys: UInt32
    vectors: Floats

    def rows(self, values: UInt32) -> npt.NDArray[np.int64]:
        """Row of each value, 0 where it has none."""
        places = np.searchsorted(self.keys, values).clip(max=len(self.keys) - 1)
        return np.where(self.keys[places] == values, places + 1, 0)


@dataclass(frozen=True, slots=True)
class WindowNetwork:
    """Weights: `first` (places, inputs, hidden), `second` (hidden, tags), `direct` (inputs, tags).

    `bias` (hidden,) belongs to the first layer, `tag_bias` (tags,) to the second.
    """

    tables: tuple[EmbeddingTable, ...]
    first: Floats
    bias: Floats
    second: Floats
    direct: Floats
    tag_bias: Floats

    def inputs(self, columns: UInt32, vectors: Floats) -> Floats:
        """Join what is looked up for n types with their word vectors: (n, inputs)."""
        parts = [
            table.vectors[table.rows(values)]
            for table, values in zip(self.tables, columns.T, strict=True)
        ]
        return np.concatenate([*parts, vectors], axis=1)

    def scaled(self, factor: np.float32) -> "WindowNetwork":
        """Return the network whose tag scores are multiplied."""
        return replace(
            self,
            second=self.second * factor,
            direct=self.direct * factor,
            tag_bias=self.tag_bias * factor,
        )

    def arrays(self, name: str) -> Arrays:
        """Return what is stored of the weights, by name; keys are stored apart, see `pack`."""
        packed = {f"table{number}": table.vectors for number, table in enumerate(self.tables)}
        packed |= {
            "first": self.first.reshape(-1, self.first.shape[2]),
            "second": self.second,
            "direct": self.direct,
            "bias": self.bias[:, None],
            "tag_bias": self.tag_bias[:, None],
        }
        return {
            f"{name}_{part}_{kind}": array
            for part, matrix in packed.items()
            for kind, array in _quantize(matrix).items()
        }

    @classmethod
    def load(
        cls, stored: Mapping[str, npt.NDArray[Any]], name: str, keys: Sequence[UInt32]
    ) -> "WindowNetwork":
        """Read back what `arrays` made."""

        def matrix(part: str) -> Floats:
            steps: Floats = stored[f"{name}_{part}_steps"]
            values: Floats = stored[f"{name}_{part}_values"].astype(np.float32)
            return values * steps

        first = matrix("first")
        return cls(
            tuple(EmbeddingTable(found, matrix(f"table{i}")) for i, found in enumerate(keys)),
            first.reshape(N_PLACES, -1, first.shape[1]),
            matrix("bias")[:, 0],
            matrix("second"),
            matrix("direct"),
            matrix("tag_bias")[:, 0],
        )


def _in_one_thread(rows: Floats, first: Floats) -> Floats:
    """Multiply (n, inputs) with (places, inputs, hidden), a few rows at a time.

    Returns
    -------
    array (places, n, hidden)
    """
    n_rows, n_inputs = rows.shape
    padded = np.zeros((-(-n_rows // ROWS_PER_PRODUCT) * ROWS_PER_PRODUCT, n_inputs), np.float32)
    padded[:n_rows] = rows
    groups = padded.reshape(-1, ROWS_PER_PRODUCT, n_inputs) @ first[:, None]
    return groups.reshape(len(first), len(padded), -1)[:, :n_rows]


def _quantize(matrix: Floats) -> Arrays:
    """Values of a byte and the size of a step in each column (float32)."""
    spread = np.maximum(matrix.std(axis=0), np.abs(matrix).max(axis=0) * STEPS / 127)
    steps = np.maximum(spread / STEPS, np.float32(1e-8)).astype(np.float32)
    return {"values": np.round(matrix / steps).astype(np.int8), "steps": steps}


@dataclass(frozen=True, slots=True)
class NetworkGroup:
    """Networks that are added up, and the word vectors they share; perhaps none."""

    networks: tuple[WindowNetwork, ...]
    vectors: WordVectors

    @classmethod
    def none(cls) -> "NetworkGroup":
        """No networks at all."""
        return cls((), WordVectors.none())

    @property
    def n_hidden(self) -> int:
        """Hidden units of all networks."""
        return sum(len(network.bias) for network in self.networks)

    def tabulate(self, columns: UInt32, folded: UInt32, n_tags: int) -> tuple[Floats, Floats]:
        """Compute what is kept of n types: products (places, n, hidden) and tags (n, tags)."""
        vectors = self.vectors.look_up(folded)
        inputs = [network.inputs(columns, vectors) for network in self.networks]
        direct = np.zeros((len(folded), n_tags), dtype=np.float32)
        products: list[Floats] = []
        for network, rows in zip(self.networks, inputs, strict=True):
            products.append(_in_one_thread(rows, network.first))
            direct += _in_one_thread(rows, network.direct[None])[0] + network.tag_bias
        if not products:
            return np.zeros((N_PLACES, len(folded), 0), dtype=np.float32), direct
        return np.concatenate(products, axis=2), direct

    def bias(self) -> Floats:
        """Biases of all hidden units."""
        return np.concatenate([np.zeros(0, np.float32), *(n.bias for n in self.networks)])

    def second(self, n_tags: int) -> Floats:
        """Second layers, one below the other: (n_hidden, tags)."""
        empty = np.zeros((0, n_tags), dtype=np.float32)
        return np.concatenate([empty, *(network.second for network in self.networks)])

    def key_lists(self) -> Iterator[UInt32]:
        """Values each table knows; the same for all networks."""
        if self.networks:
            for table in self.networks[0].tables:
                yield table.keys
