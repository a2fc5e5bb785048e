"""One token again and again, by bits: its longest rows, and whole regions filled with it.

Input → output: ``(?longest) [pos="NNP"]+`` and ``<s> [pos!="V.*"]+ </s>`` → their spans. Where a
row begins and ends is told by the bits beside it, and what can be reached from a begin through set
bits by the carry of an addition.

References
----------
R. D. Cameron et al., Bitwise data parallelism in regular expression matching, PACT 2014 (the
operation MatchStar).
"""

from collections.abc import Callable

import numpy as np

from search.engine.arrays import I64, U64
from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.index.set_bits import ONE, WORD_BITS, bits_at
from search.engine.query.ast import NO_TARGET, Query, Repetition, Strategy, Token
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.limits import Budget
from search.engine.query.reach import reach_of
from search.engine.query.running.chosen_way import ChosenWay, Way, token_of
from search.engine.query.running.tag_bits import region_begins
from search.engine.query.walks import flat_items

Run = Callable[[SegmentView, DocumentMask | None, Budget], SegmentHits]

_TOP = np.uint64(WORD_BITS - 1)


def repeated_token(query: Query) -> Token | None:
    """Return the token of which a query wants the longest rows, None if it wants something else."""
    within = query.within
    is_in_one = within is None or (within.unit in ("s", "text") and within.count == 1)
    if query.strategy is not Strategy.LONGEST or query.constraint is not None or not is_in_one:
        return None
    match flat_items(query.pattern):
        case [Repetition(Token() as token, 1, None)] if token.target == NO_TARGET:
            return token
        case _:
            return None


class LongestRowsRun:
    """The longest rows of one token; a ``Plan``.

    Where a row is longer than a match may be, ``otherwise`` runs.
    """

    def __init__(self, query: Query, condition: TokenCondition, otherwise: Run) -> None:
        self._within, self._across_texts = query.within, query.across_texts
        self._condition = condition
        self._otherwise = otherwise

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the hits in one segment, in the documents of a mask."""
        budget.scan(view.segment.n_tokens)
        spans = self._rows(view.segment)
        most = reach_of(None) if self._within is None else view.segment.n_tokens
        if len(spans) and int((spans.ends - spans.starts).max()) > most:
            return self._otherwise(view, mask, budget)
        return SpanHits(view, spans, mask)

    @property
    def chosen(self) -> ChosenWay:
        """How it runs, and why so."""
        why = "where rows of one token begin and end is told by the tokens beside them."
        token = token_of(self._condition)
        return ChosenWay(Way.LONGEST_ROWS, why, self._condition.n_tokens, token)

    def _rows(self, segment: Segment) -> Spans:
        words = self._condition.bits(segment)
        structure = "" if self._across_texts else "text"
        begins = region_begins(segment, structure if self._within is None else self._within.unit)
        goes_on = words & ~begins
        return Spans(bits_at(words & ~(goes_on & _up(words))), bits_at(words & ~_down(goes_on)) + 1)


def filled_ends(segment: Segment, condition: TokenCondition, structure: str) -> I64:
    """Return the ends of the sentences, or texts, that hold only tokens of a condition."""
    words = condition.bits(segment)
    begins = region_begins(segment, structure)
    reached = (_sum(begins & words, words) ^ words) | begins
    reached &= words
    return bits_at(_up(reached) & begins)


def _up(words: U64) -> U64:
    """Return each bit at the next place."""
    result = words << ONE
    result[1:] |= words[:-1] >> _TOP
    return result


def _down(words: U64) -> U64:
    """Return each bit at the place before."""
    result = words >> ONE
    result[:-1] |= words[1:] << _TOP
    return result


def _sum(one: U64, other: U64) -> U64:
    """Add two numbers of any length, their lowest words first."""
    result = one + other
    carried = np.flatnonzero(result < one) + 1
    while len(carried := carried[carried < len(result)]):
        result[carried] += ONE
        carried = carried[result[carried] == 0] + 1
    return result
