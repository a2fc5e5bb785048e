"""Lines of a page's source, as the line-based algorithms see it, over the cleaned tree.

qRead and DGWC were written for HTML as text. Here the same lines come from the tree: text with its
own line breaks kept, more breaks at the tags an algorithm names, all other tags deleted. Each line
knows which lines of the outline its characters are, so that the answer can be stored and shown like
any other.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from lxml import etree

from extraction.html.markup.outline import BLOCK_TAGS, CONTROL_TAGS, Outline

# From here on the source's own breaks no longer end lines: no real page has a tenth of these.
MAX_LINES = 50_000
_IMAGE_TAGS = frozenset(["img", "image", "amp-img"])
# As the outline has it: a control that is never closed ends at one of these.
_ENDS_CONTROL = frozenset(
    ["p", "main", "article", "section", "h1", "h2", "h3", "h4", "table", "body", "header", "footer"]
)
# `<>` and `</>`, and ` =""` of an attribute.
_START_BYTES, _END_BYTES, _ATTRIBUTE_BYTES = 2, 3, 4


@dataclass(frozen=True, slots=True)
class BreakRules:
    """Where lines end besides the line breaks of the source.

    A break of the source right behind such an end is no second one: `</p>` at the end of a source
    line leaves no empty line.
    """

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset(["br"])


@dataclass(slots=True)
class SourceLine:
    """One line; empty ones are kept, their number is a signal."""

    text: str = ""
    html_bytes: int = 0  # text and tags
    n_links: int = 0  # links that have text or an image on this line
    n_images: int = 0
    shares: Counter[int] = field(default_factory=Counter)  # outline line → characters of it here


def is_block(tag: str, parent_tag: str) -> bool:
    """Whether the outline ends a line at this element."""
    return tag in BLOCK_TAGS or ("-" in tag and parent_tag != "p")


def block_breaks(outline: Outline) -> BreakRules:
    """Break before and after every block of a page, custom elements among them."""
    tags = frozenset(tag for tag in outline.tags if tag in BLOCK_TAGS or "-" in tag)
    return BreakRules(before=tags, after=tags | {"br"})


def source_lines(
    outline: Outline, breaks: BreakRules, skipped: Collection[int] = ()
) -> list[SourceLine]:
    """Lines of the source in order, empty ones among them.

    Parameters
    ----------
    outline
        Outline of a cleaned page; readers' comments and controls have no lines in it and none here.
    breaks
        Tags that break lines.
    skipped
        Elements (positions in the outline) that are left out with all they hold.

    Returns
    -------
    list of SourceLine
        Linear in the page. The lines' shares add up to the lines of the outline, but for what was
        skipped.
    """
    if not outline.tags:
        return []
    walk = _Walk(outline, breaks)
    left_out = frozenset(skipped)
    walker = etree.iterwalk(outline.elements[0], events=("start", "end"))
    passed: list[etree._Element] = []
    for event, element in walker:
        if event == "start":
            index = walk.n_seen
            is_known = index < len(outline.elements) and outline.elements[index] is element
            if is_known and index not in left_out:
                walk.start(element)
                continue
            walker.skip_subtree()
            passed.append(element)
            if is_known:
                walk.n_seen = outline.ends[index]
        elif passed and passed[-1] is element:
            passed.pop()
            walk.add(element.tail)
        else:
            walk.end(element)
    walk.break_line()
    return walk.lines


def outline_positions(chosen: Iterable[SourceLine], outline: Outline) -> tuple[int, ...]:
    """Lines of the outline of which most characters stand on the chosen source lines."""
    covered: Counter[int] = Counter()
    for line in chosen:
        covered.update(line.shares)
    return tuple(
        sorted(
            position
            for position, n_chars in covered.items()
            if 2 * n_chars > _n_solid(outline.lines[position].text)
        )
    )


def _n_solid(text: str) -> int:
    return len(text) - text.count(" ")


class _Walk:
    """State of one walk over the tree."""

    def __init__(self, outline: Outline, breaks: BreakRules) -> None:
        self.outline = outline
        self.breaks = breaks
        self.lines: list[SourceLine] = []
        self.line = SourceLine()
        self.parts: list[str] = []
        self.links_here: set[int] = set()
        self.n_seen = 0
        self.open: list[tuple[int, int, int]] = []  # element, block around it, muted depth before
        self.links: list[int] = []
        self.muted = 0
        self.is_ended = False  # by a tag, with nothing but blanks since
        self.of_block = _lines_of_blocks(outline)
        self.n_solid = [_n_solid(line.text) for line in outline.lines]
        self.places: dict[int, _Place] = {}

    def start(self, element: etree._Element) -> None:
        index, tag = self.n_seen, self.outline.tags[self.n_seen]
        self.n_seen += 1
        if tag in self.breaks.before:
            self.break_line()
        block = self.open[-1][1] if self.open else 0
        parent_tag = self.outline.tags[self.open[-1][0]] if self.open else ""
        self.open.append((index, index if is_block(tag, parent_tag) else block, self.muted))
        self.line.html_bytes += _start_bytes(element, tag)
        if tag in CONTROL_TAGS:
            self.muted += 1
        elif tag in _ENDS_CONTROL:
            self.muted = 0
        if tag == "a":
            self.links.append(index)
        elif tag in _IMAGE_TAGS:
            self.line.n_images += 1
            self.links_here.update(self.links[-1:])
        self.add(element.text)

    def end(self, element: etree._Element) -> None:
        index, _, self.muted = self.open.pop()
        tag = self.outline.tags[index]
        self.line.html_bytes += len(tag) + _END_BYTES
        if self.links and self.links[-1] == index:
            self.links.pop()
        if tag in self.breaks.after:
            self.break_line()
            self.is_ended = True
        self.add(element.tail)

    def add(self, text: str | None) -> None:
        """Text inside the innermost open element."""
        if not text or not self.open:
            return
        first, *others = text.split("\n", max(MAX_LINES - len(self.lines), 0))
        self._add_piece(first)
        for piece in others:
            if not self.is_ended or self._has_text():
                self.break_line()
            self.is_ended = False
            self._add_piece(piece)

    def _add_piece(self, piece: str) -> None:
        self.line.html_bytes += len(piece.encode("utf-8", "replace"))
        if self.muted:
            return
        self.parts.append(piece)
        n_solid = len("".join(piece.split()))
        if n_solid:
            self.links_here.update(self.links[-1:])
            self._take(self.open[-1][1], n_solid)

    def _take(self, block: int, n_solid: int) -> None:
        """Characters belong to the block's next lines in the outline."""
        place = self.places.setdefault(block, _Place())
        lines = self.of_block.get(block, [])
        while n_solid and place.position < len(lines):
            line = lines[place.position]
            left = self.n_solid[line] - place.n_taken
            n_here = min(left, n_solid)
            self.line.shares[line] += n_here
            n_solid -= n_here
            place.n_taken += n_here
            if n_here == left:
                place.position, place.n_taken = place.position + 1, 0

    def _has_text(self) -> bool:
        return any(part.strip() for part in self.parts)

    def break_line(self) -> None:
        self.line.text = " ".join("".join(self.parts).split())
        self.line.n_links = len(self.links_here)
        self.lines.append(self.line)
        self.line = SourceLine()
        self.parts.clear()
        self.links_here.clear()


@dataclass(slots=True)
class _Place:
    """How far the lines of a block are used up."""

    position: int = 0
    n_taken: int = 0


def _lines_of_blocks(outline: Outline) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for position, line in enumerate(outline.lines):
        found.setdefault(line.node, []).append(position)
    return found


def _start_bytes(element: etree._Element, tag: str) -> int:
    attributes = sum(
        len(str(name)) + len(str(value).encode("utf-8", "replace")) + _ATTRIBUTE_BYTES
        for name, value in element.items()
    )
    return len(tag) + _START_BYTES + attributes
