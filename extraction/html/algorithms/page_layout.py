"""Where elements stand on a screen and how large they are: as a browser drew them, or estimated.

The templateness study rendered every page. Here most pages are not, so places and sizes are
estimates, said wherever their figures are shown: an element's area is that of its text set in a
usual size plus that of its images; its distance to the top is the area before it in document order;
its distance to the left margin is its depth in the tree, one indentation a level.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from extraction.html.markup.outline import Outline
from feeds.crawler.fetching.drawn_html import BOX_ATTRIBUTE

# Pixels: a usual window, and one step of indentation a level of the tree.
PAGE_WIDTH = 1000.0
# A character of 16 px text is about 7.5 px wide, a line 20 px high.
_CHARACTER_AREA = 150.0
_IMAGE_AREA = 300.0 * 200.0  # of an image that does not say its size
_MOST_PIXELS = 2000.0  # an image that says more is cut: it is shown no wider than the page
_INDENTATION = 10.0
# A page says its own places: no element is farther away or larger, whatever it says.
_FARTHEST_PIXELS = 1e7
_N_BOX_NUMBERS = 4


@dataclass(frozen=True, slots=True)
class Box:
    """Place and size of a drawn element, in pixels from the document's upper left corner."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PageLayout:
    """Per element of the outline, in pixels and square pixels."""

    area: list[float]
    top: list[float]
    left: list[float]


def take_boxes(root: etree._Element) -> dict[etree._Element, Box]:
    """Take the places that a browser wrote out of a parsed page, and give those that are whole."""
    boxes: dict[etree._Element, Box] = {}
    for element in root.iter(etree.Element):
        said = element.get(BOX_ATTRIBUTE)
        if said is None:
            continue
        del element.attrib[BOX_ATTRIBUTE]
        box = _box(said)
        if box is not None:
            boxes[element] = box
    return boxes


def lay_out(outline: Outline, boxes: Mapping[etree._Element, Box]) -> PageLayout:
    """Give places and sizes of all elements of a page, estimated without any box; linear."""
    if not any(element in boxes for element in outline.elements):
        return _estimated(outline)
    area: list[float] = []
    top: list[float] = []
    left: list[float] = []
    for element, parent in zip(outline.elements, outline.parents, strict=True):
        box = boxes.get(element)
        if box is None:  # not among the page's first ones, or made by us: it stands in its parent
            area.append(0.0)
            top.append(top[parent] if parent >= 0 else 0.0)
            left.append(left[parent] if parent >= 0 else 0.0)
        else:
            area.append(box.width * box.height)
            top.append(max(box.top, 0.0))
            left.append(max(box.left, 0.0))
    return PageLayout(area, top, left)


def _box(said: str) -> Box | None:
    try:
        numbers = [float(number) for number in said.split()]
    except ValueError:
        return None
    if len(numbers) != _N_BOX_NUMBERS or not all(abs(n) <= _FARTHEST_PIXELS for n in numbers):
        return None
    left, top, width, height = numbers
    return Box(left, top, width, height) if width >= 0 and height >= 0 else None


def _estimated(outline: Outline) -> PageLayout:
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
    return PageLayout(area, top, left)


def _image_area(image: etree._Element) -> float:
    width, height = _pixels(image.get("width")), _pixels(image.get("height"))
    return width * height if width and height else _IMAGE_AREA


def _pixels(value: str | None) -> float:
    digits = str(value or "").strip().removesuffix("px")
    return min(float(digits), _MOST_PIXELS) if digits.isascii() and digits.isdigit() else 0.0
