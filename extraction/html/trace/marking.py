"""Marks on a page: groups of lines and the tree of the page as parsed → the tree with its marks.

Marks are attributes that a style sheet of ours reads (`static/frame.css`); nothing of the page's
own can set them. An element is marked where all that stands in it met one fate; where lines of one
element met several, each run of text gets a span of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from extraction.html.markup.outline import BLOCK_TAGS, CONTROL_TAGS
from extraction.html.trace.inert_page import MARK, WHY, drop_own_marks
from extraction.html.trace.line_groups import LineGroup
from extraction.html.trace.page_trace import NO_ELEMENT, PageTrace


def mark_page(root: etree._Element, groups: Sequence[LineGroup], trace: PageTrace) -> None:
    """Set the marks of all groups on the tree of the page as parsed; changes the tree."""
    drop_own_marks(root)
    elements = list(root.iter())
    for element in elements:
        if "id" in element.attrib:
            del element.attrib["id"]
    number_of = {element: number for number, element in enumerate(elements)}
    slots: dict[int, list[list[_Slot]]] = {}
    for group in groups:
        if group.run is not None and group.element not in slots:
            element = elements[group.element]
            slots[group.element] = _Runs(number_of, trace.elements).of(element)
    for group in groups:
        if group.element == NO_ELEMENT:
            continue
        if group.run is None:
            _mark(elements[group.element], group)
        elif group.run < len(slots[group.element]):
            _wrap(slots[group.element][group.run], group)


def _mark(element: etree._Element, group: LineGroup) -> None:
    element.set(MARK, group.fate.value)
    element.set("id", group.anchor)
    if group.why:
        element.set(WHY, group.why)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A piece of text: directly in an element, or behind it."""

    element: etree._Element
    is_tail: bool

    @property
    def text(self) -> str:
        return (self.element.tail if self.is_tail else self.element.text) or ""


class _Runs:
    """Cuts the text directly in an element into runs, as the outline cut it into lines."""

    def __init__(self, number_of: dict[etree._Element, int], outlined: frozenset[int]) -> None:
        self.number_of = number_of
        self.outlined = outlined
        self.runs: list[list[_Slot]] = [[]]

    def of(self, element: etree._Element) -> list[list[_Slot]]:
        self._read(element)
        return [run for run in self.runs if any(slot.text.strip() for slot in run)]

    def _read(self, element: etree._Element) -> None:
        self.runs[-1].append(_Slot(element, is_tail=False))
        for child in element:
            if self.number_of.get(child) in self.outlined:
                self._read_child(child)
            self.runs[-1].append(_Slot(child, is_tail=True))

    def _read_child(self, child: etree._Element) -> None:
        if child.tag in BLOCK_TAGS or "-" in child.tag or child.tag == "br":
            self._cut()
        elif child.tag not in CONTROL_TAGS:
            self._read(child)

    def _cut(self) -> None:
        if any(slot.text.strip() for slot in self.runs[-1]):
            self.runs.append([])
        else:
            self.runs[-1].clear()


def _wrap(run: Sequence[_Slot], group: LineGroup) -> None:
    """Put each piece of a run into a span with the group's mark; the first one bears the name."""
    is_first = True
    for slot in run:
        if not slot.text.strip():
            continue
        span = etree.Element("span")
        span.set(MARK, group.fate.value)
        if is_first:
            _mark(span, group)
        is_first = False
        span.text = slot.text
        if slot.is_tail:
            slot.element.tail = None
            slot.element.addnext(span)
        else:
            slot.element.text = None
            slot.element.insert(0, span)
