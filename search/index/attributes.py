"""The forward index: what stands at each position of a segment.

Input → output: encoded documents → parallel arrays over positions (type, tag, distance to the start
and end of the sentence, white space before), which can be joined and reordered by document.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
Index = npt.NDArray[np.intp]

FAR = 255  # distances to sentence edges are stored in a byte; this means "255 or more"


@dataclass(frozen=True, slots=True)
class TokenColumns:
    """Arrays of shape (n_tokens,).

    ``left`` counts the tokens before this one in its sentence, ``right`` those after it, both
    clipped at 255. ``space`` is true where white space stood before the token.
    """

    types: U32
    tags: U8
    left: U8
    right: U8
    space: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.types)

    def take(self, positions: Index) -> "TokenColumns":
        """Return the tokens at these positions."""
        return TokenColumns(
            self.types[positions],
            self.tags[positions],
            self.left[positions],
            self.right[positions],
            self.space[positions],
        )


def join_tokens(parts: Sequence[TokenColumns]) -> TokenColumns:
    """Put the tokens of several parts one after the other."""
    return TokenColumns(
        np.concatenate([part.types for part in parts]),
        np.concatenate([part.tags for part in parts]),
        np.concatenate([part.left for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.space for part in parts]),
    )


def sentence_distances(starts: npt.NDArray[np.int64], n_tokens: int) -> tuple[U8, U8]:
    """Return each token's distance to the start and to the end of its sentence.

    Parameters
    ----------
    starts : ndarray of shape (n_sentences,)
        Positions at which sentences start, strictly ascending; the first is 0 if there are tokens.
    n_tokens : int
        Length of the text.

    Returns
    -------
    tuple of two ndarrays of shape (n_tokens,)
        Distances clipped at 255.
    """
    lengths = np.diff(np.append(starts, n_tokens))
    first = np.repeat(starts, lengths)
    last = np.repeat(starts + lengths - 1, lengths)
    position = np.arange(n_tokens)
    left = np.minimum(position - first, FAR).astype(np.uint8)
    right = np.minimum(last - position, FAR).astype(np.uint8)
    return left, right


def positions_in_order(starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Index:
    """Return the positions of documents laid one after the other.

    Parameters
    ----------
    starts, lengths : ndarray of shape (n_documents,)
        Where each document starts now and how long it is, in the order wanted.

    Returns
    -------
    ndarray of shape (lengths.sum(),)
    """
    targets = np.cumsum(lengths) - lengths
    positions: Index = np.arange(int(lengths.sum())) + np.repeat(starts - targets, lengths)
    return positions
