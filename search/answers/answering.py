"""Answers what is asked: a request and a patience → its hits, as many as were found by then.

A query that takes longer than a page may runs in slices and is kept until somebody asks on: the
same `Running` for everybody who asks for the same on the same generation. Nothing runs between two
questions: who stops asking has cancelled. A generation that is being searched stays open here while
the corpus moves on. Whole results are remembered with the snapshot they were made on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

from django.utils import timezone

from search.asking.hit_filters import RESULTS, narrow
from search.asking.request import SearchRequest, Texts
from search.engine.index.hits import Hits
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Memory, Remembered
from search.engine.index.selection import Selection
from search.engine.query.ast import Query
from search.engine.query.errors import QueryTooExpensiveError
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.progress import Progress, start
from search.engine.query.run import run
from search.engine.shared_work import SharedWork
from search.engine.statistics.slicing import narrow_hits, narrow_selection
from search.opened_index import current_snapshot

RECENT_QUERIES = 8  # that wait to be gone on with; each keeps its generation open
FOREVER = float("inf")
Key = tuple[str, int, Query, DocumentFilter]


@dataclass(frozen=True, slots=True)
class Counts:
    """Totals of a request and the base they refer to."""

    total: int
    n_texts: int
    base_tokens: int
    base_texts: int
    generation: int

    @property
    def per_million(self) -> float:
        """Hits per million tokens of the base."""
        return 1e6 * self.total / self.base_tokens if self.base_tokens else 0.0


@dataclass(frozen=True, slots=True)
class SoFar:
    """What a query has found yet: hits of `n_done` out of `n_segments` parts of the corpus.

    `last_day_left` is the last day (since 1970-01-01) in the parts that are left, None for none.
    """

    hits: Hits
    n_done: int
    n_segments: int
    last_day_left: int | None

    @property
    def is_done(self) -> bool:
        return self.last_day_left is None


class Running:
    """A query on its way; safe between threads, which take turns."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._searching = SharedWork()
        self._all: Hits | None = None
        self._refused = ""

    def advance(self, seconds: float) -> SoFar:
        """Search on for some seconds, at least one part.

        Raises
        ------
        QueryTooExpensiveError
        """
        progress = self._progress
        with self._searching.alone():
            if self._all is None and self._has_ended(seconds):
                self._all = progress.hits
            hits = self._all or progress.hits
            return SoFar(hits, progress.n_done, progress.n_segments, progress.last_day_left)

    def _has_ended(self, seconds: float) -> bool:
        """Search on; a query that was refused once is refused at once when asked again."""
        if self._refused:
            raise QueryTooExpensiveError(self._refused)
        try:
            return self._progress.advance(seconds)
        except QueryTooExpensiveError as error:
            self._refused = error.message
            raise


_recent: Memory[Key, Running] = Memory(RECENT_QUERIES)


def running(snapshot: Snapshot, query: Query, wanted: DocumentFilter) -> Running:
    """Return the query on its way, or begin it."""
    key = _key(snapshot, query, wanted)
    return _recent.get_or(key, lambda: Running(start(snapshot, query, wanted)))


def is_running(snapshot: Snapshot, query: Query, wanted: DocumentFilter) -> bool:
    """Say whether somebody has begun it."""
    return _key(snapshot, query, wanted) in _recent


def forget(snapshot: Snapshot, query: Query, wanted: DocumentFilter) -> None:
    """Let go of a query whose result is kept elsewhere."""
    _recent.drop(_key(snapshot, query, wanted))


def _key(snapshot: Snapshot, query: Query, wanted: DocumentFilter) -> Key:
    """Name a question: after a withdrawal an older generation answers otherwise than before."""
    place = _at_generation(snapshot, wanted)
    return snapshot.identity, snapshot.withdrawal, query, place


def _at_generation(snapshot: Snapshot, wanted: DocumentFilter) -> DocumentFilter:
    """Name the generation: asking for the newest is asking for that of the snapshot."""
    generation = snapshot.generation if wanted.generation is None else wanted.generation
    return replace(wanted, generation=min(generation, snapshot.generation))


def answer(
    request: SearchRequest, patience: float = FOREVER, snapshot: Snapshot | None = None
) -> SoFar:
    """Search for some seconds, by default until all is found, or take a result that is known.

    Parameters
    ----------
    request : SearchRequest
        Its slices are cut last, as they are by the cells of a page that counted the hits before.
    patience : float
        Seconds after which to give what was found yet; ask again to go on. Slices want all hits,
        and so does another search that the hits are set beside: none are given before it has ended.
    snapshot : Snapshot or None
        None for the newest.

    Raises
    ------
    QueryTooExpensiveError
    """
    snapshot = snapshot or current_snapshot()
    texts = request.texts
    patience = FOREVER if texts.slices else patience
    ends = monotonic() + patience
    so_far = _in_texts(snapshot, request.query, texts.filter, patience)
    beside = [
        _in_texts(
            so_far.hits.snapshot,
            other.query,
            replace(other.filter, generation=so_far.hits.generation),
            max(0.0, ends - monotonic()),
        )
        for other in request.hits.others
    ]
    if not all(other.is_done for other in beside):
        return _without_hits(so_far, beside)
    hits = narrow(so_far.hits, request.hits)
    return replace(so_far, hits=_in_slices(hits, texts) if texts.slices else hits)


def _without_hits(so_far: SoFar, beside: Sequence[SoFar]) -> SoFar:
    """Say how far all searches have come, where those that hits are set beside go on."""
    every = (so_far, *beside)
    return SoFar(
        replace(so_far.hits, parts=(), memories={}),
        sum(one.n_done for one in every),
        sum(one.n_segments for one in every),
        max(one.last_day_left for one in every if one.last_day_left is not None),
    )


def hits_of(request: SearchRequest, snapshot: Snapshot | None = None) -> Hits:
    """Return all hits of a request on a snapshot, by default the newest (`Hits.snapshot`)."""
    return answer(request, FOREVER, snapshot).hits


def selection_of(texts: Texts, snapshot: Snapshot | None = None) -> Selection:
    """Return the documents that are looked at, whatever the query."""
    selection = select(snapshot or current_snapshot(), texts.filter)
    return narrow_selection(selection, texts.slices, timezone.get_default_timezone())


def counts_of(hits: Hits) -> Counts:
    """Return the totals of hits and their base."""
    base = hits.base
    return Counts(hits.total, hits.n_texts, base.n_tokens, base.n_documents, hits.generation)


_SLICES: Remembered[Texts, Hits] = Remembered()


def _in_texts(snapshot: Snapshot, query: Query, wanted: DocumentFilter, patience: float) -> SoFar:
    """Find the hits in the texts that a filter lets through."""
    key = query, _at_generation(snapshot, wanted)
    known = RESULTS.of(snapshot).get(key)
    if known is not None:
        return SoFar(known, 1, 1, None)
    if patience == FOREVER and not is_running(snapshot, query, wanted):
        hits = run(snapshot, query, wanted)
        RESULTS.of(snapshot).put(key, hits)
        return SoFar(hits, 1, 1, None)
    so_far = running(snapshot, query, wanted).advance(patience)
    if so_far.is_done and so_far.hits.snapshot is snapshot:
        RESULTS.of(snapshot).put(key, so_far.hits)
        forget(snapshot, query, wanted)
    return so_far


def _in_slices(hits: Hits, texts: Texts) -> Hits:
    def narrowed() -> Hits:
        selection = select(hits.snapshot, texts.filter)
        return narrow_hits(hits, selection, texts.slices, timezone.get_default_timezone())

    return _SLICES.of(hits).get_or(texts, narrowed)
