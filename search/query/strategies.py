"""Matching strategies: which of several matches at one place remain, with CQP's meanings.

Input → output: all or one match per start → the matches kept, in order of their starts.
"""

import numpy as np
import numpy.typing as npt

from search.index.hits import Spans
from search.query.ast import Strategy

I64 = npt.NDArray[np.int64]


def one_per_start(starts: I64, ends: I64, strategy: Strategy) -> Spans:
    """Keep of the matches with the same start the shortest, or the longest by ``LONGEST``."""
    order = np.lexsort((-ends if strategy is Strategy.LONGEST else ends, starts))
    starts, ends = starts[order], ends[order]
    first = np.ones(len(starts), dtype=np.bool_)
    first[1:] = starts[1:] != starts[:-1]
    return Spans(starts[first], ends[first])


def drop_nested(spans: Spans, strategy: Strategy) -> Spans:
    """Drop matches inside others (or around others by ``SHORTEST``).

    Parameters
    ----------
    spans : Spans
        Starts strictly ascending.
    """
    if len(spans) < 2 or strategy is Strategy.TRADITIONAL:
        return spans
    ends = spans.ends
    keep = np.ones(len(spans), dtype=np.bool_)
    if strategy is Strategy.STANDARD and bool((ends[1:] >= ends[:-1]).all()):
        keep[1:] = ends[1:] != ends[:-1]  # as most often; saves sorting
    elif strategy is Strategy.STANDARD:
        _, leftmost = np.unique(ends, return_index=True)
        keep[:] = False
        keep[leftmost] = True
    elif strategy is Strategy.LONGEST:
        keep[1:] = np.maximum.accumulate(ends)[:-1] < ends[1:]
    else:
        keep[:-1] = np.minimum.accumulate(ends[::-1])[::-1][1:] > ends[:-1]
    return spans.where(keep)
