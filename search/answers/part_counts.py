"""Hits of a request in each part of the text, whatever parts it looks at itself.

Input → output: a request and its own hits → hits by kind of document. Parts hold a few tokens in a
hundred, so looking there too costs little beside the body; what takes longer is left out.
"""

from collections import Counter
from dataclasses import replace

from django.utils import timezone

from search.asking.hit_filters import narrow
from search.asking.request import SearchRequest
from search.engine.index.documents import PART_KINDS, TEXT_KINDS, DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.recent import Remembered
from search.engine.query.errors import QueryError
from search.engine.query.filters import select
from search.engine.query.progress import start
from search.engine.statistics.facets import count_by_column
from search.engine.statistics.slicing import narrow_hits

MOST_SECONDS = 0.1  # half of what a page may take at the server
Counts = dict[DocumentKind, int]
_WITHOUT_PARTS = TEXT_KINDS - {DocumentKind.ARTICLE}

_COUNTS: Remembered[SearchRequest, Counts] = Remembered(32)


def hits_by_part(request: SearchRequest, hits: Hits) -> Counts:
    """Count hits by part; parts without hits are left out.

    Returns
    -------
    dict
        Empty for comments and posts, of whose parts nobody asks, and where counting would take too
        long.
    """
    kinds = request.texts.filter.kinds
    if kinds and kinds <= _WITHOUT_PARTS:
        return {}
    key = replace(request, page=type(request.page)())
    return _COUNTS.of(hits.snapshot).get_or(key, lambda: _count(request, hits))


def _count(request: SearchRequest, hits: Hits) -> Counts:
    texts = request.texts
    known = texts.filter.kinds or TEXT_KINDS
    others = (PART_KINDS | {DocumentKind.ARTICLE}) - known
    elsewhere = replace(texts.filter, kinds=others)
    counts = _by_kind(hits)
    try:
        progress = start(hits.snapshot, request.query, elsewhere)
        if not progress.advance(MOST_SECONDS):
            return {}
        found = narrow(progress.hits, request.hits)
    except QueryError:
        return {}
    if texts.slices:
        selection = select(hits.snapshot, elsewhere)
        found = narrow_hits(found, selection, texts.slices, timezone.get_default_timezone())
    counts += _by_kind(found)
    return {kind: counts[kind] for kind in DocumentKind if kind not in _WITHOUT_PARTS}


def _by_kind(hits: Hits) -> Counter[DocumentKind]:
    rows = count_by_column(hits, "kind")
    return Counter({DocumentKind[row.value.upper()]: row.n_hits for row in rows})
