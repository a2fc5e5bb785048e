"""Network: words around a node, nearer the stronger, with lines between those that go together."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from presentation.charts.axes import HALF_LETTER, draw_nothing
from presentation.charts.svg import Frame, Label, Mark, add, add_label, add_mark, markup, picture

_FRAME = Frame(width=1168, height=460, left=50, right=50)
_LETTER_WIDTH = 7.0  # of the 11 px type, capitals and wide letters included
_BOX_HEIGHT = 15.0
_LABEL_GAP = 4.0  # between a name and its dot
_LEAST_RADIUS, _MOST_RADIUS = 2.5, 9.0
_LEAST_WIDTH, _MOST_WIDTH = 1.0, 5.0
_INNER = 0.34  # of the way to the edge: where the strongest words begin
_STEP = 0.03  # outwards, while a name would stand on another


@dataclass(frozen=True, slots=True)
class NetworkItem:
    """A word: its name; ``strength`` 0 to 1 draws it nearer, the mark's value makes its dot large.

    ``is_before`` puts it into the left half.
    """

    label: str
    mark: Mark
    strength: float
    is_before: bool = False


@dataclass(frozen=True, slots=True)
class NetworkLink:
    """A line between two items, by their numbers; the mark's value, 0 to 1, makes it wide."""

    first: int
    second: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class NetworkChart:
    """``node`` names the middle."""

    sentence: str
    node: str
    items: tuple[NetworkItem, ...]
    links: tuple[NetworkLink, ...] = ()

    def draw(self) -> str:
        """Draw lines, dots and names; words that go together stand beside one another.

        Returns
        -------
        str
            One `<svg>` element; without items it says so. The same items give the same picture.
        """
        svg = picture(_FRAME, self.sentence, "chart network")
        if not self.items:
            draw_nothing(svg, _FRAME)
            return markup(svg)
        places = _places(self)
        middle = _place(0.0, 0.0)
        for x, y in places:
            ends = {"x1": middle[0], "y1": middle[1], "x2": x, "y2": y}
            add(svg, "line", {"class": "spoke", **ends})
        for link in self.links:
            _draw_link(svg, link, places)
        highest = max(item.mark.value for item in self.items)
        for item, (x, y) in zip(self.items, places, strict=True):
            radius = _radius(item.mark.value / highest if highest else 0)
            css_class = "pt p2" if item.is_before else "pt"
            add_mark(svg, item.mark, "circle", {"class": css_class, "cx": x, "cy": y, "r": radius})
            add_label(svg, Label(x, y - radius - _LABEL_GAP, item.label, "middle", "val"))
        add_label(svg, Label(middle[0], middle[1] + HALF_LETTER, self.node, "middle", "strong"))
        return markup(svg)


def _radius(share: float) -> float:
    """Give a dot an area by its share of the largest."""
    return _LEAST_RADIUS + (_MOST_RADIUS - _LEAST_RADIUS) * math.sqrt(share)


def _draw_link(svg: Element, link: NetworkLink, places: Sequence[tuple[float, float]]) -> None:
    (x1, y1), (x2, y2) = places[link.first], places[link.second]
    width = _LEAST_WIDTH + (_MOST_WIDTH - _LEAST_WIDTH) * min(1.0, link.mark.value)
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke-width": width}
    add_mark(svg, link.mark, "line", {"class": "link", **ends})


def _place(angle: float, distance: float) -> tuple[float, float]:
    """Turn an angle from the top, clockwise, and a distance, 1 at the edge, into coordinates."""
    across, down = _FRAME.width / 2, _FRAME.height / 2
    x = across + math.sin(angle) * distance * across
    room = _MOST_RADIUS + _LABEL_GAP + _BOX_HEIGHT  # of a name above the topmost dot
    return x, down - math.cos(angle) * distance * (down - room)


def _places(chart: NetworkChart) -> list[tuple[float, float]]:
    """Give each item its place: strong ones first, others farther out where names would collide."""
    angles = dict(_angles(chart))
    boxes = [_box(chart.node, *_place(0.0, 0.0))]
    places: dict[int, tuple[float, float]] = {}
    for index in sorted(angles, key=lambda index: (-chart.items[index].strength, index)):
        item = chart.items[index]
        distance = _INNER + (1 - _INNER) * (1 - min(1.0, max(0.0, item.strength)))
        place = _place(angles[index], distance)
        box = _box(item.label, *place)
        while distance + _STEP <= 1 and any(_overlap(box, other) for other in boxes):
            distance += _STEP
            place = _place(angles[index], distance)
            box = _box(item.label, *place)
        boxes.append(box)
        places[index] = place
    return [places[index] for index in range(len(chart.items))]


def _angles(chart: NetworkChart) -> Iterator[tuple[int, float]]:
    """Spread each half's items evenly over it, from the top down at the right, up at the left."""
    for is_before, start in ((False, 0.0), (True, math.pi)):
        members = [i for i, item in enumerate(chart.items) if item.is_before is is_before]
        ordered = _in_order(members, chart.links)
        for place, index in enumerate(ordered):
            yield index, start + math.pi * (place + 0.5) / len(ordered)


def _in_order(members: Sequence[int], links: Sequence[NetworkLink]) -> list[int]:
    """Put items that go together beside one another: each is followed by its strongest friend."""
    width = {frozenset((link.first, link.second)): link.mark.value for link in links}
    left = list(members)
    ordered = left[:1]
    del left[:1]
    while left:
        last = ordered[-1]
        following = max(left, key=lambda index: (width.get(frozenset((last, index)), 0.0), -index))
        ordered.append(following)
        left.remove(following)
    return ordered


def _box(label: str, x: float, y: float) -> tuple[float, float, float, float]:
    """Give the room of a name and the largest dot: left, top, right, bottom."""
    half = max(_MOST_RADIUS, len(label) * _LETTER_WIDTH / 2)
    return x - half, y - _MOST_RADIUS - _LABEL_GAP - _BOX_HEIGHT, x + half, y + _MOST_RADIUS


def _overlap(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]
