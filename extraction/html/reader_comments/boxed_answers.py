"""Answers that stand in the box of what they answer, in a box of another kind.

Where answers look unlike comments nothing names them, and no two stand side by side. But the second
time in a comment that is built like the first is the time of another comment: its box is the
highest element around it that does not hold the first.
"""

from collections.abc import Collection, Iterable, Sequence

from lxml import etree

from extraction.html.markup.elements import text_of
from extraction.html.reader_comments.comment_names import stems
from extraction.html.reader_comments.comment_text import UNREAD_TAGS
from extraction.html.reader_comments.comment_times import names_a_time
from extraction.html.reader_comments.comment_words import is_filler

_NO_BOX = frozenset(["span", "a", "time", "small", "b", "strong", "abbr", "cite", "p", "i", "em"])
_QUOTES = frozenset(["blockquote", "q"])
_LEAST_SAID = 2  # texts of a box beside its time: a name and what is said
_MAX_TEXTS = 200  # of a box that are looked at


def boxed_answers(
    lines: Iterable[Sequence[etree._Element]], items: Collection[etree._Element]
) -> list[etree._Element]:
    """Boxes of answers in comments, in page order.

    Parameters
    ----------
    lines
        For each element that names a moment, in page order: that element and those around it, up
        to the comment that holds it or beyond.
    items
        Elements that are known as comments.
    """
    known = set(items)
    first: dict[etree._Element, Sequence[etree._Element]] = {}
    found: list[etree._Element] = []
    for line in lines:
        place = next((n for n, one in enumerate(line) if one in known), None)
        if place is None:
            continue
        own = first.setdefault(line[place], line)
        if own is line or not _are_alike(own[0], line[0]):
            continue
        box = _box(line[:place], own)
        if box is not None:
            known.add(box)
            first[box] = line
            found.append(box)
    return found


def _are_alike(one: etree._Element, other: etree._Element) -> bool:
    return one.tag == other.tag and set(stems(one)) == set(stems(other))


def _box(inside: Sequence[etree._Element], own: Sequence[etree._Element]) -> etree._Element | None:
    """Highest element of those around a time that leaves the comment's own time out."""
    around = set(own)
    apart = [one for one in inside if one not in around]
    if not apart or any(one.tag in _QUOTES for one in apart):
        return None
    box = apart[-1]
    return box if box.tag not in _NO_BOX and _is_said(box, apart[0]) else None


def _holds_a_name(moment: etree._Element) -> bool:
    """Whether an element inside the line of a time says something else: who wrote it."""
    texts = (text_of(one, " ") for one in moment)
    return any(text and not (is_filler(text) or names_a_time(text)) for text in texts)


def _is_said(box: etree._Element, moment: etree._Element) -> bool:
    """Whether a name and some words stand beside the time."""
    n_said = 0
    walker = etree.iterwalk(box, events=("start", "end"))
    n_texts = 0
    for event, element in walker:
        if event == "start":
            text = element.text
            if element is moment or element.tag in UNREAD_TAGS:
                n_said += element is moment and _holds_a_name(moment)
                walker.skip_subtree()
                continue
        else:
            text = element.tail if element is not box else ""
        words = (text or "").strip()
        n_texts += bool(words)
        n_said += bool(words) and not is_filler(words) and not names_a_time(words)
        if n_said >= _LEAST_SAID or n_texts > _MAX_TEXTS:
            break
    return n_said >= _LEAST_SAID
