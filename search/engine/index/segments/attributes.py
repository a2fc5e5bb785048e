"""The forward index: what stands at each position of a segment.

Input → output: encoded documents → parallel arrays over positions (type, tag, start of a sentence,
distance to its end, white space before), which can be joined and reordered by document.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
Mask = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]

FAR = 255  # distances to sentence edges fit a byte; this means "255 or more"
# Tokens that are moved at once: their positions take as much memory as all that is kept of them.
_MOVED_AT_ONCE = 1_000_000


@dataclass(frozen=True, slots=True)
class TokenColumns:
    """Arrays of shape (n_tokens,).

    ``starts`` is true where a sentence starts, ``right`` counts the tokens after this one in its
    sentence, clipped at 255. ``space`` is true where white space stood before the token. ``blocks``
    is the kind of the block it stands in, a number of ``TextBlock``.
    """

    types: U32
    tags: U8
    starts: Mask
    right: U8
    space: Mask
    blocks: U8

    def __len__(self) -> int:
        return len(self.types)

    def take(self, positions: Index) -> "TokenColumns":
        """Return the tokens at these positions."""
        return TokenColumns(
            self.types[positions],
            self.tags[positions],
            self.starts[positions],
            self.right[positions],
            self.space[positions],
            self.blocks[positions],
        )

    def take_texts(
        self, starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]
    ) -> "TokenColumns":
        """Return the tokens of texts, one after the other in the order given.

        Parameters
        ----------
        starts, lengths : ndarray of shape (n_texts,)
            Where each text starts here and how long it is.
        """
        taken = self.blank(int(lengths.sum()))
        at = 0
        for some in _moved_together(lengths):
            moved = self.take(positions_in_order(starts[some], lengths[some]))
            for column, values in zip(taken.columns(), moved.columns(), strict=True):
                column[at : at + len(values)] = values
            at += len(moved)
        return taken

    def put_texts(
        self, texts: "TokenColumns", starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]
    ) -> None:
        """Write texts, which stand one after the other, over the tokens from `starts` on."""
        at = 0
        for some in _moved_together(lengths):
            positions = positions_in_order(starts[some], lengths[some])
            for column, values in zip(self.columns(), texts.columns(), strict=True):
                column[positions] = values[at : at + len(positions)]
            at += len(positions)

    def blank(self, n_tokens: int) -> "TokenColumns":
        """Return columns like these for so many tokens, to be filled."""
        return TokenColumns(*(np.empty(n_tokens, column.dtype) for column in self.columns()))

    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the arrays in the order of their names above."""
        return (self.types, self.tags, self.starts, self.right, self.space, self.blocks)


def join_tokens(parts: Sequence[TokenColumns]) -> TokenColumns:
    """Put the tokens of several parts one after the other."""
    return TokenColumns(
        np.concatenate([part.types for part in parts]),
        np.concatenate([part.tags for part in parts]),
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.space for part in parts]),
        np.concatenate([part.blocks for part in parts]),
    )


def _moved_together(lengths: npt.NDArray[np.int64]) -> list[slice]:
    """Cut texts of these lengths where a further million of tokens begins."""
    cuts = np.flatnonzero(np.diff(np.cumsum(lengths) // _MOVED_AT_ONCE)) + 1
    return [slice(*ends) for ends in pairwise([0, *cuts.tolist(), len(lengths)])]


def distances_to_end(starts: npt.NDArray[np.int64], n_tokens: int) -> U8:
    """Return how many tokens of its sentence come after each token.

    Parameters
    ----------
    starts : ndarray of shape (n_sentences,)
        Positions at which sentences start, strictly ascending; the first is 0 if there are tokens.
    n_tokens : int
        Length of the text.

    Returns
    -------
    ndarray of shape (n_tokens,)
        Distances clipped at 255.
    """
    ends = np.append(starts[1:], n_tokens)[: len(starts)]
    last = np.repeat((ends - 1).astype(np.uint32), ends - starts)
    last -= np.arange(n_tokens, dtype=np.uint32)
    np.minimum(last, FAR, out=last)
    return last.astype(np.uint8)


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
