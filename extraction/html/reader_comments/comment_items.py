"""Elements of a page that are one comment each, by their names: one pass from the inside out.

A candidate is an element named or typed as a comment. It is a comment when, without the comments
inside it, it has words and an author or a time. What has only one of these belongs to the comment
around it, or is the wrapper of the comment inside it: an item grows to the outermost candidate that
holds nothing else but answers to it. Systems nest two to four such elements around each comment
(`li.comment > article.comment > section.comment`), and all of them are called the same.
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from extraction.html.markup.elements import attribute
from extraction.html.reader_comments.comment_names import (
    is_answer_name,
    is_body,
    is_comment_list,
    is_comment_type,
    is_item_name,
    is_like,
    is_pingback,
    is_time,
    names_of,
)
from extraction.html.reader_comments.comment_text import (
    UNREAD_TAGS,
    is_furniture,
    is_short,
    names_the_author,
)
from extraction.html.reader_comments.comment_times import names_a_time
from extraction.html.reader_comments.comment_words import is_filler

_NEVER = frozenset(
    ["html", "body", "head", "main", "a", "form", "input", "button", "h1", "h2", "h3", "textarea",
     "span", "time", "label", "option", "link", "meta", "script", "img", "i", "svg", "use", "path",
     "strong", "b", "em", "small", "noscript", "nav", "cite"]
)  # fmt: skip
MAX_COMMENTS = 2_000  # of a page; more were made to exhaust us
_MAX_TIME_CHARACTERS = 90  # of a text that may hold a time; longer ones are sentences
_LEAST_SENTENCE_WORDS = 9  # with a time among them; a name and a time have fewer
_MAX_LEVELS = 100
_MAX_PARTS = 3_000  # looked at in a comment
_KEPT_INSIDE = 2  # of the comments inside an element, those that decide what it is


@dataclass(slots=True)
class Item:
    """One comment: the outermost element that is it alone, the innermost that holds its text."""

    element: etree._Element
    core: etree._Element
    has_author: bool = False
    has_time: bool = False
    is_pingback: bool = False
    n_moments: int = 0  # times written in it; more than two are those of several comments
    run: tuple[etree._Element, ...] = ()  # what `element` is a copy of, where it is no part of it
    signature: etree._Element | None = None  # what is known to be but name and time


@dataclass(slots=True)
class _Frame:
    """What an open element holds outside of the comments inside it."""

    element: etree._Element
    is_silent: bool = False
    is_body: bool = False
    n_words: int = 0
    has_author: bool = False
    has_time: bool = False
    n_moments: int = 0
    inside: list[Item] = field(default_factory=list)


def is_comment_element(element: etree._Element) -> bool:
    """Whether an element is named or typed as one comment."""
    if element.tag in _NEVER or not isinstance(element.tag, str):
        return False
    if is_comment_type(element) or is_pingback(element):
        return True
    if is_comment_list(element):
        return False
    return any(is_item_name(name) for name in names_of(element))


def named_items(
    candidates: list[etree._Element], around: AbstractSet[etree._Element]
) -> list[Item]:
    """Comments among candidates, in page order; `around` are elements that hold the article."""
    marked = {one for one in candidates if one not in around}
    found: list[Item] = []
    above = {up for one in marked for up in islice(one.iterancestors(), _MAX_LEVELS)}
    for outermost in _outermost(candidates, marked):
        _Pass(marked, above, found).walk(outermost)
        if len(found) >= MAX_COMMENTS:
            break
    order = {item.element: place for place, item in enumerate(found)}
    places = {element: place for place, element in enumerate(candidates)}
    return sorted(found, key=lambda item: places.get(item.element, order[item.element]))


def with_answers(items: list[Item]) -> list[Item]:
    """Add the answers that stand in comments under a name of their own, all in page order."""
    known = {item.element for item in items}
    answers: dict[etree._Element, None] = {}
    for item in items:
        if not known.isdisjoint(islice(item.element.iterancestors(), _MAX_LEVELS)):
            continue  # looked through with the comment around it
        inside = islice(item.element.iterdescendants("div", "li", "article", "section"), _MAX_PARTS)
        called = [one for one in inside if one not in known and _is_answer(one)]
        if called and not _signs(called[0], item.element):
            answers.update(dict.fromkeys(called))
    if not answers:
        return items
    places = {one: place for place, one in enumerate(items[0].element.getroottree().iter())}
    found = [*items, *(Item(one, one, has_time=True) for one in answers)]
    return sorted(found, key=lambda item: places.get(item.element, 0))


def _is_answer(element: etree._Element) -> bool:
    """Whether an element is called an answer and names a moment: buttons do not."""
    if not any(map(is_answer_name, attribute(element, "class").split())):
        return False
    return any(is_time(one) for one in islice(element.iterdescendants(), _MAX_PARTS))


def _signs(first: etree._Element, item: etree._Element) -> bool:
    """Whether the first answer in a comment holds the comment's own time: it is its head then."""
    moment = next((one for one in islice(item.iterdescendants(), _MAX_PARTS) if is_time(one)), None)
    return moment is not None and first in moment.iterancestors()


