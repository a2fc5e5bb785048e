"""Where elements would stand on a screen, estimated from text and tags: nothing is rendered here.

The templateness study rendered every page. A stand-in, said wherever its figures are shown: an
element's area is that of its text set in a usual size plus that of its images; its distance to the
top is the area before it in document order; its distance to the left margin is its depth in the
tree, one indentation a level.
"""

from dataclasses import dataclass

from lxml import etree

from extraction.html.markup.outline import Outline

# Pixels: a usual window, and one step of indentation a level of the tree.
PAGE_WIDTH = 1000.0
# A character of 16 px text is about 7.5 px wide, a line 20 px high.
_CHARACTER_AREA = 150.0
_IMAGE_AREA = 300.0 * 200.0  # of an image that does not say its size
_MOST_PIXELS = 2000.0  # an image that says more is cut: it is shown no wider than the page
_INDENTATION = 10.0


@dataclass(frozen=True, slots=True)
class EstimatedLayout:
    """Per element of the outline, in pixels and square pixels."""

    area: list[float]
    top: list[float]
    left: list[float]


def estimate_layout(outline: Outline) -> EstimatedLayout:
    """Estimate all elements of a page; linear in elements."""
    own = [
        sum(runs) * _CHARACTER_AREA + (_image_area(element) if tag == "img" else 0.0)
        for runs, tag, element in zip(outline.runs, outline.tags, outline.elements, strict=True)
    ]
    area = list(own)
    top: list[float] = []
    left: list[float] = []
    before = 0.0
    for index, parent in enumerate(outline.parents):
        top.append(before / PAGE_WIDTH)
        left.append(left[parent] + _INDENTATION if parent >= 0 else 0.0)
        before += own[index]
    for index in range(len(area) - 1, 0, -1):
        if outline.parents[index] >= 0:
            area[outline.parents[index]] += area[index]
    return EstimatedLayout(area, top, left)


def _image_area(image: etree._Element) -> float:
    width, height = _pixels(image.get("width")), _pixels(image.get("height"))
    return width * height if width and height else _IMAGE_AREA


def _pixels(value: str | None) -> float:
    digits = str(value or "").strip().removesuffix("px")
    return min(float(digits), _MOST_PIXELS) if digits.isascii() and digits.isdigit() else 0.0
