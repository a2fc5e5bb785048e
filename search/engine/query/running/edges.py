"""Edges between tokens: does a sentence or text start or end just before a position.

Input → output: an ``Edge`` and boundaries (the position after each) → which of them it lies at.
"""

from collections.abc import Iterable

import numpy as np

from search.engine.arrays import I64, Mask
from search.engine.index.reader import Snapshot
from search.engine.index.segments.segment import Segment
from search.engine.query.ast import Edge
from search.engine.query.conditions.token_conditions import documents_matching


def edge_lies_at(snapshot: Snapshot, segment: Segment, edge: Edge, boundaries: I64) -> Mask:
    """Return at which boundaries an edge lies.

    Parameters
    ----------
    boundaries : ndarray of shape (n,)
        Boundary b lies between positions b - 1 and b; from 0 to the number of tokens.
    """
    inside = boundaries < segment.n_tokens if edge.is_start else boundaries > 0
    position = boundaries if edge.is_start else boundaries - 1
    position = np.where(inside, position, 0)
    if edge.structure == "s":
        distance = segment.left if edge.is_start else segment.right
        holds: Mask = distance[position] == 0
        return holds & inside
    rows = segment.document_of(position)
    bounds = segment.bounds[rows] if edge.is_start else segment.bounds[rows + 1]
    holds = (bounds == boundaries) & inside
    if edge.test is not None:
        holds &= documents_matching(snapshot, edge.test, segment)[rows]
    return holds


def all_hold(  # noqa: PLR0913 (where, what, and how texts count)
    snapshot: Snapshot,
    segment: Segment,
    edges: Iterable[Edge],
    boundaries: I64,
    *,
    at_begin: bool,
    across_texts: bool = False,
) -> Mask:
    """Return at which boundaries all of some edges lie, in the text of the match.

    At the begin of a match the edge of the text before does not count, at its end (and within it)
    not that of the text after: texts that happen to be stored side by side are no neighbours,
    unless matches may run across texts.
    """
    result = np.ones(len(boundaries), dtype=np.bool_)
    for edge in edges:
        holds = edge_lies_at(snapshot, segment, edge, boundaries)
        if edge.is_start != at_begin and not across_texts:
            bounds = segment.bounds
            holds &= bounds[np.searchsorted(bounds, boundaries)] != boundaries
        result &= ~holds if edge.is_absent else holds
    return result
