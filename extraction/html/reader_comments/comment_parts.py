"""One comment's element → its text, author, time, likes and id; answers inside it left out."""

import hashlib
import re
from collections.abc import Set as AbstractSet
from datetime import datetime, tzinfo
from itertools import islice

from lxml import etree

from extraction.html.fields.dates import parse_date
from extraction.html.fields.names import without_date
from extraction.html.markup.elements import attribute, text_of
from extraction.html.page import PageComment

# Limits that no real comment reaches: deeper nesting, and more elements in one comment.
_MAX_LEVELS = 100
_MAX_PARTS = 3_000
# Kept of a comment: no longer than its columns, a text longer than any that a reader typed.
MAX_ID_CHARACTERS = 30
MAX_TEXT_CHARACTERS = 100_000
MAX_NAME_CHARACTERS = 100
_MAX_SIGNATURE_CHARACTERS = 160  # a name, "says", a date
_BODY = re.compile(
    r"^(?:(?:dsq|wpd|user|reader)[-_])?comments?[-_]{0,2}(?:content|text|txt|message|copy|bodytext|body"
    r"|description|entry|inner|p)$|^(?:e|p)-content$|^(?:kommentar|reactie|opinia)[-_]?(?:text|tekst|tresc)$",
    re.IGNORECASE,
)
_AUTHOR = re.compile(
    r"^(?:fn|p-author|p-name|vcard|comment[-_]{0,2}(?:author|user|poster|name|by)(?:[-_]{0,2}name)?"
    r"|author(?:[-_]name)?|user(?:[-_]?name)?|nick(?:name)?|dsq-comment-cite|poster|byline)$",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"^(?:dt-published|published|comment[-_]{0,2}(?:date|time|timestamp|published|meta(?:data)?)"
    r"|date|time|timestamp|posted(?:-on)?|datum|permalink|dsq-comment-header-time)$",
    re.IGNORECASE,
)
_LIKES = re.compile(
    r"(?:^|[-_])(?:likes?|up-?votes?|votes?-?up|thumbs?-?up|karma|score)(?:[-_]?(?:count|num|number|total))?$",
    re.IGNORECASE,
)
_BUTTON = re.compile(
    r"reply|share|says|edit-link|actions|moderation|avatar|vote|rating", re.IGNORECASE
)
_NUMBER = re.compile(r"[+-]?\d{1,6}")
ID_NUMBER = re.compile(r"(\d+)\D*$")
# "Thandi says:", "Piet schreibt", behind or before a name.
_SAYS = re.compile(
    r"\s*\b(?:says?|said|wrote|writes|schreibt|schrieb|sagt|meint|dit|a dit|dice|sê|skryf|uthi"
    r"|pisze|пишет|reply|antworten|permalink)\b\s*:?.*$",
    re.IGNORECASE | re.DOTALL,
)
_BY = re.compile(
    r"^(?:(?:comment|kommentar|posted)\s+)?(?:by|von|par|por|deur|ngu)\s+", re.IGNORECASE
)
UNREAD_TAGS = frozenset(
    ["script", "style", "noscript", "template", "form", "button", "svg", "iframe", "textarea",
     "select", "input", "nav", "img", "video"]
)  # fmt: skip
_BREAKS = frozenset(["p", "div", "br", "li", "blockquote", "ul", "ol", "pre", "h2", "h3", "h4"])


def read_comment(
    item: etree._Element,
    items: AbstractSet[etree._Element],
    ids: dict[etree._Element, str],
    zone: tzinfo,
) -> PageComment | None:
    """Comment of an element; None where it has no text, or neither author nor time."""
    parts = own_elements(item, items)
    body = _body_of(parts)
    text = text_of_comment(body, items) if body is not None else _loose_text(item, items)
    signature = _author_of(parts)
    author = without_date(_SAYS.sub("", _BY.sub("", signature))).strip(" ,:|-–—·[(#")
    author = author if len(author) <= MAX_NAME_CHARACTERS else ""
    posted_at = _time_of(parts, signature, zone)
    if not text or not (author or posted_at):
        return None
    parent = next(
        (ids[above] for above in islice(item.iterancestors(), _MAX_LEVELS) if above in ids), ""
    )
    own = id_of(item) or digest_id(author, str(posted_at), text)
    return PageComment(own, text, author, posted_at, parent, likes_of(parts))


def own_elements(item: etree._Element, items: AbstractSet[etree._Element]) -> list[etree._Element]:
    """Elements of a comment in document order, those of answers inside it left out."""
    found: list[etree._Element] = []
    walker = etree.iterwalk(item, events=("start",))
    for _, element in walker:
        if element is not item and element in items and _is_answer(element, item):
            walker.skip_subtree()
            continue
        found.append(element)
        if len(found) >= _MAX_PARTS:
            break
    return found


