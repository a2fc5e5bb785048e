"""Which comment each comment of a page answers: said outright, by nesting, or by its depth."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from lxml import etree

from extraction.html.markup.elements import attribute, text_of
from extraction.html.reader_comments.comment_ids import PAIRED_ID
from extraction.html.reader_comments.comment_names import is_answer_list, names_of
from extraction.html.reader_comments.comment_parts import RawComment

_MAX_LEVELS = 100
_PARENT_NAMES = (
    "data-parent-id",
    "data-parent",
    "data-parentid",
    "data-comment-parent",
    "data-reply-to",
)
_DEPTH = re.compile(
    r"^(?:[a-z]+[-_])*(?:depth|level|ebene|indent|niveau)[-_]?(\d{1,2})$", re.IGNORECASE
)
_INDENT = re.compile(
    r"(?:margin|padding)(?:-left:\s*(\d{1,4})|:\s*(?:[\d.]+\w*\s+){3}(\d{1,4}))(?=px|em|%|\s|;|$)"
)
_MAX_INDENTED = 4  # a table, its body, its row, its cell
_LINKED = re.compile(r"(?:#|/)(?:[a-z]+[-_])*(?:comment|c|post|p)?[-_]?(\d+)$", re.IGNORECASE)
_IN_REPLY = re.compile(
    r"^\W*(?:in reply to|replying to|reply to|(?:als )?antwort auf|antwort an|en réponse à"
    r"|en respuesta a|em resposta a|in risposta a|w odpowiedzi (?:na|do)"
    r"|в ответ на|ответ на|in antwoord op|in reactie op|reactie op)\b",
    re.IGNORECASE,
)
_MAX_REPLY_CHARACTERS = 120


class Thread:
    """The comments of a page so far, by element, id and depth, and the parent of the next."""

    def __init__(self, raws: Sequence[RawComment]) -> None:
        self._elements = {raw.item: place for place, raw in enumerate(raws)}
        self._ids = {raw.own_id: place for place, raw in enumerate(raws) if raw.own_id}
        self._depths = [_depth_of(raw.item) for raw in raws]
        self._raws = raws

    def parent_of(self, place: int) -> int | None:
        """Place of the comment that the one at `place` answers; None at the top."""
        item = self._raws[place].item
        for found in (self._said(item), self._around(item), self._before(item)):
            if found is not None and found != place:
                return found
        return self._by_depth(place)

    def _said(self, item: etree._Element) -> int | None:
        paired = next((match[2] for one in names_of(item) if (match := PAIRED_ID.search(one))), "")
        for number in (paired, *(attribute(item, name) for name in _PARENT_NAMES)):
            if number in self._ids:
                return self._ids[number]
        return self._linked(item)

    def _linked(self, item: etree._Element) -> int | None:
        """Comment that an "in reply to" with a link points to."""
        for link in islice(item.iter("a"), 8):
            match = _LINKED.search(attribute(link, "href"))
            above = link.getparent()
            if match is None or match[1] not in self._ids or above is None:
                continue
            said = (text_of(link, " "), text_of(above, " "))
            if any(len(text) < _MAX_REPLY_CHARACTERS and _IN_REPLY.match(text) for text in said):
                return self._ids[match[1]]
        return None

    def _around(self, item: etree._Element) -> int | None:
        above = islice(item.iterancestors(), _MAX_LEVELS)
        return next((self._elements[one] for one in above if one in self._elements), None)

    def _before(self, item: etree._Element) -> int | None:
        """Comment before the list of answers that holds this one."""
        for above in islice(item.iterancestors(), _MAX_LEVELS):
            if above in self._elements:
                return None
            if is_answer_list(above):
                before = next(above.itersiblings("*", preceding=True), None)
                if before in self._elements:
                    return self._elements[before]
        return None

    def _by_depth(self, place: int) -> int | None:
        depth = self._depths[place]
        if depth is None:
            return None
        for before in range(place - 1, -1, -1):
            other = self._depths[before]
            if other is not None and other < depth:
                return before
        return None


def _depth_of(item: etree._Element) -> int | None:
    for name in ("data-depth", "data-level", "aria-level"):
        if attribute(item, name).isdecimal():
            return int(attribute(item, name))
    names = attribute(item, "class").split()
    found = [int(match[1]) for name in names if (match := _DEPTH.match(name))]
    return found[0] if found else _indent_of(item)


def _indent_of(item: etree._Element) -> int | None:
    """Pixels or the like that a comment is moved to the right by, as old systems show answers."""
    for element in islice(item.iter(), _MAX_INDENTED):
        match = _INDENT.search(attribute(element, "style"))
        if match is not None:
            return int(match[1] or match[2])
        if element.tag == "td" and _is_spacer(element):
            return int(attribute(element, "width"))
    return None


def _is_spacer(cell: etree._Element) -> bool:
    """Whether a cell holds nothing but perhaps an invisible picture of its width."""
    return (
        attribute(cell, "width").isdecimal()
        and not text_of(cell, " ")
        and all(one.tag == "img" and not one.get("alt") for one in cell)
    )


def without_circles(parents: Mapping[int, int | None]) -> dict[int, int | None]:
    """Parents of which each stands on a way to the top; what would close a circle has none."""
    kept: dict[int, int | None] = {}
    for place, parent in parents.items():
        line = {place}
        above = parent
        while above is not None and above not in line:
            line.add(above)
            above = kept.get(above)
        kept[place] = None if above is not None else parent
    return kept
