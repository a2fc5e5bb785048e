"""The few elements that all charts are made of: values in, escaped markup out (SVG 1.1).

Everything passes through ElementTree, so labels cannot break out of the markup.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from xml.etree.ElementTree import Element, SubElement, tostring

# Characters that XML 1.0 cannot hold at all, not even escaped.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_OWN_PAGE = re.compile(r"[?#]|/(?!/)")

# Texts are escaped, numbers become coordinates.
Attributes = Mapping[str, str | float]

N_SERIES = 12  # in the style sheet: six colours, two dashes each for lines


class Picture(Protocol):
    """A chart: its content in one sentence, and itself as one `<svg>` element."""

    @property
    def sentence(self) -> str: ...

    def draw(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Mark:
    """One value: `title` is what it says when pointed at, `href` an address of ours behind it.

    `series` (1 to 12) chooses colour and dash, `state` is empty, `lo` (exceptionally low) or `off`
    (not counted). A mark whose address stands in a table too need not be a stop of the Tab key.
    """

    value: float
    title: str
    href: str = ""
    series: int = 1
    state: str = ""
    is_tab_stop: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.value < float("inf"):
            raise ValueError(f"axes start at 0 and end somewhere, which {self.value} does not fit")
        if self.href and not _OWN_PAGE.match(self.href):
            raise ValueError("a mark links to a page of ours")
        if not 1 <= self.series <= N_SERIES:
            raise ValueError(f"there are {N_SERIES} series")


@dataclass(frozen=True, slots=True)
class Frame:
    """The drawing area in user units, and around it the margins that labels need."""

    width: float
    height: float
    left: float = 0
    top: float = 0
    right: float = 0
    bottom: float = 0

    @property
    def view_box(self) -> str:
        """The `viewBox` that shows area and margins; the area's upper left corner is the origin."""
        sizes = (self.left + self.width + self.right, self.top + self.height + self.bottom)
        return " ".join(number(value) for value in (-self.left, -self.top, *sizes))


def number(value: float) -> str:
    """Write a coordinate: tenths of a unit are finer than any screen shows, and short."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def picture(frame: Frame, sentence: str, css_class: str = "chart") -> Element:
    """Open a picture that says its content in one sentence to those who cannot see it.

    Without a sentence it only repeats what stands beside it, and is passed over.
    """
    attributes = {"class": css_class, "viewBox": frame.view_box}
    named = {"role": "img", "aria-label": clean(sentence)} if sentence else {"aria-hidden": "true"}
    return Element("svg", attributes | named)


def add(parent: Element, tag: str, attributes: Attributes, text: str = "") -> Element:
    """Append one element; numbers become coordinates, text is escaped."""
    written = {
        name: clean(value) if isinstance(value, str) else number(value)
        for name, value in attributes.items()
    }
    element = SubElement(parent, tag, written)
    element.text = clean(text) or None
    return element


def add_mark(parent: Element, mark: Mark, tag: str, attributes: Attributes) -> Element:
    """Append one mark with its title, inside a link when it has an address."""
    if mark.href:
        stop: Attributes = {} if mark.is_tab_stop else {"tabindex": "-1"}
        parent = add(parent, "a", {"href": mark.href, **stop})
    element = add(parent, tag, attributes)
    if mark.title:
        add(element, "title", {}, mark.title)
    return element


def series_classes(shape: str, series: int) -> str:
    """Return the classes of a series: `bx` for the first, `bx b2` for the second."""
    return shape if series == 1 else f"{shape} {shape[0]}{series}"


def classes(shape: str, mark: Mark) -> str:
    """Return the classes of a mark: shape, series and state."""
    return f"{series_classes(shape, mark.series)} {mark.state}".rstrip()


@dataclass(frozen=True, slots=True)
class Label:
    """Words at a place; `anchor` is where x stands in them: start, middle or end."""

    x: float
    y: float
    text: str
    anchor: str = "middle"
    css_class: str = ""


def add_label(parent: Element, label: Label) -> None:
    """Append words."""
    place: dict[str, str | float] = {"x": label.x, "y": label.y, "text-anchor": label.anchor}
    if label.css_class:
        place["class"] = label.css_class
    add(parent, "text", place, label.text)


def clean(text: str) -> str:
    """Take out what XML cannot hold."""
    return _NOT_XML.sub("", text)


def markup(root: Element) -> str:
    """Return the finished picture as text, ready to stand in an HTML page."""
    return tostring(root, encoding="unicode")
