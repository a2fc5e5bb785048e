"""Lines: rates over time for one to twelve queries; one alone with its band (95 % interval)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.etree.ElementTree import Element

from presentation.charts.axes import (
    Event,
    Note,
    draw_category_axis,
    draw_events,
    draw_notes,
    draw_nothing,
    draw_value_axis,
)
from presentation.charts.scales import MAX_PRINTED_VALUES, are_whole, format_value, nice_ticks
from presentation.charts.svg import (
    Frame,
    Label,
    Mark,
    add,
    add_label,
    add_mark,
    markup,
    number,
    picture,
    series_classes,
)

# User units, about pixels; room for values at the left, for names at the right.
WIDE = Frame(width=1168, height=220, left=58, top=26, right=42, bottom=22)
NAMED = Frame(width=1058, height=220, left=58, top=26, right=152, bottom=22)
SMALL = Frame(width=290, height=90, left=50, top=10, right=14, bottom=22)
_RADIUS = 3
_RAW_RADIUS = 2  # of points that stand beside a line of averages
_VALUE_RISE = 8
_VALUE_DROP = 16
_VALUE_HEIGHT = 12
_NAME_HEIGHT = 13
_SAMPLE = (6, 24)  # of a line's stroke before its name: from, to
_X_HEIGHT = 4


@dataclass(frozen=True, slots=True)
class LinePoint:
    """One value of a line; `low` and `high` bound its band, a thin point rests on little text."""

    mark: Mark
    low: float | None = None
    high: float | None = None
    is_thin: bool = False

    @property
    def highest(self) -> float:
        """The highest place that the point or its band reaches."""
        return max(self.mark.value, self.high or 0)


@dataclass(frozen=True, slots=True)
class Curve:
    """One series: its name at the line's end and a point, or a gap, for each label of the axis.

    The line runs through ``averages``, a value for each point, where there are such, with the
    points beside it; through the points else.
    """

    name: str
    points: tuple[LinePoint | None, ...]
    series: int = 1
    averages: tuple[float, ...] = ()

    def value(self, index: int, point: LinePoint) -> float:
        """Where the line stands at a point."""
        return self.averages[index] if self.averages else point.mark.value


@dataclass(frozen=True, slots=True)
class LineChart:
    """`sentence` says the picture in words; `labels` are the places of the horizontal axis.

    `top` is a value that the vertical axis shall reach at least, so that pictures share a scale;
    `events` are marked under the horizontal axis.
    """

    sentence: str
    labels: tuple[str, ...]
    lines: tuple[Curve, ...]
    notes: tuple[Note, ...] = ()
    frame: Frame = WIDE
    top: float = 0
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        if any(len(line.points) != len(self.labels) for line in self.lines):
            raise ValueError("each line has one point or gap for each label")
        if any(len(line.averages) not in {0, len(self.labels)} for line in self.lines):
            raise ValueError("each line has one average for each label, or none")

    def draw(self) -> str:
        """Draw bands, then lines, then points; a gap interrupts line and band.

        Returns
        -------
        str
            One `<svg>` element. Up to 12 points in all bear their values; a line alone bears no
            name.
        """
        svg, frame = picture(self.frame, self.sentence), self.frame
        points = [point for line in self.lines for point in line.points if point]
        if not points:
            draw_nothing(svg, frame)
            return markup(svg)
        tops = [self.top, *(point.highest for point in points)]
        ticks = nice_ticks(max(tops), n_intervals=4, whole=are_whole(tops))
        n_steps = max(1, len(self.labels) - 1)
        centres = [frame.width * index / n_steps for index in range(len(self.labels))]
        scale = _Scale(centres, frame.height, frame.height / ticks[-1])
        draw_value_axis(svg, frame, ticks)
        draw_category_axis(svg, frame, self.labels, centres)
        for line in self.lines:
            _draw_band(svg, line, scale)
        for line in self.lines:
            _draw_line(svg, line, scale)
            _draw_points(svg, line, scale)
        if len(points) <= MAX_PRINTED_VALUES:
            for index in range(len(self.labels)):
                _draw_values(svg, self.lines, index, scale)
        if len(self.lines) > 1:
            _draw_names(svg, self.lines, scale)
        draw_notes(svg, self.notes, centres)
        draw_events(svg, frame, self.events, centres)
        return markup(svg)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Places of the axis and height of one unit."""

    centres: Sequence[float]
    base: float
    unit: float

    def y(self, value: float) -> float:
        return self.base - value * self.unit

    def place(self, index: int, value: float) -> str:
        return f"{number(self.centres[index])},{number(self.y(value))}"


