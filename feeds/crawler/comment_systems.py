"""Readers' comments kept by Disqus: where an article's thread is, and what its answers say.

Article page → `CommentThread`; thread → addresses; answer of the embed page or of the API →
`DisqusThread` with its posts. No browser is needed: the embed page carries the whole thread as a
JSON block (COR-29). Avatars are not read (COR-31); a deleted post stays as a gap in its thread.
Reference: https://disqus.com/api/docs/ (threads/details, threads/listPosts).
"""

import html
import json
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import re2

from feeds.crawler.canonical import BadUrl, canonicalize
from feeds.crawler.feed_dates import entry_date

DISQUS = "disqus"
POSTS_PER_PAGE = 100  # the most that listPosts allows
_MAX_IDENTIFIER_LENGTH = 500  # characters
_MAX_ID_LENGTH = 60  # characters; the real ones are numbers
_LARGEST_NUMBER = 2**31  # what an integer column holds
_MAX_PAGE_BYTES = 4_000_000  # scripts of a larger page are not searched

_SIGN = b"disqus"
_EMBED = re.compile(rb"""['"]((?:https?:)?//([^'"\s/]+)/embed\.js)\b""")
_EMBED_OF_VARIABLE = re.compile(rb"""['"](?:https?:)?//['"]\s*\+\s*\w+\s*\+\s*['"]\.disqus\.com/""")
_STRING = rb"""\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')"""
_ASSIGNED = rb"""['"]?\s*[:=]""" + _STRING


def _in_bytes(pattern: bytes) -> re2._Regexp:
    """Pattern for bytes of any charset in either case; `re` needs 3 ms a page to find none."""
    options = re2.Options()
    options.case_sensitive = False
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(pattern, options)


_SHORTNAME = _in_bytes(rb"\b(?:disqus_?shortname|data-disqus-shortname|disqusForum)\b" + _ASSIGNED)
_IDENTIFIER = _in_bytes(
    rb"(?:\bpage\.identifier|\bdisqus_?identifier|\bdata-disqus-identifier)" + _ASSIGNED
)
_URL = _in_bytes(rb"(?:\bpage\.url|\bdisqus_?url|\bdata-disqus-url)" + _ASSIGNED)
_CONFIG = _in_bytes(rb"\bdisqus_config\b|\bdisqus_thread\b")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_DISQUS_DOMAIN = ".disqus.com"
_FORUM = re.compile(r"^[A-Za-z0-9][A-Za-z0-9\-_]{0,99}$")

