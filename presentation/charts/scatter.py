"""Scatter: the rate of each item in two corpora on log–log axes, with the line of equal rates."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from presentation.charts.axes import HALF_LETTER, draw_nothing
from presentation.charts.scales import format_value, log_ticks
from presentation.charts.svg import (
    Frame,
    Label,
    Mark,
    add,
    add_label,
    add_mark,
    classes,
    markup,
    number,
    picture,
)

_FRAME = Frame(width=900, height=460, left=78, top=22, right=90, bottom=46)
_RADIUS = 3
_ZERO_LANE = 36  # room at the axes for items that one corpus lacks
_MOST_LABELS = 20  # those farthest from the line
_LABEL_SHIFT = 6
_LINE_HEIGHT = 12  # labels closer than this to one another are left out
_LABEL_WIDTH = 90  # of most words, with a gap


@dataclass(frozen=True, slots=True)
class ScatterItem:
    """One item: rates across and up, at least 0, its name, and what is behind it."""

    across: float
    up: float
    label: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class ScatterChart:
    """`across` and `up` name the axes."""

    sentence: str
    items: tuple[ScatterItem, ...]
    across: str
    up: str

    def draw(self) -> str:
        """Draw the line of equal rates, the items, and the names of those farthest from it.

        Returns
        -------
        str
            One `<svg>` element; without items it says so.
        """
        svg = picture(_FRAME, self.sentence)
        rates = [rate for item in self.items for rate in (item.across, item.up) if rate > 0]
        if not rates:
            draw_nothing(svg, _FRAME)
            return markup(svg)
        axes = _Axes(log_ticks(min(rates), max(rates)))
        _draw_axes(svg, axes, self)
        for item in self.items:
            place = {"cx": axes.x(item.across), "cy": axes.y(item.up), "r": _RADIUS}
            add_mark(svg, item.mark, "circle", {"class": classes("pt", item.mark), **place})
        _draw_labels(svg, axes, self.items)
        return markup(svg)


@dataclass(frozen=True, slots=True)
class _Axes:
    """Both axes with the same powers of ten; rates of 0 lie in a lane before them."""

    ticks: list[float]

    def x(self, rate: float) -> float:
        return self._place(rate, _FRAME.width)

    def y(self, rate: float) -> float:
        return _FRAME.height - self._place(rate, _FRAME.height)

    def _place(self, rate: float, length: float) -> float:
        if rate <= 0:
            return _ZERO_LANE / 2
        share = math.log(rate / self.ticks[0]) / math.log(self.ticks[-1] / self.ticks[0])
        return _ZERO_LANE + (length - _ZERO_LANE) * share


def _draw_axes(svg: Element, axes: _Axes, chart: ScatterChart) -> None:
    for tick in [0.0, *axes.ticks]:
        x, y = axes.x(tick), axes.y(tick)
        add(svg, "path", {"class": "gr", "d": f"M{number(x)} 0V{number(_FRAME.height)}"})
        add(svg, "path", {"class": "gr", "d": f"M0 {number(y)}H{number(_FRAME.width)}"})
        add_label(svg, Label(x, _FRAME.height + 16, format_value(tick)))
        add_label(svg, Label(-6, y + HALF_LETTER, format_value(tick), "end"))
    first, last = axes.ticks[0], axes.ticks[-1]
    ends = [f"{number(axes.x(rate))},{number(axes.y(rate))}" for rate in (first, last)]
    line = add(svg, "polyline", {"class": "guide", "points": " ".join(ends)})
    add(line, "title", {}, "equal rates")
    add_label(svg, Label(_FRAME.width, _FRAME.height + 36, chart.across, "end", "strong"))
    add_label(svg, Label(-_FRAME.left + 4, -10, chart.up, "start", "strong"))


def _draw_labels(svg: Element, axes: _Axes, items: Sequence[ScatterItem]) -> None:
    taken: list[tuple[float, float]] = []
    for item in sorted(items, key=_distance, reverse=True):
        x, y = axes.x(item.across) + _LABEL_SHIFT, axes.y(item.up) + HALF_LETTER
        if any(abs(y - v) < _LINE_HEIGHT and abs(x - u) < _LABEL_WIDTH for u, v in taken):
            continue
        add_label(svg, Label(x, y, item.label, "start", "val"))
        taken.append((x, y))
        if len(taken) == _MOST_LABELS:
            break


def _distance(item: ScatterItem) -> tuple[float, float]:
    """How far an item lies from the line; those that one corpus lacks first, by their rate."""
    if item.across <= 0 or item.up <= 0:
        return math.inf, max(item.across, item.up)
    return abs(math.log(item.up / item.across)), item.up
