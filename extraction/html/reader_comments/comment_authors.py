"""Who wrote a comment: elements named so, links to a profile, bold lines, the line with a time."""

import re
from collections.abc import Iterator

from lxml import etree

from extraction.html.markup.elements import attribute, text_of
from extraction.html.reader_comments.comment_names import (
    is_author,
    is_author_property,
    is_subject,
    is_time,
)
from extraction.html.reader_comments.comment_text import (
    MAX_SIGNATURE_CHARACTERS,
    UNREAD_TAGS,
    is_furniture,
    is_in_quotation,
)
from extraction.html.reader_comments.comment_times import names_a_time, without_time
from extraction.html.reader_comments.comment_words import is_filler, plain_name

MAX_NAME_CHARACTERS = 100
_NAMED_RANK = 3  # of names: up to here an element says outright that it is one
_PROFILE = re.compile(
    r"/(?:users?|profil\w*|members?|mitglied\w*|people|authors?|autor|u|by|@[\w.]+)(?:[/?.]|$)|[?&](?:user|uid|author|profile|member)\w*=",
    re.IGNORECASE,
)
_NAME_TAGS = frozenset(["b", "strong", "cite", "h3", "h4", "h5", "h6", "dt"])
# What divides a name from the date behind it, and from a place or a title.
_DIVIDED = re.compile(
    r"\s+[|•·—–-]\s+|\s*[|•·]\s*|\s*,\s+(?=\D*\d)|\s+(?:on|am|at|le|el|il|op)\s+(?=\S*\d"
    r"|\w+ \d)|\s+[(\[]"
)
_DASHES = ("—", "–", "|", "•", "·")
_BARS = ("(", "[", "|", "•", "·")
# Of a date that a comma divides: "June 05", "Wed", "08:03".
_DAY = re.compile(
    r"[^\W\d_]{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?|\d{1,2}\.?\s+[^\W\d_]{3,12}\.?"
    r"|(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,3}day)?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,2}(?:[:.]\d{2}){1,2}(?:\s*[ap]\.?m\.?)?", re.IGNORECASE)
# Right behind the time: "5 June 2024, 06:40 par Le Meunier".
_SIGNED_BEHIND = re.compile(
    r".{0,80}\d\s?(?:[ap]\.?m\.?|uhr|h)?[\s,|–-]{1,4}"
    r"(?:by|par|por|von|door|deur|di|da|od|av|af|tarafından)\s(?P<name>\S.{0,100})",
    re.IGNORECASE,
)
_MAX_CELL_CHARACTERS = 40  # a name; emphasis is longer, or has words around it
_MAX_LINE_WORDS = 7  # of a name that nothing but the time behind it marks; more are a sentence
_LOOSE_RANK = 6  # an element of a tag that names often stand in


def author_of(parts: list[etree._Element], lines: list[str]) -> tuple[set[etree._Element], str]:
    """Name of the author, and the element that it stands in."""
    ranked = [
        (rank, text, element)
        for rank, text, element in _names(parts)
        if 0 < len(text) <= MAX_SIGNATURE_CHARACTERS and not _is_picture(text)
    ]
    for rank, text, element in sorted(ranked, key=lambda found: (found[0], is_filler(found[1]))):
        is_named = rank <= _NAMED_RANK
        name = _clean(text) or (text if is_named and not names_a_time(text) else "")
        if name and (is_named or not is_filler(name)):
            beside = _name_beside_a_time(lines) if rank == _LOOSE_RANK else ""
            if beside and not any(name in line for line in lines):
                return set(), beside  # what is bold above such a line is a subject
            return {element}, name[:MAX_NAME_CHARACTERS]
    for line in lines:
        name = _clean(line).partition(",")[0]
        if name and not is_filler(name) and len(name.split()) <= _MAX_LINE_WORDS:
            return set(), name
    return set(), ""


def _is_picture(text: str) -> bool:
    """Whether a text is but one sign: an arrow, a bullet. Names of signs alone are longer."""
    return len(text) == 1 and not text.isalnum()


