"""Comments in a Discourse forum: its embedded page names the topic, whose JSON holds the posts.

The first post of a topic is the forum's notice of the article, no comment. References:
https://docs.discourse.org/ (topics: `/t/{id}.json`) and the forum's own guide to embedding
(`discourseUrl`, `discourseEmbedUrl`, `topicId`).
"""

import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from feeds.crawler.comment_systems.page_scan import PageScan, assigned
from feeds.crawler.comment_systems.threads import (
    NO_THREAD,
    NOT_READABLE,
    Author,
    Post,
    Thread,
    ThreadReference,
    identity,
    moment,
    object_of,
    parse_json,
    refused,
    rows_of,
    text,
    whole,
    with_depths,
    words_of,
)
from feeds.crawler.documents.byte_patterns import in_bytes
from feeds.crawler.timing.conditional import Headers

DISCOURSE = "discourse"
_ROOT = assigned(rb"\bdiscourseUrl")
_EMBEDDED = assigned(rb"\bdiscourseEmbedUrl")
_TOPIC = in_bytes(rb"\btopicId['\"]?\s*[:=]\s*['\"]?(\d{1,12})\b")
_TOPIC_LINK = re.compile(rb"""\bhref=["']([^"'\s]*?)/t/(?:[^/"'\s?#]+/)?(\d{1,12})\b""")
_TOPIC_PATH = re.compile(r"^(.*)/t/(\d{1,12})\.json$")
_LIKE = 2  # number of this action in `actions_summary`
_REGULAR = 1  # post_type: the others are notes on what moderators did


def find(scan: PageScan) -> ThreadReference | None:
    """Find the forum, and the topic or the address under which it knows the article."""
    root = scan.origin(scan.string(_ROOT))
    named, topic = scan.string(_EMBEDDED), _TOPIC.search(scan.page)
    if not root or (not named and not topic):
        return None
    number = bytes(topic[1]).decode() if topic else ""
    return ThreadReference(DISCOURSE, identifier=number, link=scan.link(named), root=root)


def owns(url: str) -> bool:
    """Whether an address asks a forum for a topic."""
    parts = urlsplit(url)
    is_embedded = parts.path.endswith("/embed/comments") and "embed_url=" in parts.query
    return is_embedded or bool(_TOPIC_PATH.match(parts.path))


def first_url(thread: ThreadReference) -> str:
    """Address of the topic, or of the page that leads to it."""
    if thread.identifier:
        return f"{thread.root}/t/{thread.identifier}.json"
    return f"{thread.root}/embed/comments?{urlencode({'embed_url': thread.link})}"


def further_url(url: str, answer: Thread, api_key: str = "") -> str:  # noqa: ARG001 (needs no key)
    """Address of the posts behind these; empty behind the last."""
    if not answer.has_more:
        return ""
    return f"{url.partition('?')[0]}?{urlencode({'page': _page_of(url) + 1})}"


def _page_of(url: str) -> int:
    named = parse_qs(urlsplit(url).query).get("page", ["1"])[-1]
    return int(named) if named.isdecimal() and len(named) < 7 else 1


def read(url: str, body: bytes, headers: Headers) -> Thread:  # noqa: ARG001 (readers share it)
    """Read a topic, or from the embedded page where the topic is."""
    if not _TOPIC_PATH.match(urlsplit(url).path):
        return _leading_on(url, body)
    document = parse_json(body)
    if not isinstance(document, dict):
        return Thread(problem=NOT_READABLE)
    if document.get("errors"):
        return refused(document["errors"])
    if "post_stream" not in document:
        return Thread(problem=NO_THREAD)
    return _topic(url, document)


def _leading_on(url: str, body: bytes) -> Thread:
    root = url.partition("/embed/comments")[0]
    for match in _TOPIC_LINK.finditer(body):
        # Only of the forum itself: posts link elsewhere too.
        if match[1].decode("utf-8", "replace") in {"", root}:
            return Thread(moved_to=f"{root}/t/{bytes(match[2]).decode()}.json")
    return Thread(problem="The forum has no topic for this article yet.")


def _topic(url: str, document: dict[str, Any]) -> Thread:
    stream = object_of(document, "post_stream")
    rows = rows_of(stream.get("posts"))
    order = stream.get("stream")
    numbers = order if isinstance(order, list) else []
    has_more = bool(numbers and rows) and numbers[-1] != rows[-1].get("id")
    page = _page_of(url)
    total = len(numbers) or whole(document, "posts_count")
    return Thread(
        id=identity(document, "id"),
        is_closed=None if page > 1 else bool(document.get("closed") or document.get("archived")),
        created_at=moment(document.get("created_at")),
        n_posts=max(total - 1, 0),
        posts=with_depths(post for row in rows if (post := _post(row))),
        has_more=has_more,
        is_further=page > 1,
        is_whole=page == 1 and not has_more,
        is_in_order=True,
    )


def _post(row: dict[str, Any]) -> Post | None:
    """Read one post under its place in the topic, by which replies name it."""
    number, created_at = whole(row, "post_number"), moment(row.get("created_at"))
    if number < 2 or created_at is None or row.get("post_type", _REGULAR) != _REGULAR:
        return None
    is_deleted = bool(row.get("user_deleted") or row.get("deleted_at") or row.get("hidden"))
    message = "" if is_deleted else text(row, "cooked")
    answered = whole(row, "reply_to_post_number")
    likes = next((whole(a, "count") for a in _actions(row) if a.get("id") == _LIKE), 0)
    return Post(
        id=str(number),
        parent=str(answered) if answered > 1 else "",
        created_at=created_at,
        message=message,
        raw_message=words_of(message),
        author=Author(
            id=identity(row, "user_id"),
            username=text(row, "username"),
            name=text(row, "name") or text(row, "username"),
        ),
        likes=likes,
        points=likes,
        is_deleted=is_deleted,
        is_edited=whole(row, "version", 1) > 1,
    )


def _actions(row: dict[str, Any]) -> list[dict[str, Any]]:
    return rows_of(row.get("actions_summary"))
