"""Bars: one stack of marks for each category (articles per day, requests by outcome)."""

from dataclasses import dataclass
from itertools import accumulate
from xml.etree.ElementTree import Element

from presentation.charts.axes import (
    Note,
    draw_category_axis,
    draw_notes,
    draw_nothing,
    draw_value_axis,
)
from presentation.charts.scales import MAX_PRINTED_VALUES, are_whole, format_value, nice_ticks
from presentation.charts.svg import (
    Attributes,
    Frame,
    Label,
    Mark,
    add_label,
    add_mark,
    classes,
    markup,
    picture,
)

# User units; the style sheet scales them to the column, where they are about pixels.
WIDE = Frame(width=1220, height=100, left=46, top=26, right=2, bottom=22)
_BAR_SHARE = 0.9  # of a category's width; the rest is the gap
_VALUE_RISE = 4


@dataclass(frozen=True, slots=True)
class Bar:
    """One category: its label on the axis and the marks stacked from the base line up."""

    label: str
    marks: tuple[Mark, ...]

    @property
    def total(self) -> float:
        """Height of the whole stack."""
        return sum(mark.value for mark in self.marks)


@dataclass(frozen=True, slots=True)
class BarChart:
    """`sentence` says the picture in words; the style sheet scales the frame's units."""

    sentence: str
    bars: tuple[Bar, ...]
    notes: tuple[Note, ...] = ()
    frame: Frame = WIDE

    def draw(self) -> str:
        """Draw the bars from 0 up; with 12 or fewer, each bears its value.

        Returns
        -------
        str
            One `<svg>` element; without bars it says so.
        """
        svg, frame = picture(self.frame, self.sentence), self.frame
        if not self.bars:
            draw_nothing(svg, frame)
            return markup(svg)
        totals = [bar.total for bar in self.bars]
        ticks = nice_ticks(max(totals), whole=are_whole(totals))
        step, unit = frame.width / len(self.bars), frame.height / ticks[-1]
        centres = [(index + 0.5) * step for index in range(len(self.bars))]
        draw_value_axis(svg, frame, ticks)
        for bar, centre in zip(self.bars, centres, strict=True):
            _draw_stack(svg, bar, _Column(centre, step * _BAR_SHARE, frame.height, unit))
            if len(self.bars) <= MAX_PRINTED_VALUES:
                top = frame.height - bar.total * unit - _VALUE_RISE
                add_label(svg, Label(centre, top, format_value(bar.total), css_class="val"))
        draw_category_axis(svg, frame, [bar.label for bar in self.bars], centres)
        draw_notes(svg, self.notes, centres)
        return markup(svg)


@dataclass(frozen=True, slots=True)
class _Column:
    """Where one stack stands: centre, base line and height of one unit."""

    centre: float
    width: float
    base: float
    unit: float


def _draw_stack(svg: Element, bar: Bar, column: _Column) -> None:
    heights = [mark.value * column.unit for mark in bar.marks]
    for mark, height, reach in zip(bar.marks, heights, accumulate(heights), strict=True):
        place: Attributes = {
            "class": classes("bx", mark),
            "x": column.centre - column.width / 2,
            "y": column.base - reach,
            "width": column.width,
            "height": height,
        }
        add_mark(svg, mark, "rect", place)
