"""In which kind of block each token stands: heading, quote, caption … of its text.

Input → output: one number a token ↔ runs of equal numbers. Most tokens stand in paragraphs, so a
segment keeps some 0.1 byte a token, and nothing at all where it knows of no blocks.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]


class TextBlock(IntEnum):
    """Kinds of blocks; the numbers are written to files and never change.

    Headline and standfirst stand above the body, as documents of their own.
    """

    PARAGRAPH = 0
    HEADING = 1
    QUOTE = 2
    LIST_ITEM = 3
    CAPTION = 4
    TABLE_ROW = 5
    PREFORMATTED = 6
    EMBED = 7
    HEADLINE = 8
    STANDFIRST = 9

    @property
    def label(self) -> str:
        """Lower-case name, as addresses write it."""
        return self.name.lower()


def pack_blocks(blocks: U8) -> tuple[U32, U8]:
    """Cut one number a token into runs: where each starts, and its number; none for only zeros.

    Examples
    --------
    >>> starts, kinds = pack_blocks(np.array([0, 0, 2, 2, 0], dtype=np.uint8))
    >>> starts.tolist(), kinds.tolist()
    ([0, 2, 4], [0, 2, 0])
    """
    if not blocks.any():
        return np.empty(0, np.uint32), np.empty(0, np.uint8)
    starts = np.flatnonzero(np.concatenate([[True], blocks[1:] != blocks[:-1]]))
    return starts.astype(np.uint32), blocks[starts]


def unpack_blocks(starts: U32, kinds: U8, n_tokens: int) -> U8:
    """Undo ``pack_blocks``."""
    if not len(starts):
        return np.zeros(n_tokens, np.uint8)
    return np.repeat(kinds, np.diff(starts, append=np.uint32(n_tokens)))


def block_ends(
    starts: U32, kinds: U8, positions: npt.NDArray[np.int64], kind: int
) -> npt.NDArray[np.int64]:
    """Return where the run of each position ends if it is of a kind; else the position itself.

    The last run ends at no place: the caller knows where the text does.

    Examples
    --------
    >>> starts, kinds = pack_blocks(np.array([0, 0, 2, 2, 0], dtype=np.uint8))
    >>> block_ends(starts, kinds, np.array([1, 2, 3, 4]), 2).tolist()
    [1, 4, 4, 4]
    """
    if not len(starts):
        return positions
    run = np.searchsorted(starts, positions, side="right")
    ends = np.append(starts.astype(np.int64), np.iinfo(np.int64).max)[run]
    return np.where(kinds[run - 1] == kind, ends, positions)


def blocks_at(starts: U32, kinds: U8, positions: npt.NDArray[np.integer]) -> U8:
    """Return the numbers of some positions, in any order."""
    if not len(starts):
        return np.zeros(len(positions), np.uint8)
    found: U8 = kinds[np.searchsorted(starts, positions, side="right") - 1]
    return found
