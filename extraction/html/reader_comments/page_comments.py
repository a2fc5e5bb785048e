"""Readers' comments that stand in the page itself: found, read, and marked as no text of its.

Tree → comments in page order with author, time, text, parent and likes. Read are schema.org Comment
and UserComments (in microdata and JSON-LD), WordPress and the themes that follow it, the list that
Disqus leaves for readers without script, h-entry and hAtom comments, and common theme markups.
Comment systems that load by script alone are `feeds.crawler.comment_systems`.

A comment is an element named as one that holds a text and an author or a time. What holds the
headline or the article's body is none, and no comment is believed on a page that would have no text
left. Nothing fails, whatever the tree.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from itertools import islice
from typing import Any

from lxml import etree

from extraction.html.fields.dates import parse_date
from extraction.html.markup.comment_containers import COMMENT_MARK
from extraction.html.markup.elements import attribute, select
from extraction.html.markup.json_ld import UNSTORABLE
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageComment
from extraction.html.reader_comments.comment_parts import (
    ID_NUMBER,
    MAX_ID_CHARACTERS,
    MAX_NAME_CHARACTERS,
    MAX_TEXT_CHARACTERS,
    UNREAD_TAGS,
    digest_id,
    id_of,
    read_comment,
    text_of_comment,
)

# Bounds for pages that were made to exhaust us: comments kept, elements and headlines looked at.
MAX_COMMENTS = 2_000
# A page that keeps less than this outside of its comments is a page of comments.
_LEAST_OTHER_CHARACTERS = 250
_RUN_CHARACTERS = 40  # shorter runs of text are menus and labels
_MAX_CANDIDATES = 20_000
_MAX_MARKS = 200
_ARTICLE_BODY = etree.XPath("//*[@itemprop='articleBody']")
_ITEM = re.compile(
    r"^(?:comment|(?:wp|wpd|dsq|single|user|reader|media|c|b|the)[-_]{1,2}comment"
    r"|comments?[-_]{0,2}(?:item|entry|node|single|post|row|box|block|wrap(?:per)?|container|li|one|main)"
    r"|(?:div-|li-|dsq-|wpd-|user-?)?comment[-_]?\d+|h-cite|[up]-comment"
    r"|(?:kommentar|commentaire|comentario|komentarz|opinia|reactie)(?:[-_]?\d+|[-_]item)?)$",
    re.IGNORECASE,
)
# What `_candidates` looks for.
_SIGNS = ("omment", "h-cite", "reactie", "komentarz", "opinia")
_NEVER = frozenset(
    ["html", "body", "head", "main", "a", "form", "input", "button", "h1", "textarea"]
)
_MOST_LIKES = 1_000_000  # more is no count


def find_comments(
    root: etree._Element, markup: str, described: Sequence[dict[str, Any]], zone: tzinfo = UTC
) -> tuple[PageComment, ...]:
    """Comments of a page by its markup or by its JSON-LD (`described`), whichever tells of more.

    The tree is walked only where the markup it was parsed from holds a sign of a comment at all.
    """
    shown = read_page_comments(root, zone) if any(sign in markup for sign in _SIGNS) else ()
    told = _described_comments(described, zone)
    return told if len(told) > len(shown) else shown


def read_page_comments(root: etree._Element, zone: tzinfo = UTC) -> tuple[PageComment, ...]:
    """Read the comments of an uncleaned tree and mark their elements; none where it has none.

    Parameters
    ----------
    root
        Tree of the whole page; the elements of comments get the attribute `COMMENT_MARK`.
    zone
        Of times that name none.
    """
    named = [one for one in islice(_candidates(root), _MAX_CANDIDATES) if is_comment_element(one)]
    if not named:
        return ()
    around = _around_the_article(root)
    items = [element for element in named if element not in around]
    known = set(items)
    found: list[tuple[etree._Element, PageComment]] = []
    ids: dict[etree._Element, str] = {}
    tried: set[str] = set()
    for item in items:
        name = id_of(item)
        if name and name in tried:  # an element inside another around the same comment
            continue
        tried.add(name)
        comment = read_comment(item, known, ids, zone)
        if comment is not None:
            ids[item] = comment.id
            found.append((item, comment))
        if len(found) >= MAX_COMMENTS:
            break
    if not found or not _leaves_a_text(root, [item for item, _ in found]):
        return ()
    for item, _ in found:
        item.set(COMMENT_MARK, "1")
    return tuple({comment.id: comment for _, comment in found}.values())


def _candidates(root: etree._Element) -> Iterator[etree._Element]:
    """Elements with a sign of a comment in their names; one walk in C, a look at three strings."""
    for element in root.iter():
        names = element.get("class")
        # Written out: this is asked of every element of every page.
        if (
            (
                names is not None
                and (
                    "omment" in names
                    or "h-cite" in names
                    or "reactie" in names
                    or "komentarz" in names
                    or "opinia" in names
                )
            )
            or "omment" in element.get("id", "")
            or "omment" in element.get("itemtype", "")
        ):
            yield element


def _around_the_article(root: etree._Element) -> set[etree._Element]:
    """Elements that hold a headline or the article's body: no comments, whatever their names."""
    found: set[etree._Element] = set()
    for mark in islice(root.iter("h1"), _MAX_MARKS):
        _add_with_ancestors(found, mark)
    for body in select(_ARTICLE_BODY, root)[:_MAX_MARKS]:
        _add_with_ancestors(found, body)
    return found


