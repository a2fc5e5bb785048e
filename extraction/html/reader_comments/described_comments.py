"""Comments that JSON-LD describes: schema.org Comment objects with their answers."""

from collections.abc import Sequence
from typing import Any

from extraction.html.markup.json_ld import UNSTORABLE
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageComment
from extraction.html.reader_comments.comment_authors import MAX_NAME_CHARACTERS
from extraction.html.reader_comments.comment_ids import ID_NUMBER, MAX_ID_CHARACTERS, digest_id
from extraction.html.reader_comments.comment_items import MAX_COMMENTS
from extraction.html.reader_comments.comment_text import MAX_TEXT_CHARACTERS, text_of_comment
from extraction.html.reader_comments.comment_times import Clock
from extraction.html.reader_comments.comment_words import is_gone, plain_name

_MOST_LIKES = 1_000_000  # more is no count


def described_comments(
    described: Sequence[dict[str, Any]], clock: Clock
) -> tuple[PageComment, ...]:
    """Read schema.org Comment objects with their answers, the outer ones first.

    Parameters
    ----------
    described
        Objects as JSON-LD gives them; anything of them may be missing or of another kind.
    clock
        How times are read that name no zone.
    """
    found: dict[str, PageComment] = {}
    queue: list[tuple[dict[str, Any], str]] = [(one, "") for one in described]
    while queue and len(found) < MAX_COMMENTS:
        node, parent = queue.pop(0)
        comment = _described(node, parent, clock)
        if comment is not None:
            found.setdefault(comment.id, comment)
        answers = node.get("comment")
        above = comment.id if comment is not None else parent
        listed = answers if isinstance(answers, list) else [answers]
        queue.extend((answer, above) for answer in listed if isinstance(answer, dict))
    return tuple(found.values())


def _described(node: dict[str, Any], parent: str, clock: Clock) -> PageComment | None:
    text = _string(node.get("text") or node.get("commentText") or node.get("description"))
    author = plain_name(_string(node.get("author") or node.get("creator")))
    when = _string(node.get("dateCreated") or node.get("datePublished") or node.get("commentTime"))
    posted = clock.read(when) if when else None
    if not text or not (author or posted) or is_gone(text):
        return None
    match = ID_NUMBER.search(_string(node.get("@id") or node.get("url") or node.get("identifier")))
    likes = node.get("upvoteCount")
    return PageComment(
        id=match[1][-MAX_ID_CHARACTERS:] if match else digest_id(author, text),
        text=text[:MAX_TEXT_CHARACTERS],
        author=author[:MAX_NAME_CHARACTERS],
        posted_at=posted.at if posted else None,
        parent=parent,
        likes=int(likes) if isinstance(likes, int) and abs(likes) < _MOST_LIKES else 0,
        is_near=posted.is_near if posted else False,
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
        return text_of_comment(root)
    return "\n".join(line for line in (" ".join(one.split()) for one in value.split("\n")) if line)