_THREAD_DATA = re.compile(
    rb"""<script[^>]*\bid=["']disqus-threadData["'][^>]*>(.*?)</script>""",
    re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CommentThread:
    """A thread as the article's page names it.

    ``root`` is the origin of the comment system, with the scheme of the article's page;
    ``identifier`` may be empty, then ``link`` is what finds the thread.
    """

    system: str
    forum: str
    identifier: str
    link: str
    root: str = "https://disqus.com"


@dataclass(frozen=True, slots=True)
class DisqusAuthor:
    """Who wrote a post, as far as the reader shows it; avatars are left out (COR-31)."""

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
    """One comment with the fields of COR-30; ``message`` is HTML as sent, not yet cleaned."""

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


# --- Finding the thread ---------------------------------------------------------------------------


def find_thread(body: bytes, url: str) -> CommentThread | None:
    """Find the Disqus thread that an article's page loads.

    Parameters
    ----------
    body
        The page; only ASCII parts of its scripts matter, so any charset will do.
    url
        Its address: the thread's link where the page names none.

    Returns
    -------
    CommentThread or None
        None for pages without a comment system, after one search for its name.

    Notes
    -----
    A server of one's own that speaks Disqus is taken too: its ``embed.js`` stands on the origin
    that answers, and the page names the forum.
    """
    # Lowered once: a search that ignores case costs 5 ms on a page, this 0.1.
    if _SIGN not in body[:_MAX_PAGE_BYTES].lower():
        return None
    page = body[:_MAX_PAGE_BYTES]
    if not _CONFIG.search(page) and not _SHORTNAME.search(page):
        return None
    forum, root = _forum_and_root(page, urlsplit(url).scheme or "https")
    if not forum:
        return None
    identifier = _first_string(_IDENTIFIER, page)[:_MAX_IDENTIFIER_LENGTH]
    return CommentThread(DISQUS, forum, identifier, _link(_first_string(_URL, page), url), root)


def _forum_and_root(page: bytes, scheme: str) -> tuple[str, str]:
    shortname = _first_string(_SHORTNAME, page)
    named = shortname if _FORUM.match(shortname) else ""
    foreign = ""
    for match in _EMBED.finditer(page):
        host = match[2].decode("utf-8", "replace").lower()
        if host.endswith(_DISQUS_DOMAIN):
            forum = host.removesuffix(_DISQUS_DOMAIN)
            if _FORUM.match(forum):
                return forum, f"{scheme}://disqus.com"
        elif named and not foreign:
            foreign = f"{scheme}://{host}"
    if foreign and not _EMBED_OF_VARIABLE.search(page):
        return named, foreign
    return named, f"{scheme}://disqus.com"


def _first_string(pattern: re2._Regexp, page: bytes) -> str:
    for match in pattern.finditer(page):
        value = (match[1] or match[2] or b"").decode("utf-8", "replace")
        text = html.unescape(_unescape(value)).strip()
        if text and "{{" not in text:  # a template that was never filled in
            return text
    return ""


def _unescape(text: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else match[3]

    return _storable(_ESCAPE.sub(replaced, text)) if "\\" in text else text


def _link(named: str, url: str) -> str:
    try:
        return canonicalize(named, url).url if named else url
    except BadUrl:
        return url


# --- Addresses ------------------------------------------------------------------------------------


def embed_url(thread: CommentThread) -> str:
    """Address of the page that carries state and first posts of a thread; needs no key."""
    query = {"base": "default", "f": thread.forum, "t_i": thread.identifier, "t_u": thread.link}
    return f"{thread.root}/embed/comments/?{urlencode({k: v for k, v in query.items() if v})}"


def thread_of_embed_url(url: str) -> CommentThread | None:
    """Read back the thread that `embed_url` was made from; None for any other address."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if not parts.path.startswith("/embed/comments") or not query.get("f"):
        return None
    root = f"{parts.scheme}://{parts.netloc}"
    return CommentThread(DISQUS, query["f"], query.get("t_i", ""), query.get("t_u", ""), root)


def posts_url(thread: CommentThread, api_key: str, cursor: str = "") -> str:
    """Address of one page of a thread's posts in the API, oldest first."""
    return f"{thread.root}/api/3.0/threads/listPosts.json?" + _api_query(
        thread, api_key, order="asc", limit=str(POSTS_PER_PAGE), cursor=cursor
    )


def next_page_url(url: str, cursor: str) -> str:
    """Address of the page of posts after the one at `url`."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    return urlunsplit(parts._replace(query=urlencode(query | {"cursor": cursor})))


def details_url(thread: CommentThread, api_key: str) -> str:
    """Address of a thread's state in the API."""
    return f"{thread.root}/api/3.0/threads/details.json?" + _api_query(thread, api_key)


def _api_query(thread: CommentThread, api_key: str, **more: str) -> str:
    key = f"ident:{thread.identifier}" if thread.identifier else f"link:{thread.link}"
    query = {"api_key": api_key, "forum": thread.forum, "thread": key} | more
    return urlencode({name: value for name, value in query.items() if value})


# --- Answers --------------------------------------------------------------------------------------


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
    return True, _storable(str(cursor.get("next") or ""))


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
    return tuple(_storable(str(address))[:2_048] for address in found if address)


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    return _storable(str(value))


def _identity(row: dict[str, Any], name: str) -> str:
    return _text(row, name)[:_MAX_ID_LENGTH]


def _finite(value: object) -> float | None:
    """Take a number that every database and JSON can hold, which NaN and infinity are not."""
    if isinstance(value, int | float) and abs(value) < _LARGEST_NUMBER:
        return float(value)
    return None


def _storable(text: str) -> str:
    """Leave out NUL and lone surrogates, which scripts and JSON can spell and no database takes."""
    pairs = text.encode("utf-16", "surrogatepass")  # a script spells an emoji as two escapes
    return pairs.decode("utf-16", "ignore").replace("\0", "")


def _whole(row: dict[str, Any], name: str, absent: int = 0) -> int:
    value = row.get(name)
    if isinstance(value, int | float) and abs(value) < _LARGEST_NUMBER:  # which NaN is not
        return int(value)
    return absent
