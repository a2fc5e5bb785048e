"""Figures of many pages by hand; their intervals."""

import pytest

from extraction.evaluation.page_scores import PageOutcome, TextScores, WordOverlap
from extraction.evaluation.summaries import PageRow, summarize


def row(shingles, outcome=PageOutcome.MISSED, lines=None, milliseconds=1.0):
    bytes_ = WordOverlap(1, 2, 4)
    is_exact = outcome is PageOutcome.ACCURATE
    return PageRow(TextScores(shingles, is_exact, outcome, bytes_), lines, milliseconds)


def test_precision_leaves_out_pages_without_an_answer():
    rows = [row(WordOverlap(1, 2, 2)), row(WordOverlap(0, 0, 2))]

    figures = summarize(rows).figures

    assert figures["precision"].value == 0.5
    assert figures["recall"].value == 0.25
    assert figures["f1"].value == pytest.approx(2 * 0.5 * 0.25 / 0.75)


def test_shares_times_and_bags():
    rows = [
        row(WordOverlap(1, 1, 1), PageOutcome.ACCURATE, milliseconds=5.0),
        row(WordOverlap(1, 1, 1), PageOutcome.EXTRA, milliseconds=1.0),
        row(WordOverlap(1, 1, 1), PageOutcome.EXTRA, milliseconds=2.0),
    ]

    figures = {name: figure.value for name, figure in summarize(rows).figures.items()}

    assert (figures["accurate"], figures["extra"], figures["missed"]) == pytest.approx(
        (1 / 3, 2 / 3, 0)
    )
    assert (figures["exact"], figures["milliseconds"]) == pytest.approx((1 / 3, 2.0))
    assert (figures["bag_precision"], figures["bag_recall"]) == (0.5, 0.25)


def test_content_lines_are_counted_together():
    rows = [
        row(WordOverlap(1, 1, 1), lines=WordOverlap(9, 10, 9)),
        row(WordOverlap(1, 1, 1), lines=WordOverlap(0, 0, 1)),
    ]

    figures = summarize(rows).figures

    assert (figures["content_precision"].value, figures["content_recall"].value) == (0.9, 0.9)


def test_interval_holds_the_value_and_is_the_same_every_time():
    rows = [row(WordOverlap(n, 10, 10)) for n in range(11)]

    figure, again = (summarize(rows).figures["f1"] for _ in range(2))

    assert figure.low <= figure.value <= figure.high
    assert figure.low < figure.high
    assert figure == again


def test_no_pages_have_no_figures():
    assert summarize([]).figures == {}
