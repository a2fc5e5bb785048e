"""One comment's element → what it says, who said it, when, to whom; answers inside it left out.

The text is an element named as one, else what is left when author, time, buttons and the words
around them are taken out.
"""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice, pairwise

from lxml import etree

from extraction.html.markup.elements import attribute, text_of
from extraction.html.reader_comments.comment_authors import author_of
from extraction.html.reader_comments.comment_ids import id_of
from extraction.html.reader_comments.comment_items import Item
from extraction.html.reader_comments.comment_names import (
    is_author,
    is_body,
    is_like,
    is_likes,
    is_plain_body,
    is_subject,
    is_time,
    is_time_property,
)
from extraction.html.reader_comments.comment_text import (
    MAX_SIGNATURE_CHARACTERS,
    SIGNATURE,
    UNREAD_TAGS,
    is_short,
    names_the_author,
    text_of_comment,
)
from extraction.html.reader_comments.comment_times import names_a_time, names_a_year
from extraction.html.reader_comments.comment_words import is_filler, is_since

# More elements than any real comment has.
_MAX_PARTS = 3_000
_MAX_LEVELS = 100
_MAX_BESIDE = 50  # answers on each side of an answer
_MAX_TIME_CHARACTERS = 120
_MAX_SIGNATURE_WORDS = 8  # a name and a time; longer lines are sentences with a year in them
_LEAST_INNER_SHARE = 0.3  # a smaller part of a text, named as text too, is a quote
_MAX_HEAD_LINES = 3  # before what is said
_MAX_LABEL_WORDS = 3  # "Top fan", an avatar's initials
_CLOCK = re.compile(
    r"\W*(?:at|um|à|a las|alle|o|в|kl\.?)?\W*\d{1,2}[:.h]\d{2}(?:\s*[ap]\.?m\.?| Uhr)?\W*",
    re.IGNORECASE,
)
# Forums draw a line of their own between a text and its author's motto.
_RULED_OFF = re.compile(r"\n_{5,}(?:\n.{0,300}){0,4}$")
_IN_WORD = re.compile(r"\w")
_NUMBER = re.compile(r"[+-]?\d{1,6}")


@dataclass(frozen=True, slots=True)
class RawComment:
    """What stands in a comment's elements, its times unread."""

    item: etree._Element
    text: str
    author: str
    times: tuple[str, ...]
    likes: int
    own_id: str
    run: tuple[etree._Element, ...] = ()  # elements of the page, where `item` is none of them


def read_parts(item: Item, items: AbstractSet[etree._Element]) -> RawComment:
    """Read one comment; `items` are the elements of all."""
    below = islice(item.element.iterdescendants(), _MAX_PARTS)
    inner = {element for element in below if element in items}
    inner |= {one for answer in inner for one in _beside_an_answer(answer)}
    parts = own_elements(item.element, inner)
    marks = _marks_of(parts)
    body = _body_of(parts, inner, marks)
    inside = marks.only_in(body) if body is not None else set()
    lines = _signature_lines(item.core, inner, None if inside else body)
    outside = [
        part for part in parts if body is None or part in inside or not _is_inside(part, body)
    ]
    signed, author = author_of(outside, lines)
    text = text_of_comment(body, inner | inside) if body is not None else ""
    if inside:
        text = _without_ends(text)
    text = _RULED_OFF.sub("", text)
    if not text:
        signed = signed.union(marks.authors, marks.moments)
        text = _without_place(_loose_text(item, parts, inner, signed), author)
    times = tuple(dict.fromkeys(_times_of(outside, lines)))
    return RawComment(item.element, text, author, times, likes_of(parts), id_of(parts), item.run)


def _beside_an_answer(answer: etree._Element) -> Iterator[etree._Element]:
    """Give what stands in the list of an answer and is built like it: a removed one's place."""
    around = answer.getparent()
    place = around if around is not None and around.tag == "li" else answer
    for before in (True, False):
        for one in islice(place.itersiblings("*", preceding=before), _MAX_BESIDE):
            if place.tag in {"li", "article"} and is_like(one, place):
                yield one


