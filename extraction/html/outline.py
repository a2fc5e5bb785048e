"""Outline of a page: elements as parallel lists, visible text as lines, made in one walk.

All extraction algorithms work on the outline, so the tree is walked once. Readers' comments and
what style sheets hide by convention are left out. A line is a run of text between two block
boundaries or line breaks; no line crosses a boundary, which is the general form of COR-103.
"""

from dataclasses import dataclass, field

from lxml import etree

from extraction.html.class_words import Hint, hints_of_element, hints_of_names
from extraction.html.comments import COMMENT_MARK, is_comment_container

_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li"
    " main menu nav ol p pre section summary table tbody td tfoot th thead tr ul"
)
BLOCK_TAGS = frozenset(_BLOCK_NAMES.split())
# Controls: their words are the page's, not the author's. Counted as links by composite text
# density, never lines of text.
CONTROL_TAGS = frozenset(["button", "select", "textarea", "option", "input"])
# A control that is never closed swallows the page behind it; such an element inside it ends the
# control.
_ENDS_CONTROL = frozenset(
    ["p", "main", "article", "section", "h1", "h2", "h3", "h4", "table", "body", "header", "footer"]
)
LINK_TAGS = frozenset(["a", "button", "select"])
HEADING_TAGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
STRONG_TAGS = frozenset(["b", "strong", "em", "i"])
# Groups of tags whose presence among the ancestors of a line is told apart; bit i is group i.
TAG_GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "p", "li dt dd", "ul ol dl menu", "table", "td th", "blockquote q", "figure picture",
        "figcaption caption", "article", "main", "aside", "nav", "footer", "header",
        "form fieldset", "section", "h1", "h2 h3", "h4 h5 h6", "pre code", "details",
        "center font", "a", "address", "b strong", "em i", "label legend button",
    )
)  # fmt: skip
_TAG_BITS = {tag: 1 << bit for bit, group in enumerate(TAG_GROUPS) for tag in group}
# What a tag does to the walk, in one look-up: the walk is the dearest step of an extraction.
_BLOCK, _LINK, _STRONG, _CONTROL, _ENDS, _BREAK = (1 << bit for bit in range(6))
_EFFECTS = {
    tag: sum(
        effect
        for effect, tags in (
            (_BLOCK, BLOCK_TAGS), (_LINK, LINK_TAGS), (_STRONG, STRONG_TAGS),
            (_CONTROL, CONTROL_TAGS), (_ENDS, _ENDS_CONTROL), (_BREAK, {"br"}),
        )
        if tag in tags
    )
    for tag in BLOCK_TAGS | LINK_TAGS | STRONG_TAGS | CONTROL_TAGS | _ENDS_CONTROL | {"br"}
}  # fmt: skip
_OPENS = _LINK | _STRONG | _CONTROL


def tag_bit(tag: str) -> int:
    """Flag of a tag's group in `Outline.tag_bits`; 0 for a tag that is in none."""
    return _TAG_BITS.get(tag, 0)


# A page with more lines is a list or an attack; what follows is not looked at (the longest real
# article here has 1,100).
MAX_LINES = 5_000
MAX_ELEMENTS = 50_000


@dataclass(slots=True)
class Line:
    """One run of text between two breaks."""

    text: str
    node: int  # index of the innermost block element around it
    n_link_chars: int
    n_links: int
    n_strong_chars: int
    after_break: bool  # begins after a br, not after a block boundary


