"""Pictures of the statistic pages as values; `{% load pictures %}{% picture value %}` draws them.

Search knows no drawing: `corpus_site.charts` makes the SVG. Values start at 0. Each picture has a
`sentence` that says what it shows to those who cannot see it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """One value: what it says when pointed at, the rows behind it, the ends of its interval.

    `series` is 1 to 6; a thin point rests on little text and is drawn hollow.
    """

    value: float
    title: str
    address: str = ""
    low: float | None = None
    high: float | None = None
    series: int = 1
    is_thin: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """A line: its name and a point, or a gap, for each label of the picture."""

    name: str
    points: tuple[Point | None, ...]
    series: int = 1


@dataclass(frozen=True, slots=True)
class LinePicture:
    """Lines over time; `notes` are pairs of the label's number and the words above it.

    `events` are number of the label, words and address of what is marked under the axis. `top` is
    what the value axis reaches at least, so that several pictures share one scale.
    """

    sentence: str
    labels: tuple[str, ...]
    traces: tuple[Trace, ...]
    notes: tuple[tuple[int, str], ...] = ()
    events: tuple[tuple[int, str, str], ...] = ()
    is_small: bool = False
    top: float = 0


@dataclass(frozen=True, slots=True)
class DotPicture:
    """Rates of groups with their intervals: pairs of label and point.

    The highest rate comes first, unless the groups have an order of their own.
    """

    sentence: str
    rows: tuple[tuple[str, Point], ...]
    keeps_order: bool = False


@dataclass(frozen=True, slots=True)
class BarPicture:
    """Columns side by side, one value each: pairs of label and point."""

    sentence: str
    bars: tuple[tuple[str, Point], ...]


@dataclass(frozen=True, slots=True)
class BarcodePicture:
    """Strokes at places from 0 (start of the first text) to 1 (end of the last)."""

    sentence: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class RankPicture:
    """Rank against frequency on logarithmic axes: pairs of rank and point.

    `n_tokens` places the line of Zipf's law with c = 0.1; 0 leaves it out.
    """

    sentence: str
    points: tuple[tuple[int, Point], ...]
    n_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """An item with its two rates and the rows behind it."""

    across: float
    up: float
    label: str
    title: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class ScatterPicture:
    """Rate against rate on logarithmic axes, with the line of equal rates and the axes' names."""

    sentence: str
    points: tuple[ScatterPoint, ...]
    across: str
    up: str


@dataclass(frozen=True, slots=True)
class Spark:
    """A small line without axes, for a table's cell."""

    sentence: str
    values: tuple[float, ...]


Picture = (
    LinePicture | DotPicture | BarPicture | BarcodePicture | RankPicture | ScatterPicture | Spark
)