def _marks_of(parts: list[etree._Element]) -> "_Marks":
    short = [part for part in parts[1:] if is_short(part)]
    return _Marks(
        [part for part in short if names_the_author(part)],
        [part for part in short if is_time(part)],
    )


def own_elements(item: etree._Element, inner: AbstractSet[etree._Element]) -> list[etree._Element]:
    """Elements of a comment in document order, those of other comments inside it left out."""
    found: list[etree._Element] = []
    walker = etree.iterwalk(item, events=("start",))
    for _, element in walker:
        if element is not item and element in inner:
            walker.skip_subtree()
            continue
        found.append(element)
        if element.tag in UNREAD_TAGS:
            walker.skip_subtree()
        if len(found) >= _MAX_PARTS:
            break
    return found


def _is_inside(element: etree._Element, around: etree._Element) -> bool:
    return element is around or any(
        above is around for above in islice(element.iterancestors(), _MAX_LEVELS)
    )


@dataclass(frozen=True, slots=True)
class _Marks:
    """Elements of a comment that are named as its author or time."""

    authors: list[etree._Element]
    moments: list[etree._Element]

    def only_in(self, body: etree._Element) -> set[etree._Element]:
        """Give those in an element that is named as the text and holds all of their kind."""
        kinds = (self.authors, self.moments)
        return {one for kind in kinds if _holds_all(body, kind) for one in kind}

    def leave(self, inner: etree._Element, outer: etree._Element | None) -> bool:
        """Whether an element holds a name or time outside of the one inside it."""
        if outer is None:
            return False
        marks = (*self.authors, *self.moments)
        return any(_is_inside(one, outer) and not _is_inside(one, inner) for one in marks)

    def make_whole(self, body: etree._Element) -> bool:
        """Whether an element holds author and time: it is the whole comment, whatever its name."""
        return _holds_all(body, self.authors) and _holds_all(body, self.moments)


def _holds_all(body: etree._Element, marks: list[etree._Element]) -> bool:
    return bool(marks) and all(_is_inside(mark, body) for mark in marks)


def _body_of(
    parts: list[etree._Element], inner: AbstractSet[etree._Element], marks: _Marks
) -> etree._Element | None:
    """Element that is named as the comment's text: the innermost, else one named as any text."""
    for is_named, share in ((is_body, 0.0), (is_plain_body, _LEAST_INNER_SHARE)):
        best = None
        least = 0
        for element in parts[1:]:
            if element.tag in UNREAD_TAGS or not is_named(element):
                continue
            if best is not None and not _is_inside(element, best):
                continue
            text = text_of_comment(element, inner)
            is_most = len(text) >= share * least or marks.leave(element, best)
            if text and not marks.make_whole(element) and is_most:
                best, least = element, len(text)
        if best is not None:
            return _with_quotation(best, marks)
    return None


def _with_quotation(body: etree._Element, marks: _Marks) -> etree._Element:
    """Give what is around a text in pieces of one name: a quotation stands between them."""
    around = body.getparent()
    if around is None or marks.make_whole(around) or not attribute(body, "class"):
        return body
    pieces = [one for one in around if one.get("class") == body.get("class")]
    return around if len(pieces) > 1 else body


def _loose_text(
    item: Item,
    parts: list[etree._Element],
    inner: AbstractSet[etree._Element],
    signed: AbstractSet[etree._Element],
) -> str:
    """Text of a comment that has no element for it: all that is not its signature.

    Labels before the end of the signature belong to it; `signed` is what is known to be part of it.
    """
    signed = signed | {part for part in parts[1:] if _is_unnamed_time(part)}
    if item.signature is not None:
        signed |= {item.signature}
    text = text_of_comment(item.core, inner, signed)
    head, _, tail = text.rpartition(SIGNATURE)
    labels = _unsigned(head.replace(SIGNATURE, "")).split("\n")
    behind = _unsigned(tail)
    subjects = [text_of(part, " ") for part in parts[1:] if is_subject(part) and is_short(part)]
    said = [line for line in labels if line and line in subjects]
    if behind and all(len(line.split()) <= _MAX_LABEL_WORDS for line in labels):
        return "\n".join([*said, behind])
    return _unsigned(text.replace(SIGNATURE, ""))


