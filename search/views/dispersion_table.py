"""The measures of dispersion as a table, with one sentence for each."""

import math

from presentation.wording.figures import counted
from search.engine.statistics.distribution import Dispersion
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable

_COLUMNS = (
    Column("parts", "Over"),
    Column("range", "With hits", ColumnKind.COUNT, "Range: how many parts have hits."),
    Column("n", "Of", ColumnKind.COUNT, "Parts that have tokens."),
    Column(
        "dp",
        "DP",
        ColumnKind.MEASURE,
        "Deviation of proportions (Gries 2008): 0 if the hits lie as the tokens do, near 1 if all "
        "are in one small part.",
    ),
    Column(
        "dpnorm",
        "DP norm",
        ColumnKind.MEASURE,
        "DP stretched to reach 1 (Lijffijt and Gries 2012).",
    ),
    Column(
        "d",
        "Juilland’s D",
        ColumnKind.MEASURE,
        "1 if all parts have the same rate, 0 if one of equal parts has all hits (Juilland and "
        "Chang-Rodríguez 1964); with very many parts near 1 for almost any word.",
    ),
    Column(
        "d2",
        "Carroll’s D2",
        ColumnKind.MEASURE,
        "Entropy of the rates: 1 if all parts have the same rate, 0 if one has all (Carroll 1970).",
    ),
    Column(
        "s",
        "Rosengren’s S",
        ColumnKind.MEASURE,
        "1 if the hits lie as the tokens do, least the share of the smallest part (Rosengren "
        "1971).",
    ),
)


def dispersion_table(found: list[Dispersion], n_hits: int) -> ResultTable:
    """One row for each way to cut the corpus."""
    rows = tuple(
        (
            Cell(each.parts),
            Cell(each.part_range),
            Cell(each.n_parts),
            *(
                Cell(None if math.isnan(value) else value)
                for value in (
                    each.deviation,
                    each.normalized_deviation,
                    each.juilland_d,
                    each.carroll_d2,
                    each.rosengren_s,
                )
            ),
        )
        for each in found
    )
    caption = f"How evenly {counted(n_hits, 'hit lies', 'hits lie')} over parts of the base."
    return ResultTable("dispersion", caption, _COLUMNS, rows)
