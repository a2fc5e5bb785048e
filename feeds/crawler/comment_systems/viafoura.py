"""Comments kept by Viafoura: its Live Comments interface answers readers' browsers without a key.

A page names the article (`vf:container_id`) and, on many sites, the section of the paper, a UUID of
Viafoura's own form. Without the section the thread can be named only: the call that gives it is a
POST. Posts name their writers by number; the names need a request each and are left out.
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
    finite,
    identity,
    moment,
    object_of,
    parse_json,
    rows_of,
    text,
    whole,
    with_depths,
    words_of,
)
from feeds.crawler.documents.byte_patterns import in_bytes
from feeds.crawler.timing.conditional import Headers

VIAFOURA = "viafoura"
POSTS_PER_PAGE = 100
_ROOT = "https://livecomments.viafoura.co/v4/livecomments"
_SECTION = in_bytes(rb"\b(00000000-0000-4000-8000-[0-9a-f]{12})\b")
_META = in_bytes(rb"<meta\b[^>]*['\"]vf:container_id['\"][^>]*>")
_CONTENT = assigned(rb"\bcontent")
_CONTAINER = assigned(rb"\bvf-container-id|\bdata-vf-container-id|\bvf_container_id")
_PRESENT = in_bytes(
    rb"<vf-conversations|<vf-comments|\bvf3?-comments\b|data-widget=['\"]comments['\"]"
    rb"|['\"]vf:container_id['\"]|\bcomments?[-_]{1,2}viafoura|\bviafoura[-_]?comment"
)
_UUID = re.compile(r"^[0-9a-f-]{36}$")


def find(scan: PageScan) -> ThreadReference | None:
    """Find the article's container and the paper's section, as far as the page names them."""
    if not _PRESENT.search(scan.page):
        return None
    meta = _META.search(scan.page)
    container = PageScan(bytes(meta[0]), scan.url).string(_CONTENT) if meta else ""
    section = _SECTION.search(scan.page)
    return ThreadReference(
        VIAFOURA,
        bytes(section[1]).decode().lower() if section else "",
        container or scan.string(_CONTAINER),
        scan.url,
    )


def owns(url: str) -> bool:
    """Whether an address asks Viafoura."""
    return "/v4/livecomments/" in urlsplit(url).path


def first_url(thread: ThreadReference) -> str:
    """Address of the newest comments; empty where the page does not name all that it needs."""
    if not thread.forum or not thread.identifier:
        return ""
    return f"{_ROOT}/{thread.forum}?{_query(container_id=thread.identifier)}"


def further_url(url: str, answer: Thread, api_key: str = "") -> str:  # noqa: ARG001 (needs no key)
    """Address of what is older than these; empty where there is none."""
    if not answer.has_more or not answer.next_cursor or not _UUID.match(answer.id):
        return ""
    section = urlsplit(url).path.split("/v4/livecomments/")[1].split("/")[0]
    return f"{_ROOT}/{section}/{answer.id}/comments?{_query(starting_from=answer.next_cursor)}"


def _query(**more: str) -> str:
    limits = {"limit": POSTS_PER_PAGE, "reply_limit": POSTS_PER_PAGE, "sorted_by": "newest"}
    return urlencode(limits | more)


def read(url: str, body: bytes, headers: Headers) -> Thread:  # noqa: ARG001 (readers share it)
    """Read a page of comments; a comment whose parent is the container stands at the top."""
    document = parse_json(body)
    if not isinstance(document, dict):
        return Thread(problem=NOT_READABLE)
    if not isinstance(document.get("contents"), list):
        return Thread(problem=NO_THREAD)
    rows = rows_of(document["contents"])
    container = identity(document, "content_container_uuid") or _container_of(url)
    posts = with_depths(post for row in rows if (post := _post(row, container)))
    tops = [post.id for post in posts if not post.parent]
    is_further = "starting_from" in parse_qs(urlsplit(url).query)
    has_more = bool(document.get("more_available")) and bool(tops)
    total = finite(document.get("total_visible_content"))
    return Thread(
        id=container,
        n_posts=None if total is None else int(total),
        posts=posts,
        next_cursor=tops[-1] if has_more else "",
        has_more=has_more,
        is_further=is_further,
        # Replies beyond the limit of an answer are missing in it.
        is_whole=not is_further and not has_more and len(posts) >= (total or 0),
    )


def _container_of(url: str) -> str:
    named = urlsplit(url).path.removesuffix("/comments").rsplit("/", 1)[-1]
    return named if _UUID.match(named) else ""


def _post(row: dict[str, Any], container: str) -> Post | None:
    name, created_at = identity(row, "content_uuid"), moment(row.get("date_created"))
    if not name or created_at is None:
        return None
    parent = identity(row, "parent_uuid")
    is_shown = row.get("state", "visible") == "visible"
    message = text(row, "content") if is_shown else ""
    likes, dislikes = whole(row, "total_likes"), whole(row, "total_dislikes")
    return Post(
        id=name,
        parent="" if parent in {container, name} else parent,
        created_at=created_at,
        message=message,
        raw_message=words_of(message),
        author=Author(id=identity(row, "actor_uuid"), name=text(object_of(row, "actor"), "name")),
        likes=likes,
        dislikes=dislikes,
        points=likes - dislikes,
        is_deleted=not is_shown,
    )
