"""`{% load pictures %}`: pictures of `search.engine.tables.pictures` drawn as SVG.

{% picture value %}      any picture
{% meter share title %}  a bar in a table's cell, share from 0 to 1
{% sparkline values "words" %}  a small line in a table's cell
{{ n|tint:most }}        step of a cell's tint
"""

from collections.abc import Sequence
from functools import singledispatch

from django import template
from django.utils.safestring import SafeString, mark_safe

from corpus_site.charts.axes import Event, Note
from corpus_site.charts.barcode import Barcode, draw_barcode
from corpus_site.charts.bars import Bar, BarChart, draw_bars
from corpus_site.charts.dots import Dot, DotChart, draw_dots
from corpus_site.charts.lines import NAMED, SMALL, WIDE, Line, LineChart, LinePoint, draw_lines
from corpus_site.charts.loglog import LogLogChart, RankPoint, draw_loglog
from corpus_site.charts.scatter import ScatterChart, ScatterItem, draw_scatter
from corpus_site.charts.sparkline import Sparkline, draw_meter, draw_sparkline
from corpus_site.charts.svg import Frame, Mark
from search.engine.tables.pictures import (
    BarcodePicture,
    BarPicture,
    DotPicture,
    LinePicture,
    Point,
    RankPicture,
    ScatterPicture,
    Spark,
    Trace,
)

register = template.Library()

TINTS = 6  # classes of the style sheet


@register.simple_tag(name="picture")
def picture_tag(value: object) -> SafeString:
    return mark_safe(draw(value))


@register.simple_tag(name="sparkline")
def sparkline_tag(values: Sequence[float], sentence: str) -> SafeString:
    """Draw a row of values as a small line; the last number stands beside it."""
    return mark_safe(draw_sparkline(Sparkline(sentence, tuple(values))))


@register.filter
def tint(n: int, most: int) -> int:
    """Step from 0 to 6 of a cell's tint (classes tint-1 to tint-6): its share of the highest."""
    return -(-n * TINTS // most) if most else 0


@register.simple_tag(name="meter")
def meter_tag(share: float, title: str = "") -> SafeString:
    return mark_safe(draw_meter(title, share))


@singledispatch
def draw(value: object) -> str:
    """Draw a picture of `search.engine.tables.pictures`."""
    raise TypeError(f"{type(value).__name__} is no picture")


@draw.register
def _(value: LinePicture) -> str:
    chart = LineChart(
        value.sentence,
        value.labels,
        tuple(_line(trace) for trace in value.traces),
        tuple(Note(index, words) for index, words in value.notes),
        _frame(value),
        value.top,
        tuple(Event(*event) for event in value.events),
    )
    return draw_lines(chart)


def _frame(value: LinePicture) -> Frame:
    """Choose the size; several lines need room for their names."""
    if value.is_small:
        return SMALL
    return NAMED if len(value.traces) > 1 else WIDE


def _line(trace: Trace) -> Line:
    points = (None if p is None else _line_point(p, trace.series) for p in trace.points)
    return Line(trace.name, tuple(points), trace.series)


def _line_point(point: Point, series: int) -> LinePoint:
    mark = Mark(point.value, point.title, point.address, series, is_tab_stop=False)
    return LinePoint(mark, point.low, point.high, point.is_thin)


def _mark(point: Point) -> Mark:
    """Make a mark; tables hold the same links, and a barcode would be a thousand tab stops."""
    return Mark(point.value, point.title, point.address, point.series, is_tab_stop=False)


@draw.register
def _(value: DotPicture) -> str:
    dots = (Dot(label, _mark(point), point.low, point.high) for label, point in value.rows)
    return draw_dots(DotChart(value.sentence, tuple(dots), value.keeps_order))


@draw.register
def _(value: BarPicture) -> str:
    bars = (Bar(label, (_mark(point),)) for label, point in value.bars)
    return draw_bars(BarChart(value.sentence, tuple(bars)))


@draw.register
def _(value: BarcodePicture) -> str:
    return draw_barcode(Barcode(value.sentence, tuple(_mark(point) for point in value.points)))


@draw.register
def _(value: RankPicture) -> str:
    points = (RankPoint(rank, _mark(point)) for rank, point in value.points)
    return draw_loglog(LogLogChart(value.sentence, tuple(points), value.n_tokens))


@draw.register
def _(value: ScatterPicture) -> str:
    items = (
        ScatterItem(p.across, p.up, p.label, Mark(p.up, p.title, p.address)) for p in value.points
    )
    return draw_scatter(ScatterChart(value.sentence, tuple(items), value.across, value.up))


@draw.register
def _(value: Spark) -> str:
    return draw_sparkline(Sparkline(value.sentence, value.values))
