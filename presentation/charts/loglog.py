"""Rank against frequency on log–log axes, with the line f = c·N / rank of Zipf's law (c = 0.1)."""

import math
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

_FRAME = Frame(width=900, height=420, left=60, top=12, right=24, bottom=26)
_RADIUS = 2.5  # points stand closer here than elsewhere
ZIPF_C = 0.1  # share of the first rank in Zipf's law for English


@dataclass(frozen=True, slots=True)
class RankPoint:
    """One type: its rank (from 1) and its frequency as a mark."""

    rank: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class LogLogChart:
    """`n_tokens` places the reference line; 0 leaves it out. Points without hits are not drawn."""

    sentence: str
    points: tuple[RankPoint, ...]
    n_tokens: int = 0
    frame: Frame = _FRAME

    def draw(self) -> str:
        """Draw the points and the reference line, cut to the area.

        Returns
        -------
        str
            One `<svg>` element; without points it says so.
        """
        svg = picture(self.frame, self.sentence)
        points = [point for point in self.points if point.mark.value > 0 and point.rank > 0]
        if not points:
            draw_nothing(svg, self.frame)
            return markup(svg)
        frequencies = [point.mark.value for point in points]
        scale = _LogScale(
            self.frame,
            log_ticks(1, max(point.rank for point in points)),
            log_ticks(min(frequencies), max(frequencies)),
        )
        _draw_axes(svg, scale)
        if self.n_tokens:
            _draw_guide(svg, scale, ZIPF_C * self.n_tokens)
        for point in points:
            x, y, css_class = (
                scale.x(point.rank),
                scale.y(point.mark.value),
                classes("pt", point.mark),
            )
            add_mark(
                svg, point.mark, "circle", {"class": css_class, "cx": x, "cy": y, "r": _RADIUS}
            )
        return markup(svg)


@dataclass(frozen=True, slots=True)
class _LogScale:
    """Both axes as powers of ten."""

    frame: Frame
    ranks: list[float]
    frequencies: list[float]

    def x(self, rank: float) -> float:
        return self.frame.width * _share(rank, self.ranks)

    def y(self, frequency: float) -> float:
        return self.frame.height * (1 - _share(frequency, self.frequencies))


def _share(value: float, ticks: list[float]) -> float:
    return math.log(value / ticks[0]) / math.log(ticks[-1] / ticks[0])


def _draw_axes(svg: Element, scale: _LogScale) -> None:
    frame = scale.frame
    for tick in scale.ranks:
        x = scale.x(tick)
        add(svg, "path", {"class": "gr", "d": f"M{number(x)} 0V{number(frame.height)}"})
        add_label(svg, Label(x, frame.height + 16, format_value(tick)))
    for tick in scale.frequencies:
        y = scale.y(tick)
        add(svg, "path", {"class": "gr", "d": f"M0 {number(y)}H{number(frame.width)}"})
        add_label(svg, Label(-6, y + HALF_LETTER, format_value(tick), "end"))


def _draw_guide(svg: Element, scale: _LogScale, top: float) -> None:
    """Draw f = top / rank over the ranks at which it lies inside the area."""
    first = max(scale.ranks[0], top / scale.frequencies[-1])
    last = min(scale.ranks[-1], top / scale.frequencies[0])
    if first < last:
        ends = [f"{number(scale.x(rank))},{number(scale.y(top / rank))}" for rank in (first, last)]
        line = add(svg, "polyline", {"class": "guide", "points": " ".join(ends)})
        add(line, "title", {}, "Zipf’s law with c = 0.1")
