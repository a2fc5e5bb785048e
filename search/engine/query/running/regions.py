"""Whole sentences or texts as matches, however long: ``<s/>`` or ``<text> []* </text>`` alone.

Input → output: a segment's boundaries → spans. CQP's hard boundary of a match (`reach`) is a guard
of patterns that go on and on; a region ends by itself, and one that is cut would be left out of
every count.
"""

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView
from search.engine.index.segments.segment import Segment
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import (
    NO_TARGET,
    Anything,
    Edge,
    Query,
    Region,
    Repetition,
    Sequence,
    Token,
    Within,
)
from search.engine.query.limits import Budget
from search.engine.query.reach import right_limits

I64 = npt.NDArray[np.int64]


def region_alone(query: Query) -> str:
    """Return which structure a query's matches are the regions of; empty if they are more.

    Examples
    --------
    >>> from search.engine.query.language.cql import parse_cql
    >>> [region_alone(parse_cql(text)) for text in ("<text/>", "<s> []* </s>", "<s> [] </s>")]
    ['text', 's', '']
    """
    if query.constraint is not None or query.shown is not None:
        return ""
    match query.pattern:
        case Region(is_empty=False) as region:
            is_marked = {region.start_target, region.end_target} != {NO_TARGET}
            is_plain = not (is_marked or region.start_label or region.end_label)
            return region.structure if is_plain else ""
        case Sequence((Edge() as start, Repetition(inner, most=None) as body, Edge() as end)):
            is_plain = inner == Token(Anything()) and body.least <= 1
            is_plain &= start == Edge(start.structure, is_start=True, name=start.name)
            is_plain &= end == Edge(start.structure, is_start=False, name=start.name)
            return start.structure if is_plain else ""
        case _:
            return ""


class RegionRun:
    """All sentences or texts of a segment; a ``Plan``. O(regions)."""

    def __init__(self, structure: str, within: Within | None) -> None:
        self._structure = structure
        self._within = within

    def run(self, view: SegmentView, mask: DocumentMask | None, budget: Budget) -> SegmentHits:
        """Find the regions of one segment, in the documents of a mask."""
        edges = _edges(view.segment, self._structure)
        budget.spend(len(edges))
        spans = Spans(edges[:-1], edges[1:])
        if self._within is not None:
            limits = right_limits(view.segment, spans.starts, self._within)
            spans = spans.where(spans.ends <= limits)
        return SpanHits(view, spans, mask)


def _edges(segment: Segment, structure: str) -> I64:
    """Return where regions start, and the end of the last one."""
    starts = segment.bounds if structure == "text" else segment.sentence_starts
    starts = np.unique(starts)  # a text without tokens starts where the next one does
    edges: I64 = np.append(starts[starts < segment.n_tokens], segment.n_tokens).astype(np.int64)
    return edges
