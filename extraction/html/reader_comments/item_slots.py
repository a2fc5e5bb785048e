"""What the comments of one page share tells their slots apart: names vary, captions do not.

Read one by one, a comment whose elements are not named keeps captions in its text and has no
author. Side by side a line that opens or closes most of them is a caption, whatever it says, and
the short text that stands in one place of each, ever another one, is the name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml import etree

from extraction.html.markup.elements import text_of
from extraction.html.reader_comments.comment_items import Item
from extraction.html.reader_comments.comment_names import is_time, stems
from extraction.html.reader_comments.comment_parts import RawComment, own_elements
from extraction.html.reader_comments.comment_text import UNREAD_TAGS
from extraction.html.reader_comments.comment_times import names_a_time
from extraction.html.reader_comments.comment_words import is_filler, plain_name

_LEAST_ITEMS = 3  # that end alike, for the end to be a caption: two readers may say the same
_MOST = 0.6  # of the items, that share what is no text of theirs
_MOST_ENDS = 4  # lines taken from either end
_MAX_CAPTION_CHARACTERS = 60
_MAX_NAME_CHARACTERS = 40
_MAX_NAME_WORDS = 5
_MAX_SLOTS = 40  # short texts of one item that are looked at
_NUMBERS = re.compile(r"\d+")
_NOTE = re.compile(r"(?<=\w)\s*[(\[](?P<note>[^()\[\]]{2,30})[)\]]$")

_Slot = tuple[str, frozenset[str], int]


def without_captions(raws: Sequence[RawComment]) -> list[RawComment]:
    """Cut lines that open or close most of the comments; one line of each stays."""
    found = list(raws)
    if len(found) < _LEAST_ITEMS:
        return found
    for end in (0, -1):
        for _ in range(_MOST_ENDS):
            lines = [_caption(raw.text.split("\n")[end]) for raw in found]
            line, n_times = Counter(lines).most_common(1)[0]
            if not line or n_times < max(_LEAST_ITEMS, _MOST * len(found)):
                break
            found = [
                _cut(raw, end) if one == line else raw
                for raw, one in zip(found, lines, strict=True)
            ]
    return found


def _caption(line: str) -> str:
    """Line without its numbers, empty where it is too long for a caption."""
    return _NUMBERS.sub("0", line).strip() if len(line) <= _MAX_CAPTION_CHARACTERS else ""


def _cut(raw: RawComment, end: int) -> RawComment:
    lines = raw.text.split("\n")
    if len(lines) == 1:
        return raw
    return replace(raw, text="\n".join(lines[1:] if end == 0 else lines[:-1]))


def with_names(raws: Sequence[RawComment], items: Sequence[Item]) -> list[RawComment]:
    """Give comments that lack a name, or have one and the same, what stands in one place of most.

    A place is an element's tag, classes and number among those; its texts must differ from comment
    to comment.
    """
    found = list(raws)
    if len(found) < _LEAST_ITEMS - 1 or not _lack_names(found):
        return found
    elements = {item.element for item in items}
    slots = [_slots_of(raw.item, elements) for raw in found]
    shared = Counter(slot for one in slots for slot in one)
    for slot in slots[0]:
        names = [one.get(slot, "") for one in slots]
        if shared[slot] >= max(2, _MOST * len(found)) and len(set(names)) > len(names) / 2:
            return [_named(raw, name) for raw, name in zip(found, names, strict=True)]
    return found


def without_notes(raws: Sequence[RawComment]) -> list[RawComment]:
    """Cut what stands in brackets behind the names of several readers: "(not verified)"."""
    notes: dict[str, set[str]] = defaultdict(set)
    for raw in raws:
        match = _NOTE.search(raw.author)
        if match and match["note"][0].islower():  # "Anna (City Museum)" is a name
            notes[match[0]].add(raw.author)
    shared = {note for note, authors in notes.items() if len(authors) > 1}
    return [
        replace(raw, author=raw.author[: match.start()])
        if (match := _NOTE.search(raw.author)) and match[0] in shared
        else raw
        for raw in raws
    ]


def _lack_names(raws: Sequence[RawComment]) -> bool:
    """Whether most of the comments have no author, or one and the same."""
    author, n_times = Counter(raw.author for raw in raws).most_common(1)[0]
    if not author:
        return n_times >= len(raws) / 2
    return len(raws) >= _LEAST_ITEMS and n_times >= _MOST * len(raws)


def _slots_of(item: etree._Element, items: set[etree._Element]) -> dict[_Slot, str]:
    """Short texts of an item that may be a name, by the shape of their elements."""
    inner = {one for one in item.iterdescendants() if one in items}
    found: dict[_Slot, str] = {}
    n_before: Counter[tuple[str, frozenset[str]]] = Counter()
    for element, text in _short_texts(own_elements(item, inner)):
        kind = (str(element.tag), frozenset(stems(element)))
        found[*kind, n_before[kind]] = text
        n_before[kind] += 1
        if len(found) >= _MAX_SLOTS:
            break
    return found


def _short_texts(parts: list[etree._Element]) -> Iterator[tuple[etree._Element, str]]:
    for element in parts[1:]:
        if element.tag in UNREAD_TAGS or len(element) or is_time(element):
            continue
        text = text_of(element, " ")
        is_short = 0 < len(text) <= _MAX_NAME_CHARACTERS and len(text.split()) <= _MAX_NAME_WORDS
        if is_short and element.tag != "p" and not is_filler(text) and not names_a_time(text):
            yield element, plain_name(text)


def _named(raw: RawComment, name: str) -> RawComment:
    """Comment with a name, which is cut from the head of its text."""
    first, _, rest = raw.text.partition("\n")
    is_head = bool(rest and name) and first.startswith(name) and len(first) <= 2 * len(name) + 20
    return replace(raw, author=name, text=rest if is_head else raw.text)
