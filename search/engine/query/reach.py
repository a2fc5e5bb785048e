"""How far a match may reach from its start: sentence, several sentences, text, number of tokens.

Input → output: starts (boundaries) → the boundary each match must not pass, right or left.
"""

import numpy as np
import numpy.typing as npt

from search.engine.index.segments.attributes import FAR
from search.engine.index.segments.segment import Segment
from search.engine.query.ast import Within
from search.engine.query.attributes import BLOCKS

I64 = npt.NDArray[np.int64]

# CQP's hard boundary: a match without "within" ends at most so many tokens after its first.
HARD_BOUNDARY = 500


def right_limits(
    segment: Segment, starts: I64, within: Within | None, *, across_texts: bool = False
) -> I64:
    """Return for each start the boundary after the last token its match may hold.

    Parameters
    ----------
    starts : ndarray of shape (n,)
        Positions of first tokens.
    across_texts : bool
        Whether matches may run from one text into the next.
    """
    if within is not None and within.unit == "s" and within.count == 1:
        return sentence_ends(segment, starts)
    if within is not None and within.unit == "text" and (within.count == 1 or not across_texts):
        return text_ends(segment, starts)
    if within is not None and within.is_block:
        ends = segment.block_ends(starts, BLOCKS[within.unit])
        return np.minimum(ends, text_ends(segment, starts))
    ends = text_ends(segment, starts, across_texts=across_texts)
    if within is not None and within.unit == "text":
        rows = segment.document_of(starts) + within.count
        counted: I64 = segment.bounds[np.minimum(rows, segment.n_documents)]
        return counted
    if within is not None and within.unit == "s":
        return np.minimum(ends, _next_starts(segment, starts, within.count))
    return np.minimum(ends, starts + reach_of(within))


def left_limits(
    segment: Segment, boundaries: I64, within: Within | None, *, across_texts: bool = False
) -> I64:
    """Return how far to the left of a boundary a match that holds the token after it may begin."""
    if within is not None and within.unit == "s" and within.count == 1:
        return sentence_starts(segment, boundaries)
    starts = text_starts(segment, boundaries)
    if within is not None and (within.is_block or (within.unit, within.count) == ("text", 1)):
        return starts
    if across_texts:
        starts = np.zeros_like(starts)
    if within is not None and within.unit in ("text", "s"):
        return starts
    return np.maximum(starts, boundaries - reach_of(within))


def stays_in_text(within: Within | None) -> bool:
    """Say whether what a match is kept within lies in one text."""
    return within is not None and within.unit != "token" and within.count == 1


def reach_of(within: Within | None) -> int:
    """Return how many tokens a match may have when it is counted in tokens."""
    return (within.count if within is not None else HARD_BOUNDARY) + 1


def text_ends(segment: Segment, positions: I64, *, across_texts: bool = False) -> I64:
    """Return the boundary after the text of each position, or after all texts."""
    if across_texts:
        return np.full(len(positions), segment.n_tokens)
    ends: I64 = segment.bounds[segment.document_of(positions) + 1]
    return ends


def text_starts(segment: Segment, positions: I64) -> I64:
    """Return the boundary before the text of each position."""
    starts: I64 = segment.bounds[segment.document_of(positions)]
    return starts


def sentence_ends(segment: Segment, positions: I64) -> I64:
    """Return the boundary after the sentence of each position."""
    distance = segment.right.take(positions)
    ends = positions + distance + 1
    far = np.flatnonzero(distance == FAR)
    if len(far):
        ends[far] = _next_starts(segment, positions[far], 1)
    return ends


def sentence_starts(segment: Segment, positions: I64) -> I64:
    """Return the boundary before the sentence of each position."""
    distance = segment.left[positions].astype(np.int64)
    starts = positions - distance
    far = np.flatnonzero(distance == FAR)
    if len(far):
        known = segment.sentence_starts
        starts[far] = known[np.searchsorted(known, positions[far], side="right") - 1]
    return starts


def _next_starts(segment: Segment, positions: I64, count: int) -> I64:
    """Return where the count-th next sentence starts."""
    known = np.append(segment.sentence_starts, segment.n_tokens)
    at = np.searchsorted(known, positions, side="right") - 1 + count
    result: I64 = known[np.minimum(at, len(known) - 1)]
    return result
