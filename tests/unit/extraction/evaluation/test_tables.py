"""The table of figures that commands print."""

from extraction.evaluation.page_scores import SegmentScores
from extraction.evaluation.summaries import PageRow
from extraction.evaluation.tables import figure_table


def test_table_shows_only_what_is_known():
    rows = {
        "auto": [PageRow(None, None, 2.0, SegmentScores(1, 0, 0, 1))],
        "qread": [PageRow(None, None, 3.0, SegmentScores(1, 1, 0, 0), error="ValueError: x")],
        "nothing": [],
    }

    assert figure_table(rows).splitlines() == [
        "| extractor | n | F1 (segments) | P | R | right | ms | errors |",
        "| :-- | --: | --: | --: | --: | --: | --: | --: |",
        "| auto | 1 | 1.000 (1.000–1.000) | 1.000 | 1.000 | 1.000 | 2.0 | 0 |",
        "| qread | 1 | 0.667 (0.667–0.667) | 0.500 | 1.000 | 0.500 | 3.0 | 1 |",
    ]
