"""Readers' comments as a page's JSON-LD describes them (schema.org Comment, UserComments)."""

from collections.abc import Sequence
from datetime import UTC, tzinfo
from typing import Any

from extraction.html.comment_parts import (
    ID_NUMBER,
    MAX_ID_CHARACTERS,
    MAX_NAME_CHARACTERS,
    MAX_TEXT_CHARACTERS,
    PageComment,
    digest_id,
    text_of_comment,
)
from extraction.html.dates import parse_date
from extraction.html.json_ld import UNSTORABLE
from extraction.html.parse import parse_html

_MAX_COMMENTS = 2_000
_MOST_LIKES = 1_000_000


def described_comments(
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
    while queue and len(found) < _MAX_COMMENTS:
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
