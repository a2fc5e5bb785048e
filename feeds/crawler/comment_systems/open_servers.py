"""Small comment servers that papers run themselves and that answer without a key.

Remark42 (https://remark42.com/docs/contributing/api/), Isso (https://isso-comments.de/docs/, "API")
and Cusdis (its public route `/api/open/comments`).
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from feeds.crawler.comment_systems.page_scan import PageScan, assigned
from feeds.crawler.comment_systems.threads import (
    MAX_POSTS,
    NO_THREAD,
    NOT_READABLE,
    Author,
    Post,
    Thread,
    ThreadReference,
    address,
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
from feeds.crawler.timing.conditional import Headers

REMARK42, ISSO, CUSDIS = "remark42", "isso", "cusdis"
_REMARK_HOST = assigned(rb"\bhost")
_REMARK_SITE = assigned(rb"\bsite_id")
_REMARK_URL = assigned(rb"\burl")
_ISSO_ROOT = assigned(rb"\bdata-isso")
_ISSO_ID = assigned(rb"\bdata-isso-id")
_CUSDIS_HOST = assigned(rb"\bdata-host")
_CUSDIS_APP = assigned(rb"\bdata-app-id")
_CUSDIS_PAGE = assigned(rb"\bdata-page-id")
_ISSO_DELETED = 4  # `mode`: deleted, but answered


# --- Remark42 -------------------------------------------------------------------------------------


def find_remark42(scan: PageScan) -> ThreadReference | None:
    """Find what `remark_config` says."""
    at = max(scan.lowered.find(b"remark_config"), 0)
    config = PageScan(scan.page[at : at + 2_000], scan.url)
    root, site = scan.origin(config.string(_REMARK_HOST)), config.string(_REMARK_SITE)
    if not root or not site:
        return None
    return ThreadReference(REMARK42, site[:100], "", scan.link(config.string(_REMARK_URL)), root)


def remark42_url(thread: ThreadReference) -> str:
    query = {"site": thread.forum, "url": thread.link, "sort": "+time", "format": "plain"}
    return f"{thread.root}/api/v1/find?{urlencode(query)}"


def owns_remark42(url: str) -> bool:
    return urlsplit(url).path.endswith("/api/v1/find")


def read_remark42(url: str, body: bytes, headers: Headers) -> Thread:  # noqa: ARG001 (readers share it)
    """Read all comments of a page, as a list or within an object with what is known of the page."""
    document = parse_json(body)
    if isinstance(document, dict) and document.get("error"):
        return refused(document["error"])
    if isinstance(document, dict) and "comments" in document:
        rows, info = document["comments"], object_of(document, "info")
    else:
        rows, info = document, {}
    if rows is not None and not isinstance(rows, list):
        return Thread(problem=NOT_READABLE if document is None else NO_THREAD)
    if document is None:
        return Thread(problem=NOT_READABLE)
    posts = with_depths(post for row in rows_of(rows) if (post := _remark(row)))
    return Thread(
        id=identity(info, "url"),
        is_closed=bool(info["read_only"]) if "read_only" in info else None,
        created_at=None,
        n_posts=whole(info, "count", len(posts)),
        posts=posts,
        is_whole=True,
    )


def _remark(row: dict[str, Any]) -> Post | None:
    name, created_at = identity(row, "id"), moment(row.get("time"))
    if not name or created_at is None:
        return None
    user = object_of(row, "user")
    is_deleted = bool(row.get("delete"))
    message = "" if is_deleted else text(row, "text")
    score = whole(row, "score")
    return Post(
        id=name,
        parent=identity(row, "pid"),
        created_at=created_at,
        message=message,
        raw_message=words_of(message),
        author=Author(id=identity(user, "id"), name=text(user, "name")),
        likes=max(score, 0),
        points=score,
        is_deleted=is_deleted,
        is_edited=bool(row.get("edit")),
    )


# --- Isso -----------------------------------------------------------------------------------------


def find_isso(scan: PageScan) -> ThreadReference | None:
    """Find the server that the script names; a thread goes by its path, or by its own name."""
    root = scan.origin(scan.string(_ISSO_ROOT))
    if not root:
        return None
    name = scan.string(_ISSO_ID) or urlsplit(scan.url).path or "/"
    return ThreadReference(ISSO, identifier=name, link=scan.url, root=root)


def isso_url(thread: ThreadReference) -> str:
    return f"{thread.root}/?{urlencode({'uri': thread.identifier})}"


def owns_isso(url: str) -> bool:
    return list(parse_qs(urlsplit(url).query)) == ["uri"]


def read_isso(url: str, body: bytes, headers: Headers) -> Thread:  # noqa: ARG001 (readers share it)
    """Read all comments of a thread; replies stand within what they answer."""
    document = parse_json(body)
    if isinstance(document, list):  # servers before 0.6
        document = {"replies": document}
    if not isinstance(document, dict):
        return Thread(problem=NOT_READABLE)
    if "replies" not in document:
        return Thread(problem=NO_THREAD)
    found = (_isso(row, parent) for row, parent in _nested(document, "replies"))
    posts = with_depths(post for post in found if post)
    return Thread(n_posts=sum(not post.is_deleted for post in posts), posts=posts, is_whole=True)


def _nested(document: dict[str, Any], name: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Walk rows within rows in their order, each with the id of what it answers."""
    waiting = [(row, "") for row in reversed(rows_of(document.get(name)))]
    for _ in range(MAX_POSTS):
        if not waiting:
            return
        row, parent = waiting.pop()
        yield row, parent
        below = row.get(name)
        inner = below.get("data") if isinstance(below, dict) else below
        waiting += [(reply, identity(row, "id")) for reply in reversed(rows_of(inner))]


