"""Answers of microblogs' interfaces in the shapes of their documentation, made here.

Mastodon: docs.joinmastodon.org/entities/Status; Bluesky: the lexicons `app.bsky.feed.defs`.
"""

from typing import Any

Json = dict[str, Any]
DID = "did:plc:k4r00c0ur13r"


def status(number: str = "11", content: str = "<p>Rain at last.</p>", **changes: Any) -> Json:
    """Make a Status as Mastodon gives it to strangers."""
    return {
        "id": number,
        "created_at": f"2026-11-20T08:{int(number) % 60:02}:00.000Z",
        "in_reply_to_id": None,
        "in_reply_to_account_id": None,
        "sensitive": False,
        "spoiler_text": "",
        "visibility": "public",
        "language": "en",
        "uri": f"https://karoo.example/users/nomsa/statuses/{number}",
        "url": f"https://karoo.example/@nomsa/{number}",
        "replies_count": 2,
        "reblogs_count": 0,
        "favourites_count": 5,
        "edited_at": None,
        "content": content,
        "reblog": None,
        "account": {
            "id": "7",
            "username": "nomsa",
            "acct": "nomsa",
            "display_name": "Nomsa Dube",
            "noindex": False,
            "url": "https://karoo.example/@nomsa",
            "avatar": "https://karoo.example/a.png",
        },
        "media_attachments": [],
        "mentions": [],
        "tags": [],
        "emojis": [],
        "card": None,
        "poll": None,
    } | changes


def post_view(key: str = "3kaa", words: str = "Rain at last.", **record: Any) -> Json:
    """Make a `postView` of Bluesky; `record` adds to the post's own record."""
    return {
        "uri": f"at://{DID}/app.bsky.feed.post/{key}",
        "cid": f"bafy{key}",
        "author": {
            "did": DID,
            "handle": "courier.example",
            "displayName": "Karoo Courier",
            "labels": [],
        },
        "record": {
            "$type": "app.bsky.feed.post",
            "text": words,
            "createdAt": "2026-11-20T08:00:00.000Z",
            "langs": ["en"],
        }
        | record,
        "indexedAt": "2026-11-20T08:00:01.000Z",
        "likeCount": 3,
        "labels": [],
    }


def feed_view(view: Json, **beside: Any) -> Json:
    """Wrap a post as `getAuthorFeed` does."""
    return {"post": view} | beside
