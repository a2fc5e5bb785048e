"""Charts that stand in a table's cell: a sparkline of 84 × 20 units and a meter of 96 × 10."""

from collections.abc import Sequence
from dataclasses import dataclass

from presentation.charts.svg import Frame, add, markup, number, picture

_SPARK = Frame(width=84, height=20)
_SPARK_TOP, _SPARK_BASE = 2.0, 19.0  # leaves room for the stroke
_METER = Frame(width=96, height=10)


@dataclass(frozen=True, slots=True)
class Sparkline:
    """Values in a row, from 0 up; the last one is written in the cell beside it."""

    sentence: str
    values: tuple[float, ...]

    def draw(self) -> str:
        """Draw the values as one line without axes; fewer than two values leave it empty.

        Returns
        -------
        str
            One `<svg class="spark">` element.
        """
        svg = picture(_SPARK, self.sentence, "spark")
        if len(self.values) > 1:
            add(svg, "polyline", {"class": "ln", "points": " ".join(_places(self.values))})
        return markup(svg)


def _places(values: Sequence[float]) -> list[str]:
    highest = max(values) or 1
    step = _SPARK.width / (len(values) - 1)
    unit = (_SPARK_BASE - _SPARK_TOP) / highest
    return [
        f"{number(index * step)},{number(_SPARK_BASE - value * unit)}"
        for index, value in enumerate(values)
    ]


def draw_meter(sentence: str, share: float) -> str:
    """Draw a share from 0 to 1 (cut to that range) as a bar on its ground.

    Returns
    -------
    str
        One `<svg class="meter">` element.
    """
    svg = picture(_METER, sentence, "meter")
    add(svg, "rect", {"class": "bg", "width": _METER.width, "height": _METER.height})
    width = _METER.width * min(1.0, max(0.0, share))
    add(svg, "rect", {"class": "bx", "width": width, "height": _METER.height})
    return markup(svg)
