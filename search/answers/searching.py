"""Searching as pages, exports, the API and the command line do it.

Input → output: ``SearchRequest`` (what the engine is asked for) → ``SearchPage``. Every call looks
at the newest generation unless the request names one. A query that would cost too much is a
``QueryTooExpensiveError``, raised here and shown at the query field.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from time import perf_counter

import numpy as np

from presentation.wording.figures import grouped
from search.answers.answering import FOREVER, Counts, SoFar, answer, counts_of, hits_of
from search.answers.facets import Facet, facets_of, own_facets, part_facet
from search.answers.part_counts import hits_by_part
from search.answers.search_lines import LineExtras, SearchLine, search_lines
from search.asking.hit_filters import HitFilter
from search.asking.request import EVERYTHING, SearchRequest, Texts, write_place
from search.engine.concordance.kwic import KwicLine, PageRequest, lines_at, lines_of
from search.engine.concordance.narrowing import n_readings
from search.engine.concordance.places import LineReference, Places
from search.engine.concordance.sort_keys import SortKey
from search.engine.concordance.sorting import (
    Order,
    TooManyHitsError,
    all_in_order,
    n_lines,
    number_of_line,
)
from search.engine.index.documents import UNIX_EPOCH, DocumentKind
from search.engine.index.hits import Hits, SegmentHits
from search.engine.index.reader import Snapshot
from search.engine.query.errors import QueryTooExpensiveError
from search.engine.query.language.parser import Language
from search.engine.query.language.to_cql import to_cql
from search.engine.query.run import targets
from search.opened_index import current_snapshot, is_missing
from search.wording.remarks import Remark, remark_on_brackets, remark_on_habit, remarks_on

DEEPEST_LINE = 100_000  # further down an export serves better
LINES_AT_A_TIME = 500  # of a file: two queries of the database each
_MARK = "@"  # stands before the target of a query in CQL


@dataclass(frozen=True, slots=True)
class Counting:
    """How far a query has come that takes longer than a page may.

    ``mark`` is the place that asks on for the same generation, as ``SearchPage.next_after`` is.
    """

    n_done: int
    n_segments: int
    mark: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of a concordance with its numbers.

    ``n_lines`` is the total, or the size of the sample; ``first_number`` counts lines from 1.
    ``newest_generation`` is the corpus' own, ``generation`` the one searched. ``cql`` is what the
    query means in CQL. ``damaged`` names index files that could not be read and were left out;
    ``is_index_missing`` says that nothing can be searched on this machine.
    While ``counting`` is set, all numbers are those of the parts of the corpus searched so far.
    """

    counts: Counts
    n_lines: int
    lines: tuple[SearchLine, ...]
    first_number: int
    next_after: str | None
    previous_after: str | None
    newest_generation: int
    cql: str
    facets: tuple[Facet, ...]
    remarks: tuple[Remark, ...]
    elapsed_ms: float
    damaged: tuple[str, ...]
    is_index_missing: bool
    counting: Counting | None = None

    @property
    def total(self) -> int:
        """Exact number of hits."""
        return self.counts.total

    @property
    def n_texts(self) -> int:
        """Number of texts with hits."""
        return self.counts.n_texts

    @property
    def base_tokens(self) -> int:
        """Tokens of all texts the filters let through."""
        return self.counts.base_tokens

    @property
    def base_texts(self) -> int:
        """Number of these texts."""
        return self.counts.base_texts

    @property
    def per_million(self) -> float:
        """Hits per million tokens of the base."""
        return self.counts.per_million

    @property
    def generation(self) -> int:
        """The generation searched."""
        return self.counts.generation


@dataclass(frozen=True, slots=True)
class HitPlace:
    """Where one hit stands among all: its number from 1, and its neighbours."""

    number: int
    n_lines: int
    previous: SearchLine | None
    next: SearchLine | None


def search(
    request: SearchRequest, *, with_facets: bool = True, patience: float = FOREVER
) -> SearchPage:
    """Search and build one page.

    Parameters
    ----------
    with_facets : bool
        Count what stands beside the lines too.
    patience : float
        Seconds after which a page is made of what was found so far; ask again to go on.

    Raises
    ------
    QueryTooExpensiveError
    """
    started = perf_counter()
    snapshot = current_snapshot()
    so_far = answer(request, patience, snapshot)
    hits, page = so_far.hits, _bounded(request.page)
    offset, n = page.offset, request.page.count
    shown = _shown(page, so_far, n)
    available = min(shown.n_lines, DEEPEST_LINE)
    return SearchPage(
        counts=counts_of(hits),
        n_lines=shown.n_lines,
        lines=search_lines(shown.lines, _extras(request, so_far)),
        first_number=offset + 1,
        next_after=_mark(hits, offset + n) if offset + n < available else None,
        previous_after=_mark(hits, max(0, offset - n)) if offset else None,
        newest_generation=snapshot.generation,
        cql=to_cql(request.query),
        facets=_facets(request, hits) if with_facets and so_far.is_done else (),
        remarks=_remarks(request, snapshot, so_far),
        elapsed_ms=1000 * (perf_counter() - started),
        damaged=_damaged(snapshot),
        is_index_missing=is_missing(snapshot),
        counting=shown.counting,
    )


