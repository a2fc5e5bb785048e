"""Which comment each comment of a page answers: said outright, by nesting, or by its depth."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile

from lxml import etree

from extraction.html.markup.elements import attribute, text_of
from extraction.html.reader_comments.comment_ids import ID_NUMBER, PAIRED_ID
from extraction.html.reader_comments.comment_names import is_answer_list, is_like, names_of
from extraction.html.reader_comments.comment_parts import RawComment
from extraction.html.reader_comments.comment_text import is_reference

_MAX_LEVELS = 100
_PARENT_NAMES = (
    "data-parent-id",
    "data-parent",
    "data-parentid",
    "data-comment-parent",
    "data-reply-to",
)
_DEPTH = re.compile(
    r"^(?:[a-z]+[-_])*(?:depth|level|ebene|indent|niveau|niv|nivel|livello)[-_]?(\d{1,2})$",
    re.IGNORECASE,
)
_INDENT = re.compile(
    r"(?:margin|padding)(?:-left:\s*(\d{1,4})|:\s*(?:[\d.]+\w*\s+){3}(\d{1,4}))(?=px|em|%|\s|;|$)"
)
_MAX_INDENTED = 4  # a table, its body, its row, its cell
_LEAST_COMMENTS = 2  # to tell what wraps one from what holds all
_MAX_WRAPPERS = 4  # around one comment alone
_LIST_TAGS = frozenset(["ol", "ul", "dl"])
_LINKED = re.compile(r"[#/=](?:[a-z]{1,12}[-_]?){0,3}(\d+)$", re.IGNORECASE)
_IN_REPLY = re.compile(
    r"^\W*(?:in reply to|replying to|reply to|(?:als )?antwort auf|antwort an|en réponse à"
    r"|en respuesta a|em resposta a|in risposta a|w odpowiedzi (?:na|do)"
    r"|в ответ на|ответ на|in antwoord op|in reactie op|reactie op)\b",
    re.IGNORECASE,
)
_TO_PARENT = re.compile(
    r"\W*(?:(?:show|view|go to|jump to) )?(?:the )?parent(?: (?:comment|post|message))?\W*"
    r"|[\s(\[]*[↑⬆⤴][\s)\]]*",
    re.IGNORECASE,
)
_MAX_LINKS = 40  # of one comment, its text's too
_MAX_REPLY_CHARACTERS = 120


class Thread:
    """The comments of a page so far, by element, id and depth, and the parent of the next."""

    def __init__(self, raws: Sequence[RawComment]) -> None:
        self._elements = {raw.item: place for place, raw in enumerate(raws)}
        wrappers = _wrappers([raw.item for raw in raws])
        self._ids = _ids_of(raws, wrappers)
        self._depths = [
            _depth_of((raw.item, *around)) for raw, around in zip(raws, wrappers, strict=True)
        ]
        self._raws = raws
        # A comment may stand in a box of its own, behind which its answers are listed.
        self._boxes = {one: place for place, around in enumerate(wrappers) for one in around}

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
        """Comment that an "in reply to" with a link, or a link to the parent, points to."""
        for link in islice(item.iter("a"), _MAX_LINKS):
            match = _LINKED.search(attribute(link, "href"))
            if match is None or match[1] not in self._ids:
                continue
            place = self._ids[match[1]]
            if _leads_to_parent(link) or self._names_author(link, place):
                return place
        return None

    def _names_author(self, link: etree._Element, place: int) -> bool:
        """Whether a link within the page says but the name of whom it leads to: an answer to it."""
        author, said = self._raws[place].author, text_of(link, " ")
        is_own = self._elements.get(link) == place or place == self._place_around(link)
        return (
            attribute(link, "href").startswith("#")
            and bool(author)
            and said == author
            and not is_own
        )

    def _place_around(self, link: etree._Element) -> int | None:
        above = islice(link.iterancestors(), _MAX_LEVELS)
        return next((self._elements[one] for one in above if one in self._elements), None)

    def _around(self, item: etree._Element) -> int | None:
        above = islice(item.iterancestors(), _MAX_LEVELS)
        return next((self._elements[one] for one in above if one in self._elements), None)

    def _before(self, item: etree._Element) -> int | None:
        """Comment before the list of answers that holds this one."""
        for above in islice(item.iterancestors(), _MAX_LEVELS):
            if above in self._elements:
                return None
            if above.tag in _LIST_TAGS or is_answer_list(above):
                before = next(above.itersiblings("*", preceding=True), None)
                if before in self._elements:
                    return self._elements[before]
                if before in self._boxes and _is_in_an_item(above):
                    return self._boxes[before]
            elif above is not item.getparent():
                continue
            elif (before := next(above.itersiblings("*", preceding=True), None)) in self._elements:
                # What stands behind a comment and lists another kind of them lists its answers.
                return None if is_like(before, item) else self._elements[before]
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


def _is_in_an_item(answers: etree._Element) -> bool:
    around = answers.getparent()
    return around is not None and around.tag == "li"


def _leads_to_parent(link: etree._Element) -> bool:
    said = text_of(link, " ")
    if _TO_PARENT.fullmatch(said) or is_reference(link):
        return True
    above = link.getparent()
    around = "" if above is None else text_of(above, " ")
    return any(
        len(text) < _MAX_REPLY_CHARACTERS and _IN_REPLY.match(text) for text in (said, around)
    )


def _wrappers(items: Sequence[etree._Element]) -> list[list[etree._Element]]:
    """Elements around each of several comments that hold no other, from the inside out."""
    if len(items) < _LEAST_COMMENTS:
        return [[] for _ in items]
    lines = [list(islice(item.iterancestors(), _MAX_WRAPPERS)) for item in items]
    n_held = Counter(one for line in lines for one in line)
    n_held.update(items)
    return [list(takewhile(lambda one: n_held[one] == 1, line)) for line in lines]


def _ids_of(raws: Sequence[RawComment], wrappers: Sequence[list[etree._Element]]) -> dict[str, int]:
    """Place of the comment of each id, those of what wraps it alone included."""
    found: dict[str, int] = {}
    for place, around in enumerate(wrappers):
        for one in around:
            if match := ID_NUMBER.search(attribute(one, "id")):
                found.setdefault(match[1], place)
    return found | {raw.own_id: place for place, raw in enumerate(raws) if raw.own_id}


def _depth_of(line: Sequence[etree._Element]) -> int | None:
    """Depth that a comment's element names, or what wraps it alone; else how far it is indented."""
    for element in line:
        for name in ("data-depth", "data-level", "aria-level"):
            if attribute(element, name).isdecimal():
                return int(attribute(element, name))
        names = attribute(element, "class").split()
        for match in filter(None, map(_DEPTH.match, names)):
            return int(match[1])
    indents = (indent for element in line if (indent := _indent_of(element)) is not None)
    return next(indents, None)


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
