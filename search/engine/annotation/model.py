"""The tagger's model file: hashed weights, word classes and known words in one .npz.

Layout (all arrays little-endian, see `TaggerModel.load`): `tags` strings; `transitions` float16
(tags x tags, from row to column); `attributes` the gaps of the sorted 32-bit attribute numbers;
`n_weights` uint8 per attribute; `labels` uint8 and `weights` float16 per weight, attribute by
attribute; `pairs` whether an attribute is one of two words; `words` gaps of the sorted CRC-32s of
the training words; `class_words` and `classes` the word classes; `vector_…` the word vectors;
`keys…` what the networks' tables know; `network0_…` and so on the networks. Under 3 MB.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.engine.annotation.features import UInt32, WordClasses
from search.engine.annotation.network import NetworkGroup, WindowNetwork
from search.engine.annotation.word_vectors import WordVectors

MODEL_PATH = Path(__file__).parent / "data" / "tagger.npz"
AFRIKAANS_MODEL_PATH = MODEL_PATH.with_name("tagger_afrikaans.npz")


@dataclass(frozen=True, slots=True)
class AttributeWeights:
    """Sparse weights: row i, an attribute, holds `labels[starts[i]:starts[i+1]]` and theirs."""

    attributes: UInt32
    starts: npt.NDArray[np.int64]
    labels: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.float32]

    def rows_of(self, attributes: UInt32) -> npt.NDArray[np.int64]:
        """Row of each attribute, -1 where it has no weights; same shape as the argument."""
        places = np.searchsorted(self.attributes, attributes).clip(max=len(self.attributes) - 1)
        return np.where(self.attributes[places] == attributes, places, -1)

    def add_up(
        self, rows: npt.NDArray[np.int64], groups: npt.NDArray[np.int64], shape: tuple[int, int]
    ) -> npt.NDArray[np.float32]:
        """Sum the weights of rows into groups.

        Parameters
        ----------
        rows, groups
            Rows (none negative) and the group each belongs to; same length.
        shape
            (number of groups, number of tags).

        Returns
        -------
        array of float32
            Of that shape.
        """
        lengths = self.starts[rows + 1] - self.starts[rows]
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        steps = np.arange(total) - np.repeat(ends - lengths, lengths)
        places = np.repeat(self.starts[rows], lengths) + steps
        cells = np.repeat(groups, lengths) * shape[1] + self.labels[places]
        sums = np.bincount(cells, weights=self.weights[places], minlength=shape[0] * shape[1])
        return sums.reshape(shape).astype(np.float32)


@dataclass(frozen=True, slots=True)
class TaggerModel:
    """What a tagger needs, as read from its file."""

    tags: tuple[str, ...]
    transitions: npt.NDArray[np.float32]
    single: AttributeWeights
    pairs: AttributeWeights
    words: UInt32
    word_classes: WordClasses
    networks: NetworkGroup

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "TaggerModel":
        """Read a model file; ValueError for one of another version."""
        with np.load(path, allow_pickle=False) as stored:
            if int(stored["version"]) != VERSION:
                raise ValueError(f"{path} is a model of version {stored['version']}, not {VERSION}")
            return cls(
                tuple(str(tag) for tag in stored["tags"]),
                stored["transitions"].astype(np.float32),
                _unpack_weights(stored, "single"),
                _unpack_weights(stored, "pair"),
                unpack_keys(stored["words"]),
                WordClasses(unpack_keys(stored["class_words"]), stored["classes"]),
                _unpack_networks(stored),
            )

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the arrays of the model's file, by name."""
        return {
            "version": np.array(VERSION),
            "tags": np.array(self.tags),
            "transitions": self.transitions.astype(np.float16),
            **_pack_weights(self.single, "single"),
            **_pack_weights(self.pairs, "pair"),
            "words": pack_keys(self.words),
            "class_words": pack_keys(self.word_classes.keys),
            "classes": self.word_classes.classes,
            **_pack_networks(self.networks),
        }


VERSION = 2  # of the arrays in a model's file; others are refused


def pack_keys(keys: UInt32) -> UInt32:
    """Gaps of sorted distinct keys; they compress, the keys do not."""
    return np.diff(keys.astype(np.int64), prepend=0).astype(np.uint32)


def unpack_keys(gaps: npt.NDArray[np.generic]) -> UInt32:
    """Inverse of `pack_keys`."""
    return np.cumsum(gaps, dtype=np.uint64).astype(np.uint32)


def _pack_weights(part: AttributeWeights, name: str) -> dict[str, npt.NDArray[np.generic]]:
    return {
        f"{name}_attributes": pack_keys(part.attributes),
        f"{name}_counts": np.diff(part.starts).astype(np.uint8),
        f"{name}_labels": part.labels,
        f"{name}_weights": part.weights.astype(np.float16),
    }


def _unpack_weights(stored: "np.lib.npyio.NpzFile", name: str) -> AttributeWeights:
    counts = stored[f"{name}_counts"]
    return AttributeWeights(
        unpack_keys(stored[f"{name}_attributes"]),
        np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]),
        stored[f"{name}_labels"],
        stored[f"{name}_weights"].astype(np.float32),
    )


def _pack_networks(group: NetworkGroup) -> dict[str, npt.NDArray[np.generic]]:
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "n_networks": np.array(len(group.networks)),
        "vector_words": pack_keys(group.vectors.keys),
        "vector_codes": group.vectors.codes,
        "vector_centres": group.vectors.centres.astype(np.float16),
    }
    arrays |= {f"keys{i}": pack_keys(keys) for i, keys in enumerate(group.key_lists())}
    for number, network in enumerate(group.networks):
        arrays |= network.arrays(f"network{number}")
    return arrays


def _unpack_networks(stored: "np.lib.npyio.NpzFile") -> NetworkGroup:
    vectors = WordVectors(
        unpack_keys(stored["vector_words"]),
        stored["vector_codes"],
        stored["vector_centres"].astype(np.float32),
    )
    n_tables = sum(name.startswith("keys") for name in stored.files)
    keys = [unpack_keys(stored[f"keys{number}"]) for number in range(n_tables)]
    names = [f"network{number}" for number in range(int(stored["n_networks"]))]
    return NetworkGroup(tuple(WindowNetwork.load(stored, name, keys) for name in names), vectors)
