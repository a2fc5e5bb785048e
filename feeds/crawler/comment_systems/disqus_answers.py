"""What Disqus answers about a thread: the embed page or the API → `Thread` with its posts.

No browser is needed: the embed page carries the whole thread as a JSON block. Avatars are not
read; a deleted post stays as a gap in its thread.
Reference: https://disqus.com/api/docs/ (threads/details, threads/listPosts).
"""

from typing import Any

from feeds.crawler.comment_systems.threads import (
    NO_THREAD,
    NOT_READABLE,
    Author,
    Post,
    Thread,
    address,
    finite,
    identity,
    moment,
    object_of,
    parse_json,
    refused,
    rows_of,
    storable,
    text,
    whole,
    with_depths,
)
from feeds.crawler.documents.byte_patterns import in_bytes

_THREAD_DATA = in_bytes(rb"""(?s)<script[^>]*\bid=["']disqus-threadData["'][^>]*>(.*?)</script>""")


def read_disqus(body: bytes) -> Thread:
    """Read an answer: the embed page, threads/details or threads/listPosts.

    Parameters
    ----------
    body
        Decoded answer, HTML or JSON.

    Returns
    -------
    Thread
        With a sentence in ``problem`` when it cannot be read; nothing raises. Depths that the
        API leaves out are counted from the parents that the answer holds.
    """
    block = _THREAD_DATA.search(body)
    document = parse_json(block[1] if block else body)
    if not isinstance(document, dict):
        return Thread(problem=NOT_READABLE)
    if document.get("code") != 0:
        return refused(document.get("response"))
    return _thread(document)


def _thread(document: dict[str, Any]) -> Thread:
    response = document.get("response")
    has_more, cursor = _cursor(document.get("cursor"))
    if isinstance(response, list):  # listPosts
        posts = _posts(response)
        first = posts[0] if posts else None
        return Thread(
            id=first.thread if first else "",
            forum=first.forum if first else "",
            posts=posts,
            next_cursor=cursor,
            has_more=has_more,
            is_further=True,
            is_in_order=True,  # as `posts_url` asks
        )
    if not isinstance(response, dict):
        return Thread(problem=NO_THREAD)
    details = response.get("thread", response)
    if not isinstance(details, dict) or "isClosed" not in details:
        return Thread(problem=NO_THREAD)
    rows = response.get("posts")
    return Thread(
        id=identity(details, "id"),
        forum=text(details, "forum"),
        is_closed=bool(details["isClosed"]),
        created_at=moment(details.get("createdAt")),
        n_posts=whole(details, "posts"),
        posts=_posts(rows),
        next_cursor=cursor,
        has_more=has_more,
        is_whole=isinstance(rows, list) and not has_more,
    )


def _cursor(cursor: object) -> tuple[bool, str]:
    if not isinstance(cursor, dict) or not cursor.get("hasNext"):
        return False, ""
    return True, storable(str(cursor.get("next") or ""))


def _posts(rows: object) -> tuple[Post, ...]:
    return with_depths(post for row in rows_of(rows) if (post := _post(row)))


def _post(row: dict[str, Any]) -> Post | None:
    """Read one post; None without id or date, which nothing could be stored under."""
    created_at = moment(row.get("createdAt"))
    post_id = identity(row, "id")
    if not post_id or created_at is None:
        return None
    return Post(
        id=post_id,
        thread=identity(row, "thread"),
        forum=text(row, "forum"),
        parent=identity(row, "parent"),
        depth=whole(row, "depth", absent=-1),
        created_at=created_at,
        message=text(row, "message"),
        raw_message=text(row, "raw_message"),
        author=_author(object_of(row, "author")),
        likes=whole(row, "likes"),
        dislikes=whole(row, "dislikes"),
        points=whole(row, "points"),
        n_reports=whole(row, "numReports"),
        is_flagged=bool(row.get("isFlagged")),
        is_deleted=bool(row.get("isDeleted")),
        is_approved=bool(row.get("isApproved", True)),
        is_edited=bool(row.get("isEdited")),
        is_spam=bool(row.get("isSpam")),
        is_highlighted=bool(row.get("isHighlighted")),
        media=_media(row.get("media")),
    )


def _author(row: dict[str, Any]) -> Author:
    return Author(
        id=identity(row, "id"),
        username=text(row, "username"),
        name=text(row, "name"),
        url=text(row, "url"),
        profile_url=text(row, "profileUrl"),
        reputation=finite(row.get("rep", row.get("reputation"))),
        reputation_label=text(row, "reputationLabel"),
        is_anonymous=bool(row.get("isAnonymous")),
        is_private=bool(row.get("isPrivate")),
        is_primary=bool(row.get("isPrimary")),
        joined_at=moment(row.get("joinedAt")),
        location=text(row, "location"),
        about=text(row, "about"),
    )


def _media(rows: object) -> tuple[str, ...]:
    """Keep the addresses of pictures and films, not what is shown of them."""
    found = (address(row, "resolvedUrl") or address(row, "url") for row in rows_of(rows))
    return tuple(one for one in found if one)
