"""Text of a comment's elements, a line a paragraph: buttons, forms and answers left out."""

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from extraction.html.markup.elements import holds_more_than, text_of
from extraction.html.reader_comments.comment_names import is_author, is_body, is_button
from extraction.html.reader_comments.comment_times import names_a_time
from extraction.html.reader_comments.comment_words import is_caption

UNREAD_TAGS = frozenset(
    ["script", "style", "noscript", "template", "form", "button", "svg", "iframe", "textarea",
     "select", "input", "nav", "img", "video", "label", "object", "head", "title"]
)  # fmt: skip
_BREAKS = frozenset(
    ["p", "div", "br", "li", "blockquote", "ul", "ol", "pre", "h2", "h3", "h4", "h5", "h6", "dd",
     "dt", "tr", "td", "th", "table", "section", "article", "header", "footer", "figure"]
)  # fmt: skip
# What a button may be made of; some of these count where they are made of links.
_CAPTION_TAGS = frozenset(
    ["a", "span", "li", "ul", "ol", "div", "small", "p", "footer", "header", "strong", "i", "dl"]
)
_LINKED_TAGS = frozenset(["p", "div", "strong", "i"])
_REFERENCE = re.compile(r"#\d{1,4}")
_LEAST_SAID_WORDS = 2  # behind the number of a comment that is answered
_MAX_QUOTE_LEVELS = 3  # from a name up to the quotation it stands in
_MAX_CAPTION_ELEMENTS = 10  # in a row of buttons
SIGNATURE = "\x00"  # no text of a page holds it
MAX_SIGNATURE_CHARACTERS = 160  # a name, "says", a date
MAX_TEXT_CHARACTERS = 100_000  # longer than any text that a reader typed


def text_of_comment(
    element: etree._Element,
    left_out: AbstractSet[etree._Element] = frozenset(),
    signed: AbstractSet[etree._Element] = frozenset(),
    gap: str = "",
) -> str:
    """Text of an element without those left out and without buttons; a line a paragraph.

    In place of each of `signed` stands `SIGNATURE`, behind each element within a line `gap`.
    """
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
    for event, inner in walker:
        if event in {"comment", "pi"}:
            parts.append(_flat(inner.tail))
            continue
        if event == "end":
            parts.append("\n" if inner.tag in _BREAKS else gap)
            if inner is not element:
                parts.append(_flat(inner.tail))
            continue
        if inner in signed:
            parts.append(f"\n{SIGNATURE}\n")
            walker.skip_subtree()
            continue
        if inner is not element and (
            inner in left_out or is_furniture(inner) or _opens_any_of(inner, left_out)
        ):
            walker.skip_subtree()
            continue
        if inner.tag in _BREAKS:
            parts.append("\n")
        parts.append(_flat(inner.text))
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)[:MAX_TEXT_CHARACTERS]


def _opens_any_of(element: etree._Element, answers: AbstractSet[etree._Element]) -> bool:
    """Whether an element is what is clicked to see the answers: "Show 2 replies"."""
    if element.tag != "summary" or not answers or names_a_time(text_of(element, " ")):
        return False
    around = element.getparent()
    return around is not None and any(one in answers for one in around.iterdescendants())


def _flat(text: str | None) -> str:
    return text.replace("\n", " ") if text else ""


def is_short(element: etree._Element) -> bool:
    """Whether an element's text is no longer than a name with a date, or a row of buttons."""
    n_characters = 0
    for text in element.itertext():
        n_characters += len(str(text).strip())
        if n_characters > MAX_SIGNATURE_CHARACTERS:
            return False
    return True


def names_the_author(element: etree._Element) -> bool:
    """Whether an element is named as the author, and does not hold the text as well."""
    if element.tag == "cite":
        return not (is_in_quotation(element) or _holds_body(element))
    return is_author(element) and not _holds_body(element)


def is_in_quotation(cite: etree._Element) -> bool:
    """Whether a name stands in what is quoted: it is that of another comment's author."""
    above = islice(cite.iterancestors(), _MAX_QUOTE_LEVELS)
    return any(one.tag in {"blockquote", "q"} for one in above)


def _holds_body(element: etree._Element) -> bool:
    return any(map(is_body, element.iterdescendants("div", "p", "section", "span")))


def is_reference(element: etree._Element) -> bool:
    """Whether an element is the number of another comment, before what is said to it."""
    if element.tag != "a" or not _REFERENCE.fullmatch((element.text or "").strip()):
        return False
    behind = element.tail or ""
    following = element.getnext()
    if len(behind.split()) >= _LEAST_SAID_WORDS:
        return True
    return not behind.strip() and following is not None and is_reference(following)


def is_furniture(element: etree._Element) -> bool:
    """Whether an element in a comment is no word of its text: a form, a button, a row of them."""
    if element.tag in UNREAD_TAGS:
        return True
    if is_button(element) and is_short(element):
        return not names_a_time(text_of(element, " ")) and not _holds_body(element)
    if element.tag not in _CAPTION_TAGS or is_reference(element):
        return False
    if holds_more_than(element, _MAX_CAPTION_ELEMENTS):
        return False
    if element.tag in _LINKED_TAGS and next(element.iterdescendants("a"), None) is None:
        return False
    return is_caption(text_of(element, " "))
