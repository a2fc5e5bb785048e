"""Rows and summaries survive being stored."""

import json

import pytest

from extraction.evaluation.page_scores import SegmentScores, WordOverlap, score_text
from extraction.evaluation.row_json import (
    row_as_json,
    row_of_json,
    summary_as_json,
    summary_of_json,
)
from extraction.evaluation.summaries import Figure, PageRow, ScoreSummary

ROWS = (
    PageRow(score_text("sour milk", "sour tea"), WordOverlap(1, 2, 3), 4.5, error="x"),
    PageRow(None, None, 0.1, SegmentScores(1, 2, 3, 4)),
)


@pytest.mark.parametrize("row", ROWS)
def test_row_survives_json(row):
    assert row_of_json(json.loads(json.dumps(row_as_json(row)))) == row


def test_summary_survives_json_with_four_digits():
    summary = ScoreSummary(3, 1, {"f1": Figure(0.51239, 0.4, 0.6)})

    found = summary_of_json(json.loads(json.dumps(summary_as_json(summary))))

    assert found == ScoreSummary(3, 1, {"f1": Figure(0.5124, 0.4, 0.6)})