def _facets(request: SearchRequest, hits: Hits) -> tuple[Facet, ...]:
    """Count what stands beside the lines; parts of the text behind the kinds of texts."""
    kinds, *others = facets_of(hits)
    parts = part_facet(hits_by_part(request, hits))
    has_parts = any(value.value != "body" for value in parts.values)
    facets = (kinds, parts, *others) if has_parts else (kinds, *others)
    return (*facets, *own_facets(hits))


def _bounded(page: PageRequest) -> PageRequest:
    """Keep the lines within those that can be turned to."""
    offset = min(page.offset, DEEPEST_LINE)
    return replace(page, offset=offset, count=max(0, min(page.count, DEEPEST_LINE - offset)))


def _remarks(request: SearchRequest, snapshot: Snapshot, so_far: SoFar) -> tuple[Remark, ...]:
    """Explain why there are no hits; a habit of another tool explains all.

    With hits, only signs that they silently lack are named.
    """
    written, habit = request.written, None
    is_simple = written.language is Language.SIMPLE
    if so_far.hits.total or not so_far.is_done:
        unseen = remark_on_brackets(written.text, written.options) if is_simple else None
        return () if unseen is None else (unseen,)
    if is_simple:
        habit = remark_on_habit(written.text, written.options)
    return remarks_on(request.query, snapshot) if habit is None else (habit,)


@dataclass(frozen=True, slots=True)
class _Shown:
    """Lines of a page, how many there are in all, and whether more are being looked for."""

    n_lines: int
    lines: list[KwicLine]
    counting: Counting | None = None


def _shown(page: PageRequest, so_far: SoFar, n_wanted: int) -> _Shown:
    """Make the lines; of a query on its way only those that nothing to come can change."""
    hits, order = so_far.hits, page.order
    is_newest_first = order.is_by_time and order.keys == (SortKey.NEW,)
    if not so_far.is_done and not is_newest_first:
        return _Shown(0, [], _counting(so_far, page.offset))
    with _sortable(order):
        n_all = n_lines(hits, order)
        lines = lines_of(hits, page)
    if so_far.is_done:
        return _Shown(n_all, lines)
    are_final = _are_final(lines, n_wanted, so_far)
    return _Shown(n_all, lines if are_final else [], _counting(so_far, page.offset))


def _counting(so_far: SoFar, offset: int) -> Counting:
    mark = f"{so_far.hits.generation}.{offset}"
    return Counting(so_far.n_done, so_far.n_segments, mark)


def _are_final(lines: list[KwicLine], n: int, so_far: SoFar) -> bool:
    """Say whether no part that is left can hold a line of this page of newest texts."""
    if len(lines) < n or so_far.last_day_left is None:
        return False
    return (lines[-1].info.day - UNIX_EPOCH).days > so_far.last_day_left


@dataclass(frozen=True, slots=True)
class LineList:
    """All lines of a request, batch by batch, with the numbers and hits they rest on."""

    hits: Hits
    counts: Counts
    n_lines: int
    damaged: tuple[str, ...]
    batches: Iterator[tuple[SearchLine, ...]]


def all_lines(request: SearchRequest, most: int, skip: int = 0) -> LineList:
    """Return the first lines of a request, for files; they are made while they are read.

    So many as are to be skipped are not made at all.

    Raises
    ------
    QueryError
    """
    snapshot = current_snapshot()
    so_far = answer(request, FOREVER, snapshot)
    hits, order = so_far.hits, request.page.order
    with _sortable(order):
        places = all_in_order(hits, order, most, LINES_AT_A_TIME, skip)
        first = next(places, Places.of(()))
    extras = _extras(request, so_far)

    def batches() -> Iterator[tuple[SearchLine, ...]]:
        for batch in chain([first], places):
            yield search_lines(lines_at(hits, batch, request.page), extras)

    return LineList(hits, counts_of(hits), n_lines(hits, order), _damaged(snapshot), batches())


def all_places(hits: Hits, request: SearchRequest, most: int) -> Iterator[Places]:
    """Give the places of the first lines of a request in their order, without their words.

    Raises
    ------
    QueryError
    """
    with _sortable(request.page.order):
        yield from all_in_order(hits, request.page.order, most, LINES_AT_A_TIME)


