"""Word vectors in ten bytes a word: hashes of folded forms in, vectors out.

A vector is cut into pieces and each piece is stored as the number of the nearest of 256 pieces
(product quantisation: Jégou, Douze and Schmid 2011). `quantize` makes a table from full vectors and
`build_word_vectors` the shipped one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.engine.annotation.features import UInt32

VECTORS_PATH = Path(__file__).parent / "data" / "word_vectors.npz"
PIECE_DIMENSIONS = 5  # fifty numbers are ten pieces
N_CENTRES = 256  # the number of one fits a byte
ROUNDS = 20  # of moving the centres, when a table is made

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Sorted CRC-32s of folded forms, their codes (n, pieces), and centres (pieces, 256, 5)."""

    keys: UInt32
    codes: npt.NDArray[np.uint8]
    centres: Floats

    @property
    def n_dimensions(self) -> int:
        """Length of a vector."""
        return int(self.centres.shape[0] * self.centres.shape[2])

    def look_up(self, hashes: UInt32) -> Floats:
        """Vectors of the given hashes, shape (n, n_dimensions); zeros where unknown."""
        vectors = np.zeros((len(hashes), self.n_dimensions), dtype=np.float32)
        if not len(self.keys):
            return vectors
        places = np.searchsorted(self.keys, hashes).clip(max=len(self.keys) - 1)
        known = np.flatnonzero(self.keys[places] == hashes)
        codes = self.codes[places[known]]
        pieces = self.centres[np.arange(codes.shape[1]), codes]
        vectors[known] = pieces.reshape(len(known), self.n_dimensions)
        return vectors

    @classmethod
    def none(cls) -> "WordVectors":
        """No words and no dimensions."""
        return cls(
            np.zeros(0, dtype=np.uint32),
            np.zeros((0, 0), dtype=np.uint8),
            np.zeros((0, N_CENTRES, PIECE_DIMENSIONS), dtype=np.float32),
        )

    @classmethod
    def load(cls, path: Path = VECTORS_PATH) -> "WordVectors":
        """Read a table's file."""
        with np.load(path, allow_pickle=False) as stored:
            keys = np.cumsum(stored["keys"], dtype=np.uint64).astype(np.uint32)
            return cls(keys, stored["codes"], stored["centres"].astype(np.float32))


def quantize(vectors: Mapping[int, Floats], seed: int = 1) -> WordVectors:
    """Replace each piece of each vector by one of 256.

    Parameters
    ----------
    vectors
        CRC-32 of a folded form → vector; all of one length, a multiple of five.
    seed
        Of the choice of the first centres.

    Returns
    -------
    WordVectors
        The centres are rounded to float16. Lloyd's algorithm, 20 rounds a piece.
    """
    keys = np.array(sorted(vectors), dtype=np.uint32)
    rows = np.stack([vectors[key] for key in keys.tolist()]).astype(np.float32)
    random = np.random.default_rng(seed)
    codes, centres = [], []
    for first in range(0, rows.shape[1], PIECE_DIMENSIONS):
        found = _centres(rows[:, first : first + PIECE_DIMENSIONS], random)
        centres.append(found)
        codes.append(_nearest(rows[:, first : first + PIECE_DIMENSIONS], found))
    return WordVectors(keys, np.stack(codes, axis=1), np.stack(centres))


def _centres(pieces: Floats, random: np.random.Generator) -> Floats:
    centres = pieces[random.choice(len(pieces), N_CENTRES, replace=len(pieces) < N_CENTRES)]
    for _ in range(ROUNDS):
        numbers = _nearest(pieces, centres)
        sizes = np.bincount(numbers, minlength=N_CENTRES)
        sums = np.stack(
            [np.bincount(numbers, weights=column, minlength=N_CENTRES) for column in pieces.T],
            axis=1,
        )
        means = (sums / np.maximum(sizes, 1)[:, None]).astype(np.float32)
        centres = np.where(sizes[:, None] > 0, means, centres)
    return centres.astype(np.float16).astype(np.float32)


def _nearest(pieces: Floats, centres: Floats) -> npt.NDArray[np.uint8]:
    closeness = pieces @ centres.T - (centres**2).sum(axis=1) / 2
    nearest: npt.NDArray[np.uint8] = closeness.argmax(axis=1).astype(np.uint8)
    return nearest