def _stretches(line: Curve) -> Iterator[list[tuple[int, LinePoint]]]:
    """Cut a line at its gaps."""
    for is_there, stretch in groupby(enumerate(line.points), lambda item: item[1] is not None):
        if is_there:
            yield [(index, point) for index, point in stretch if point is not None]


def _draw_band(svg: Element, line: Curve, scale: _Scale) -> None:
    for stretch in _stretches(line):
        bounds = [
            (index, point.low, point.high)
            for index, point in stretch
            if point.low is not None and point.high is not None
        ]
        if len(bounds) > 1:
            upper = [scale.place(index, high) for index, _, high in bounds]
            lower = [scale.place(index, low) for index, low, _ in reversed(bounds)]
            add(svg, "polygon", {"class": "band", "points": " ".join(upper + lower)})


def _draw_line(svg: Element, line: Curve, scale: _Scale) -> None:
    css_class = series_classes("ln", line.series)
    for stretch in _stretches(line):
        places = " ".join(scale.place(index, line.value(index, point)) for index, point in stretch)
        add(svg, "polyline", {"class": css_class, "points": places})


def _draw_points(svg: Element, line: Curve, scale: _Scale) -> None:
    radius, raw = (_RAW_RADIUS, " raw") if line.averages else (_RADIUS, "")
    for index, point in enumerate(line.points):
        if point is None:
            continue
        x, y = scale.centres[index], scale.y(point.mark.value)
        css_class = series_classes("pt", line.series) + (" thin" if point.is_thin else "") + raw
        add_mark(svg, point.mark, "circle", {"class": css_class, "cx": x, "cy": y, "r": radius})


def _draw_values(svg: Element, lines: Sequence[Curve], index: int, scale: _Scale) -> None:
    """Write the values at one place of the axis, above their points or else below.

    A value that would stand on another is left to the point's title.
    """
    values = [point.mark.value for line in lines if (point := line.points[index])]
    taken: list[float] = []
    anchor = "middle" if index else "start"  # clear of the value axis
    for value in sorted(values, reverse=True):
        point_y = scale.y(value)
        for y in (point_y - _VALUE_RISE, point_y + _VALUE_DROP):
            if y < scale.base and all(abs(y - other) >= _VALUE_HEIGHT for other in taken):
                text = format_value(value)
                add_label(svg, Label(scale.centres[index], y, text, anchor, "val"))
                taken.append(y)
                break


def _draw_names(svg: Element, lines: Sequence[Curve], scale: _Scale) -> None:
    """Write each name with a piece of its line behind the last point, apart without colour too.

    Names that would stand on one another are moved down, and up again from below the axis.
    """
    ends = []
    for line in lines:
        there = [(index, point) for index, point in enumerate(line.points) if point]
        if there:
            index, point = there[-1]
            value = line.value(index, point)
            ends.append((scale.y(value) + _RADIUS, scale.centres[index], line.name, line.series))
    ends.sort()
    places: list[float] = []
    for wanted, *_ in ends:
        places.append(max(wanted, places[-1] + _NAME_HEIGHT if places else -math.inf))
    highest = scale.base + _RADIUS
    for at in reversed(range(len(places))):
        places[at] = min(places[at], highest)
        highest = places[at] - _NAME_HEIGHT
    first, last = _SAMPLE
    for y, (_, x, name, series) in zip(places, ends, strict=True):
        css_class, middle = series_classes("ln", series), y - _X_HEIGHT
        sample = {"x1": x + first, "x2": x + last, "y1": middle, "y2": middle}
        add(svg, "line", {"class": css_class, **sample})
        add_label(svg, Label(x + last + first, y, name, "start", "strong"))
