"""Microblogs that answer as their documentation says, as routes of the tests' own origin.

Mastodon: docs.joinmastodon.org/methods/timelines, …/statuses, …/accounts and …/api/rate-limits;
Bluesky: the lexicons of `app.bsky.feed`. Posts can be written, edited and deleted.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from integration.feeds.origin import Answer, Request, answer
from microblog_shapes import Json, feed_view, status

_JSON = ("Content-Type", "application/json; charset=utf-8")
Query = dict[str, str]


def _said(value: object, code: int = 200, *headers: tuple[str, str]) -> Answer:
    return answer(json.dumps(value).encode(), code, (_JSON, *headers))


def _route(reply: Callable[[Query], Answer]) -> Answer:
    """Make a route of a function of the query."""

    async def give(request: Request, writer: asyncio.StreamWriter) -> None:
        query = dict(parse_qsl(urlsplit(request.target).query))
        await reply(query)(request, writer)

    return give


@dataclass
class Mastodon:
    """A server with one account; statuses by number, the newest last."""

    routes: dict[str, Answer]
    host: str = "karoo.example"
    statuses: dict[int, Json] = field(default_factory=dict)
    most: int = 40
    headers: tuple[tuple[str, str], ...] = ()
    is_limited: bool = False
    knows_past: bool = True

    def __post_init__(self) -> None:
        api = f"{self.host}/api/v1"
        for path in ("timelines/public", "timelines/tag/karoo", "accounts/7/statuses"):
            self.routes[f"{api}/{path}"] = _route(self._list)
        self.routes[f"{api}/accounts/lookup"] = _route(self._look_up)

    def write(self, number: int, content: str, **changes: Any) -> None:
        self.statuses[number] = status(str(number), content, **changes)
        path = f"{self.host}/api/v1/statuses/{number}"
        self.routes[path] = _route(lambda _: self._one(number))

    def edit(self, number: int, content: str) -> None:
        self.write(number, content, edited_at="2026-11-20T10:00:00.000Z")

    def delete(self, number: int) -> None:
        del self.statuses[number]

    def _one(self, number: int) -> Answer:
        if number not in self.statuses:
            return _said({"error": "Record not found"}, 404)
        return _said(self.statuses[number], 200, *self.headers)

    def _look_up(self, query: Query) -> Answer:
        if query.get("acct") != "nomsa":
            return _said({"error": "Record not found"}, 404)
        return _said(status()["account"])

    def _list(self, query: Query) -> Answer:
        if self.is_limited:
            return _said({"error": "Too many requests"}, 429, *self.headers)
        numbers = sorted(self.statuses, reverse=True)
        limit = min(int(query.get("limit", 20)), self.most)
        if "min_id" in query:  # the ones next to it
            newer = [number for number in numbers if number > int(query["min_id"])]
            numbers = newer[-limit:]
        if "max_id" in query and self.knows_past:
            numbers = [number for number in numbers if number < int(query["max_id"])]
        return _said([self.statuses[number] for number in numbers[:limit]], 200, *self.headers)


@dataclass
class Bluesky:
    """An interface with the feed of one account; views of posts, the newest first."""

    routes: dict[str, Answer]
    host: str = "bsky.example"
    views: list[Json] = field(default_factory=list)
    most: int = 100

    def __post_init__(self) -> None:
        for name, reply in (
            ("getAuthorFeed", self._feed),
            ("searchPosts", self._search),
            ("getPosts", self._posts),
        ):
            self.routes[f"{self.host}/xrpc/app.bsky.feed.{name}"] = _route(reply)

    def _cut(self, query: Query) -> tuple[list[Json], Json]:
        start = int(query.get("cursor", 0))
        end = start + min(int(query.get("limit", 50)), self.most)
        return self.views[start:end], {"cursor": str(end)} if end < len(self.views) else {}

    def _feed(self, query: Query) -> Answer:
        if query.get("actor") != "courier.example":
            return _said({"error": "InvalidRequest", "message": "Profile not found"}, 400)
        views, cursor = self._cut(query)
        return _said({"feed": [feed_view(view) for view in views]} | cursor)

    def _search(self, query: Query) -> Answer:
        views, cursor = self._cut(query)
        return _said({"posts": views} | cursor)

    def _posts(self, query: Query) -> Answer:
        return _said({"posts": [view for view in self.views if view["uri"] == query["uris"]]})