@dataclass(slots=True)
class Outline:
    """Elements in document order.

    Element `i` has its subtree at `i … ends[i] - 1` and its lines at `first_line … end_line`.
    """

    elements: list[etree._Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    own_hints: list[int] = field(default_factory=list)
    hints: list[int] = field(default_factory=list)  # own and inherited
    tag_bits: list[int] = field(default_factory=list)  # own and inherited, see TAG_GROUPS
    runs: list[list[int]] = field(
        default_factory=list
    )  # lengths of the text runs directly in the element
    in_link: list[bool] = field(default_factory=list)
    first_line: list[int] = field(default_factory=list)
    end_line: list[int] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


# What is known of an element when it begins, in the order of the columns of `Outline`.
_Row = tuple[str, str, int, int, int, int, bool, int]
# Of elements without own text, which are most: one list for all, never changed.
_NO_RUNS: list[int] = []
_LEFT = -1  # position of an element that is left out


class _Walk:
    """State of one walk; its methods are called thousands of times on a page, so they are few."""

    def __init__(self) -> None:
        self.elements: list[etree._Element] = []
        self.rows: list[_Row] = []
        self.runs: list[list[int]] = []
        self.ends: list[int] = []
        self.end_lines: list[int] = []
        self.lines: list[Line] = []
        # Elements the walk is in: the element, its position, what its tag does.
        self.open: list[tuple[etree._Element, int, int]] = []
        self.open_blocks: list[int] = []
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

    def start(self, element: etree._Element, tag: str, marks: tuple[str, int]) -> None:
        names, hints = marks
        rows = self.rows
        effects = _EFFECTS.get(tag, 0)
        bits = _TAG_BITS.get(tag, 0)
        index, parent, around = len(rows), -1, hints
        if self.open:
            parent = self.open[-1][1]
            above = rows[parent]
            around |= above[4]
            bits |= above[5]
        if "-" in tag and (parent < 0 or rows[parent][0] != "p"):
            effects |= _BLOCK
        if effects:
            self._begin(effects, index)
        rows.append(
            (
                tag, names, parent, hints, around, bits,
                self.link_depth > 0, len(self.lines),
            )
        )  # fmt: skip
        self.elements.append(element)
        self.runs.append(_NO_RUNS)
        self.ends.append(index + 1)
        self.end_lines.append(len(self.lines))
        self.open.append((element, index, effects))
        text = element.text
        if text:
            self.text(text, index)

    def _begin(self, effects: int, index: int) -> None:
        """Blocks, breaks, links, emphasis and controls begin."""
        if effects & _BLOCK:
            self.flush()
            self.open_blocks.append(index)
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

    def end(self) -> None:
        """Leave the innermost open element."""
        element, index, effects = self.open.pop()
        if index == _LEFT:
            return
        if effects & _BLOCK:
            self.flush()
            self.open_blocks.pop()
        self.ends[index] = len(self.rows)
        self.end_lines[index] = len(self.lines) + (1 if self.parts else 0)
        if effects & _OPENS:
            self._leave(effects)
        if self.unmuted and self.unmuted[-1][0] == index:
            self.muted_depth = self.unmuted.pop()[1]
        tail = element.tail
        if tail and self.open:
            self.text(tail, self.open[-1][1])

    def _leave(self, effects: int) -> None:
        """Links, emphasis and controls end."""
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
        if element.tail and self.open:
            self.text(element.tail, self.open[-1][1])
        self.open.append((element, _LEFT, 0))

    def text(self, text: str, index: int) -> None:
        words = " ".join(text.split())
        if not words:
            if self.parts and not self.muted_depth:
                self.parts.append(" ")
            return
        runs = self.runs[index]
        if runs:
            runs.append(len(words))
        else:
            self.runs[index] = [len(words)]
        if self.muted_depth:
            return
        if self.rows[index][0] == "pre" and "\n" in text.strip():
            self._preformatted(text)
            return
        if not self.parts:
            self.first_words = words
        self.parts.append(text)
        if self.link_depth:
            self.n_link_chars += len(words)
        if self.strong_depth:
            self.n_strong_chars += len(words)

    def _preformatted(self, text: str) -> None:
        for row in text.split("\n"):
            if not self.parts:
                self.first_words = " ".join(row.split())
            self.parts.append(row)
            self.flush(after_break=True)

    def flush(self, *, after_break: bool = False) -> None:
        parts = self.parts
        if parts:
            text = self.first_words if len(parts) == 1 else " ".join("".join(parts).split())
            if text and len(self.lines) < MAX_LINES:
                self.lines.append(
                    Line(
                        text,
                        self.open_blocks[-1] if self.open_blocks else 0,
                        self.n_link_chars,
                        self.n_links,
                        self.n_strong_chars,
                        self.after_break,
                    )
                )
            parts.clear()
            self.n_link_chars = self.n_strong_chars = 0
            self.after_break = False
        self.n_links = 0
        if after_break:
            self.after_break = True

    def cut(self) -> None:
        """Close all open elements where the walk stops."""
        for _, index, _ in self.open:
            if index != _LEFT:
                self.ends[index] = len(self.rows)
                self.end_lines[index] = len(self.lines)
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
            firsts, [min(end, len(self.lines)) for end in self.end_lines], self.lines,
        )  # fmt: skip


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
    opened = walk.open
    # Beginnings alone: an element's end is seen by the parent of the next one, at half the cost.
    for element in root.iter():
        parent = element.getparent() if opened else None
        while opened and opened[-1][0] is not parent:
            walk.end()
        tag = element.tag
        if opened and opened[-1][1] == _LEFT:
            opened.append((element, _LEFT, 0))
            continue
        marks = _marks(element, tag)
        if marks[1] & _LEFT_OUT and _is_left_out(element, marks[1]):
            walk.pass_over(element, tag)
            continue
        walk.start(element, tag, marks)
        if len(walk.rows) >= MAX_ELEMENTS:
            walk.cut()
            break
    else:
        while opened:
            walk.end()
    return walk.outline()


_UNSEEN = Hint.UNSEEN.value
_LEFT_OUT = Hint.COMMENTS.value | _UNSEEN
_NEVER_UNSEEN = frozenset(["html", "body", "main", "article"])


def _is_left_out(element: etree._Element, hints: int) -> bool:
    if hints & _UNSEEN and element.tag not in _NEVER_UNSEEN:
        return True
    return is_comment_container(element)


def _marks(element: etree._Element, tag: str) -> tuple[str, int]:
    """Class value of an element, and the flags of its tag and names."""
    attributes = element.items()
    if not attributes:
        return "", hints_of_element(tag, "", "")
    names = identity = role = item_property = ""
    for name, raw in attributes:
        value = str(raw)
        if name == "class":
            names = value
        elif name == "id":
            identity = value
        elif name == "role":
            role = value
        elif name == "itemprop" or (name == "rel" and value == "author"):
            item_property = value
        elif name == COMMENT_MARK:
            item_property = "comment"
    hints = hints_of_element(tag, role, item_property)
    if names:
        hints |= hints_of_names(names)
    if identity:
        hints |= hints_of_names(identity)
    return names, hints
