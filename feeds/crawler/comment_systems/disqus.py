"""Readers' comments kept by Disqus: where an article's thread is, and where to ask for it.

Article page → `ThreadReference`; thread → addresses, whose answers `disqus_answers` reads.
"""

import re
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from feeds.crawler.comment_systems.page_scan import PageScan, assigned
from feeds.crawler.comment_systems.threads import Thread, ThreadReference
from feeds.crawler.documents.byte_patterns import in_bytes

DISQUS = "disqus"
POSTS_PER_PAGE = 100  # the most that listPosts allows

_EMBED_FILE = b"/embed.js"  # a look for it saves most pages a look at each of their quotes
_EMBED = re.compile(rb"""['"]((?:https?:)?//([^'"\s/]+)/embed\.js)\b""")
_EMBED_OF_VARIABLE = re.compile(rb"""['"](?:https?:)?//['"]\s*\+\s*\w+\s*\+\s*['"]\.disqus\.com/""")
_SHORTNAME = assigned(rb"\b(?:disqus_?shortname|data-disqus-shortname|disqusForum)\b")
_IDENTIFIER = assigned(rb"\bpage\.identifier|\bdisqus_?identifier|\bdata-disqus-identifier")
_URL = assigned(rb"\bpage\.url|\bdisqus_?url|\bdata-disqus-url")
_CONFIG = in_bytes(rb"\bdisqus_config\b|\bdisqus_thread\b")
_DISQUS_DOMAIN = ".disqus.com"
_OFFICIAL_HOST = "disqus.com"
_API_PATH = "/api/3.0/threads/"
_FORUM = re.compile(r"^[A-Za-z0-9][A-Za-z0-9\-_]{0,99}$")


# --- Finding the thread ---------------------------------------------------------------------------


def find(scan: PageScan) -> ThreadReference | None:
    """Find the Disqus thread that an article's page loads.

    A server of one's own that speaks Disqus is taken too: its ``embed.js`` stands on the origin
    that answers, and the page names the forum.
    """
    if not _CONFIG.search(scan.page) and not _SHORTNAME.search(scan.page):
        return None
    forum, root = _forum_and_root(scan)
    if not forum:
        return None
    identifier = scan.string(_IDENTIFIER)
    return ThreadReference(DISQUS, forum, identifier, scan.link(scan.string(_URL)), root)


def _forum_and_root(scan: PageScan) -> tuple[str, str]:
    shortname = scan.string(_SHORTNAME)
    named = shortname if _FORUM.match(shortname) else ""
    foreign = ""
    for match in _EMBED.finditer(scan.page) if _EMBED_FILE in scan.page else ():
        host = match[2].decode("utf-8", "replace").lower()
        if host.endswith(_DISQUS_DOMAIN):
            forum = host.removesuffix(_DISQUS_DOMAIN)
            if _FORUM.match(forum):
                return forum, f"{scan.scheme}://disqus.com"
        elif named and not foreign:
            foreign = f"{scan.scheme}://{host}"
    if foreign and not _EMBED_OF_VARIABLE.search(scan.page):
        return named, foreign
    return named, f"{scan.scheme}://disqus.com"


# --- Addresses ------------------------------------------------------------------------------------


def owns(url: str) -> bool:
    """Whether an address asks Disqus, or a server that speaks it."""
    path = urlsplit(url).path
    return bool(thread_of_embed_url(url)) or path.startswith(_API_PATH)


def embed_url(thread: ThreadReference) -> str:
    """Address of the page that carries state and first posts of a thread; needs no key."""
    query = {"base": "default", "f": thread.forum, "t_i": thread.identifier, "t_u": thread.link}
    return f"{thread.root}/embed/comments/?{urlencode({k: v for k, v in query.items() if v})}"


def thread_of_embed_url(url: str) -> ThreadReference | None:
    """Read back the thread that `embed_url` was made from; None for any other address."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if not parts.path.startswith("/embed/comments") or not query.get("f"):
        return None
    root = f"{parts.scheme}://{parts.netloc}"
    return ThreadReference(DISQUS, query["f"], query.get("t_i", ""), query.get("t_u", ""), root)


def posts_url(thread: ThreadReference, cursor: str = "") -> str:
    """Address of one page of a thread's posts in the API, oldest first; without the key."""
    # Disqus itself is asked where nobody reads the key that is added on the way.
    is_official = urlsplit(thread.root).netloc == _OFFICIAL_HOST
    root = f"https://{_OFFICIAL_HOST}" if is_official else thread.root
    return f"{root}/api/3.0/threads/listPosts.json?" + _api_query(
        thread, order="asc", limit=str(POSTS_PER_PAGE), cursor=cursor
    )


def takes_key(url: str) -> bool:
    """Whether the key for Disqus may be sent along: to the API of disqus.com alone, by https.

    Any page may name a server of its own that speaks Disqus.
    """
    parts = urlsplit(url)
    is_official = parts.scheme == "https" and parts.netloc == _OFFICIAL_HOST
    return is_official and parts.path.startswith(_API_PATH)


def next_page_url(url: str, cursor: str) -> str:
    """Address of the page of posts after the one at `url`."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    return urlunsplit(parts._replace(query=urlencode(query | {"cursor": cursor})))


def further_url(url: str, answer: Thread, api_key: str) -> str:
    """Address of the posts behind an answer; empty where there are none or no key to ask with.

    The embed page's own cursor means nothing to the API: the first API page starts anew, from the
    oldest post, and what is there twice is stored once. The key itself is no part of the address:
    it is added when the request is sent, to disqus.com alone.
    """
    if not answer.has_more or not api_key:
        return ""
    embed = thread_of_embed_url(url)
    if embed:
        return posts_url(embed)
    return next_page_url(url, answer.next_cursor) if answer.next_cursor else ""


def _api_query(thread: ThreadReference, **more: str) -> str:
    key = f"ident:{thread.identifier}" if thread.identifier else f"link:{thread.link}"
    query = {"forum": thread.forum, "thread": key} | more
    return urlencode({name: value for name, value in query.items() if value})
