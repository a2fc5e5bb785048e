"""Runs a query on an index.

Input → output: a parsed query, a filter and a reader (or one of its snapshots) → ``Hits``.
"""

from search.index.hits import Hits
from search.index.reader import IndexReader, Snapshot
from search.query.ast import Query
from search.query.filters import QueryFilter, select
from search.query.limits import Budget
from search.query.planner import make_plan


def run(
    index: IndexReader | Snapshot,
    query: Query,
    wanted: QueryFilter | None = None,
    budget: Budget | None = None,
) -> Hits:
    """Find the hits of a query.

    Parameters
    ----------
    index : IndexReader or Snapshot
        A reader gives its newest snapshot.
    query : Query
    wanted : QueryFilter or None
        Which documents count; None for all current ones.
    budget : Budget or None
        How much the query may cost.

    Returns
    -------
    Hits
        Totals are exact. Hits of a single token are not turned into positions yet.

    Raises
    ------
    QueryError
        If the pattern cannot be run.
    QueryTooExpensiveError, QueryCancelledError
        If the budget is used up, or its owner wants no result any more.
    """
    snapshot = index.snapshot if isinstance(index, IndexReader) else index
    budget = budget or Budget()
    selection = select(snapshot, wanted or QueryFilter())
    plan = make_plan(snapshot, query)
    parts = tuple(
        plan.run(view, mask, budget)
        for view, mask, is_empty in zip(
            snapshot.segments, selection.document_masks, selection.is_empty_in, strict=True
        )
        if not is_empty
    )
    return Hits(snapshot, selection.generation, parts, selection.base)
