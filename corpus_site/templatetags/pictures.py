"""`{% load pictures %}`: charts of `presentation.charts` drawn as SVG.

{% picture chart %}      any chart
{% meter share title %}  a bar in a table's cell, share from 0 to 1
{% sparkline values "words" %}  a small line in a table's cell
{{ n|tint:most }}        step of a cell's tint
"""

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe

from presentation.charts.sparkline import Sparkline, draw_meter
from presentation.charts.svg import Picture

register = template.Library()

TINTS = 6  # classes of the style sheet


@register.simple_tag(name="picture")
def picture_tag(chart: Picture) -> SafeString:
    return mark_safe(chart.draw())


@register.simple_tag(name="sparkline")
def sparkline_tag(values: Sequence[float], sentence: str) -> SafeString:
    """Draw a row of values as a small line; the last number stands beside it."""
    return mark_safe(Sparkline(sentence, tuple(values)).draw())


@register.filter
def tint(n: int, most: int) -> int:
    """Step from 0 to 6 of a cell's tint (classes tint-1 to tint-6): its share of the highest."""
    return -(-n * TINTS // most) if most else 0


@register.simple_tag(name="meter")
def meter_tag(share: float, title: str = "") -> SafeString:
    return mark_safe(draw_meter(title, share))
