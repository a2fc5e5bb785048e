"""Queries that take longer than a page may: run in slices, kept until somebody asks on.

Input → output: a snapshot, a query and its filter → `Running`, the same for everybody who asks for
the same on the same generation. Nothing runs between two questions: who stops asking has cancelled.
A generation that is being searched stays open here while the corpus moves on.
"""

import threading
from dataclasses import dataclass, replace

from search.engine.index.hits import Hits
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Memory
from search.engine.query.ast import Query
from search.engine.query.errors import QueryTooExpensiveError
from search.engine.query.filters import QueryFilter
from search.engine.query.progress import Progress, start

RECENT_QUERIES = 8  # that wait to be gone on with; each keeps its generation open
FOREVER = float("inf")
Key = tuple[str, Query, QueryFilter]


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
        self._lock = threading.Lock()
        self._all: Hits | None = None
        self._refused = ""

    def advance(self, seconds: float) -> SoFar:
        """Search on for some seconds, at least one part.

        Raises
        ------
        QueryTooExpensiveError
        """
        progress = self._progress
        with self._lock:
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


def running(snapshot: Snapshot, query: Query, wanted: QueryFilter) -> Running:
    """Return the query on its way, or begin it."""
    key = _key(snapshot, query, wanted)
    return _recent.get_or(key, lambda: Running(start(snapshot, query, wanted)))


def is_running(snapshot: Snapshot, query: Query, wanted: QueryFilter) -> bool:
    """Say whether somebody has begun it."""
    return _key(snapshot, query, wanted) in _recent


def forget(snapshot: Snapshot, query: Query, wanted: QueryFilter) -> None:
    """Let go of a query whose result is kept elsewhere."""
    _recent.drop(_key(snapshot, query, wanted))


def _key(snapshot: Snapshot, query: Query, wanted: QueryFilter) -> Key:
    generation = wanted.generation if wanted.generation is not None else snapshot.generation
    return snapshot.identity, query, replace(wanted, generation=generation)
