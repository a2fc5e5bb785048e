"""What became of a page in groups of lines: trace and tree → kept blocks, dropped parts, fields.

A kept block is a group of its own; what was dropped for one reason in one part of the page is one
group, of the whole part. Each group names its element by number and by XPath in the archived page.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lxml import etree

from extraction.html.lines.drop_reasons import REASON_WORDS, Explanation
from extraction.html.markup.blocks import BlockKind
from extraction.html.trace.page_trace import NO_ELEMENT, UNSEEN, PageTrace, TracedLine


class LineFate(StrEnum):
    """What became of a line; the value is that of the mark."""

    KEPT = "kept"
    CAPTION = "caption"
    FIELD = "field"
    DROPPED = "dropped"


FIELD_WORDS = {"title": "title", "author": "author", "date": "date of publication"}
# A part of the page is one group where so many of its lines were dropped for one reason (a menu's
# headings are no links); the label then says "mostly".
_MOSTLY = 0.6
_WHOLE_PAGE = frozenset(["html", "body"])


@dataclass(frozen=True, slots=True)
class LineGroup:
    """Lines of one element, or of a part of the page, that met one fate.

    `element` is the number of the element that holds them, `path` its XPath in the archived page,
    empty where there is none; `run` says which run of text of the element it is, None for all.
    """

    fate: LineFate
    why: str
    element: int
    path: str
    lines: tuple[TracedLine, ...] = ()
    run: int | None = None

    @property
    def anchor(self) -> str:
        """Name of the place in the marked page."""
        return f"n{self.element}" + (f"-{self.run}" if self.run is not None else "")

    @property
    def kind(self) -> BlockKind | None:
        """Kind of the block, of a group that is one."""
        return self.lines[0].kind if self.lines else None

    @property
    def text(self) -> str:
        """Words of the group."""
        return " ".join(line.text for line in self.lines)


def element_paths(root: etree._Element, numbers: Sequence[int]) -> dict[int, str]:
    """XPath of elements by their numbers, in the page as parsed.

    Examples
    --------
    >>> root = etree.fromstring("<html><body><p>a</p><p>b</p></body></html>")
    >>> element_paths(root, [1, 3])
    {1: '/html/body', 3: '/html/body/p[2]'}
    """
    tree, wanted = root.getroottree(), set(numbers)
    return {
        number: tree.getpath(element)
        for number, element in enumerate(root.iter())
        if number in wanted
    }


def group_lines(trace: PageTrace, root: etree._Element) -> list[LineGroup]:
    """Put the lines of a page into groups, in page order.

    Parameters
    ----------
    root
        Tree of the same page as parsed, not cleaned.
    """
    grouping = _Grouping(trace, root)
    found = list(grouping.groups())
    within = [
        (group.element, grouping.ends[group.element])
        for _, group in found
        if group.fate is LineFate.DROPPED and group.run is None
    ]
    found += [pair for pair in _parts(trace) if not _is_within(pair[1].element, within)]
    paths = element_paths(root, [group.element for _, group in found])
    found.sort(key=lambda pair: pair[0])
    return [
        LineGroup(g.fate, g.why, g.element, paths.get(g.element, ""), g.lines, g.run)
        for _, g in found
    ]


class _Grouping:
    """Walks the elements in document order and cuts the lines into groups."""

    def __init__(self, trace: PageTrace, root: etree._Element) -> None:
        self.lines = trace.lines
        self.tags = [str(element.tag) for element in root.iter()]
        self.ends = _subtree_ends(root)
        placed = [(line.element, at) for at, line in enumerate(trace.lines)]
        self.order = [at for element, at in sorted(placed) if element != NO_ELEMENT]
        self.elements = [self.lines[at].element for at in self.order]

    def groups(self) -> Iterator[tuple[float, LineGroup]]:
        """Give each group with its place among the lines."""
        number = 0
        while number < len(self.tags):
            first = bisect_left(self.elements, number)
            inside = self.order[first : bisect_left(self.elements, self.ends[number])]
            if not inside:
                number = self.ends[number]
                continue
            whole = self._dropped_whole(number, inside)
            if whole is not None:
                yield min(inside), whole
                number = self.ends[number]
                continue
            own = [at for at in inside if self.lines[at].element == number]
            yield from self._own(own, alone=len(own) == len(inside))
            number += 1

    def _dropped_whole(self, number: int, inside: Sequence[int]) -> LineGroup | None:
        lines = tuple(self.lines[at] for at in sorted(inside))
        if self.tags[number] in _WHOLE_PAGE or any(line.is_kept or line.field for line in lines):
            return None
        why = _joint_reason([line.dropped for line in lines if line.dropped is not None])
        return LineGroup(LineFate.DROPPED, why, number, "", lines) if why else None

    def _own(self, own: Sequence[int], *, alone: bool) -> Iterator[tuple[float, LineGroup]]:
        fates = {_fate(self.lines[at]) for at in own}
        if alone and len(fates) == 1 and len(own) > 1 and fates != {LineFate.FIELD}:
            lines = tuple(self.lines[at] for at in own)
            if LineFate.DROPPED not in fates:
                fate = next(iter(fates))
                yield own[0], LineGroup(fate, "", lines[0].element, "", lines)
                return
        for at in own:
            line = self.lines[at]
            run = None if alone and len(own) == 1 else line.run
            yield at, LineGroup(_fate(line), _why(line), line.element, "", (line,), run)


def _fate(line: TracedLine) -> LineFate:
    if line.field:
        return LineFate.FIELD
    if line.is_kept:
        return LineFate.CAPTION if line.kind is BlockKind.CAPTION else LineFate.KEPT
    return LineFate.DROPPED


def _why(line: TracedLine) -> str:
    if line.field:
        return " and ".join(FIELD_WORDS[name] for name in line.field.split())
    if line.dropped is not None:
        return _words(line.dropped)
    return "caption" if line.kind is BlockKind.CAPTION else ""


def _words(explanation: Explanation) -> str:
    words = REASON_WORDS[explanation.reason]
    return f"{words}: {explanation.detail}" if explanation.detail else words


def _joint_reason(explanations: Sequence[Explanation]) -> str:
    """Words for all of some lines; empty where no reason is that of most."""
    (reason, n), *_ = Counter(each.reason for each in explanations).most_common(1)
    if n < _MOSTLY * len(explanations):
        return ""
    details = Counter(each.detail for each in explanations if each.reason is reason)
    (detail, n_detail), *_ = details.most_common(1)
    detail = detail if n_detail >= _MOSTLY * n else ""
    words = _words(Explanation(reason, detail))
    return words if n == len(explanations) else f"mostly {words}"


def _parts(trace: PageTrace) -> Iterator[tuple[float, LineGroup]]:
    """Give the parts that were gone before, each behind the lines that stand before it."""
    elements = sorted(line.element for line in trace.lines)
    for part in trace.parts:
        place = bisect_left(elements, part.element) - 0.5
        line = TracedLine(part.text, part.element, UNSEEN, BlockKind.PARAGRAPH, part.dropped)
        yield place, LineGroup(LineFate.DROPPED, _words(part.dropped), part.element, "", (line,))


def _is_within(element: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether an element lies in one of some dropped parts: what hides there is dropped anyway."""
    return any(start < element < end for start, end in spans)


def _subtree_ends(root: etree._Element) -> list[int]:
    """Give the number behind the last descendant of each element."""
    ends: list[int] = []
    open_elements: list[int] = []
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            open_elements.append(len(ends))
            ends.append(0)
        else:
            ends[open_elements.pop()] = len(ends)
    return ends
