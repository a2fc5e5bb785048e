"""Rows of tokens of fixed length, from the rarest token on.

Input → output: conditions for consecutive tokens → spans. If one of them is rare, its postings are
looked up and the others tested beside them, the most selective first; if all are frequent, blocks
of the segment are compared.
"""

from dataclasses import dataclass

import numpy as np

from search.engine.arrays import I64, Mask
from search.engine.index.hits import Spans
from search.engine.index.reader import Snapshot
from search.engine.index.segments.attributes import FAR
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.index.set_bits import chosen
from search.engine.query.ast import Query
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import right_limits, stays_in_text
from search.engine.query.running.automaton import Edges
from search.engine.query.running.edges import all_hold
from search.engine.query.running.tag_bits import starts_of

RARE_SHARE = 0.01  # of all tokens: below it looking positions up always costs less than scanning
# Measured, in ns a position; a scanned token costs up to 2 (see `TokenCondition.scan_ns`).
LOOKED_UP_NS = 6.0
TESTED_NS = 3.0
SORTED_NS = 12.0
MOST_IN_SENTENCE = 255  # longer rows cannot be told by the distance to the sentence's end


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A pattern of fixed length: a condition per token, edges at boundaries, how far it reaches."""

    conditions: tuple[TokenCondition, ...]
    edges: tuple[Edges, ...]
    query: Query

    @property
    def length(self) -> int:
        """Number of tokens."""
        return len(self.conditions)

    @property
    def rarest(self) -> int:
        """Which token is the rarest."""
        return min(range(self.length), key=lambda i: self.conditions[i].n_tokens)

    def is_dense(self, n_tokens: int) -> bool:
        """Say whether comparing all tokens of a corpus costs less than looking up the rarest."""
        n_rarest = self.conditions[self.rarest].n_tokens
        if self.length == 1 or n_rarest <= RARE_SHARE * n_tokens:
            return False
        looking_up = LOOKED_UP_NS + TESTED_NS * (self.length - 1)
        if not self.conditions[self.rarest].is_in_order:
            looking_up += SORTED_NS
        scanning = sum(condition.scan_ns for condition in self.conditions)
        return n_tokens * scanning < n_rarest * looking_up

    @property
    def can_be_counted(self) -> bool:
        """Say whether a scan alone decides: no edges, matches within a sentence or text."""
        if any(self.edges) or self.length > MOST_IN_SENTENCE:
            return False
        within = self.query.within
        return within is None or (stays_in_text(within) and not within.is_block)


def find_rows(
    snapshot: Snapshot, row: TokenRow, segment: Segment, mask: DocumentMask | None, budget: Budget
) -> Spans:
    """Find a token row in a segment, in the documents of a mask.

    Returns
    -------
    Spans
        In order; none crosses from one text to the next.
    """
    if row.is_dense(snapshot.n_tokens):
        budget.scan(segment.n_tokens)
        starts = starts_of(segment, [(condition,) for condition in row.conditions])
        starts = starts[: np.searchsorted(starts, segment.n_tokens - row.length, side="right")]
        starts = masked(starts, mask)
    else:
        rarest = row.rarest
        positions = row.conditions[rarest].positions_by_type(segment)
        budget.spend(len(positions))
        starts = _verify(row, segment, masked(positions, mask) - rarest, rarest)
        if not row.conditions[rarest].is_in_order:
            starts = np.sort(starts.astype(np.uint32)).astype(
                np.int64
            )  # half the time of wide ones
    starts = chosen(starts, _fits(row, segment, starts))
    for offset, edges in enumerate(row.edges):
        if edges:
            at = starts + offset
            across, at_begin = row.query.across_texts, offset == 0
            lie = all_hold(snapshot, segment, edges, at, at_begin=at_begin, across_texts=across)
            starts = chosen(starts, lie)
    return Spans(starts, starts + row.length)


def masked(positions: I64, mask: DocumentMask | None) -> I64:
    """Return those of some positions that lie in the documents of a mask."""
    return positions if mask is None else chosen(positions, mask.holds(positions))


def _verify(row: TokenRow, segment: Segment, starts: I64, known: int) -> I64:
    """Test the tokens beside the rarest one, the most selective first."""
    if row.length > 1:
        starts = chosen(starts, (starts >= 0) & (starts + row.length <= segment.n_tokens))
    others = [i for i in range(row.length) if i != known and not row.conditions[i].is_anything]
    for i in sorted(others, key=lambda i: row.conditions[i].n_tokens):
        starts = chosen(starts, row.conditions[i].holds(segment, starts + i))
    return starts


def _fits(row: TokenRow, segment: Segment, starts: I64) -> Mask:
    """Return which rows stay within the sentence or, without "within", the text they start in."""
    more = row.length - 1
    within = row.query.within
    if within is not None and within.is_block:
        fits: Mask = starts + row.length <= right_limits(segment, starts, row.query)
        return fits
    if not more:
        return np.ones(len(starts), dtype=np.bool_)
    inside: Mask = segment.right.take(starts) >= min(more, FAR)
    sure = within is None or within.unit != "token" or within.count >= more
    doubtful = np.flatnonzero(~inside) if sure and more < FAR else np.arange(len(starts))
    if len(doubtful):
        limits = right_limits(segment, starts[doubtful], row.query)
        inside[doubtful] = starts[doubtful] + row.length <= limits
    return inside
