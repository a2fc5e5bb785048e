"""Timelines of servers with Mastodon's client API: Mastodon, Pleroma, Akkoma, GoToSocial.

Public, local and hashtag timelines and the posts of an account need no log-in where a server shows
them. Pages go by `min_id`: the posts next to it, the older ones first, so nothing between two looks
is lost (docs.joinmastodon.org/methods/timelines, …/entities/Status). Ids are opaque words.
"""

from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from feeds.crawler.comment_systems.threads import (
    identity,
    moment,
    object_of,
    parse_json,
    rows_of,
    text,
    words_of,
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

LIMIT = 40  # the most that Mastodon gives at once
_API = "/api/v1/"
_STATUSES = f"{_API}statuses/"


def is_timeline(url: str) -> bool:
    """Whether an address asks for a timeline.

    Examples
    --------
    >>> is_timeline("https://karoo.example/api/v1/timelines/tag/rain?limit=40")
    True
    >>> is_timeline("https://karoo.example/api/v1/statuses/1")
    False
    """
    path = urlsplit(url).path
    parts = path.removeprefix(_API).split("/") if path.startswith(_API) else []
    if parts[:1] == ["timelines"]:
        return parts[1:] == ["public"] or (len(parts) == 3 and parts[1] == "tag")
    return len(parts) == 3 and parts[0] == "accounts" and parts[2] == "statuses"


def is_post(url: str) -> bool:
    path = urlsplit(url).path
    return path.startswith(_STATUSES) and "/" not in path.removeprefix(_STATUSES)


def public_url(root: str, which: str = "") -> str:
    """Address of the public timeline; `which` is "local", "remote" or "" for both."""
    own = [(which, "true")] if which else []
    return f"{root}{_API}timelines/public?{urlencode([('limit', LIMIT), *own])}"


def tag_url(root: str, tag: str) -> str:
    return f"{root}{_API}timelines/tag/{quote(tag, safe='')}?limit={LIMIT}"


def account_url(root: str, account_id: str) -> str:
    """Address of an account's posts, without its boosts, which are none of its own."""
    query = urlencode([("exclude_reblogs", "true"), ("limit", LIMIT)])
    return f"{root}{_API}accounts/{quote(account_id, safe='')}/statuses?{query}"


def lookup_url(root: str, handle: str) -> str:
    """Address where the number of an account is asked for by its name."""
    return f"{root}{_API}accounts/lookup?{urlencode([('acct', handle)])}"


def read_account(body: bytes) -> tuple[str, str]:
    """Read the answer of a look-up: number and shown name of the account; "" for none."""
    said = parse_json(body)
    if not isinstance(said, dict) or "error" in said:
        return "", ""
    return identity(said, "id"), text(said, "display_name") or text(said, "acct")


def request_url(url: str, place: TimelinePlace) -> str:
    """Address of what is newer than the last look, or older than what was read of the past."""
    if place.past:
        return f"{url}&{urlencode([('max_id', place.past)])}"
    return f"{url}&{urlencode([('min_id', place.newest)])}" if place.newest else url


def next_step(before: TimelinePlace, answer: TimelineAnswer, *, is_met: bool) -> TimelineStep:  # noqa: ARG001 (networks share it)
    """Go on behind the newest; a full answer to a later look has more behind it."""
    newest = answer.newest or before.newest
    is_behind = bool(before.newest) and answer.n_items >= LIMIT
    return TimelineStep(TimelinePlace(newest=newest, is_behind=is_behind))


def read(url: str, body: bytes) -> TimelineAnswer:
    """Read a timeline, or a single post as one of it; nothing raises."""
    said = parse_json(body)
    if is_post(url):
        said = [said] if isinstance(said, dict) and "id" in said else said
    if isinstance(said, dict) and "error" in said:
        return TimelineAnswer(problem=f"The server says: {text(said, 'error')[:200]}")
    if not isinstance(said, list):
        return TimelineAnswer(problem=NOT_READABLE)
    rows = [row for row in said[:MAX_POSTS] if isinstance(row, dict) and identity(row, "id")]
    if said and not rows:
        return TimelineAnswer(problem=NOT_READABLE)
    boosts = [row for row in rows if isinstance(row.get("reblog"), dict)]
    own = [row for row in rows if not isinstance(row.get("reblog"), dict)]
    asked = [row for row in own if _is_shown(row)]
    posts = (_post(row, url) for row in asked)
    return TimelineAnswer(
        posts=tuple(post for post in posts if post),
        n_items=len(rows),
        n_boosts=len(boosts),
        n_declined=len(own) - len(asked),
        newest=identity(rows[0], "id") if rows else "",
        older=identity(rows[-1], "id") if rows else "",
        title=_title(url),
    )


def _title(url: str) -> str:
    parts = urlsplit(url)
    words = parts.path.split("/")
    if "tag" in words[-2:-1]:
        return f"#{unquote(words[-1])} on {parts.netloc}"
    if words[-1] == "public":
        asked = dict(parse_qsl(parts.query))
        which = next((name for name in ("local", "remote") if asked.get(name) == "true"), "public")
        return f"{which.capitalize()} timeline of {parts.netloc}"
    return ""


def _is_shown(row: dict[str, Any]) -> bool:
    """Whether everybody may read it, and its author has nothing against machines that do."""
    is_public = row.get("visibility", "public") in ("public", "unlisted")  # it may be a list
    return is_public and object_of(row, "account").get("noindex") is not True


def _post(row: dict[str, Any], url: str) -> TimelinePost | None:
    parts = urlsplit(url)
    root = f"{parts.scheme}://{parts.netloc}"
    account, posted_at = object_of(row, "account"), moment(row.get("created_at"))
    if posted_at is None:
        return None
    answered = identity(row, "in_reply_to_id")
    return TimelinePost(
        address=post_address(root, identity(row, "id")),
        url=text(row, "url") or text(row, "uri"),
        text=_words(row),
        posted_at=posted_at,
        author=" ".join((text(account, "display_name") or text(account, "username")).split()),
        handle=_handle(account, parts.hostname or ""),
        warning=words_of(text(row, "spoiler_text")).replace("\n", " "),
        language=text(row, "language")[:MAX_LANGUAGE_LENGTH],
        edited_at=moment(row.get("edited_at")),
        tags=_tags(row),
        descriptions=_descriptions(row),
        reply_to=post_address(root, answered) if answered else "",
    )


def post_address(root: str, number: str) -> str:
    """Address of a post's JSON."""
    return f"{root}{_STATUSES}{quote(number, safe='')}"


def _handle(account: dict[str, Any], host: str) -> str:
    handle = text(account, "acct") or text(account, "username")
    return (handle if "@" in handle or not handle else f"{handle}@{host}")[:MAX_HANDLE_LENGTH]


def _words(row: dict[str, Any]) -> str:
    """Give the words of a post, then the answers that its poll offers."""
    options = rows_of(object_of(row, "poll").get("options"))
    offered = (" ".join(text(option, "title").split()) for option in options)
    return "\n".join(line for line in (words_of(text(row, "content")), *offered) if line)


def _tags(row: dict[str, Any]) -> tuple[str, ...]:
    names = (text(tag, "name")[:MAX_TAG_LENGTH] for tag in rows_of(row.get("tags")))
    return tuple(dict.fromkeys(name for name in names if name))


def _descriptions(row: dict[str, Any]) -> tuple[str, ...]:
    media = rows_of(row.get("media_attachments"))
    said = (" ".join(text(one, "description").split()) for one in media)
    return tuple(words for words in said if words)
