"""Boxes on many pages of a site, in its texts or beside them: newsletters, read-also lists, bios.

Trees of pages and their stored texts → elements by a selector, with why each is no text: its words
are the same on most pages, it is mostly links, or its name says what it is. An editor takes what is
right as a removal; nothing is decided here.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from extraction.html.markup.cleaning import UNSEEN_TAGS
from extraction.html.markup.elements import attribute
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind

_BOXES = frozenset(["div", "aside", "section", "ul", "ol", "form", "figure", "p", "table"])
_LEAST_PAGES = 3
_LEAST_SHARE = 0.25  # of the pages: rarer boxes are an article's own
_SAME_SHARE = 0.6  # of its pages that have the same words
_LINK_SHARE = 0.6  # of a box's characters that stand in links
_LEAST_LINKS = 2
# An element with more of the page's text is the article's container.
_MOST_TEXT = 0.4
_LEAST_CHARACTERS = 8
_SHOWN_CHARACTERS = 160
MAX_BOXES = 8  # an editor reads them all
_NAMES = re.compile(
    r"newsletter|subscri|related|read-?(?:next|also|more)|recommend|author-?(?:box|bio|info)"
    r"|about-?author|bio\b|promo|share|social|sign-?up|outbrain|taboola|advert|donat",
    re.IGNORECASE,
)
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True, slots=True)
class RepeatedBox:
    """A box that may be removed; `in_texts` counts the pages whose stored text holds some of it."""

    rule: Rule
    n_pages: int
    n_sample: int
    in_texts: int
    why: str
    preview: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """A box on one page."""

    text: str
    is_links: bool
    is_in_text: bool


def repeated_boxes(pages: Sequence[tuple[etree._Element, str]]) -> list[RepeatedBox]:
    """Find boxes on pages, each a tree and its stored text: those that reach texts come first."""
    seen: dict[str, dict[int, list[_Seen]]] = {}
    for number, (root, text) in enumerate(pages):
        for name, one in _boxes(root, text):
            seen.setdefault(name, {}).setdefault(number, []).append(one)
    least = max(_LEAST_PAGES, _LEAST_SHARE * len(pages))
    found = [
        box
        for name, by_page in seen.items()
        if len(by_page) >= least and (box := _judged(name, by_page, len(pages))) is not None
    ]
    found.sort(key=lambda box: (-box.in_texts, -box.n_pages, box.rule.selector))
    return _outermost(found)[:MAX_BOXES]


def _boxes(root: etree._Element, text: str) -> Iterator[tuple[str, _Seen]]:
    """Give the named boxes of a page by their selectors."""
    words = _Words(root)
    reaching = words.reaching({" ".join(line.split()) for line in text.split("\n")})
    for element in root.iter(*_BOXES):
        name = _selector(element)
        said = words.of(element) if name else ""
        if not name or len(said) < _LEAST_CHARACTERS or _is_unseen(element):
            continue
        if len(text) and len(said) > _MOST_TEXT * len(text) and not _NAMES.search(name):
            continue
        links = [words.of(link) for link in element.iter("a")]
        yield name, _Seen(said, _is_links(links, said), element in reaching)


class _Words:
    """The words of a page, and which of them stand below each element: one walk for all boxes.

    Asked of each element by itself, boxes in boxes made the half of what a trial of rules costs.
    """

    def __init__(self, root: etree._Element) -> None:
        self._words: list[str] = []
        self._spans: dict[etree._Element, tuple[int, int]] = {}
        began: list[int] = []
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                began.append(len(self._words))
                self._words += (element.text or "").split()
                continue
            self._spans[element] = (began.pop(), len(self._words))
            self._words += (element.tail or "").split()

    def of(self, element: etree._Element) -> str:
        """Give all words below an element, with single blanks."""
        start, end = self._spans[element]
        return " ".join(self._words[start:end])

    def reaching(self, lines: Collection[str]) -> set[etree._Element]:
        """Find the elements whose words, or those of one inside, are one of the lines."""
        most = max((line.count(" ") + 1 for line in lines), default=0)
        found: set[etree._Element] = set()
        for element, (start, end) in self._spans.items():
            if end - start <= most and self.of(element) in lines:
                found.update((element, *element.iterancestors()))
        return found


def _selector(element: etree._Element) -> str:
    """Write the selector of an element with a class or an id that no page has for itself."""
    classes = attribute(element, "class").split()
    named = [name for name in classes if _PLAIN_NAME.fullmatch(name)]
    telling = [name for name in named if _NAMES.search(name)]
    if telling or named:
        return f"{element.tag}.{(telling or named)[0]}"
    identity = attribute(element, "id")
    is_plain = _PLAIN_NAME.fullmatch(identity) and not any(map(str.isdecimal, identity))
    return f"{element.tag}#{identity}" if is_plain else ""


def _is_unseen(element: etree._Element) -> bool:
    outer = {parent.tag for parent in element.iterancestors()}
    return not outer.isdisjoint({*UNSEEN_TAGS, "nav", "header", "footer"})


def _is_links(links: Sequence[str], said: str) -> bool:
    return len(links) >= _LEAST_LINKS and sum(map(len, links)) >= _LINK_SHARE * len(said)


def _judged(name: str, by_page: dict[int, list[_Seen]], n_sample: int) -> RepeatedBox | None:
    """Say why a box is no text; None where nothing says so."""
    firsts = [boxes[0] for boxes in by_page.values()]
    words = Counter(box.text for box in firsts)
    why = ""
    if words.most_common(1)[0][1] >= _SAME_SHARE * len(firsts):
        why = "the same words on most of them"
    elif sum(box.is_links for box in firsts) >= _SAME_SHARE * len(firsts):
        why = "mostly links"
    elif _NAMES.search(name):
        why = "by its name"
    if not why:
        return None
    n_in = sum(any(box.is_in_text for box in boxes) for boxes in by_page.values())
    rule = Rule(RuleField.REMOVE, RuleKind.CSS, name)
    preview = words.most_common(1)[0][0][:_SHOWN_CHARACTERS]
    return RepeatedBox(rule, len(by_page), n_sample, n_in, why, preview)


def _outermost(found: Sequence[RepeatedBox]) -> list[RepeatedBox]:
    """Leave out boxes whose words a chosen one on as many pages shows already."""
    kept: list[RepeatedBox] = []
    for box in sorted(found, key=lambda box: -len(box.preview)):
        if not any(box.preview in one.preview and box.n_pages <= one.n_pages for one in kept):
            kept.append(box)
    return [box for box in found if box in kept]
