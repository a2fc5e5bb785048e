"""Timelines of Bluesky's public interface: the posts of an account, and of a search.

XRPC queries without a log-in: `app.bsky.feed.getAuthorFeed`, `searchPosts`, `getPosts` (the
lexicons in github.com/bluesky-social/atproto). Answers come newest first, with a cursor towards the
past; none asks for what is newer, so a look goes back until it meets a post that is known.
"""

from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from feeds.crawler.comment_systems.threads import (
    moment,
    object_of,
    parse_json,
    rows_of,
    storable,
    text,
)
from feeds.crawler.documents.timeline_posts import (
    MAX_HANDLE_LENGTH,
    MAX_LANGUAGE_LENGTH,
    MAX_POSTS,
    MAX_TAG_LENGTH,
    NOT_READABLE,
    TimelineAnswer,
    TimelinePlace,
    TimelinePost,
    TimelineStep,
)

LIMIT = 100  # the most that the lexicons allow
# Of one look: 5,000 posts. What lies before them is a gap.
MAX_STEPS_BACK = 50
_XRPC = "/xrpc/app.bsky.feed."
_AUTHOR, _SEARCH, _POSTS = "getAuthorFeed", "searchPosts", "getPosts"
_REPOST = "app.bsky.feed.defs#reasonRepost"
_LINE_ENDS = str.maketrans({"\r": "\n", "\u2028": "\n", "\u2029": "\n"})
_POST_PAGE = "https://bsky.app/profile/"
# A label that an account gives itself: "discourage apps from showing my account to strangers".
_NO_STRANGERS = "!no-unauthenticated"
_MAX_CURSOR_LENGTH = 500


def is_timeline(url: str) -> bool:
    """Whether an address asks for posts of an account or of a search.

    Examples
    --------
    >>> is_timeline(account_url("https://public.api.bsky.app", "karoo.example"))
    True
    """
    return urlsplit(url).path in {f"{_XRPC}{_AUTHOR}", f"{_XRPC}{_SEARCH}"}


def is_post(url: str) -> bool:
    return urlsplit(url).path == f"{_XRPC}{_POSTS}"


def account_url(root: str, actor: str) -> str:
    """Address of an account's posts; `actor` is a handle or a DID."""
    return f"{root}{_XRPC}{_AUTHOR}?{urlencode([('actor', actor), ('limit', LIMIT)])}"


def search_url(root: str, words: str) -> str:
    query = urlencode([("limit", LIMIT), ("q", words), ("sort", "latest")])
    return f"{root}{_XRPC}{_SEARCH}?{query}"


def post_address(root: str, uri: str) -> str:
    """Address of a post's JSON, by its `at://` name."""
    return f"{root}{_XRPC}{_POSTS}?uris={quote(uri, safe='')}"


def request_url(url: str, place: TimelinePlace) -> str:
    """Address of the newest, of what lies before a gap, or before the first look."""
    cursor = place.past or place.older
    return f"{url}&{urlencode([('cursor', cursor)])}" if cursor else url


def next_step(before: TimelinePlace, answer: TimelineAnswer, *, is_met: bool) -> TimelineStep:
    """Go back until an answer meets what is known, some steps at most."""
    if is_met or not answer.n_items or not answer.older:
        return TimelineStep()
    if before.n_back >= MAX_STEPS_BACK:
        return TimelineStep(has_gap=True)
    n_back = before.n_back + 1
    return TimelineStep(TimelinePlace(older=answer.older, n_back=n_back, is_behind=True))


