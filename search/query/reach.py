"""How far a match may reach from its start: sentence, several sentences, text, number of tokens.

Input → output: starts (boundaries) → the boundary each match must not pass, right or left.
"""

import numpy as np
import numpy.typing as npt

from search.index.attributes import FAR
from search.index.segment import Segment
from search.query.ast import Within

I64 = npt.NDArray[np.int64]

MAX_MATCH_TOKENS = 500  # CQP's hard boundary: no match without "within" is longer


def right_limits(segment: Segment, starts: I64, within: Within | None) -> I64:
    """Return for each start the boundary after the last token its match may hold.

    Parameters
    ----------
    starts : ndarray of shape (n,)
        Positions of first tokens, ascending.
    """
    if within is not None and within.unit == "s":
        return sentence_ends(segment, starts, within.count)
    ends: I64 = segment.bounds[segment.document_of(starts) + 1]
    if within is not None and within.unit == "text":
        return ends
    reach = within.count if within is not None else MAX_MATCH_TOKENS
    return np.minimum(ends, starts + reach)


def left_limits(segment: Segment, boundaries: I64, within: Within | None) -> I64:
    """Return how far to the left of a boundary a match that holds the token after it may begin."""
    if within is not None and within.unit == "s" and within.count == 1:
        return sentence_starts(segment, boundaries)
    starts: I64 = segment.bounds[segment.document_of(boundaries)]
    if within is not None and within.unit in ("text", "s"):
        return starts
    reach = within.count if within is not None else MAX_MATCH_TOKENS
    return np.maximum(starts, boundaries - reach)


def sentence_ends(segment: Segment, positions: I64, count: int = 1) -> I64:
    """Return the boundary after the sentence of each position, or after some more sentences.

    Sentences of the next text do not count.
    """
    distance = segment.right[positions].astype(np.int64)
    ends = positions + distance + 1
    if count == 1:
        far = np.flatnonzero(distance == FAR)
        if len(far):
            ends[far] = _next_starts(segment, positions[far], 1)
        return ends
    texts: I64 = segment.bounds[segment.document_of(positions) + 1]
    return np.minimum(_next_starts(segment, positions, count), texts)


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