def _isso(row: dict[str, Any], parent: str) -> Post | None:
    number, created_at = identity(row, "id"), moment(row.get("created"))
    if not number or created_at is None:
        return None
    is_deleted = row.get("mode") == _ISSO_DELETED
    message = "" if is_deleted else text(row, "text")
    likes, dislikes = whole(row, "likes"), whole(row, "dislikes")
    return Post(
        id=number,
        parent=parent or identity(row, "parent"),
        created_at=created_at,
        message=message,
        raw_message=words_of(message),
        author=Author(name=text(row, "author"), url=address(row, "website")),
        likes=likes,
        dislikes=dislikes,
        points=likes - dislikes,
        is_deleted=is_deleted,
        is_edited=row.get("modified") is not None,
    )


# --- Cusdis ---------------------------------------------------------------------------------------


def find_cusdis(scan: PageScan) -> ThreadReference | None:
    """Find what the attributes of the thread's element say."""
    app, page = scan.string(_CUSDIS_APP), scan.string(_CUSDIS_PAGE)
    if not app or not page:
        return None
    root = scan.origin(scan.string(_CUSDIS_HOST)) or "https://cusdis.com"
    return ThreadReference(CUSDIS, app[:100], page, scan.url, root)


def cusdis_url(thread: ThreadReference) -> str:
    query = {"appId": thread.forum, "pageId": thread.identifier}
    return f"{thread.root}/api/open/comments?{urlencode(query)}"


def owns_cusdis(url: str) -> bool:
    return urlsplit(url).path.endswith("/api/open/comments")


def further_cusdis(url: str, answer: Thread, api_key: str = "") -> str:  # noqa: ARG001 (needs no key)
    if not answer.has_more:
        return ""
    base, _, query = url.partition("?")
    named = {name: values[-1] for name, values in parse_qs(query).items()}
    return f"{base}?{urlencode(named | {'page': str(_page_of(url) + 1)})}"


def _page_of(url: str) -> int:
    named = parse_qs(urlsplit(url).query).get("page", ["1"])[-1]
    return int(named) if named.isdecimal() and len(named) < 7 else 1


def read_cusdis(url: str, body: bytes, headers: Headers) -> Thread:  # noqa: ARG001 (readers share it)
    """Read a page of comments; replies stand within what they answer."""
    document = parse_json(body)
    if not isinstance(document, dict):
        return Thread(problem=NOT_READABLE)
    data = object_of(document, "data")
    if "data" not in data:
        return refused(document["message"]) if "message" in document else Thread(problem=NO_THREAD)
    found = (_cusdis(row, parent) for row, parent in _nested({"replies": data["data"]}, "replies"))
    page, n_pages = _page_of(url), whole(data, "pageCount", 1)
    return Thread(
        n_posts=whole(data, "commentCount"),
        posts=with_depths(post for post in found if post),
        has_more=page < n_pages,
        is_further=page > 1,
        is_whole=page == 1 and n_pages <= 1,
    )


def _cusdis(row: dict[str, Any], parent: str) -> Post | None:
    name, created_at = identity(row, "id"), moment(row.get("createdAt"))
    if not name or created_at is None:
        return None
    message = text(row, "parsedContent") or text(row, "content")
    author = object_of(row, "moderator")
    return Post(
        id=name,
        parent=parent or identity(row, "parentId"),
        created_at=created_at,
        message=message,
        raw_message=words_of(message),
        author=Author(name=text(row, "by_nickname") or text(author, "displayName")),
    )
