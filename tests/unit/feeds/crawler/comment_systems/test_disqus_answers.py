import json
from datetime import UTC, datetime

import pytest
from cpu_time import takes_less

from feeds.crawler.comment_systems.disqus_answers import read_disqus
from feeds.crawler.comment_systems.threads import Author, Post, Thread

AUTHOR = {
    "id": "5",
    "username": "ann",
    "name": "Ann B",
    "url": "https://ann.example/",
    "profileUrl": "https://disqus.com/by/ann/",
    "rep": 1.25,
    "reputation": 9,
    "reputationLabel": "Average",
    "isAnonymous": False,
    "isPrivate": True,
    "isPrimary": True,
    "joinedAt": "2015-01-01T00:00:00",
    "location": "Graaff-Reinet",
    "about": "Reads",
    "avatar": {"permalink": "https://disqus.com/avatar.jpg"},
}
POST = {
    "id": "100",
    "thread": "7",
    "parent": 99,
    "depth": 1,
    "forum": "courier",
    "createdAt": "2026-11-20T10:00:00",
    "message": "<p>One &amp; two</p>",
    "raw_message": "One & two",
    "likes": 3,
    "dislikes": 1,
    "points": 2,
    "numReports": 1,
    "isFlagged": True,
    "isDeleted": False,
    "isApproved": True,
    "isEdited": True,
    "isSpam": False,
    "isHighlighted": True,
    "media": [{"resolvedUrl": "https://i.example/x.jpg", "html": "<img>"}],
    "author": AUTHOR,
}
DETAILS = {
    "id": "7",
    "forum": "courier",
    "isClosed": True,
    "createdAt": "2026-11-01T00:00:00",
    "posts": 1,
}


def embed_page(response, cursor=None):
    document = {"code": 0, "cursor": cursor, "response": response}
    block = json.dumps(document).replace("</", "<\\/")
    return (
        '<html><script type="text/json" id="disqus-threadData">' + block + "</script></html>"
    ).encode()


def test_embed_page_gives_thread_and_every_field_of_post():
    body = embed_page({"thread": DETAILS, "posts": [POST]}, {"hasNext": False, "next": None})

    assert read_disqus(body) == Thread(
        id="7",
        forum="courier",
        is_closed=True,
        created_at=datetime(2026, 11, 1, tzinfo=UTC),
        n_posts=1,
        is_whole=True,
        posts=(
            Post(
                id="100",
                thread="7",
                forum="courier",
                parent="99",
                depth=1,
                created_at=datetime(2026, 11, 20, 10, tzinfo=UTC),
                message="<p>One &amp; two</p>",
                raw_message="One & two",
                likes=3,
                dislikes=1,
                points=2,
                n_reports=1,
                is_flagged=True,
                is_edited=True,
                is_highlighted=True,
                media=("https://i.example/x.jpg",),
                author=Author(
                    id="5",
                    username="ann",
                    name="Ann B",
                    url="https://ann.example/",
                    profile_url="https://disqus.com/by/ann/",
                    reputation=1.25,
                    reputation_label="Average",
                    is_private=True,
                    is_primary=True,
                    joined_at=datetime(2015, 1, 1, tzinfo=UTC),
                    location="Graaff-Reinet",
                    about="Reads",
                ),
            ),
        ),
    )


def test_details_give_state_without_posts():
    body = json.dumps({"code": 0, "response": DETAILS | {"isClosed": False}}).encode()

    thread = read_disqus(body)

    assert (thread.is_closed, thread.n_posts, thread.posts) == (False, 1, ())


def test_list_of_posts_gives_cursor_and_counts_depths():
    rows = [
        {"id": "1", "parent": None, "createdAt": "2026-11-20T10:00:00"},
        {"id": "2", "parent": 1, "createdAt": "2026-11-20T11:00:00"},
        {"id": "3", "parent": 2, "createdAt": "2026-11-20T12:00:00"},
    ]
    body = json.dumps(
        {"code": 0, "response": rows, "cursor": {"hasNext": True, "next": "9:0:0"}}
    ).encode()

    thread = read_disqus(body)

    assert [post.depth for post in thread.posts] == [0, 1, 2]
    assert (thread.is_closed, thread.has_more, thread.next_cursor) == (None, True, "9:0:0")


def test_deleted_post_stays_as_gap():
    gone = POST | {"isDeleted": True, "message": "", "raw_message": "", "author": {"name": "Guest"}}

    post = read_disqus(embed_page({"thread": DETAILS, "posts": [gone]})).posts[0]

    assert (post.is_deleted, post.raw_message, post.author.name) == (True, "", "Guest")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "The answer of the comment system is not readable."),
        (b"<html>busy</html>", "The answer of the comment system is not readable."),
        (b"[1]", "The answer of the comment system is not readable."),
        (
            b'{"code": 2, "response": "Thread not found"}',
            "The comment system says: Thread not found",
        ),
        (b'{"code": 0, "response": 3}', "The answer of the comment system holds no thread."),
        (b'{"code": 0, "response": {}}', "The answer of the comment system holds no thread."),
    ],
)
def test_other_answer_is_a_problem(body, problem):
    assert read_disqus(body) == Thread(problem=problem)


def test_posts_with_odd_values_are_read_or_left_out():
    rows = [
        3,
        {"id": "1"},
        {"createdAt": "2026-11-20T10:00:00"},
        {
            "id": 2,
            "createdAt": "2026-11-20T10:00:00",
            "likes": None,
            "points": 1e300,
            "author": 7,
            "message": "a\u0000\ud800b",
            "media": "x",
            "parent": "2",
        },
    ]
    body = json.dumps({"code": 0, "response": rows}).encode()

    (post,) = read_disqus(body).posts

    assert (post.id, post.likes, post.points, post.message, post.depth) == ("2", 0, 0, "ab", 0)


def test_answer_of_tags_without_an_end_is_read_once():
    body = b"<script" * 60_000

    assert takes_less(0.2, lambda: read_disqus(body))
