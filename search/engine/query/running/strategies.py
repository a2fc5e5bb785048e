"""Matching strategies: which of several matches at one place remain, with CQP's meanings.

Input → output: all or one match per start → the matches kept, in order of their starts.
"""

import numpy as np

from search.engine.arrays import I64
from search.engine.index.hits import Spans
from search.engine.query.ast import Strategy


def one_per_start(starts: I64, ends: I64, strategy: Strategy) -> Spans:
    """Keep of the matches with the same start the shortest, or the longest by ``LONGEST``."""
    return _spans_at(starts, ends, _one_per_start(starts, ends, strategy))


def drop_nested(spans: Spans, strategy: Strategy) -> Spans:
    """Drop matches inside others (or around others by ``SHORTEST``).

    Parameters
    ----------
    spans : Spans
        Starts strictly ascending.
    """
    if len(spans) < 2 or strategy is Strategy.TRADITIONAL:
        return spans
    return _spans_at(spans.starts, spans.ends, _not_nested(spans.ends, strategy))


def choose(starts: I64, ends: I64, strategy: Strategy) -> I64:
    """Return the numbers of the matches that remain of any list of them, in order.

    ``TRADITIONAL`` keeps all; the same span is kept once, the first of the list.
    """
    order = np.lexsort((ends, starts))
    same = np.zeros(len(order), dtype=np.bool_)
    a, b = starts[order], ends[order]
    same[1:] = (a[1:] == a[:-1]) & (b[1:] == b[:-1])
    order = order[~same]
    if strategy is Strategy.TRADITIONAL:
        return order
    kept = order[_one_per_start(starts[order], ends[order], strategy)]
    return kept[_not_nested(ends[kept], strategy)]


def _spans_at(starts: I64, ends: I64, kept: I64) -> Spans:
    return Spans(starts.take(kept), ends.take(kept))


def _one_per_start(starts: I64, ends: I64, strategy: Strategy) -> I64:
    order = np.lexsort((-ends if strategy is Strategy.LONGEST else ends, starts))
    sorted_starts = starts[order]
    first = np.ones(len(starts), dtype=np.bool_)
    first[1:] = sorted_starts[1:] != sorted_starts[:-1]
    kept: I64 = order[first]
    return kept


def _not_nested(ends: I64, strategy: Strategy) -> I64:
    """Return which matches remain; their starts are strictly ascending."""
    if strategy is Strategy.STANDARD:
        if bool((ends[1:] >= ends[:-1]).all()):  # as most often; saves sorting
            return np.flatnonzero(np.append(True, ends[1:] != ends[:-1])[: len(ends)])
        _, leftmost = np.unique(ends, return_index=True)
        return np.sort(leftmost)
    keep = np.ones(len(ends), dtype=np.bool_)
    if strategy is Strategy.LONGEST:
        keep[1:] = np.maximum.accumulate(ends)[:-1] < ends[1:]
    elif strategy is Strategy.SHORTEST:
        keep[:-1] = np.minimum.accumulate(ends[::-1])[::-1][1:] > ends[:-1]
    return np.flatnonzero(keep)
