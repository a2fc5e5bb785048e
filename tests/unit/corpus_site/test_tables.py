"""Numbers in the tables of statistic pages."""

import pytest

from corpus_site.templatetags.tables import result_rows, write_number
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (1.0, "100.0"),
        (0.256, "25.6"),
        (0.001, "0.1"),
        (0.0, "0.0"),
        (4 / 4523, "0.088"),
        (1 / 1_000_000, "0.00010"),
    ],
)
def test_a_small_share_shows_two_figures(share, words):
    assert write_number(share, ColumnKind.SHARE) == f"{words}\u202f%"


def test_the_cell_that_names_a_row_is_its_head():
    columns = (Column("rank", "#", ColumnKind.COUNT), Column("word", "Word"), Column("in", "In"))
    table = ResultTable("words", "Words.", columns, ((Cell(1), Cell("rain"), Cell("Karoo")),))

    assert result_rows(table) == (
        '<tr data-row><td class="num" data-k="#">1</td>'
        '<th scope="row" class="full" data-k="Word">rain</th>'
        '<td class="full" data-k="In">Karoo</td></tr>'
    )
