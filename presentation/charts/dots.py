"""Dots: rates of groups, one row each, sorted, with the interval as a line through the dot."""

from dataclasses import dataclass

from presentation.charts.axes import HALF_LETTER, draw_nothing
from presentation.charts.scales import MAX_PRINTED_VALUES, are_whole, format_value, nice_ticks
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

# User units, about pixels: a row of text, room for the names before and the values behind.
_ROW_HEIGHT = 24
_PLOT_WIDTH = 460
_LABEL_WIDTH = 180
_VALUE_WIDTH = 70
_RADIUS = 4


@dataclass(frozen=True, slots=True)
class Dot:
    """One group: its name, its rate as a mark, and the ends of the interval if there is one."""

    label: str
    mark: Mark
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class DotChart:
    """`sentence` says the picture in words; groups with an order of their own keep it."""

    sentence: str
    dots: tuple[Dot, ...]
    keeps_order: bool = False

    def draw(self) -> str:
        """Draw one row for each group, highest rate first; with 12 or fewer the values are printed.

        Returns
        -------
        str
            One `<svg>` element, as tall as its rows need; without groups it says so.
        """
        height = max(1, len(self.dots)) * _ROW_HEIGHT
        frame = Frame(_PLOT_WIDTH, height, _LABEL_WIDTH, top=4, right=_VALUE_WIDTH, bottom=22)
        svg = picture(frame, self.sentence, "chart dots")
        if not self.dots:
            draw_nothing(svg, frame)
            return markup(svg)
        tops = [max(dot.mark.value, dot.high or 0) for dot in self.dots]
        ticks = nice_ticks(max(tops), 4, whole=are_whole(tops))
        unit = frame.width / ticks[-1]
        for tick in ticks:
            x = tick * unit
            add(svg, "path", {"class": "gr", "d": f"M{number(x)} 0V{number(frame.height)}"})
            add_label(svg, Label(x, frame.height + 16, format_value(tick)))
        ranked = list(self.dots)
        if not self.keeps_order:
            ranked.sort(key=lambda dot: (-dot.mark.value, dot.label))
        for row, dot in enumerate(ranked):
            y = (row + 0.5) * _ROW_HEIGHT
            add_label(svg, Label(-8, y + HALF_LETTER, dot.label, "end"))
            if dot.low is not None and dot.high is not None:
                ends = f"M{number(dot.low * unit)} {number(y)}H{number(dot.high * unit)}"
                add(svg, "path", {"class": "iv", "d": ends})
            x, css_class = dot.mark.value * unit, classes("pt", dot.mark)
            add_mark(svg, dot.mark, "circle", {"class": css_class, "cx": x, "cy": y, "r": _RADIUS})
            if len(ranked) <= MAX_PRINTED_VALUES:
                value = format_value(dot.mark.value)
                add_label(svg, Label(frame.width + 10, y + HALF_LETTER, value, "start", "val"))
        return markup(svg)
