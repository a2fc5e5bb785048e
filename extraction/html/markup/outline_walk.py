"""Tree → `Outline`, in one walk.

Readers' comments and what style sheets hide by convention are left out. The walk is the dearest
step of an extraction beside the parser: thousands of elements, a few microseconds each. So it takes
beginnings alone (an element's end is seen by the parent of the next one), calls two methods an
element, and asks one table what a tag does.
"""

from collections.abc import Sequence

from lxml import etree

from extraction.html.markup.class_words import Hint, hints_of_element, hints_of_names
from extraction.html.markup.comment_containers import COMMENT_MARK, is_comment_container
from extraction.html.markup.outline import (
    BLOCK_TAGS,
    CONTROL_TAGS,
    ENDS_CONTROL,
    LINK_TAGS,
    STRONG_TAGS,
    TAG_BITS,
    Outline,
    OutlineLine,
)

# A page with more lines is a list or an attack; what follows is not looked at (the longest real
# article here has 1,100).
MAX_LINES = 5_000
MAX_ELEMENTS = 50_000
# What a tag does to the walk.
_BLOCK, _LINK, _STRONG, _CONTROL, _ENDS, _BREAK = (1 << bit for bit in range(6))
_EFFECTS = {
    tag: sum(
        effect
        for effect, tags in (
            (_BLOCK, BLOCK_TAGS), (_LINK, LINK_TAGS), (_STRONG, STRONG_TAGS),
            (_CONTROL, CONTROL_TAGS), (_ENDS, ENDS_CONTROL), (_BREAK, {"br"}),
        )
        if tag in tags
    )
    for tag in BLOCK_TAGS | LINK_TAGS | STRONG_TAGS | CONTROL_TAGS | ENDS_CONTROL | {"br"}
}  # fmt: skip
_OPENS = _LINK | _STRONG | _CONTROL
# What is known of an element when it begins, in the order of the columns of `Outline`.
_Row = tuple[str, str, int, int, int, int, bool, int]
# Of elements without own text, which are most: one list for all, never changed.
_NO_RUNS: list[int] = []
_LEFT = -1  # position of an element that is left out
_UNSEEN = Hint.UNSEEN.value
# Only elements with one of these flags need a second look.
_MAY_BE_LEFT_OUT = Hint.COMMENTS.value | _UNSEEN
_NEVER_UNSEEN = frozenset(["html", "body", "main", "article"])
_OTHER_MARKS = frozenset(["role", "itemprop", "rel", COMMENT_MARK])


def _marks_of(element: etree._Element, tag: str) -> tuple[str, int]:
    """Class value of an element, and the flags (`Hint`) of its tag and names.

    All attributes are read at once, since each single question costs as much.
    """
    attributes = element.items()
    if not attributes:
        return "", hints_of_element(tag, "", "")
    names = identity = ""
    others = []
    for attribute in attributes:
        name = attribute[0]
        if name == "class":
            names = str(attribute[1])
        elif name == "id":
            identity = str(attribute[1])
        elif name in _OTHER_MARKS:
            others.append((name, str(attribute[1])))
    hints = _hints_of_others(tag, others) if others else hints_of_element(tag, "", "")
    if names:
        hints |= hints_of_names(names)
    if identity:
        hints |= hints_of_names(identity)
    return names, hints


def _hints_of_others(tag: str, attributes: Sequence[tuple[str | bytes, str]]) -> int:
    """Give the flags of tag, role and property; of several properties the last one counts."""
    role = item_property = ""
    for name, value in attributes:
        if name == "role":
            role = value
        elif name == "itemprop" or (name == "rel" and value == "author"):
            item_property = value
        elif name == COMMENT_MARK:
            item_property = "comment"
    return hints_of_element(tag, role, item_property)


def _is_left_out(element: etree._Element, hints: int) -> bool:
    """Whether an element with such flags is a reader's comment, or hidden by convention."""
    if hints & _UNSEEN and element.tag not in _NEVER_UNSEEN:
        return True
    return is_comment_container(element)


