"""What the scores of many pages come to: figures with intervals.

Precision and recall are means over pages, F1 their harmonic mean, as the article extraction
benchmark has it; lines of the content class are counted together over all pages, as nodes were in
the study. Intervals are percentiles over resamples of the pages (bootstrap, 95 %), seeded.
"""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from extraction.evaluation.page_scores import PageOutcome, SegmentScores, TextScores, WordOverlap

# Resamples of the pages, the same ones at each run; their percentiles bound the 95 % interval.
RESAMPLES = 200
SEED = 0
_BOUNDS = (2.5, 97.5)

Columns = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its interval; NaN where no page says anything about it."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PageRow:
    """One extractor on one page."""

    text: TextScores | None
    lines: WordOverlap | None
    milliseconds: float
    segments: SegmentScores | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """One extractor on many pages: figures by name, in the order in which tables show them."""

    n_pages: int
    n_errors: int
    figures: dict[str, Figure]


def summarize(rows: Sequence[PageRow]) -> ScoreSummary:
    """Sum up the rows of one extractor; figures without any page are left out."""
    figures: dict[str, Figure] = {}
    texts = [row.text for row in rows if row.text is not None]
    if texts:
        figures |= _resampled(_text_columns(texts), _text_figures)
    lines = [row.lines for row in rows if row.lines is not None]
    if lines:
        columns = np.array([(line.common, line.found, line.wanted) for line in lines], dtype=float)
        figures |= _resampled(columns, _line_figures)
    segments = [row.segments for row in rows if row.segments is not None]
    if segments:
        figures |= _resampled(_segment_columns(segments), _segment_figures)
    if rows:
        times = np.array([[row.milliseconds] for row in rows])
        figures |= _resampled(times, _time_figures)
    return ScoreSummary(len(rows), sum(bool(row.error) for row in rows), figures)


def harmonic(left: float, right: float) -> float:
    """Harmonic mean, 0 where both are 0."""
    return 2 * left * right / (left + right) if left + right else 0.0


def _resampled(
    columns: Columns, figures_of: Callable[[Columns], dict[str, float]]
) -> dict[str, Figure]:
    random = np.random.default_rng(SEED)
    values = figures_of(columns)
    samples: dict[str, list[float]] = {name: [] for name in values}
    for _ in range(RESAMPLES):
        rows = random.integers(0, len(columns), len(columns))
        for name, value in figures_of(columns[rows]).items():
            samples[name].append(value)
    return {
        name: Figure(value, *(float(bound) for bound in np.percentile(samples[name], _BOUNDS)))
        for name, value in values.items()
    }


_OUTCOMES = list(PageOutcome)


def _text_columns(texts: Sequence[TextScores]) -> Columns:
    return np.array(
        [
            (
                _or_nan(text.shingles.precision),
                _or_nan(text.shingles.recall),
                text.is_exact,
                _or_nan(text.html_bytes.precision),
                _or_nan(text.html_bytes.recall),
                *(text.outcome is outcome for outcome in _OUTCOMES),
            )
            for text in texts
        ],
        dtype=np.float64,
    )


def _text_figures(columns: Columns) -> dict[str, float]:
    precision, recall, exact, bag_precision, bag_recall, *outcomes = (
        _mean(column) for column in columns.T
    )
    return {
        "f1": harmonic(precision, recall),
        "precision": precision,
        "recall": recall,
        "exact": exact,
        **dict(zip(map(str, _OUTCOMES), outcomes, strict=True)),
        "bag_precision": bag_precision,
        "bag_recall": bag_recall,
        "bag_f1": harmonic(bag_precision, bag_recall),
    }


def _line_figures(columns: Columns) -> dict[str, float]:
    common, found, wanted = (float(total) for total in columns.sum(axis=0))
    precision, recall = common / (found or 1.0), common / (wanted or 1.0)
    return {
        "content_precision": precision,
        "content_recall": recall,
        "content_f1": harmonic(precision, recall),
    }


def _segment_columns(segments: Sequence[SegmentScores]) -> Columns:
    return np.array(
        [
            (row.wanted_found, row.unwanted_found, row.wanted_missed, row.unwanted_missed)
            for row in segments
        ],
        dtype=np.float64,
    )


def _segment_figures(columns: Columns) -> dict[str, float]:
    found, mistaken, missed, avoided = (float(total) for total in columns.sum(axis=0))
    precision, recall = found / ((found + mistaken) or 1.0), found / ((found + missed) or 1.0)
    return {
        "segment_f1": harmonic(precision, recall),
        "segment_precision": precision,
        "segment_recall": recall,
        "segment_accuracy": (found + avoided) / (columns.sum() or 1.0),
    }


def _time_figures(columns: Columns) -> dict[str, float]:
    return {"milliseconds": statistics.median(columns[:, 0].tolist())}


def _mean(column: npt.NDArray[np.float64]) -> float:
    """Mean of the known values, 0 where none is known."""
    known = column[~np.isnan(column)]
    return float(known.mean()) if len(known) else 0.0


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value
