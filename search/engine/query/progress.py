"""Runs a query segment by segment, newest first, so that a page can be shown before the total.

Input → output: a query and a snapshot → ``Progress``, which finds more hits whenever it is told to.
To cancel, stop telling it.
"""

from collections.abc import Callable
from time import monotonic

from search.engine.index.hits import Hits, SegmentHits
from search.engine.index.reader import IndexReader, Snapshot
from search.engine.index.selection import Selection
from search.engine.query.ast import Query
from search.engine.query.filters import DocumentFilter, select
from search.engine.query.limits import Budget
from search.engine.query.run import WholePlan, finished, in_turn

SLICE_SECONDS = 0.3  # a page that comes later feels late


class Progress:
    """A query on its way: hits of the segments done so far.

    Segments are taken in order of the last day in them, newest first; for a ``cut`` the oldest
    first. The budget is one for all slices.
    """

    def __init__(self, plan: WholePlan, query: Query, selection: Selection, budget: Budget) -> None:
        self._plan = plan
        self._query = query
        self._selection = selection
        self._budget = budget
        self._waiting = in_turn(selection, query)[::-1]
        self._done: dict[int, SegmentHits] = {}
        self.n_segments = len(self._waiting)

    @property
    def n_done(self) -> int:
        """Number of segments done."""
        return len(self._done)

    @property
    def is_done(self) -> bool:
        """Whether all segments are done."""
        return not self._waiting

    @property
    def last_day_left(self) -> int | None:
        """Last day (since 1970-01-01) in the segments that are not done; None if all are."""
        return max((view.entry.last_day for _, view, _ in self._waiting), default=None)

    @property
    def hits(self) -> Hits:
        """The hits found so far; those of the whole query when all segments are done."""
        parts = tuple(self._done[number] for number in sorted(self._done))
        selection = self._selection
        parts = finished(parts, self._query)
        return Hits(selection.snapshot, selection.generation, parts, selection.base)

    def advance(
        self, seconds: float = SLICE_SECONDS, clock: Callable[[], float] = monotonic
    ) -> bool:
        """Search at least one more segment, and more until the time is over; true when done.

        Raises
        ------
        QueryTooExpensiveError, QueryCancelledError
            As `run` does.
        """
        ends = clock() + seconds
        while self._waiting:
            number, _, mask = self._waiting[-1]
            part = self._plan.run_next(number, mask, self._budget, self._done)
            _ = part.total  # dense hits are counted here, not when the page is made
            self._done[number] = part
            self._waiting.pop()  # only now: a segment that could not be searched stays undone
            if clock() >= ends:
                break
        return self.is_done


def start(
    index: IndexReader | Snapshot,
    query: Query,
    wanted: DocumentFilter | None = None,
    budget: Budget | None = None,
) -> Progress:
    """Plan a query; nothing is searched until ``advance``.

    Parameters and errors are those of `search.engine.query.run.run`.
    """
    snapshot = index.snapshot if isinstance(index, IndexReader) else index
    selection = select(snapshot, wanted or DocumentFilter())
    plan = WholePlan(snapshot, query, across_texts=False)
    return Progress(plan, query, selection, budget or Budget())