def outline_page(root: etree._Element) -> Outline:
    """Walk a cleaned tree once.

    Parameters
    ----------
    root
        Any element; usually `html` after `cleaning.clean`.

    Returns
    -------
    Outline
        Cost is linear in elements and characters; pages beyond `MAX_ELEMENTS` or `MAX_LINES` are
        cut.
    """
    walk = _Walk()
    opened, positions = walk.opened, walk.positions
    for element in root.iter():
        if opened:
            parent = element.getparent()
            if opened[-1] is not parent:
                walk.leave(parent)
        tag = element.tag
        if positions and positions[-1] == _LEFT:
            walk.skip(element)
            continue
        names, hints = _marks_of(element, tag)
        if hints & _MAY_BE_LEFT_OUT and _is_left_out(element, hints):
            walk.pass_over(element, tag)
            continue
        walk.enter(element, tag, names, hints)
        if len(walk.rows) >= MAX_ELEMENTS:
            walk.cut()
            break
    else:
        walk.leave(None)
    return walk.outline()


class _Walk:
    """State of one walk."""

    __slots__ = (
        "after_break", "blocks", "effects", "elements", "end_lines", "ends", "first_words", "lines",
        "link_depth", "muted_depth", "n_lines", "n_link_chars", "n_links", "n_strong_chars",
        "opened", "parts", "positions", "rows", "runs", "strong_depth", "unmuted",
    )  # fmt: skip

    def __init__(self) -> None:
        self.elements: list[etree._Element] = []
        self.rows: list[_Row] = []
        self.runs: list[list[int]] = []
        self.ends: list[int] = []
        self.end_lines: list[int] = []
        self.lines: list[OutlineLine] = []
        self.n_lines = 0
        # Elements the walk is in, their positions, what their tags do.
        self.opened: list[etree._Element] = []
        self.positions: list[int] = []
        self.effects: list[int] = []
        self.blocks: list[int] = []
        self.parts: list[str] = []
        self.first_words = ""  # of the first part, blanks joined
        self.n_link_chars = 0
        self.n_strong_chars = 0
        self.n_links = 0
        self.link_depth = 0
        self.strong_depth = 0
        self.muted_depth = 0
        self.unmuted: list[tuple[int, int]] = []  # element that ended a control, depth before
        self.after_break = False

    def enter(self, element: etree._Element, tag: str, names: str, hints: int) -> None:
        """Begin an element and its first text."""
        rows, positions = self.rows, self.positions
        effects = _EFFECTS.get(tag, 0)
        bits = TAG_BITS.get(tag, 0)
        index, parent, around = len(rows), -1, hints
        if positions:
            parent = positions[-1]
            above = rows[parent]
            around |= above[4]
            bits |= above[5]
        if "-" in tag and (parent < 0 or rows[parent][0] != "p"):
            effects |= _BLOCK
        if effects:
            self._begin(effects, index)
        n_lines = self.n_lines
        rows.append((tag, names, parent, hints, around, bits, self.link_depth > 0, n_lines))
        self.elements.append(element)
        self.runs.append(_NO_RUNS)
        self.ends.append(index + 1)
        self.end_lines.append(n_lines)
        self.opened.append(element)
        positions.append(index)
        self.effects.append(effects)
        text = element.text
        if text:
            self.text(text, index)

    def skip(self, element: etree._Element) -> None:
        self.opened.append(element)
        self.positions.append(_LEFT)
        self.effects.append(0)

    def _begin(self, effects: int, index: int) -> None:
        """Blocks, breaks, links, emphasis and controls begin."""
        if effects & _BLOCK:
            if self.parts:
                self.flush()
            self.n_links = 0
            self.blocks.append(index)
        elif effects & _BREAK:
            self.flush(after_break=True)
        if effects & _LINK:
            self.link_depth += 1
            self.n_links += 1
        elif effects & _STRONG:
            self.strong_depth += 1
        if effects & _CONTROL:
            self.muted_depth += 1
        elif self.muted_depth and effects & _ENDS:
            self.unmuted.append((index, self.muted_depth))
            self.muted_depth = 0

    def leave(self, parent: etree._Element | None) -> None:
        """Leave the open elements down to one; all of them for None."""
        opened, positions = self.opened, self.positions
        n_rows = len(self.rows)
        while opened and opened[-1] is not parent:
            element, index, effects = opened.pop(), positions.pop(), self.effects.pop()
            if index == _LEFT:
                continue
            if effects:
                self._end(effects)
            self.ends[index] = n_rows
            self.end_lines[index] = self.n_lines + 1 if self.parts else self.n_lines
            if self.unmuted and self.unmuted[-1][0] == index:
                self.muted_depth = self.unmuted.pop()[1]
            tail = element.tail
            if tail and positions:
                self.text(tail, positions[-1])

    def _end(self, effects: int) -> None:
        """Blocks, links, emphasis and controls end."""
        if effects & _BLOCK:
            if self.parts:
                self.flush()
            self.n_links = 0
            self.blocks.pop()
        if not effects & _OPENS:
            return
        if effects & _LINK:
            self.link_depth -= 1
        elif effects & _STRONG:
            self.strong_depth -= 1
        if effects & _CONTROL:
            self.muted_depth -= 1

    def pass_over(self, element: etree._Element, tag: str) -> None:
        """Leave an element out; around a block, the text before and after it are two lines."""
        if tag in BLOCK_TAGS:
            self.flush()
        if element.tail and self.positions:
            self.text(element.tail, self.positions[-1])
        self.skip(element)

    def text(self, text: str, index: int) -> None:
        if text.isspace():
            if self.parts and not self.muted_depth:
                self.parts.append(" ")
            return
        words = " ".join(text.split())
        n_chars = len(words)
        runs = self.runs[index]
        if runs:
            runs.append(n_chars)
        else:
            self.runs[index] = [n_chars]
        if self.muted_depth:
            return
        if self.rows[index][0] == "pre" and "\n" in text.strip():
            self._preformatted(text)
            return
        if not self.parts:
            self.first_words = words
        self.parts.append(text)
        if self.link_depth:
            self.n_link_chars += n_chars
        if self.strong_depth:
            self.n_strong_chars += n_chars

    def _preformatted(self, text: str) -> None:
        for row in text.split("\n"):
            if not self.parts:
                self.first_words = " ".join(row.split())
            self.parts.append(row)
            self.flush(after_break=True)

    def flush(self, *, after_break: bool = False) -> None:
        """End the line, if there is one."""
        parts = self.parts
        if parts:
            text = self.first_words if len(parts) == 1 else " ".join("".join(parts).split())
            if text and self.n_lines < MAX_LINES:
                node = self.blocks[-1] if self.blocks else 0
                counts = self.n_link_chars, self.n_links, self.n_strong_chars
                self.lines.append(OutlineLine(text, node, *counts, self.after_break))
                self.n_lines += 1
            parts.clear()
            self.n_link_chars = self.n_strong_chars = 0
            self.after_break = False
        self.n_links = 0
        if after_break:
            self.after_break = True

    def cut(self) -> None:
        """Close all open elements where the walk stops."""
        for index in self.positions:
            if index != _LEFT:
                self.ends[index] = len(self.rows)
                self.end_lines[index] = self.n_lines
        self.flush()

    def outline(self) -> Outline:
        """Columns of what was met; a line that was expected beyond the last one never came."""
        if not self.rows:
            return Outline(lines=self.lines)
        tags, classes, parents, own, hints, bits, links, firsts = map(
            list, zip(*self.rows, strict=True)
        )
        return Outline(
            self.elements, tags, classes, parents, self.ends, own, hints, bits, self.runs, links,
            firsts, [min(end, self.n_lines) for end in self.end_lines], self.lines,
        )  # fmt: skip
