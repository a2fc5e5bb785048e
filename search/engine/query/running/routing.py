"""Says which patterns the fast machine runs just as CQP would, and which must be simulated.

Input → output: a query → whether its edges and labels stand where the machine can deal with them.
The machine treats all ways through the pattern at once and knows no labels; CQP's evaluator keeps
one set of labels for each state, so that it matters in which order ways meet.
"""

from search.engine.query.ast import (
    NO_TARGET,
    Alternatives,
    Edge,
    Pattern,
    Query,
    Region,
    Repetition,
    Strategy,
    Token,
)
from search.engine.query.conditions.comparing import labels_in
from search.engine.query.running.labels import find_places, has_fixed_places, mark_name
from search.engine.query.walks import flat_items, length_range, tokens_of


def needs_simulation(query: Query, *, across_texts: bool, is_one_segment: bool) -> bool:
    """Say whether a query with its comparisons lifted must be simulated.

    In one segment the first matches of a ``cut`` are those that CQP finds first.
    """
    items = flat_items(query.pattern)
    tokens = [token for item in items for token in tokens_of(item)]
    edges = [item for item in items if isinstance(item, Edge)]
    least, most = length_range(query.pattern)
    return (
        any(token.is_ahead or labels_in(token.condition) for token in tokens)
        or not has_fixed_places(query)
        or query.shown is not None
        or any(not isinstance(item, Edge) and _has_edges(item) for item in items)
        or not _are_simple(query, items, edges, across_texts=across_texts)
        or _has_wandering_marks(query, tokens)
        or least == 0
        or (query.cut is not None and least != most and is_one_segment)
        or (query.strategy is Strategy.TRADITIONAL and _begins_in_several_ways(items))
    )


def _has_wandering_marks(query: Query, tokens: list[Token]) -> bool:
    """Say whether a marked token is at no fixed distance from an end of the match."""
    places = find_places(query.pattern)
    names = {mark_name(token.target) for token in tokens if token.target != NO_TARGET}
    return any(places.get(name) is None for name in names)


def _has_edges(pattern: Pattern) -> bool:
    match pattern:
        case Edge() | Region():
            return True
        case Alternatives(choices):
            return any(map(_has_edges, choices))
        case Repetition(item):
            return any(map(_has_edges, flat_items(item)))
        case _:
            return any(map(_has_edges, flat_items(pattern)[1:]))


def _are_simple(
    query: Query, items: list[Pattern], edges: list[Edge], *, across_texts: bool
) -> bool:
    """Say whether regions open and close once, and no start of a region lies at the very end."""
    names = {edge.name or edge.structure for edge in edges}
    for name in names:
        kinds = [edge.is_start for edge in edges if name == (edge.name or edge.structure)]
        after_start = kinds[kinds.index(True) :] if True in kinds else []
        if False in after_start and after_start != [True, False]:
            return False
    begun = next((i for i, item in enumerate(items) if not isinstance(item, Edge)), len(items))
    inner_starts = [item for item in items[begun:] if isinstance(item, Edge) and item.is_start]
    # A closing edge of another name must not be taken for the end of an open region.
    same_structure = {(edge.structure, edge.name or edge.structure) for edge in edges}
    clear = len({structure for structure, _ in same_structure}) == len(same_structure)
    is_bounded = query.within is not None or across_texts
    leads = any(not edge.is_start for edge in edges if edge in items[:begun])
    return clear and not (inner_starts and is_bounded) and not (leads and across_texts)


def _begins_in_several_ways(items: list[Pattern]) -> bool:
    """Say whether different elements of the pattern can begin a match."""
    for item in items:
        if isinstance(item, Edge):
            continue
        if isinstance(item, Token):
            return False
        if isinstance(item, Repetition) and isinstance(item.inner, Token):
            return item.least == 0
        return True
    return False