def _add_with_ancestors(found: set[etree._Element], element: etree._Element | None) -> None:
    while element is not None and element not in found:
        found.add(element)
        element = element.getparent()


def is_comment_element(element: etree._Element) -> bool:
    """Whether an element is named as one comment."""
    return element.tag not in _NEVER and _is_named(element)


def _is_named(element: etree._Element) -> bool:
    item_type = attribute(element, "itemtype")
    if item_type.endswith(("schema.org/Comment", "schema.org/UserComments")):
        return True
    names = [*attribute(element, "class").split(), attribute(element, "id").strip()]
    return any(name and _ITEM.match(name) for name in names)


def _leaves_a_text(root: etree._Element, items: list[etree._Element]) -> bool:
    """Whether enough running text stands outside of the comments."""
    inside = set(items)
    n_characters = 0
    walker = etree.iterwalk(root, events=("start",))
    for _, element in walker:
        if (
            element in inside
            or element.tag in UNREAD_TAGS
            or element.tag in {"head", "aside", "footer"}
        ):
            walker.skip_subtree()
            continue
        for text in (element.text, *(child.tail for child in element)):
            words = (text or "").strip()
            n_characters += len(words) if len(words) > _RUN_CHARACTERS else 0
        if n_characters >= _LEAST_OTHER_CHARACTERS:
            return True
    return False


def _described_comments(
    described: Sequence[dict[str, Any]], zone: tzinfo = UTC
) -> tuple[PageComment, ...]:
    """Read schema.org Comment objects with their answers, the outer ones first.

    Parameters
    ----------
    described
        Objects as JSON-LD gives them; anything of them may be missing or of another kind.
    zone
        Of times that name none.
    """
    found: dict[str, PageComment] = {}
    queue: list[tuple[dict[str, Any], str]] = [(one, "") for one in described]
    while queue and len(found) < MAX_COMMENTS:
        node, parent = queue.pop(0)
        comment = _described(node, parent, zone)
        if comment is not None:
            found.setdefault(comment.id, comment)
        answers = node.get("comment")
        above = comment.id if comment is not None else parent
        listed = answers if isinstance(answers, list) else [answers]
        queue.extend((answer, above) for answer in listed if isinstance(answer, dict))
    return tuple(found.values())


def _described(node: dict[str, Any], parent: str, zone: tzinfo) -> PageComment | None:
    text = _string(node.get("text") or node.get("commentText") or node.get("description"))
    author = _string(node.get("author") or node.get("creator"))
    when = _string(node.get("dateCreated") or node.get("datePublished") or node.get("commentTime"))
    posted_at = parse_date(when, zone=zone) if when else None
    if not text or not (author or posted_at):
        return None
    match = ID_NUMBER.search(_string(node.get("@id") or node.get("url") or node.get("identifier")))
    likes = node.get("upvoteCount")
    return PageComment(
        id=match[1][-MAX_ID_CHARACTERS:] if match else digest_id(author, when, text),
        text=text[:MAX_TEXT_CHARACTERS],
        author=author[:MAX_NAME_CHARACTERS],
        posted_at=posted_at,
        parent=parent,
        likes=int(likes) if isinstance(likes, int) and abs(likes) < _MOST_LIKES else 0,
    )


def _string(value: object) -> str:
    """Text of a value, of its name, or of the first of several; markup read as text."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("name")
    if not isinstance(value, str):
        return ""
    value = UNSTORABLE.sub("", value)
    if "<" in value:
        root = parse_html(value)
        return text_of_comment(root, set())
    return "\n".join(line for line in (" ".join(one.split()) for one in value.split("\n")) if line)
