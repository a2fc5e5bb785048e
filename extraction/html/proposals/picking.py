"""An element picked on a stored page: who it is, what is around it, which selectors name it.

An element's number is its place in document order in the tree of `parse_html`, the same that the
rule studio writes into the page.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree

from extraction.html.markup.cleaning import UNSEEN_TAGS
from extraction.html.markup.elements import attribute, text_of
from extraction.html.markup.outline import HEADING_TAGS
from extraction.html.proposals.selectors import selectors_of
from extraction.html.site_rules.rules import Rule, RuleError, RuleField, RuleKind, find

# What an editor looks through: suggestions for an element, rows of the outline.
MAX_SUGGESTIONS = 6
MAX_OUTLINE_ROWS = 800
# Each is run on all pages; one that finds a single element on most of them is said to be
# reliable.
_JUDGED = 14
_RELIABLE_SHARE = 0.8
_PLAIN_TAGS = frozenset(["a", "b", "strong", "em", "i", "br", "img", "u", "sup", "sub"])
_CLOSED_TAGS = frozenset(["nav", "footer", "select", "form"])
# A row of the outline is one line on the screen.
_SHOWN_CHARACTERS = 90
_MAX_DEPTH = 12


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """An element with text, for picking without a pointer."""

    number: int
    depth: int  # 0 to 12
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A selector for the picked element, tried on the pages of the sample."""

    rule: Rule
    n_once: int
    n_pages: int
    is_around: bool = False  # names an element around the picked one


@dataclass(frozen=True, slots=True)
class Picked:
    """The picked element; a neighbour that does not exist is None."""

    number: int
    name: str
    text: str
    n_words: int
    path: str  # XPath with positions, to show where it stands
    parent: int | None
    child: int | None
    before: int | None
    after: int | None
    suggestions: tuple[Suggestion, ...]


def name_of(element: etree._Element) -> str:
    """Write an element as an editor would: `div.story`, `p`, `#main`."""
    identity = attribute(element, "id")
    classes = attribute(element, "class").split()
    return str(element.tag) + (f"#{identity}" if identity else f".{classes[0]}" if classes else "")


def outline_rows(root: etree._Element) -> list[OutlineRow]:
    """Elements of the body that have text of their own or hold several that have.

    Menus and footers are one row each, plain links and emphasis none.
    """
    shown = deepcopy(root)
    body = shown.find("body")
    if body is None:
        return []
    number_of = {element: number for number, element in enumerate(shown.iter())}
    for unseen in shown.iter(*UNSEEN_TAGS):
        unseen.text = None
    rows = []
    for element, depth in _walk(body):
        text = text_of(element, " ")
        if text and (element.tag in _CLOSED_TAGS or not _is_wrapper(element)):
            row = OutlineRow(
                number_of[element],
                min(depth, _MAX_DEPTH),
                name_of(element),
                text[:_SHOWN_CHARACTERS],
            )
            rows.append(row)
        if len(rows) >= MAX_OUTLINE_ROWS:
            break
    return rows


def _walk(body: etree._Element) -> Iterator[tuple[etree._Element, int]]:
    """Go through the tree; an element with one child and no text of its own adds no depth."""
    stack = [(child, 0) for child in reversed(body)]
    while stack:
        element, depth = stack.pop()
        if element.tag in UNSEEN_TAGS or (element.tag in _PLAIN_TAGS and not element.keys()):
            continue
        yield element, depth
        if element.tag in _CLOSED_TAGS:
            continue
        inner = depth if _is_wrapper(element) else depth + 1
        stack += [(child, inner) for child in reversed(element)]


def _is_wrapper(element: etree._Element) -> bool:
    """Whether an element, no heading, holds one other element and no text beside it."""
    if len(element) != 1 or element.tag in HEADING_TAGS:
        return False
    return not (element.text or "").strip() and not (element[0].tail or "").strip()


def pick(
    root: etree._Element, number: int, field: RuleField, sample: Sequence[etree._Element]
) -> Picked | None:
    """Describe element `number` and suggest selectors for it; None where there is no such element.

    Parameters
    ----------
    root
        Tree of the page, as parsed.
    number
        Place of the element in document order.
    field
        What the suggested rules shall find.
    sample
        Trees of the pages that the selectors are tried on.
    """
    elements = list(root.iter())
    if not 0 <= number < len(elements):
        return None
    number_of = {element: place for place, element in enumerate(elements)}
    element = elements[number]
    text = text_of(element, " ") or attribute(element, "content")
    child = next((inner for inner in element if inner.tag not in UNSEEN_TAGS), None)
    return Picked(
        number=number,
        name=name_of(element),
        text=text[: 4 * _SHOWN_CHARACTERS],
        n_words=len(text.split()),
        path=str(root.getroottree().getpath(element)),
        parent=_number(number_of, element.getparent()),
        child=_number(number_of, child),
        before=_number(number_of, element.getprevious()),
        after=_number(number_of, element.getnext()),
        suggestions=tuple(_suggestions(element, field, sample)),
    )


def _number(number_of: Mapping[etree._Element, int], element: etree._Element | None) -> int | None:
    return None if element is None else number_of.get(element)


def _suggestions(
    element: etree._Element, field: RuleField, sample: Sequence[etree._Element]
) -> list[Suggestion]:
    """Selectors of the element: those that match once on the most pages, then the narrowest."""
    found = []
    for rank, choice in enumerate(selectors_of(element)[:_JUDGED]):
        rule = Rule(field, RuleKind.CSS, choice.css)
        counts = _counts(rule, sample)
        if counts is None:
            continue
        n_once = counts.count(1)
        # A bare tag that matches often would take half of the page with it.
        is_risky = choice.step.kind == "tag" and choice.above is None and n_once < len(sample)
        key = (is_risky, -n_once, counts.count(0), sum(counts), rank)
        found.append((key, Suggestion(rule, n_once, len(sample))))
    found.sort(key=lambda item: item[0])
    own = [suggestion for _, suggestion in found[:MAX_SUGGESTIONS]]
    return own if own and _is_reliable(own[0]) else own + _around(element, field, sample)


def _counts(rule: Rule, sample: Sequence[etree._Element]) -> list[int] | None:
    """Count what a rule matches on each page; None for one that is given up on a page as too slow.

    Pages made to exhaust their readers have elements that no selector finds in time.
    """
    try:
        return [len(find(rule, page)) for page in sample]
    except RuleError:
        return None


def _is_reliable(suggestion: Suggestion) -> bool:
    return suggestion.n_once >= _RELIABLE_SHARE * suggestion.n_pages


def _around(
    element: etree._Element, field: RuleField, sample: Sequence[etree._Element]
) -> list[Suggestion]:
    """Suggest the nearest element around one of many, such as the list around a link."""
    parent = element.getparent()
    while parent is not None and parent.tag not in {"body", "html"}:
        for choice in selectors_of(parent, n_ancestors=0)[:_JUDGED]:
            rule = Rule(field, RuleKind.CSS, choice.css)
            counts = _counts(rule, sample) or []
            suggestion = Suggestion(rule, counts.count(1), len(sample), is_around=True)
            if _is_reliable(suggestion):
                return [suggestion]
        parent = parent.getparent()
    return []
