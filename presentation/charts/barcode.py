"""Barcode: where hits lie along a text, a subcorpus or a span of time, one thin stroke each."""

from dataclasses import dataclass

from presentation.charts.svg import Attributes, Frame, Mark, add, add_mark, classes, markup, picture

_FRAME = Frame(width=1200, height=28)  # one unit is 1 / 1 200 of the scope
_STROKE_WIDTH = 1.5


@dataclass(frozen=True, slots=True)
class Barcode:
    """The marks' values are places from 0 (start of the scope) to 1 (its end)."""

    sentence: str
    marks: tuple[Mark, ...]
    frame: Frame = _FRAME

    def __post_init__(self) -> None:
        if any(mark.value > 1 for mark in self.marks):
            raise ValueError("places in a barcode are shares from 0 to 1")

    def draw(self) -> str:
        """Draw the ground and one stroke for each mark.

        Returns
        -------
        str
            One `<svg>` element; without marks the ground alone, since no hits is an answer.
        """
        frame = self.frame
        svg = picture(frame, self.sentence, "chart barcode")
        add(svg, "rect", {"class": "bg", "width": frame.width, "height": frame.height})
        for mark in self.marks:
            place: Attributes = {
                "class": classes("bx", mark),
                "x": mark.value * (frame.width - _STROKE_WIDTH),
                "width": _STROKE_WIDTH,
                "height": frame.height,
            }
            add_mark(svg, mark, "rect", place)
        return markup(svg)