def _is_answer(element: etree._Element, item: etree._Element) -> bool:
    """Whether a comment element inside another is an answer, not a wrapper of the same comment."""
    return not id_of(item) or not id_of(element) or id_of(element) != id_of(item)


def _body_of(parts: list[etree._Element]) -> etree._Element | None:
    """Innermost element that is named as the comment's text."""
    best = None
    for element in parts[1:]:
        marked = set(attribute(element, "itemprop").split()) & {"text", "commentText", "comment"}
        if marked or any(_BODY.match(name) for name in attribute(element, "class").split()):
            inside = best is not None and best in islice(element.iterancestors(), _MAX_LEVELS)
            if best is None or inside:
                best = element
    return best


def text_of_comment(element: etree._Element, items: AbstractSet[etree._Element]) -> str:
    """Text of an element, a line a paragraph; forms, scripts and answers left out."""
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walker:
        if event == "end":
            if inner.tag in _BREAKS:
                parts.append("\n")
            if inner is not element and inner.tail:
                parts.append(" ".join(inner.tail.split(" ")).replace("\n", " "))
            continue
        if inner is not element and (inner in items or _is_furniture(inner)):
            walker.skip_subtree()
            continue
        if inner.tag in _BREAKS:
            parts.append("\n")
        if inner.text:
            parts.append(inner.text.replace("\n", " "))
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)[:MAX_TEXT_CHARACTERS]


def _is_furniture(element: etree._Element) -> bool:
    """Whether an element in a comment is no word of its text: author, time, buttons."""
    if element.tag in UNREAD_TAGS or element.tag == "cite":
        return True
    names = attribute(element, "class").split()
    return any(_AUTHOR.match(name) or _TIME.match(name) or _BUTTON.search(name) for name in names)


def _loose_text(item: etree._Element, items: AbstractSet[etree._Element]) -> str:
    """Text of paragraphs directly in a comment that has no element for its text (old themes)."""
    texts = (text_of_comment(child, items) for child in item if child.tag in {"p", "blockquote"})
    return "\n".join(text for text in texts if text)


def _author_of(parts: list[etree._Element]) -> str:
    ranked: list[tuple[int, str]] = []
    for element in parts[1:]:
        classes = attribute(element, "class").split()
        if set(attribute(element, "itemprop").split()) & {"author", "creator"}:
            name = next((one for one in element.iter() if one.get("itemprop") == "name"), element)
            ranked.append((0, attribute(name, "content") or text_of(name)))
        elif "fn" in classes or "p-author" in classes:
            ranked.append((1, text_of(element)))
        elif element.tag == "cite":
            ranked.append((3, text_of(element)))
        elif any(_AUTHOR.match(name) for name in classes):
            ranked.append((2, text_of(element, " ")))
    said = [(rank, name) for rank, name in ranked if 0 < len(name) <= _MAX_SIGNATURE_CHARACTERS]
    return min(said, key=lambda pair: pair[0])[1] if said else ""


def _time_of(parts: list[etree._Element], signature: str, zone: tzinfo) -> datetime | None:
    """Time of a comment: machine-readable first, then its date line, then behind the author."""
    machine: list[str] = []
    written: list[str] = []
    for element in parts[1:]:
        properties = set(attribute(element, "itemprop").split())
        if element.tag == "time" or properties & {"dateCreated", "datePublished", "commentTime"}:
            machine.append(
                attribute(element, "datetime") or attribute(element, "content") or text_of(element)
            )
        elif any(_TIME.match(name) for name in attribute(element, "class").split()):
            machine.append(attribute(element, "title"))
            written.append(text_of(element, " "))
    for text in (*machine, *written, signature):
        moment = parse_date(text, zone=zone) if text else None
        if moment is not None:
            return moment
    return None


def likes_of(parts: list[etree._Element]) -> int:
    for element in parts[1:]:
        is_marked = "upvoteCount" in attribute(element, "itemprop").split()
        if is_marked or any(_LIKES.search(name) for name in attribute(element, "class").split()):
            match = _NUMBER.search(attribute(element, "content") or text_of(element))
            if match:
                return int(match[0])
    return 0


def id_of(item: etree._Element) -> str:
    """Give the number in the element's id, or what a data attribute calls the comment."""
    for name in ("data-comment-id", "data-commentid", "data-id", "id"):
        match = ID_NUMBER.search(attribute(item, name))
        if match:
            return str(match[1])[-MAX_ID_CHARACTERS:]
    return ""


def digest_id(*parts: str) -> str:
    """Id of a comment that has none: what it says, who said it and when."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
