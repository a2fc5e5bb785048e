"""What the charts with a value axis share: grid, base line, tick labels, notes, empty state."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from presentation.charts.scales import format_value, shown_labels
from presentation.charts.svg import Attributes, Frame, Label, Mark, add, add_label, add_mark, number

# Distances in user units for the 11 px type of the style sheet.
HALF_LETTER = 4
_TICK_GAP = 6
_LABEL_DROP = 16
_NOTE_RISE = 14
MOST_LABELS = 8  # more are thinned out: axes are read at a glance
_LABEL_WIDTH = 90  # the longest, `20 Nov 2026`, with a gap


@dataclass(frozen=True, slots=True)
class Note:
    """Words over one place of the category axis ("8 Nov: two hosts blocked us")."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at one place of the category axis, marked under it."""

    index: int
    title: str
    href: str = ""


def draw_value_axis(svg: Element, frame: Frame, ticks: Sequence[float]) -> None:
    """Draw the grid lines above zero with their values at the left."""
    for tick in ticks[1:]:
        y = frame.height * (1 - tick / ticks[-1])
        add(svg, "path", {"class": "gr", "d": f"M0 {number(y)}H{number(frame.width)}"})
        add_label(svg, Label(-_TICK_GAP, y + HALF_LETTER, format_value(tick), "end"))


def draw_category_axis(
    svg: Element, frame: Frame, labels: Sequence[str], centres: Sequence[float]
) -> None:
    """Draw the base line and as many labels as have room."""
    add(svg, "path", {"class": "ax", "d": f"M0 {number(frame.height)}H{number(frame.width)}"})
    for index in shown_labels(labels, _n_labels(frame)):
        add_label(svg, Label(centres[index], frame.height + _LABEL_DROP, labels[index]))


def _n_labels(frame: Frame) -> int:
    return max(2, min(MOST_LABELS, int(frame.width / _LABEL_WIDTH)))


def draw_notes(svg: Element, notes: Sequence[Note], centres: Sequence[float]) -> None:
    """Write each note above its place, with a short line down towards the mark."""
    for note in notes:
        x = centres[note.index]
        add(svg, "path", {"class": "ax", "d": f"M{number(x)} {-_NOTE_RISE + HALF_LETTER}V0"})
        anchor = "start" if x < centres[-1] / 2 else "end"
        add_label(svg, Label(x, -_NOTE_RISE, note.text, anchor, "strong"))


def draw_events(
    svg: Element, frame: Frame, events: Sequence[Event], centres: Sequence[float]
) -> None:
    """Draw a triangle under the axis for each event, with its words as title."""
    for event in events:
        x, y = number(centres[event.index]), number(frame.height + 1)
        place: Attributes = {"class": "ev", "d": f"M{x} {y}l4 7h-8z"}
        add_mark(svg, Mark(0, event.title, event.href), "path", place)


def draw_nothing(svg: Element, frame: Frame) -> None:
    """Say in the picture that there are no values."""
    add_label(svg, Label(frame.width / 2, frame.height / 2, "No values"))
