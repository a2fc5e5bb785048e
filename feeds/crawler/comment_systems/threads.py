"""What every comment system comes down to: a thread as a page names it, and an answer about it.

Article page → `ThreadReference`; answer → `Thread` with its `Post`s. Avatars are not read. The
functions below read values of unknown JSON: none raises, all give what a database can hold.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import lxml.html
from lxml import etree

from feeds.crawler.documents.feed_dates import entry_date
from feeds.crawler.documents.long_tags import cut_long_tags

MAX_POSTS = 5_000  # of one answer; systems give 20 to 1,000
MAX_MESSAGE_CHARACTERS = 100_000
MAX_ID_LENGTH = 60  # characters; UUIDs have 36
_LARGEST_NUMBER = 2**31  # what an integer column holds
_MAX_ADDRESS_LENGTH = 2_048
NOT_READABLE = "The answer of the comment system is not readable."
NO_THREAD = "The answer of the comment system holds no thread."

# Control characters and non-characters that XML and PostgreSQL do not take.
_FORBIDDEN = re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]")
_QUOTED_POST = re.compile(r"<aside\b.*?(?:</aside\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_LINE_END = re.compile(
    r"<br\b[^<>]*>|</?(?:p|div|li|ul|ol|blockquote|pre|h[1-6]|tr|figure)\b[^<>]*>", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ThreadReference:
    """A thread as the article's page names it.

    ``root`` is the origin of the comment system, with the scheme of the article's page;
    ``identifier`` may be empty, then ``link`` is what finds the thread.
    """

    system: str
    forum: str = ""
    identifier: str = ""
    link: str = ""
    root: str = ""


@dataclass(frozen=True, slots=True)
class Author:
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
class Post:
    """One comment as its system gives it; ``message`` is HTML as sent, not yet cleaned."""

    id: str
    parent: str
    created_at: datetime
    message: str
    raw_message: str
    author: Author
    thread: str = ""
    forum: str = ""
    depth: int = -1
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
class Thread:
    """One answer: what it says of the thread, its posts, and whether more can be asked for.

    ``is_closed`` is None where the answer does not say. ``is_further`` marks a later page of a
    thread, ``is_whole`` an answer with every post of it, ``is_in_order`` one with every post
    between its first and its last. ``next_cursor`` belongs to the kind of answer it came with.
    ``moved_to`` is the address where the thread is read from now on. ``problem`` is a sentence
    when the answer is none.
    """

    id: str = ""
    forum: str = ""
    is_closed: bool | None = None
    created_at: datetime | None = None
    n_posts: int | None = None
    posts: tuple[Post, ...] = ()
    next_cursor: str = ""
    has_more: bool = False
    is_further: bool = False
    is_whole: bool = False
    is_in_order: bool = False
    moved_to: str = ""
    problem: str = ""


def refused(said: object) -> Thread:
    """Make an answer that is none of what the system itself says."""
    return Thread(problem=f"The comment system says: {storable(str(said))[:200]}")


# --- Values of unknown JSON -----------------------------------------------------------------------


def parse_json(body: bytes) -> Any:
    """Read JSON; None for anything else, however deep it is nested."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def rows_of(value: object) -> list[dict[str, Any]]:
    """Give the objects of a list, as many as are read of one answer."""
    if not isinstance(value, list):
        return []
    return [row for row in value[:MAX_POSTS] if isinstance(row, dict)]


def object_of(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Give an object within another; empty where there is none."""
    value = row.get(name)
    return value if isinstance(value, dict) else {}


def text(row: Mapping[str, Any], name: str) -> str:
    """Give a text or a number as text; empty where there is none."""
    value = row.get(name)
    if value is None or isinstance(value, dict | list):
        return ""
    return storable(str(value))[:MAX_MESSAGE_CHARACTERS]


def identity(row: Mapping[str, Any], name: str) -> str:
    return text(row, name)[:MAX_ID_LENGTH]


def address(row: Mapping[str, Any], name: str) -> str:
    return text(row, name)[:_MAX_ADDRESS_LENGTH]


def finite(value: object) -> float | None:
    """Take a number that every database and JSON can hold, which NaN and infinity are not."""
    if isinstance(value, int | float) and abs(value) < _LARGEST_NUMBER:
        return float(value)
    return None


def whole(row: Mapping[str, Any], name: str, absent: int = 0) -> int:
    number = finite(row.get(name))  # which NaN is not
    return absent if number is None else int(number)


def moment(value: object) -> datetime | None:
    """Read a date, or seconds or milliseconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return entry_date(value)
    if not 0 < value < 1e14:  # which NaN is not
        return None
    seconds = value / 1000 if value > 1e11 else value  # 1e11 s is the year 5138
    return entry_date(datetime.fromtimestamp(seconds, UTC).isoformat())


def storable(value: str) -> str:
    """Leave out NUL and lone surrogates, which scripts and JSON can spell and no database takes."""
    pairs = value.encode("utf-16", "surrogatepass")  # a script spells an emoji as two escapes
    return pairs.decode("utf-16", "ignore").replace("\0", "")


def words_of(markup: str) -> str:
    r"""Give the words of a comment's HTML, a line a paragraph; posts that it quotes are left out.

    Examples
    --------
    >>> words_of("<p>Fish &amp; <b>chips</b></p><p>5 &lt; 6<br>Yes</p>").split("\n")
    ['Fish & chips', '5 < 6', 'Yes']
    """
    flat = " ".join(_FORBIDDEN.sub("", markup[:MAX_MESSAGE_CHARACTERS]).split())
    lines = _LINE_END.sub("\n", _QUOTED_POST.sub("\n", cut_long_tags(flat)))
    try:
        # The parser may leave out a line feed at the start; none counts there.
        content = str(lxml.html.fragment_fromstring(lines, create_parent="div").text_content())
    except (etree.ParserError, ValueError):  # only comments
        return ""
    return "\n".join(line for each in content.split("\n") if (line := " ".join(each.split())))


# --- Threads --------------------------------------------------------------------------------------


def with_depths(posts: Iterable[Post]) -> tuple[Post, ...]:
    """Count the depths that a system leaves out; of posts with one id the first is kept."""
    kept: dict[str, Post] = {}
    for post in posts:
        kept.setdefault(post.id, post)
    depths = _depths({post.id: post.parent for post in kept.values()})
    return tuple(
        post if post.depth >= 0 else replace(post, depth=depths[post.id]) for post in kept.values()
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
