"""Rows of scores as plain values, to be stored with a run and summed up again later."""

from dataclasses import asdict
from typing import Any

from extraction.evaluation.page_scores import PageOutcome, SegmentScores, TextScores, WordOverlap
from extraction.evaluation.summaries import Figure, PageRow, ScoreSummary


def row_as_json(row: PageRow) -> dict[str, Any]:
    """Turn a row into dicts, numbers and strings."""
    return asdict(row)


def row_of_json(found: dict[str, Any]) -> PageRow:
    """Read what `row_as_json` made.

    Raises
    ------
    KeyError, TypeError, ValueError
        When it made something else.
    """
    text, lines, segments = found["text"], found["lines"], found["segments"]
    return PageRow(
        text=_text_scores(text) if text else None,
        lines=WordOverlap(**lines) if lines else None,
        milliseconds=found["milliseconds"],
        segments=SegmentScores(**segments) if segments else None,
        error=found["error"],
    )


def summary_as_json(summary: ScoreSummary) -> dict[str, Any]:
    """Turn a summary into dicts and numbers; a figure is value, low and high."""
    return {
        "n_pages": summary.n_pages,
        "n_errors": summary.n_errors,
        "figures": {
            name: [round(number, 4) for number in (figure.value, figure.low, figure.high)]
            for name, figure in summary.figures.items()
        },
    }


def summary_of_json(found: dict[str, Any]) -> ScoreSummary:
    """Read what `summary_as_json` made."""
    figures = {name: Figure(*numbers) for name, numbers in found["figures"].items()}
    return ScoreSummary(found["n_pages"], found["n_errors"], figures)


def _text_scores(found: dict[str, Any]) -> TextScores:
    return TextScores(
        shingles=WordOverlap(**found["shingles"]),
        is_exact=found["is_exact"],
        outcome=PageOutcome(found["outcome"]),
        html_bytes=WordOverlap(**found["html_bytes"]),
    )
