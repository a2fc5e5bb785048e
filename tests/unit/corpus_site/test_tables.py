"""Numbers in the tables of statistic pages."""

import pytest

from corpus_site.templatetags.tables import write_number
from search.tables.result_table import ColumnKind


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