def _name_beside_a_time(lines: list[str]) -> str:
    """Name that the first line with a time begins with, a bracket or a bar between the two."""
    name = _clean(lines[0]).partition(",")[0] if lines else ""
    if not name or is_filler(name):
        return ""
    if lines[0].endswith(name):
        return name if lines[0][: -len(name)].rstrip().endswith(_DASHES) else ""
    if not lines[0].startswith(name):
        return ""
    return name if lines[0][len(name) :].lstrip().startswith(_BARS) else ""


def _names(parts: list[etree._Element]) -> Iterator[tuple[int, str, etree._Element]]:
    """Texts that may be the author's name, the surest with the lowest number."""
    for element in parts[1:]:
        if element.tag in UNREAD_TAGS and not _is_signed_button(element):
            continue
        classes = attribute(element, "class").split()
        if is_author_property(element):
            name = next((one for one in element.iter() if one.get("itemprop") == "name"), element)
            yield 0, attribute(name, "content") or text_of(name, " "), element
        elif "fn" in classes or "p-author" in classes:
            yield 1, text_of(element, " "), element
        elif is_author(element) or element.tag == "button":
            yield (3 if is_time(element) else 2), _innermost_name(element), element
        elif element.tag == "cite" and not is_in_quotation(element):
            yield 4, text_of(element, " "), element
        elif element.tag == "a" and _PROFILE.search(attribute(element, "href")):
            yield 5, text_of(element, " "), element
        elif element.tag in _NAME_TAGS and not (is_subject(element) or is_furniture(element)):
            yield _LOOSE_RANK, _without_buttons(element), element
        elif element.tag == "em" and _is_all_of_its_cell(element):
            yield _LOOSE_RANK + 1, text_of(element, " "), element


def _without_buttons(element: etree._Element) -> str:
    """Text of a heading without the buttons in it: a sign that leads to the comment, "Report"."""
    words = [element.text or ""]
    for inner in element:
        text = text_of(inner, " ")
        is_unsaid = _is_picture(text) or is_furniture(inner)
        words.append("" if is_unsaid else _without_buttons(inner))
        words.append(inner.tail or "")
    said = " ".join(" ".join(words).split())
    return said or text_of(element, " ")


def _is_signed_button(element: etree._Element) -> bool:
    """Whether a button shows an author: others open what they have written by it."""
    return element.tag == "button" and any(map(is_author, element.iter("button", "span", "b")))


def _is_all_of_its_cell(element: etree._Element) -> bool:
    """Whether a short text in italics fills a line of a definition list, or a cell, alone."""
    above = element.getparent()
    if above is None or above.tag not in {"dd", "dt", "td"}:
        return False
    text = text_of(element, " ")
    return len(text) <= _MAX_CELL_CHARACTERS and text == text_of(above, " ")


def _innermost_name(element: etree._Element) -> str:
    """Name in an element named as author, which may hold a picture, "says" and a date as well."""
    for inner in element.iter("b", "strong", "cite", "a", "h3", "h4", "span"):
        text = text_of(inner, " ")
        is_label = is_furniture(inner) or is_filler(text) or names_a_time(text)
        if inner is not element and text and not is_label and not is_time(inner):
            return text
    return text_of(element, " ")


def _may_be_a_name(piece: str) -> bool:
    return bool(piece) and not _NUMBER.fullmatch(piece) and not names_a_time(piece)


def _clean(text: str) -> str:
    """Name in a signature: "says", "by" and the date cut; empty where it is none."""
    name = plain_name(text)
    behind = _SIGNED_BEHIND.fullmatch(name)
    if behind is not None and not names_a_time(behind["name"]):
        name = plain_name(behind["name"])
    elif names_a_time(name):
        before = without_time(name)
        pieces = [one for one in _DIVIDED.split(before) if _may_be_a_name(one)]
        if before == name:  # begins with the time
            pieces = [one for one in pieces if not _DAY.fullmatch(one)]
        name = plain_name(pieces[0]) if pieces else ""
    return name if len(name) <= MAX_NAME_CHARACTERS else ""
