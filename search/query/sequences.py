"""Rows of tokens of fixed length, from the rarest token on.

Input → output: conditions for consecutive tokens → spans. If one of them is rare, its postings are
looked up and the others tested beside them, the most selective first; if all are frequent, blocks
of the segment are compared.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.attributes import FAR
from search.index.hits import Spans
from search.index.reader import Snapshot
from search.index.segment import Segment
from search.index.selection import DocumentMask
from search.query.ast import Within
from search.query.automaton import Edges
from search.query.conditions import TokenCondition
from search.query.edges import all_hold
from search.query.limits import Budget
from search.query.reach import right_limits

I64 = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

RARE_SHARE = 0.03  # of all tokens: above it comparing whole blocks is faster than postings
SCAN_BLOCK = 1 << 18  # positions; tags and masks of a block stay in the second-level cache


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A pattern of fixed length: a condition per token, edges at boundaries, how far it reaches."""

    conditions: tuple[TokenCondition, ...]
    edges: tuple[Edges, ...]
    within: Within | None

    @property
    def length(self) -> int:
        """Number of tokens."""
        return len(self.conditions)


def find_rows(
    snapshot: Snapshot, row: TokenRow, segment: Segment, mask: DocumentMask | None, budget: Budget
) -> Spans:
    """Find a token row in a segment, in the documents of a mask.

    Returns
    -------
    Spans
        In order; none crosses from one text to the next.
    """
    counts = [condition.n_tokens for condition in row.conditions]
    rarest = int(np.argmin(counts))
    if counts[rarest] > RARE_SHARE * snapshot.n_tokens and row.length > 1:
        budget.spend(segment.n_tokens)
        starts = _scan(row, segment)
        if mask is not None:
            starts = starts[mask.holds(starts)]
    else:
        positions = row.conditions[rarest].positions(segment)
        budget.spend(len(positions))
        if mask is not None:
            positions = positions[mask.holds(positions)]
        starts = _verify(row, segment, positions - rarest, rarest)
    starts = starts[_fits(row, segment, starts)]
    for offset, edges in enumerate(row.edges):
        if edges:
            at = starts + offset
            starts = starts[all_hold(snapshot, segment, edges, at, at_begin=offset == 0)]
    return Spans(starts, starts + row.length)


def _verify(row: TokenRow, segment: Segment, starts: I64, known: int) -> I64:
    """Test the tokens beside the rarest one, the most selective first."""
    starts = starts[(starts >= 0) & (starts + row.length <= segment.n_tokens)]
    others = [i for i in range(row.length) if i != known and not row.conditions[i].is_anything]
    for i in sorted(others, key=lambda i: row.conditions[i].n_tokens):
        starts = starts[row.conditions[i].holds(segment, starts + i)]
    return starts


def _scan(row: TokenRow, segment: Segment) -> I64:
    """Compare blocks of the whole segment."""
    tested = [
        (i, condition) for i, condition in enumerate(row.conditions) if not condition.is_anything
    ]
    last_start = segment.n_tokens - row.length + 1
    found = [np.empty(0, dtype=np.int64)]
    for low in range(0, last_start, SCAN_BLOCK):
        high = min(low + SCAN_BLOCK, last_start)
        mask = np.ones(high - low, dtype=np.bool_)
        for offset, condition in tested:
            mask &= condition.scan(segment, low + offset, high + offset)
        found.append(np.flatnonzero(mask) + low)
    return np.concatenate(found)


def _fits(row: TokenRow, segment: Segment, starts: I64) -> Mask:
    """Return which rows stay within the sentence or, without "within", the text they start in."""
    more = row.length - 1
    inside: Mask = segment.right[starts] >= min(more, FAR)
    sure = row.within is None or row.within.unit != "token" or row.within.count >= row.length
    doubtful = np.flatnonzero(~inside) if sure and more < FAR else np.arange(len(starts))
    if len(doubtful):
        limits = right_limits(segment, starts[doubtful], row.within)
        inside[doubtful] = starts[doubtful] + row.length <= limits
    return inside