def _outermost(
    candidates: list[etree._Element], marked: AbstractSet[etree._Element]
) -> Iterator[etree._Element]:
    inside: set[etree._Element] = set()
    for one in candidates:
        if one not in marked:
            continue
        parent = one.getparent()
        if parent in inside or any(
            above in marked or above in inside for above in islice(one.iterancestors(), _MAX_LEVELS)
        ):
            inside.add(one)
            continue
        yield one


class _Pass:
    """One walk over the outermost candidate: frames are closed from the inside out."""

    def __init__(
        self,
        marked: AbstractSet[etree._Element],
        above: AbstractSet[etree._Element],
        found: list[Item],
    ) -> None:
        self._marked = marked
        self._found = found
        self._above = above
        self._open: list[_Frame] = []

    def walk(self, outermost: etree._Element) -> None:
        walker = etree.iterwalk(outermost, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                is_unread = element is not outermost and self._is_unread(element)
                if is_unread:
                    walker.skip_subtree()
                self._start(element, is_unread=is_unread)
            else:
                self._end(element, outermost)

    def _is_unread(self, element: etree._Element) -> bool:
        if element in self._marked or element in self._above:
            return False
        return element.tag in UNREAD_TAGS or is_furniture(element)

    def _start(self, element: etree._Element, *, is_unread: bool) -> None:
        above = self._open[-1] if self._open else None
        frame = _Frame(element)
        if above is not None:
            frame.is_silent, frame.is_body = above.is_silent, above.is_body
        if element in self._marked:
            frame.is_silent = frame.is_body = False
        elif is_unread:
            frame.is_silent = True
        else:
            _note_names(frame)
        self._open.append(frame)
        _note_text(frame, element.text)

    def _end(self, element: etree._Element, outermost: etree._Element) -> None:
        frame = self._open.pop()
        if element in self._marked:
            self._settle(frame)
        if self._open:
            _hand_up(frame, self._open[-1])
            if element is not outermost:
                _note_text(self._open[-1], element.tail)

    def _settle(self, frame: _Frame) -> None:
        """Decide what a candidate is: a comment, the wrapper of one, or part of one."""
        is_signed = frame.has_author or frame.has_time
        inner = frame.inside[0] if frame.inside else None
        if inner is not None and self._wraps(frame, inner, is_signed=is_signed):
            inner.element = frame.element
            inner.has_author |= frame.has_author
            inner.has_time |= frame.has_time
            inner.is_pingback |= is_pingback(frame.element)
            frame.inside = [inner]
        elif frame.n_words and is_signed:
            element = frame.element
            item = Item(
                element,
                element,
                frame.has_author,
                frame.has_time,
                is_pingback(element),
                frame.n_moments,
            )
            self._found.append(item)
            frame.inside = [item]
        else:
            return
        frame.n_words, frame.n_moments = 0, 0
        frame.has_author, frame.has_time = False, False

    def _wraps(self, frame: _Frame, inner: Item, *, is_signed: bool) -> bool:
        """Whether a candidate holds the comment inside it and, beside that, answers only."""
        if len(frame.inside) > 1 and _are_listed(frame.element, *frame.inside[:_KEPT_INSIDE]):
            return False
        if not (frame.n_words and is_signed):
            return True
        is_whole = inner.has_author and inner.has_time
        return not is_whole and not is_like(frame.element, inner.element)


def _note_names(frame: _Frame) -> None:
    """Take an element that is named as author or time for one; its text is none of the comment."""
    element = frame.element
    frame.is_body |= is_body(element)
    is_moment = is_time(element)
    if not (is_moment or names_the_author(element)) or not is_short(element):
        return
    frame.has_time |= is_moment
    frame.has_author |= not is_moment
    frame.is_silent = True


def _note_text(frame: _Frame, text: str | None) -> None:
    text = text.strip() if text else ""
    if not text:
        return
    if len(text) <= _MAX_TIME_CHARACTERS and names_a_time(text):
        frame.has_time = True
        frame.n_moments += 1
        frame.n_words += not frame.is_silent and len(text.split()) >= _LEAST_SENTENCE_WORDS
    elif not frame.is_silent and (frame.is_body or not is_filler(text)):
        frame.n_words += 1


def _hand_up(frame: _Frame, above: _Frame) -> None:
    above.n_words += frame.n_words
    above.n_moments += frame.n_moments
    above.has_author |= frame.has_author
    above.has_time |= frame.has_time
    above.inside = [*above.inside, *frame.inside][:_KEPT_INSIDE]


def _are_listed(around: etree._Element, one: Item, other: Item) -> bool:
    """Whether two comments stand side by side in an element, none in the answers to the first."""
    line = {}
    below = one.element
    for above in islice(one.element.iterancestors(), _MAX_LEVELS):
        line[above] = below
        if above is around:
            break
        below = above
    below = other.element
    for above in islice(other.element.iterancestors(), _MAX_LEVELS):
        if above in line:
            return is_like(line[above], below)
        below = above
    return False
