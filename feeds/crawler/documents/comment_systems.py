"""Readers' comments kept by Disqus: where an article's thread is, and where to ask for it.

Article page → `ThreadReference`; thread → addresses, whose answers `disqus_answers` reads.
"""

import html
import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import re2

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.documents.disqus_answers import storable

DISQUS = "disqus"
POSTS_PER_PAGE = 100  # the most that listPosts allows
_MAX_IDENTIFIER_LENGTH = 500  # characters
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


@dataclass(frozen=True, slots=True)
class ThreadReference:
    """A thread as the article's page names it.

    ``root`` is the origin of the comment system, with the scheme of the article's page;
    ``identifier`` may be empty, then ``link`` is what finds the thread.
    """

    system: str
    forum: str
    identifier: str
    link: str
    root: str = "https://disqus.com"


# --- Finding the thread ---------------------------------------------------------------------------


def find_thread(body: bytes, url: str) -> ThreadReference | None:
    """Find the Disqus thread that an article's page loads.

    Parameters
    ----------
    body
        The page; only ASCII parts of its scripts matter, so any charset will do.
    url
        Its address: the thread's link where the page names none.

    Returns
    -------
    ThreadReference or None
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
    return ThreadReference(DISQUS, forum, identifier, _link(_first_string(_URL, page), url), root)


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

    return storable(_ESCAPE.sub(replaced, text)) if "\\" in text else text


def _link(named: str, url: str) -> str:
    try:
        return canonicalize(named, url).url if named else url
    except BadUrl:
        return url


# --- Addresses ------------------------------------------------------------------------------------


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


def posts_url(thread: ThreadReference, api_key: str, cursor: str = "") -> str:
    """Address of one page of a thread's posts in the API, oldest first."""
    return f"{thread.root}/api/3.0/threads/listPosts.json?" + _api_query(
        thread, api_key, order="asc", limit=str(POSTS_PER_PAGE), cursor=cursor
    )


def next_page_url(url: str, cursor: str) -> str:
    """Address of the page of posts after the one at `url`."""
    parts = urlsplit(url)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    return urlunsplit(parts._replace(query=urlencode(query | {"cursor": cursor})))


def _api_query(thread: ThreadReference, api_key: str, **more: str) -> str:
    key = f"ident:{thread.identifier}" if thread.identifier else f"link:{thread.link}"
    query = {"api_key": api_key, "forum": thread.forum, "thread": key} | more
    return urlencode({name: value for name, value in query.items() if value})
