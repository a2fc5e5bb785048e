"""How a page was read, line by line: kept or dropped and why, and the element each line stands in.

An element is named by its number: its place, from 0, among the elements of the page as parsed and
before anything is removed (`parse_html(…).iter()`). The number says the same as the XPath in the
archived page and survives what cleaning does to the tree; `element_paths` turns numbers into paths.
The page is read by `extract_page` itself, so the trace cannot depart from what is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from textwrap import shorten

from lxml import etree

from extraction.html.cascade import CascadeInput, LineChoice
from extraction.html.extract_page import extract_page
from extraction.html.lines.drop_reasons import DropReason, Explanation, explain
from extraction.html.markup.block_kinds import kind_of_line
from extraction.html.markup.blocks import BlockKind, join_captions
from extraction.html.markup.class_words import Hint, hints_of_names
from extraction.html.markup.cleaning import is_hidden
from extraction.html.markup.comment_containers import is_comment_container
from extraction.html.markup.elements import text_of
from extraction.html.markup.outline import Outline
from extraction.html.page import ExtractedPage, PageInput
from extraction.html.site.evidence import LEAST_ARTICLES
from extraction.html.trace.field_lines import field_lines
from extraction.text.normalize import normalize_text

_PART_CHARACTERS = 400  # of a removed part: enough to know it by
# Of an element that did not come from the page's markup (a text unpacked from a script).
NO_ELEMENT = -1
# Run of a text that the outline does not have: it was gone before.
UNSEEN = -1


@dataclass(frozen=True, slots=True)
class TracedLine:
    """One line of the page: the `run`-th run of text directly in its element, from 0."""

    text: str
    element: int
    run: int
    kind: BlockKind
    dropped: Explanation | None = None  # None for a line of the article
    field: str = ""  # "title", "author", "date" where the line shows one, "date author" where both

    @property
    def is_kept(self) -> bool:
        """Whether the line is part of the article, as text or as caption."""
        return self.dropped is None


@dataclass(frozen=True, slots=True)
class TracedPart:
    """A part of the page that was gone before its lines were looked at, with its first words."""

    element: int
    dropped: Explanation
    text: str


@dataclass(frozen=True, slots=True)
class PageTrace:
    """What was read, all lines in page order, parts removed before, and the outline's elements.

    `is_as_stored` is false where the lines were judged by another text than today's, `n_missing`
    is how many lines of that text stand nowhere on the page.
    """

    extracted: ExtractedPage
    lines: tuple[TracedLine, ...] = ()
    parts: tuple[TracedPart, ...] = ()
    elements: frozenset[int] = frozenset()
    is_as_stored: bool = True
    n_missing: int = 0


def trace_page(page: PageInput, *, now: datetime | None = None) -> PageTrace:
    """Extract a page as `extract_page` does, and say of every line what became of it."""
    tracer = _Tracer()
    extracted = extract_page(page, now=now, observer=tracer)
    return tracer.trace(extracted)


@dataclass(slots=True)
class _Tracer:
    """Collects what the extraction says of its steps."""

    numbers: Mapping[etree._Element, int] = field(default_factory=dict)
    parts: list[TracedPart] = field(default_factory=list)
    page: CascadeInput | None = None
    choice: LineChoice | None = None

    def parsed(self, root: etree._Element) -> None:
        self.numbers = {element: number for number, element in enumerate(root.iter())}

    def cleaned(self, root: etree._Element) -> None:
        for element in self._gone(root):
            if is_hidden(element):
                self._drop(element, DropReason.HIDDEN)

    def ruled(self, root: etree._Element) -> None:
        known = {part.element for part in self.parts}
        for element in self._gone(root):
            is_text = isinstance(element.tag, str) and element.tag not in _NEVER_SHOWN
            if is_text and not is_hidden(element) and self.numbers[element] not in known:
                self._drop(element, DropReason.RULE)

    def chosen(self, page: CascadeInput, choice: LineChoice) -> None:
        self.page, self.choice = page, choice

    def _gone(self, root: etree._Element) -> list[etree._Element]:
        """Give the topmost elements that are no longer in the tree."""
        return [
            element
            for element in self.numbers
            if element is not root and element.getparent() is None
        ]

    def _drop(self, element: etree._Element, reason: DropReason) -> None:
        text = _first_words(element)
        if text:
            self.parts.append(TracedPart(self.numbers[element], Explanation(reason), text))

    def trace(self, extracted: ExtractedPage) -> PageTrace:
        if self.page is None or self.choice is None:
            return PageTrace(extracted)
        outline = self.page.outline
        numbers = [self.numbers.get(element, NO_ELEMENT) for element in outline.elements]
        return PageTrace(
            extracted,
            tuple(self._lines(self.page, self.choice, extracted, numbers)),
            (*self.parts, *self._left_out(outline)),
            frozenset(numbers),
        )

    def _left_out(self, outline: Outline) -> list[TracedPart]:
        """Find what the outline left out: readers' comments, and what class names hide."""
        outlined = set(outline.elements)
        return [
            TracedPart(number, _why_left_out(element), text)
            for element, number in self.numbers.items()
            if element not in outlined
            and element.getparent() in outlined
            and (text := _first_words(element))
        ]

    def _lines(
        self,
        page: CascadeInput,
        choice: LineChoice,
        extracted: ExtractedPage,
        numbers: Sequence[int],
    ) -> list[TracedLine]:
        outline = page.outline
        kept = sorted({line for block in extracted.blocks for line in block.lines})
        fields = field_lines(outline, extracted, kept)
        kinds = {line: block.kind for block in extracted.blocks for line in block.lines}
        runs = _runs(outline)
        traced = []
        for position, line in enumerate(outline.lines):
            dropped = None
            if position not in kinds:
                dropped = _why(page, choice, position, kept)
            traced.append(
                TracedLine(
                    text=line.text,
                    element=numbers[line.node],
                    run=runs[position],
                    kind=kinds.get(position) or kind_of_line(outline, position),
                    dropped=dropped,
                    field=fields.get(position, ""),
                )
            )
        return traced


