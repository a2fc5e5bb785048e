"""Hits that know where their marks stand.

Input → output: spans of a query whose marked tokens stand at fixed places → ``MarkedHits``.
"""

import numpy as np
import numpy.typing as npt

from search.engine.index.hits import SegmentHits, SpanHits, Spans
from search.engine.index.reader import SegmentView
from search.engine.index.selection import DocumentMask
from search.engine.query.ast import NO_TARGET, Query
from search.engine.query.running.labels import find_places, mark_name
from search.engine.query.walks import tokens_of

I64 = npt.NDArray[np.int64]


class MarkedHits(SpanHits):
    """Hits with the positions of marked tokens.

    Attributes
    ----------
    marks : dict
        By number of the mark (0 is CQP's target, 9 its keyword) a position for each span, -1 where
        no token is marked.
    """

    def __init__(
        self,
        view: SegmentView,
        spans: Spans,
        mask: DocumentMask | None,
        marks: dict[int, I64],
    ) -> None:
        super().__init__(view, spans, mask)
        kept = slice(None) if mask is None else mask.holds(spans.starts)
        self.marks = {number: positions[kept] for number, positions in marks.items()}


def marked(view: SegmentView, spans: Spans, mask: DocumentMask | None, query: Query) -> SegmentHits:
    """Return hits, with the places of marked tokens if there are any."""
    marked = [token for token in tokens_of(query.pattern) if token.target != NO_TARGET]
    if not marked:
        return SpanHits(view, spans, mask)
    places = find_places(query.pattern)
    marks = {}
    for token in marked:
        place = places.get(mark_name(token.target))
        if place is not None:
            marks[token.target] = place.positions(spans)
    return MarkedHits(view, spans, mask, marks) if marks else SpanHits(view, spans, mask)