def _unsigned(text: str) -> str:
    """Take out the lines that hold but a name, a time, or words around them."""
    return "\n".join(line for line in text.split("\n") if line and not _is_signature_line(line))


def _without_place(text: str, author: str) -> str:
    """Take out the line of the author's name with a place behind it: "Dani, Haifa"."""
    if not author:
        return text
    lines = text.split("\n")
    for place, line in enumerate(lines[:_MAX_HEAD_LINES]):
        behind = line.removeprefix(author)
        is_place = behind != line and behind.lstrip().startswith((",", "(", "·"))
        if is_place and len(behind.split()) <= _MAX_LABEL_WORDS and len(lines) > 1:
            return "\n".join([*lines[:place], *lines[place + 1 :]])
    return text


def _without_ends(text: str) -> str:
    """Take out a first and a last line that hold but a name, a time, or words around them."""
    lines = text.split("\n")
    while lines and _is_signature_line(lines[0]):
        lines = lines[1:]
    while lines and _is_signature_line(lines[-1]):
        lines = lines[:-1]
    return "\n".join(lines)


def _is_unnamed_time(element: etree._Element) -> bool:
    """Whether an element in small or shortened print holds a time and nothing but words around."""
    if element.tag not in {"small", "abbr"} or not is_short(element):
        return False
    text = text_of(element, " ")
    return len(text) <= _MAX_TIME_CHARACTERS and names_a_time(text)


def _is_signature_line(line: str) -> bool:
    if is_filler(line):
        return bool(line.strip(".… "))  # dots stand for words left out
    n_words = sum(_IN_WORD.search(part) is not None for part in line.split())
    return n_words <= _MAX_SIGNATURE_WORDS and names_a_time(line)


def _signature_lines(
    core: etree._Element, inner: AbstractSet[etree._Element], body: etree._Element | None
) -> list[str]:
    """Short lines of a comment outside of its text that name a time."""
    left_out = inner if body is None else inner | {body}
    # Name and date may stand in elements with nothing but a style between them.
    lines = text_of_comment(core, left_out, gap=" ").split("\n")
    return [
        one
        for one in lines
        if len(one) <= MAX_SIGNATURE_CHARACTERS and names_a_time(one) and not is_since(one)
    ]


def _times_of(parts: list[etree._Element], lines: list[str]) -> Iterator[str]:
    """Texts that may name the comment's time: machine-readable first, then written ones."""
    written: list[str] = []
    for element in parts:
        if is_time_property(element) or element.tag in {"time", "relative-time", "abbr"}:
            yield from _said(element, "datetime", "content", "data-utime", "title")
            written.append(text_of(element, " "))
        elif is_time(element):
            yield from _said(element, "title", "data-timestamp", "data-ts", "data-time", "datetime")
            inner = next(
                (one for one in element.iter() if one.get("title") and one is not element), None
            )
            yield from _said(inner, "title") if inner is not None else ()
            written.append(text_of(element, " "))
        else:
            yield from _said(
                element, "data-comment-timestamp", "data-timestamp", "data-utime", "data-ts"
            )
            yield from (
                title
                for title in _said(element, "title")
                if names_a_year(title[:_MAX_TIME_CHARACTERS]) and not is_author(element)
            )
    yield from _joined(written)
    yield from (text for text in written if text and len(text) <= MAX_SIGNATURE_CHARACTERS)
    yield from lines


def _joined(written: list[str]) -> Iterator[str]:
    """Give a day with the clock that an element of its own names right behind it."""
    for day, clock in pairwise(written):
        if _CLOCK.fullmatch(clock) and names_a_year(day) and ":" not in day:
            yield f"{day} {clock}"


def _said(element: etree._Element, *names: str) -> Iterator[str]:
    return (value for name in names if (value := attribute(element, name).strip()))


def likes_of(parts: list[etree._Element]) -> int:
    """Give the number of those who like a comment, 0 where none is told."""
    for element in parts[1:]:
        is_marked = "upvoteCount" in attribute(element, "itemprop").split()
        if is_marked or is_likes(element):
            match = _NUMBER.search(attribute(element, "content") or text_of(element))
            if match:
                return int(match[0])
    return 0
