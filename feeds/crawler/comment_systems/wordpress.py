"""Comments that WordPress keeps, by its REST interface on the paper's own host.

Asked only where a page shows that it takes or has comments: most pages of WordPress name the
interface whether they do or not. Reference: https://developer.wordpress.org/rest-api/reference/comments/
and …/rest-api/using-the-rest-api/pagination/ (X-WP-Total, X-WP-TotalPages).
"""

import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from feeds.crawler.comment_systems.page_scan import PageScan
from feeds.crawler.comment_systems.threads import (
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
    with_depths,
    words_of,
)
from feeds.crawler.documents.byte_patterns import in_bytes
from feeds.crawler.timing.conditional import Headers, header

WORDPRESS = "wordpress"
POSTS_PER_PAGE = 100  # the most that the interface gives
_FIELDS = "id,parent,author,author_name,author_url,date_gmt,content,type,status"
_ROUTE = "wp/v2/comments"

_LINK = in_bytes(rb"<link\b([^>]*)>")
_API = re.compile(rb"""\brel=["']?https://api\.w\.org/["']?""", re.IGNORECASE)
_SHORTLINK = re.compile(rb"""\brel=["']?shortlink\b""", re.IGNORECASE)
_HREF = re.compile(rb"""\bhref=["']?([^"'\s>]+)""", re.IGNORECASE)
_POST_ROUTE = re.compile(r"/wp/v2/\w+/(\d{1,18})$")
_POST_NUMBER = (
    in_bytes(rb"<body[^>]*[\s\"'](?:postid|page-id)-(\d{1,18})\b"),
    in_bytes(rb"comment_post_ID['\"][^>]*\bvalue=['\"]?(\d{1,18})\b"),
    in_bytes(rb"\bvalue=['\"]?(\d{1,18})['\"][^>]*comment_post_ID\b"),
)
# WordPress.com and Jetpack put their button behind each text: "Like" on it and "Like" beside it.
_LIKES = re.compile(
    r"<p\b(?=[^<>]*\bcomment-likes\b)[^<>]*+>.*?(?:</p\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
# A form for comments or a list of them; the script comes where comments are open.
_SIGNS = (
    b"wp-comments-post.php", b"comment-reply.min.js", b"comment-reply.js", b"commentform",
    b"comment-list", b"commentlist", b"wp-block-comment", b"wpdiscuz", b"jetpack_remote_comment",
)  # fmt: skip


def find(scan: PageScan) -> ThreadReference | None:
    """Find the interface and the number of the post; only on the host of the page itself."""
    if not scan.has(*_SIGNS):
        return None
    root, number = _links(scan)
    number = number or _number(scan)
    if not root or not number or _site(root) != _site(scan.url):
        return None
    return ThreadReference(WORDPRESS, identifier=number, link=scan.url, root=root)


def _links(scan: PageScan) -> tuple[str, str]:
    """Address of the interface, and the post's number where a link names it."""
    root = number = ""
    for link in _LINK.finditer(scan.page):
        target = _HREF.search(link[1])
        if target is None:
            continue
        href = target[1].decode("utf-8", "replace").replace("&#038;", "&").replace("&amp;", "&")
        if _API.search(link[1]):
            root = root or _resolved(scan, href)
        elif _SHORTLINK.search(link[1]):
            named = parse_qs(urlsplit(href).query).get("p", [""])[-1]
            number = number or (named if named.isdecimal() else "")
        elif found := _POST_ROUTE.search(href):
            number = number or found[1]
    return root, number


def _resolved(scan: PageScan, href: str) -> str:
    """Keep the query: without pretty addresses the route is a parameter of it."""
    parts = urlsplit(href)
    whole = scan.origin(urlunsplit(parts._replace(query="", fragment="")))
    route = parse_qs(parts.query).get("rest_route")
    return (
        f"{whole}/?rest_route={route[-1].rstrip('/')}/"
        if whole and route
        else whole and f"{whole}/"
    )


def _number(scan: PageScan) -> str:
    for pattern in _POST_NUMBER:
        if match := pattern.search(scan.page):
            return bytes(match[1]).decode()
    return ""


def _site(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


# --- Addresses ------------------------------------------------------------------------------------


def owns(url: str) -> bool:
    """Whether an address asks the interface for comments."""
    parts = urlsplit(url)
    return parts.path.endswith(f"/{_ROUTE}") or (
        parse_qs(parts.query).get("rest_route", [""])[-1].endswith(f"/{_ROUTE}")
    )


def first_url(thread: ThreadReference) -> str:
    """Address of a post's oldest comments."""
    query = {
        "post": thread.identifier,
        "per_page": str(POSTS_PER_PAGE),
        "order": "asc",
        "orderby": "date_gmt",
        "_fields": _FIELDS,
    }
    joint = "&" if "?" in thread.root else "?"
    return f"{thread.root}{_ROUTE}{joint}{urlencode(query, safe=',')}"


def further_url(url: str, answer: Thread, api_key: str = "") -> str:  # noqa: ARG001 (needs no key)
    """Address of the page behind this one; empty behind the last."""
    if not answer.has_more:
        return ""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    query["page"] = str(_page_of(url) + 1)
    return urlunsplit(parts._replace(query=urlencode(query, safe=",/")))


def _page_of(url: str) -> int:
    named = parse_qs(urlsplit(url).query).get("page", ["1"])[-1]
    return int(named) if named.isdecimal() and len(named) < 7 else 1


# --- Answers --------------------------------------------------------------------------------------


def read(url: str, body: bytes, headers: Headers) -> Thread:
    """Read a page of comments; an error of the interface is a problem in its own words."""
    document = parse_json(body)
    if isinstance(document, dict) and document.get("message"):
        return refused(text(document, "message"))
    if not isinstance(document, list):
        return Thread(problem=NOT_READABLE)
    page = _page_of(url)
    n_pages, total = _count(headers, "x-wp-totalpages"), _count(headers, "x-wp-total")
    has_more = page < n_pages if n_pages is not None else len(document) >= POSTS_PER_PAGE
    return Thread(
        id=parse_qs(urlsplit(url).query).get("post", [""])[-1],
        n_posts=total if total is not None else (None if has_more or page > 1 else len(document)),
        posts=with_depths(post for row in rows_of(document) if (post := _post(row))),
        has_more=has_more,
        is_further=page > 1,
        is_whole=page == 1 and not has_more,
        is_in_order=True,
    )


def _count(headers: Headers, name: str) -> int | None:
    value = (header(headers, name) or "").strip()
    return int(value) if value.isdecimal() and len(value) < 10 else None


def _post(row: dict[str, Any]) -> Post | None:
    """Read one comment; pingbacks and trackbacks are none."""
    number, created_at = identity(row, "id"), moment(row.get("date_gmt") or row.get("date"))
    is_comment = row.get("type", "comment") in ("comment", "")  # it may be a list
    if not number or created_at is None or not is_comment:
        return None
    message = _LIKES.sub("", text(object_of(row, "content"), "rendered"))
    author = identity(row, "author")
    return Post(
        id=number,
        parent=_unless_zero(identity(row, "parent")),
        created_at=created_at,
        message=message,
        raw_message=words_of(message),
        author=Author(
            id=_unless_zero(author), name=text(row, "author_name"), url=address(row, "author_url")
        ),
        is_approved=row.get("status", "approved") == "approved",
    )


def _unless_zero(number: str) -> str:
    """WordPress writes 0 for none."""
    return "" if number == "0" else number
