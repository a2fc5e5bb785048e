"""How far a match may reach from its start: sentence, several sentences, text, number of tokens.

Input → output: starts (boundaries) → the boundary each match must not pass, right or left.
"""

import numpy as np

from search.engine.arrays import I64
from search.engine.index.reader import Snapshot
from search.engine.index.segments.attributes import FAR
from search.engine.index.segments.segment import Segment
from search.engine.query.ast import Query, Within
from search.engine.query.attributes import BLOCKS

# CQP's hard boundary: a match without "within" ends at most so many tokens after its first.
HARD_BOUNDARY = 500


def right_limits(segment: Segment, starts: I64, query: Query) -> I64:
    """Return for each start the boundary after the last token its match may hold.

    Parameters
    ----------
    starts : ndarray of shape (n,)
        Positions of first tokens.
    """
    within, across_texts = query.within, query.across_texts
    if within is not None and within.unit == "s" and within.count == 1:
        return sentence_ends(segment, starts)
    if within is not None and within.unit == "text" and (within.count == 1 or not across_texts):
        return text_ends(segment, starts)
    if within is not None and within.is_block:
        return block_ends(segment, starts, within.unit)
    ends = text_ends(segment, starts, across_texts=across_texts)
    if within is not None and within.unit == "text":
        rows = segment.document_of(starts) + within.count
        counted: I64 = segment.bounds[np.minimum(rows, segment.n_documents)]
        return counted
    if within is not None and within.unit == "s":
        return np.minimum(ends, _next_starts(segment, starts, within.count))
    return np.minimum(ends, starts + reach_of(within))


def block_ends(segment: Segment, starts: I64, kind: str) -> I64:
    """Return the boundary after the block of a kind that each start lies in; outside, the start."""
    return np.minimum(segment.block_ends(starts, BLOCKS[kind]), text_ends(segment, starts))


def left_limits(segment: Segment, boundaries: I64, query: Query) -> I64:
    """Return how far to the left of a boundary a match that holds the token after it may begin."""
    within = query.within
    if within is not None and within.unit == "s" and within.count == 1:
        return sentence_starts(segment, boundaries)
    starts = text_starts(segment, boundaries)
    if within is not None and (within.is_block or (within.unit, within.count) == ("text", 1)):
        return starts
    if query.across_texts:
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


def bounds_around(segment: Segment, structure: str, positions: I64) -> tuple[I64, I64]:
    """Return the boundaries before and after the sentence or text of each position."""
    if structure == "s":
        return sentence_starts(segment, positions), sentence_ends(segment, positions)
    rows = segment.document_of(positions)
    return segment.bounds[rows], segment.bounds[rows + 1]


def n_regions(snapshot: Snapshot, structure: str) -> int:
    """Count the sentences or texts of all segments."""
    views = snapshot.segments
    if structure == "text":
        return sum(view.segment.n_documents for view in views)
    return sum(view.segment.n_sentences for view in views)


def region_starts(segment: Segment, structure: str) -> I64:
    """Return where the sentences or texts of a segment start, ascending."""
    if structure == "s":
        return segment.sentence_starts
    starts = segment.bounds[:-1]  # a text without tokens starts where the next one does
    found: I64 = starts[starts < segment.bounds[1:]].astype(np.int64)
    return found


def region_edges(segment: Segment, structure: str) -> I64:
    """Return where regions start, and the end of the last one."""
    if structure == "s":
        return segment.sentence_edges
    return np.append(region_starts(segment, structure), segment.n_tokens)


def _next_starts(segment: Segment, positions: I64, count: int) -> I64:
    """Return where the count-th next sentence starts."""
    known = region_edges(segment, "s")
    at = np.searchsorted(known, positions, side="right") - 1 + count
    result: I64 = known[np.minimum(at, len(known) - 1)]
    return result