def read(url: str, body: bytes) -> TimelineAnswer:
    """Read a timeline, or single posts as one; nothing raises."""
    said = parse_json(body)
    if not isinstance(said, dict):
        return TimelineAnswer(problem=NOT_READABLE)
    if "error" in said:
        words = text(said, "message") or text(said, "error")
        return TimelineAnswer(problem=f"The server says: {words[:200]}")
    is_author = urlsplit(url).path.endswith(_AUTHOR)
    rows = said.get("feed" if is_author else "posts")
    if not isinstance(rows, list):
        return TimelineAnswer(problem=NOT_READABLE)
    items = [row for row in rows[:MAX_POSTS] if isinstance(row, dict)]
    boosts = [row for row in items if object_of(row, "reason").get("$type") == _REPOST]
    own = [row for row in items if object_of(row, "reason").get("$type") != _REPOST]
    views = [object_of(row, "post") if is_author else row for row in own]
    shown = [view for view in views if _is_shown(view)]
    posts = (_post(view, url) for view in shown)
    return TimelineAnswer(
        posts=tuple(post for post in posts if post),
        n_items=len(items),
        n_boosts=len(boosts),
        n_declined=len(views) - len(shown),
        older=text(said, "cursor")[:_MAX_CURSOR_LENGTH],
        title=_title(url),
    )


def _title(url: str) -> str:
    asked = dict(parse_qsl(urlsplit(url).query))
    if "q" in asked:
        return f"{asked['q']} on Bluesky"
    return f"@{asked['actor']} on Bluesky" if "actor" in asked else ""


def _is_shown(view: dict[str, Any]) -> bool:
    return _NO_STRANGERS not in _labels(object_of(view, "author").get("labels"))


def _labels(labels: object) -> list[str]:
    return [text(row, "val") for row in rows_of(labels) if not row.get("neg")]


def _post(view: dict[str, Any], url: str) -> TimelinePost | None:
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}"
    uri, record, author = text(view, "uri"), object_of(view, "record"), object_of(view, "author")
    # A client writes its own clock, which may be years ahead.
    said = [moment(record.get("createdAt")), moment(view.get("indexedAt"))]
    known = [each for each in said if each]
    if not uri.startswith("at://") or not known:
        return None
    languages = _strings(record.get("langs"))
    reply = object_of(record, "reply")
    return TimelinePost(
        address=post_address(root, uri),
        url=_page_of(uri),
        text=_words(text(record, "text")),
        posted_at=min(known),
        author=" ".join(text(author, "displayName").split()),
        handle=(text(author, "handle") or text(author, "did"))[:MAX_HANDLE_LENGTH],
        warning=", ".join(_labels(object_of(record, "labels").get("values"))),
        language=languages[0][:MAX_LANGUAGE_LENGTH] if languages else "",
        tags=_tags(record),
        descriptions=_descriptions(record),
        reply_to=_answered(reply, "parent", root),
        thread=_answered(reply, "root", root),
    )


def _page_of(uri: str) -> str:
    did, _, rest = uri.removeprefix("at://").partition("/")
    return f"{_POST_PAGE}{did}/post/{rest.rpartition('/')[2]}"


def _answered(reply: dict[str, Any], name: str, root: str) -> str:
    uri = text(object_of(reply, name), "uri")
    return post_address(root, uri) if uri.startswith("at://") else ""


def _words(said: str) -> str:
    lines = (" ".join(line.split()) for line in said.translate(_LINE_ENDS).split("\n"))
    return "\n".join(line for line in lines if line)


def _tags(record: dict[str, Any]) -> tuple[str, ...]:
    """List hashtags: those within the text, then those beside it."""
    features = [
        feature
        for facet in rows_of(record.get("facets"))
        for feature in rows_of(facet.get("features"))
        if text(feature, "$type").endswith("#tag")
    ]
    found = [*(text(feature, "tag") for feature in features), *_strings(record.get("tags"))]
    return tuple(dict.fromkeys(tag[:MAX_TAG_LENGTH] for tag in found if tag))


def _descriptions(record: dict[str, Any]) -> tuple[str, ...]:
    embed = object_of(record, "embed")
    images = rows_of((object_of(embed, "media") or embed).get("images"))
    said = [" ".join(text(image, "alt").split()) for image in images]
    return tuple(words for words in said if words)


def _strings(value: object) -> list[str]:
    rows = value if isinstance(value, list) else []
    return [storable(row) for row in rows if isinstance(row, str)]
