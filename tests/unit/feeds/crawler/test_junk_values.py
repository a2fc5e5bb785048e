"""Answers of interfaces with a value of another kind in each place: read, never an exception."""

import copy
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from microblog_shapes import feed_view, post_view, status

from feeds.crawler.comment_systems.systems import read_answer
from feeds.crawler.documents.json_feed import parse_json_feed
from feeds.crawler.rights.tdm_file import parse_tdm_file
from feeds.crawler.timelines.networks import read_timeline

JUNK: tuple[Any, ...] = (
    None, True, -1, 10**400, float("nan"), float("inf"), "", "\ud800", "\0", "9" * 5_000,
    "<" * 9_999, [], {}, [[]], [None], {"a": {}}, "9999-12-31T23:59:59-23:59",
    "0001-01-01T00:00:00+23:59", "http://[",
)  # fmt: skip
SERVER = "https://talk.example"
UUID = "00000000-0000-4000-8000-000000000001"
DAY = "2026-11-20T10:00:00Z"
VIEW = post_view()
SAMPLES: dict[str, Any] = {
    f"{SERVER}/api/v1/timelines/public?limit=40": [status()],
    f"{SERVER}/xrpc/app.bsky.feed.getAuthorFeed?actor=a": {
        "feed": [feed_view(VIEW)], "cursor": "c",
    },
    f"{SERVER}/xrpc/app.bsky.feed.searchPosts?q=rain": {"posts": [VIEW], "cursor": "c"},
    f"{SERVER}/wp-json/wp/v2/comments?post=7": [
        {"id": 1, "parent": 0, "date_gmt": DAY, "type": "comment", "author": 3,
         "status": "approved", "content": {"rendered": "<p>Rain."}, "author_name": "Ann",
         "author_url": "https://a.example"},
    ],
    f"{SERVER}/t/7.json": {
        "id": 7, "closed": False, "created_at": DAY, "posts_count": 2,
        "post_stream": {"stream": [1, 2], "posts": [
            {"id": 2, "post_number": 2, "created_at": DAY, "post_type": 1, "cooked": "<p>Rain.",
             "reply_to_post_number": 1, "user_id": 3, "actions_summary": [{"id": 2, "count": 1}]}]},
    },
    f"https://livecomments.viafoura.co/v4/livecomments/{UUID}/comments": {
        "content_container_uuid": UUID, "more_available": True,
        "total_visible_content": 3, "contents": [
            {"content_uuid": "u", "parent_uuid": "p", "date_created": 1700000000000,
             "state": "visible", "content": "Rain.", "total_likes": 1, "total_dislikes": 0,
             "actor": {"name": "Ann"}}],
    },
    f"{SERVER}/api/v1/find?site=paper": {
        "info": {"count": 1, "read_only": False}, "comments": [
            {"id": "a", "pid": "", "text": "Rain.", "time": DAY, "user": {"id": "u", "name": "Ann"},
             "score": 1, "votes": None, "delete": False}],
    },
    f"{SERVER}/?uri=%2Frain": {
        "total_replies": 1, "replies": [
            {"id": 1, "parent": None, "created": 1700000000.0, "text": "Rain.", "author": "Ann",
             "likes": 1, "dislikes": 0, "replies": [], "mode": 1}],
    },
    "https://cusdis.com/api/open/comments?appId=a&pageId=b": {
        "data": {"commentCount": 1, "pageCount": 1, "data": [
            {"id": "a", "createdAt": DAY, "content": "Rain.", "by_nickname": "Ann",
             "replies": {"data": []}}]},
    },
    "https://disqus.com/api/3.0/threads/listPosts.json?api_key=k": {
        "code": 0, "cursor": {"hasNext": True, "next": "n"}, "response": [
            {"id": "1", "thread": "t", "forum": "f", "parent": None, "createdAt": DAY, "likes": 1,
             "dislikes": 0, "message": "Rain.", "raw_message": "Rain.", "isDeleted": False,
             "author": {"id": "3", "name": "Ann", "url": "https://a.example"}}],
    },
    "feed.json": {
        "version": "https://jsonfeed.org/version/1.1", "title": "Rain", "items": [
            {"id": "1", "url": "https://a.example/1", "title": "Rain", "date_published": DAY,
             "content_html": "<p>Rain.", "authors": [{"name": "Ann"}], "tags": ["rain"]}],
    },
    "tdmrep.json": [{"location": "/", "tdm-reservation": 1, "tdm-policy": "https://a.example/p"}],
}  # fmt: skip


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*way, key))


def with_value(sample: Any, way: tuple[Any, ...], value: Any) -> Any:
    if not way:
        return value
    changed = inside = copy.deepcopy(sample)
    for key in way[:-1]:
        inside = inside[key]
    inside[way[-1]] = value
    return changed


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple | set | frozenset):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def read(address: str, document: Any) -> Any:
    body = json.dumps(document).encode()
    if address == "feed.json":
        return parse_json_feed(body, f"{SERVER}/feed.json")
    if address == "tdmrep.json":
        return parse_tdm_file(body)
    if "/timelines/" in address or "/xrpc/" in address:
        return read_timeline(address, body)
    return read_answer(address, body)


@pytest.mark.parametrize("address", SAMPLES)
def test_a_value_of_another_kind_in_each_place_is_read(address: str) -> None:
    sample = SAMPLES[address]
    assert not getattr(read(address, sample), "problem", "")
    for way in places(sample):
        for value in JUNK:
            found = read(address, with_value(sample, way, value))
            # No database takes NUL, none and no file a lone surrogate.
            assert not any("\0" in words for words in strings(asdict(found)) if words.encode())