_NEVER_SHOWN = frozenset(
    ["script", "style", "head", "title", "meta", "link", "noscript", "template", "svg", "iframe"]
)


def _first_words(element: etree._Element) -> str:
    return shorten(text_of(element, " "), _PART_CHARACTERS, placeholder=" …")


def _why_left_out(element: etree._Element) -> Explanation:
    if is_comment_container(element):
        return Explanation(DropReason.COMMENTS)
    if hints_of_names(f"{element.get('class') or ''} {element.get('id') or ''}") & _HIDING_NAME:
        return Explanation(DropReason.HIDDEN, "by its class name")
    return Explanation(DropReason.TOO_LONG)


_HIDING_NAME = Hint.UNSEEN.value


def _runs(outline: Outline) -> list[int]:
    """Count the lines of each element: which of them is a line."""
    seen: dict[int, int] = {}
    runs = []
    for line in outline.lines:
        runs.append(seen.get(line.node, 0))
        seen[line.node] = runs[-1] + 1
    return runs


def _why(page: CascadeInput, choice: LineChoice, position: int, kept: Sequence[int]) -> Explanation:
    """Ask the step that dropped the line, then the page itself."""
    if position in choice.reasons:
        return Explanation(choice.reasons[position])
    evidence = page.site.evidence if page.site is not None else None
    if evidence is not None and evidence.articles_with[position] >= LEAST_ARTICLES:
        detail = f"on {evidence.articles_with[position]} of {evidence.n_articles} other pages"
        return Explanation(DropReason.TEMPLATE, detail)
    return explain(page.outline, position, kept)


def as_stored(trace: PageTrace, text: str, captions: str = "") -> PageTrace:
    """Judge the lines by a stored text instead of by today's extraction.

    The text of an article may have been read by an earlier version, or before the site was known:
    what is shown as kept is what is stored. Lines are found in order, each once; a stored line may
    be several lines of the page (the cells of a table's row), or none of it (a text from JSON-LD).
    """
    found = trace.extracted
    is_same = (text, captions) == (found.text, join_captions(found.blocks))
    if is_same and any(block.lines for block in found.blocks):
        return trace
    wanted = [line for line in text.split("\n") if line]
    said = [normalize_text(line.text) for line in trace.lines]
    places, n_missing = _align(wanted, said)
    pictures = set(captions.split("\n"))
    lines = []
    for position, line in enumerate(trace.lines):
        is_caption = line.kind is BlockKind.CAPTION and said[position] in pictures
        if position in places or (is_caption and said[position]):
            lines.append(replace(line, dropped=None))
        elif line.is_kept:
            lines.append(replace(line, dropped=Explanation(DropReason.EARLIER)))
        else:
            lines.append(line)
    return replace(trace, lines=tuple(lines), is_as_stored=is_same, n_missing=n_missing)


def _align(wanted: Sequence[str], lines: Sequence[str]) -> tuple[set[int], int]:
    """Find stored lines among the page's, in order, and count those that are not there."""
    places: dict[str, list[int]] = {}
    for position, line in enumerate(lines):
        places.setdefault(line, []).append(position)
    found: set[int] = set()
    at = n_missing = 0
    for text in wanted:
        run = _run_from(text, lines, at, places)
        if run:
            found.update(run)
            at = run[-1] + 1
        else:
            n_missing += 1
    return found, n_missing


def _run_from(
    text: str, lines: Sequence[str], at: int, places: Mapping[str, Sequence[int]]
) -> range | None:
    """Find the first line from `at` that says the text, or several that say it together."""
    for position in places.get(text, ()):
        if position >= at:
            return range(position, position + 1)
    for start in range(at, len(lines)):
        if not lines[start] or not text.startswith(lines[start] + " "):
            continue
        said, end = lines[start], start + 1
        while end < len(lines) and text.startswith(f"{said} {lines[end]}"):
            said, end = f"{said} {lines[end]}", end + 1
        if said == text:
            return range(start, end)
    return None