def _damaged(snapshot: Snapshot) -> tuple[str, ...]:
    return tuple(error.name for error in snapshot.damaged)


@contextmanager
def _sortable(order: Order) -> Iterator[None]:
    """Turn too many hits for an order into a sentence for the reader."""
    try:
        yield
    except TooManyHitsError as error:
        what = "to choose from" if order.keys == (SortKey.NEW,) else "to sort"
        raise QueryTooExpensiveError(
            f"These are {grouped(error.n_hits)} hits, too many {what}. "
            "Take the order “newest first”, which needs no sorting, or make the query more "
            "specific."
        ) from None


def _extras(request: SearchRequest, so_far: SoFar) -> LineExtras:
    """Return what counts the readings of lines and finds their marked tokens.

    Both look at the hits before they were joined or filtered; while a query is on its way, only at
    those at hand.
    """
    hits = wider = so_far.hits
    is_joined, has_marks = request.hits.overlaps == "join", _MARK in request.written.text
    if so_far.is_done and (is_joined or has_marks):
        texts = Texts(replace(request.texts.filter, generation=hits.generation))
        wider = hits_of(replace(request, texts=texts, hits=HitFilter()), hits.snapshot)
    marks = targets(wider) if has_marks else ()

    def count_readings(line: KwicLine) -> int:
        place = line.place
        part = _same_part(wider, hits.parts[place.part])
        return n_readings(wider.parts[part], place.row, place.start, place.end)

    def find_targets(line: KwicLine) -> tuple[int, ...]:
        place = line.place
        part = _same_part(wider, hits.parts[place.part])
        spans = wider.parts[part].spans
        low, high = np.searchsorted(spans.starts, [place.start, place.start + 1]).tolist()
        found = (low + np.flatnonzero(spans.ends[low:high] == place.end))[:1].tolist()
        positions = {int(mark[at]) for at in found for mark in marks[part].values()}
        return tuple(sorted(p - place.start for p in positions if place.start <= p < place.end))

    return LineExtras(
        count_readings if is_joined and so_far.is_done else None,
        find_targets if any(marks) else None,
    )


def _same_part(wider: Hits, part: SegmentHits) -> int:
    """Return the number of the same segment among the parts of other hits."""
    return next(i for i, other in enumerate(wider.parts) if other.view is part.view)


def count(request: SearchRequest) -> Counts:
    """Return the totals alone."""
    return counts_of(hits_of(request))


def hits_in_text(request: SearchRequest, kind: DocumentKind, key: int) -> list[tuple[int, int]]:
    """Return the hits in one text as half-open spans of token numbers.

    The text's own hits are returned whatever the filters of the request say.
    """
    texts = Texts(replace(EVERYTHING, generation=request.texts.filter.generation))
    hits = hits_of(replace(request, texts=texts, hits=HitFilter()))
    for part in hits.parts:
        row = part.view.current_row(kind, key, hits.generation)
        if row is not None:
            spans = part.spans_in(row)
            start = int(part.view.segment.bounds[row])
            return list(
                zip((spans.starts - start).tolist(), (spans.ends - start).tolist(), strict=True)
            )
    return []


def place_of_hit(
    request: SearchRequest, kind: DocumentKind, key: int, position: int
) -> HitPlace | None:
    """Return where the hit at a token of a text stands in the sorted lines of a request.

    None if the request does not find it.
    """
    hits = hits_of(request)
    order = request.page.order
    reference = _find(hits, kind, key, position)
    with _sortable(order):
        number = number_of_line(hits, order, reference) if reference is not None else None
    if number is None:
        return None
    first = max(0, number - 1)
    stretch = replace(request.page, offset=first, count=number - first + 2)
    around = search_lines(lines_of(hits, stretch))
    here = number - first
    return HitPlace(
        number=number + 1,
        n_lines=n_lines(hits, order),
        previous=around[0] if here else None,
        next=around[here + 1] if here + 1 < len(around) else None,
    )


def _mark(hits: Hits, offset: int) -> str:
    return write_place(hits.generation, offset)


def _find(hits: Hits, kind: DocumentKind, key: int, position: int) -> LineReference | None:
    for i, part in enumerate(hits.parts):
        row = part.view.current_row(kind, key, hits.generation)
        if row is None:
            continue
        spans = part.spans_in(row)
        wanted = int(part.view.segment.bounds[row]) + position
        for start, end in zip(spans.starts.tolist(), spans.ends.tolist(), strict=True):
            if start == wanted:
                return LineReference(i, row, start, end)
    return None
