"""The last column of a collocate list: how its share of the hits went from quarter to quarter."""

from collections.abc import Sequence

import numpy as np

from search.engine.statistics.collocation.collocate_times import collocate_times
from search.engine.statistics.collocation.collocates import CollocateList
from search.engine.statistics.counting.attribute_values import numbers_of, type_values
from search.engine.tables.result_table import Cell
from search.views.statistic_page import StatisticPage

FEW_QUARTERS = 2  # fewer are no line to look at
# Looking at the windows once more takes a quarter of a second for so many hits.
MOST_HITS = 1_000_000
MOST_ROWS = 200


def time_cells(page: StatisticPage, found: CollocateList) -> Sequence[tuple[Cell, ...]]:
    """Return the cell of each row, or none where there is too little or too much to look at."""
    none = [()] * len(found.rows)
    if found.n_hits > MOST_HITS or not 0 < len(found.rows) <= MOST_ROWS:
        return none
    lexicon, by = page.hits.snapshot.lexicon, page.values["by"]
    chosen = np.array([numbers_of(lexicon, by, row.value)[0] for row in found.rows])
    times = collocate_times(page.hits, type_values(lexicon, by), chosen, page.values["win"])
    if len(times.names) < FEW_QUARTERS:
        return none
    span = f"{times.names[0]} to {times.names[-1]}"
    return [
        (Cell(shares[-1], title=f"share of the hits that have it, {span}", spark=tuple(shares)),)
        for shares in times.shares.tolist()
    ]
