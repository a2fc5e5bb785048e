"""What Disqus answers about a thread: the embed page or the API → `DisqusThread` with its posts.

No browser is needed: the embed page carries the whole thread as a JSON block. Avatars are not
read; a deleted post stays as a gap in its thread.
Reference: https://disqus.com/api/docs/ (threads/details, threads/listPosts).
"""

import json
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from feeds.crawler.documents.feed_dates import entry_date

_MAX_ID_LENGTH = 60  # characters; the real ones are numbers
_LARGEST_NUMBER = 2**31  # what an integer column holds

_THREAD_DATA = re.compile(
    rb"""<script[^>]*\bid=["']disqus-threadData["'][^>]*>(.*?)</script>""",
    re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DisqusAuthor:
    """Who wrote a post, as far as the reader shows it; avatars are left out."""

    id: str = ""
    username: str = ""
    name: str = ""
    url: str = ""
    profile_url: str = ""
    reputation: float | None = None
    reputation_label: str = ""
    is_anonymous: bool = False
    is_private: bool = False
    is_primary: bool = False
    joined_at: datetime | None = None
    location: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class DisqusPost:
    """One comment as Disqus gives it; ``message`` is HTML as sent, not yet cleaned."""

    id: str
    thread: str
    forum: str
    parent: str
    depth: int
    created_at: datetime
    message: str
    raw_message: str
    author: DisqusAuthor
    likes: int = 0
    dislikes: int = 0
    points: int = 0
    n_reports: int = 0
    is_flagged: bool = False
    is_deleted: bool = False
    is_approved: bool = True
    is_edited: bool = False
    is_spam: bool = False
    is_highlighted: bool = False
    media: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DisqusThread:
    """One answer: what it says of the thread, its posts, and whether more can be asked for.

    ``is_closed`` is None where the answer does not say (listPosts). ``next_cursor`` belongs to
    the kind of answer it came with. ``problem`` is a sentence when the answer is none.
    """

    id: str = ""
    forum: str = ""
    is_closed: bool | None = None
    created_at: datetime | None = None
    n_posts: int | None = None
    posts: tuple[DisqusPost, ...] = ()
    next_cursor: str = ""
    has_more: bool = False
    problem: str = ""


def parse_disqus(body: bytes) -> DisqusThread:
    """Read an answer: the embed page, threads/details or threads/listPosts.

    Parameters
    ----------
    body
        Decoded answer, HTML or JSON.

    Returns
    -------
    DisqusThread
        With a sentence in ``problem`` when it cannot be read; nothing raises. Depths that the
        API leaves out are counted from the parents that the answer holds.
    """
    block = _THREAD_DATA.search(body)
    try:
        document = json.loads(block[1] if block else body)
    except (ValueError, RecursionError):
        return DisqusThread(problem="The answer of the comment system is not readable.")
    if not isinstance(document, dict):
        return DisqusThread(problem="The answer of the comment system is not readable.")
    if document.get("code") != 0:
        said = str(document.get("response"))[:200]
        return DisqusThread(problem=f"The comment system says: {said}")
    return _thread(document)


def _thread(document: dict[str, Any]) -> DisqusThread:
    response = document.get("response")
    has_more, cursor = _cursor(document.get("cursor"))
    if isinstance(response, list):  # listPosts
        posts = _posts(response)
        first = posts[0] if posts else None
        return DisqusThread(
            id=first.thread if first else "",
            forum=first.forum if first else "",
            posts=posts,
            next_cursor=cursor,
            has_more=has_more,
        )
    if not isinstance(response, dict):
        return DisqusThread(problem="The answer of the comment system holds no thread.")
    details = response.get("thread", response)
    if not isinstance(details, dict) or "isClosed" not in details:
        return DisqusThread(problem="The answer of the comment system holds no thread.")
    rows = response.get("posts")
    return DisqusThread(
        id=_text(details, "id"),
        forum=_text(details, "forum"),
        is_closed=bool(details["isClosed"]),
        created_at=entry_date(details.get("createdAt")),
        n_posts=_whole(details, "posts"),
        posts=_posts(rows) if isinstance(rows, list) else (),
        next_cursor=cursor,
        has_more=has_more,
    )


def _cursor(cursor: object) -> tuple[bool, str]:
    if not isinstance(cursor, dict) or not cursor.get("hasNext"):
        return False, ""
    return True, storable(str(cursor.get("next") or ""))


def _posts(rows: list[Any]) -> tuple[DisqusPost, ...]:
    posts = [post for row in rows if isinstance(row, dict) and (post := _post(row))]
    depths = _depths({post.id: post.parent for post in posts})
    return tuple(
        post if post.depth >= 0 else replace(post, depth=depths[post.id]) for post in posts
    )


def _depths(parents: dict[str, str]) -> dict[str, int]:
    """Count each post's ancestors; linear, and parents in a circle end it."""
    depths: dict[str, int] = {}
    for start in parents:
        line: dict[str, None] = {}
        post = start
        while post in parents and post not in depths and post not in line:
            line[post] = None
            post = parents[post]
        for below in reversed(line):
            depths[below] = depths.get(parents[below], -1) + 1
    return depths


def _post(row: dict[str, Any]) -> DisqusPost | None:
    """Read one post; None without id or date, which nothing could be stored under."""
    created_at = entry_date(row.get("createdAt"))
    post_id = _identity(row, "id")
    if not post_id or created_at is None:
        return None
    author = row.get("author")
    return DisqusPost(
        id=post_id,
        thread=_identity(row, "thread"),
        forum=_text(row, "forum"),
        parent=_identity(row, "parent"),
        depth=_whole(row, "depth", absent=-1),
        created_at=created_at,
        message=_text(row, "message"),
        raw_message=_text(row, "raw_message"),
        author=_author(author) if isinstance(author, dict) else DisqusAuthor(),
        likes=_whole(row, "likes"),
        dislikes=_whole(row, "dislikes"),
        points=_whole(row, "points"),
        n_reports=_whole(row, "numReports"),
        is_flagged=bool(row.get("isFlagged")),
        is_deleted=bool(row.get("isDeleted")),
        is_approved=bool(row.get("isApproved", True)),
        is_edited=bool(row.get("isEdited")),
        is_spam=bool(row.get("isSpam")),
        is_highlighted=bool(row.get("isHighlighted")),
        media=_media(row.get("media")),
    )


def _author(row: dict[str, Any]) -> DisqusAuthor:
    reputation = row.get("rep", row.get("reputation"))
    return DisqusAuthor(
        id=_identity(row, "id"),
        username=_text(row, "username"),
        name=_text(row, "name"),
        url=_text(row, "url"),
        profile_url=_text(row, "profileUrl"),
        reputation=_finite(reputation),
        reputation_label=_text(row, "reputationLabel"),
        is_anonymous=bool(row.get("isAnonymous")),
        is_private=bool(row.get("isPrivate")),
        is_primary=bool(row.get("isPrimary")),
        joined_at=entry_date(row.get("joinedAt")),
        location=_text(row, "location"),
        about=_text(row, "about"),
    )


def _media(rows: object) -> tuple[str, ...]:
    """Keep the addresses of pictures and films, not what is shown of them."""
    if not isinstance(rows, list):
        return ()
    found = (row.get("resolvedUrl") or row.get("url") for row in rows if isinstance(row, dict))
    return tuple(storable(str(address))[:2_048] for address in found if address)


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    return storable(str(value))


def _identity(row: dict[str, Any], name: str) -> str:
    return _text(row, name)[:_MAX_ID_LENGTH]


def _finite(value: object) -> float | None:
    """Take a number that every database and JSON can hold, which NaN and infinity are not."""
    if isinstance(value, int | float) and abs(value) < _LARGEST_NUMBER:
        return float(value)
    return None


def _whole(row: dict[str, Any], name: str, absent: int = 0) -> int:
    value = row.get(name)
    if isinstance(value, int | float) and abs(value) < _LARGEST_NUMBER:  # which NaN is not
        return int(value)
    return absent


def storable(text: str) -> str:
    """Leave out NUL and lone surrogates, which scripts and JSON can spell and no database takes."""
    pairs = text.encode("utf-16", "surrogatepass")  # a script spells an emoji as two escapes
    return pairs.decode("utf-16", "ignore").replace("\0", "")
