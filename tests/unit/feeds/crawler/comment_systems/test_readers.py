"""Readers of comment systems on answers written after their documentation, and on hostile ones."""

import json
from datetime import UTC, datetime

import pytest

from feeds.crawler.comment_systems.systems import (
    SYSTEMS,
    find_thread,
    first_url,
    further_url,
    read_answer,
    system_of,
)
from feeds.crawler.comment_systems.threads import Author, Post, Thread, ThreadReference

URL = "https://www.paper.example/2026/11/rain/"
TOTALS = (("X-WP-Total", "101"), ("X-WP-TotalPages", "2"))


def answer(document, url, headers=()):
    return read_answer(url, json.dumps(document).encode(), headers)


# --- WordPress ------------------------------------------------------------------------------------

WORDPRESS_PAGE = """<html><head>
<link rel="https://api.w.org/" href="https://www.paper.example/wp-json/" />
<link rel="alternate" title="JSON" type="application/json"
 href="https://www.paper.example/wp-json/wp/v2/posts/123" />
</head><body class="single postid-123"><form action="/wp-comments-post.php"></form></body></html>"""
WORDPRESS = ThreadReference(
    "wordpress", identifier="123", link=URL, root="https://www.paper.example/wp-json/"
)
WORDPRESS_URL = (
    "https://www.paper.example/wp-json/wp/v2/comments?post=123&per_page=100&order=asc"
    "&orderby=date_gmt&_fields=id,parent,author,author_name,author_url,date_gmt,content,type,status"
)
WORDPRESS_ROW = {
    "id": 9,
    "post": 123,
    "parent": 8,
    "author": 0,
    "author_name": "Gogo",
    "author_url": "https://gogo.example",
    "date_gmt": "2026-11-20T10:00:00",
    "content": {"rendered": "<p>Rain &amp; <b>hail</b></p>\n<p>At last.</p>\n"},
    "status": "approved",
    "type": "comment",
}


def test_wordpress_is_found_by_its_links_and_a_form_for_comments():
    assert find_thread(WORDPRESS_PAGE.encode(), URL) == WORDPRESS
    assert first_url(WORDPRESS) == WORDPRESS_URL


@pytest.mark.parametrize(
    "place",
    [
        "<link rel='shortlink' href='https://www.paper.example/?p=123' />",
        '<body class="post-template postid-123 single">',
        "<input type='hidden' name='comment_post_ID' value='123' id='comment_post_ID' />",
    ],
)
def test_number_of_a_post_stands_in_many_places(place):
    page = f"""<link rel="https://api.w.org/" href="https://paper.example/wp-json/">{place}
    <ol class="comment-list"></ol>"""

    assert find_thread(page.encode(), URL).identifier == "123"


@pytest.mark.parametrize(
    "page",
    [
        WORDPRESS_PAGE.replace("wp-comments-post.php", "subscribe"),  # nobody can comment
        WORDPRESS_PAGE.replace("www.paper.example/wp-json", "other.example/wp-json"),
        WORDPRESS_PAGE.replace("posts/123", "posts/x").replace("postid-123", ""),
    ],
)
def test_wordpress_that_says_too_little_is_not_asked(page):
    assert find_thread(page.encode(), URL) is None


def test_interface_without_pretty_addresses_keeps_its_route():
    page = WORDPRESS_PAGE.replace(
        "https://www.paper.example/wp-json/", "https://www.paper.example/index.php?rest_route=/", 1
    )
    thread = find_thread(page.encode(), URL)

    url = first_url(thread)
    assert url.startswith(
        "https://www.paper.example/index.php/?rest_route=/wp/v2/comments&post=123"
    )
    assert system_of(url).key == "wordpress"


def test_comment_of_wordpress_is_read():
    found = answer([WORDPRESS_ROW], WORDPRESS_URL)

    assert found == Thread(
        id="123",
        n_posts=1,
        posts=(
            Post(
                id="9",
                parent="8",
                depth=0,
                created_at=datetime(2026, 11, 20, 10, tzinfo=UTC),
                message="<p>Rain &amp; <b>hail</b></p>\n<p>At last.</p>\n",
                raw_message="Rain & hail\nAt last.",
                author=Author(name="Gogo", url="https://gogo.example"),
            ),
        ),
        is_whole=True,
        is_in_order=True,
    )


def test_the_like_button_behind_a_text_of_wordpress_is_no_word_of_it():
    button = (
        '<p id="comment-like-9" data-liked="comment-not-liked" class="comment-likes '
        'comment-not-liked"><a href="?like_comment=9" class="comment-like-link"><span>Like</span>'
        '</a><span class="comment-like-feedback">Like</span></p>'
    )
    row = WORDPRESS_ROW | {"content": {"rendered": f"<p>I like it.</p>\n{button}"}}

    (post,) = answer([row], WORDPRESS_URL).posts

    assert (post.raw_message, post.message) == ("I like it.", "<p>I like it.</p>\n")


def test_wordpress_counts_pages_in_its_headers():
    first = answer([WORDPRESS_ROW], WORDPRESS_URL, TOTALS)
    second_url = further_url(WORDPRESS_URL, first, "")
    second = answer([WORDPRESS_ROW], second_url, TOTALS)

    assert (first.n_posts, first.has_more, first.is_whole, first.is_further) == (
        101, True, False, False,
    )  # fmt: skip
    assert second_url == f"{WORDPRESS_URL}&page=2"
    assert (second.has_more, second.is_further, further_url(second_url, second, "")) == (
        False, True, "",
    )  # fmt: skip


def test_pingbacks_are_no_comments():
    assert answer([WORDPRESS_ROW | {"type": "pingback"}], WORDPRESS_URL).posts == ()


def test_refusal_of_wordpress_is_told_in_its_words():
    refusal = {"code": "rest_no_route", "message": "No route was found", "data": {"status": 404}}

    assert answer(refusal, WORDPRESS_URL) == Thread(
        problem="The comment system says: No route was found"
    )


# --- Discourse ------------------------------------------------------------------------------------

DISCOURSE_PAGE = """<div id='discourse-comments'></div><script>
DiscourseEmbed = { discourseUrl: 'https://talk.paper.example/',
                   discourseEmbedUrl: 'https://www.paper.example/2026/11/rain/' };</script>"""
DISCOURSE = ThreadReference("discourse", link=URL, root="https://talk.paper.example")
TOPIC_URL = "https://talk.paper.example/t/12.json"


def discourse_post(number, **changes):
    return {
        "id": 1000 + number,
        "post_number": number,
        "post_type": 1,
        "username": "gogo",
        "name": "Gogo M",
        "user_id": 5,
        "created_at": "2026-11-20T10:00:00.000Z",
        "cooked": "<p>Rain</p>",
        "reply_to_post_number": None,
        "version": 1,
        "actions_summary": [{"id": 2, "count": 3}],
    } | changes


def topic(posts, stream, **changes):
    return {
        "id": 12,
        "created_at": "2026-11-19T10:00:00.000Z",
        "posts_count": len(stream),
        "closed": False,
        "archived": False,
        "post_stream": {"posts": posts, "stream": stream},
    } | changes


def test_discourse_is_found_and_asked_for_the_topic_of_the_address():
    assert find_thread(DISCOURSE_PAGE.encode(), URL) == DISCOURSE
    assert first_url(DISCOURSE) == (
        "https://talk.paper.example/embed/comments?"
        "embed_url=https%3A%2F%2Fwww.paper.example%2F2026%2F11%2Frain%2F"
    )


def test_page_that_names_the_topic_is_asked_for_it():
    page = DISCOURSE_PAGE.replace(" };", ", topicId: 12 };")

    assert first_url(find_thread(page.encode(), URL)) == TOPIC_URL


def test_embedded_page_leads_to_the_topic_of_its_own_forum():
    body = (
        b'<a href="https://other.example/t/x/99">elsewhere</a>'
        b'<a class="button" href="https://talk.paper.example/t/rain-at-last/12">Continue</a>'
    )

    assert read_answer(first_url(DISCOURSE), body).moved_to == TOPIC_URL
    assert read_answer(first_url(DISCOURSE), b"loading").problem


def test_topic_is_read_without_its_first_post():
    posts = [
        discourse_post(1),
        discourse_post(2),
        discourse_post(3, reply_to_post_number=2, version=2),
        discourse_post(4, post_type=3),
        discourse_post(5, user_deleted=True, reply_to_post_number=1),
    ]
    found = answer(topic(posts, [1001, 1002, 1003, 1004, 1005], closed=True), TOPIC_URL)

    assert (found.is_closed, found.n_posts, found.is_whole) == (True, 4, True)
    assert [(post.id, post.parent, post.depth) for post in found.posts] == [
        ("2", "", 0), ("3", "2", 1), ("5", "", 0),
    ]  # fmt: skip
    assert [post.is_edited for post in found.posts] == [False, True, False]
    assert [post.raw_message for post in found.posts] == ["Rain", "Rain", ""]
    assert (found.posts[0].likes, found.posts[0].author) == (
        3,
        Author(id="5", username="gogo", name="Gogo M"),
    )


def test_long_topic_goes_on_chunk_by_chunk():
    first = answer(topic([discourse_post(1)], [1001, 1002]), TOPIC_URL)
    url = further_url(TOPIC_URL, first, "")
    second = answer(topic([discourse_post(2)], [1001, 1002]), url)

    assert (url, first.is_closed, first.is_whole) == (f"{TOPIC_URL}?page=2", False, False)
    assert (second.is_further, second.is_closed, second.has_more) == (True, None, False)


# --- Small servers --------------------------------------------------------------------------------

REMARK_PAGE = """<div id="remark42"></div><script>var remark_config = {
host: "https://talk.paper.example", site_id: 'paper', url: 'https://www.paper.example/rain' };"""
REMARK_URL = (
    "https://talk.paper.example/api/v1/find?site=paper"
    "&url=https%3A%2F%2Fwww.paper.example%2Frain&sort=%2Btime&format=plain"
)
REMARK_ROW = {
    "id": "c2",
    "pid": "c1",
    "text": "<p>Rain</p>\n",
    "orig": "Rain",
    "user": {"name": "Gogo", "id": "anonymous_1", "admin": False},
    "locator": {"site": "paper", "url": "https://www.paper.example/rain"},
    "score": -2,
    "time": "2026-11-20T12:00:00.5+02:00",
    "edit": {"time": "2026-11-20T12:01:00+02:00", "summary": ""},
}


def test_remark42_is_found_and_read():
    info = {"url": "https://www.paper.example/rain", "count": 7, "read_only": True}

    assert first_url(find_thread(REMARK_PAGE.encode(), URL)) == REMARK_URL
    found = answer({"comments": [REMARK_ROW], "info": info}, REMARK_URL)
    (post,) = found.posts
    assert (found.is_closed, found.n_posts, found.is_whole) == (True, 7, True)
    assert (post.id, post.parent, post.points, post.likes, post.is_edited, post.raw_message) == (
        "c2", "c1", -2, 0, True, "Rain",
    )  # fmt: skip
    assert answer([REMARK_ROW], REMARK_URL).posts == (post,)
    assert answer({"error": "site not found"}, REMARK_URL).problem.endswith("site not found")


def test_isso_is_found_and_its_nested_replies_are_read():
    page = """<script data-isso="//talk.paper.example/isso/" src="x.js"></script>
    <section id="isso-thread"></section>"""
    row = {"id": 1, "parent": None, "text": "<p>One</p>", "author": None, "website": None,
           "created": 1795168800.5, "modified": None, "likes": 3, "dislikes": 1,
           "mode": 1}  # fmt: skip
    reply = row | {"id": 2, "parent": 1, "text": "", "mode": 4, "author": "Ann", "modified": 2}
    document = {"id": None, "total_replies": 1, "replies": [row | {"replies": [reply]}]}

    url = first_url(find_thread(page.encode(), URL))
    found = answer(document, url)

    assert url == "https://talk.paper.example/isso/?uri=%2F2026%2F11%2Frain%2F"
    assert [(post.id, post.parent, post.depth, post.is_deleted) for post in found.posts] == [
        ("1", "", 0, False), ("2", "1", 1, True),
    ]  # fmt: skip
    assert (found.n_posts, found.posts[0].points, found.posts[0].created_at) == (
        1,
        2,
        datetime(2026, 11, 20, 10, 0, 0, 500_000, tzinfo=UTC),
    )


def test_cusdis_is_found_and_read_page_by_page():
    page = """<div id="cusdis_thread" data-host="https://cusdis.com" data-app-id="a-1"
    data-page-id="rain" data-page-url="x"></div>"""
    row = {"id": "r1", "createdAt": "2026-11-20T10:00:00.000Z", "content": "One",
           "parsedContent": "<p>One</p>", "by_nickname": "Gogo", "parentId": None}  # fmt: skip
    reply = row | {"id": "r2", "by_nickname": None, "moderator": {"displayName": "Editor"}}
    rows = [row | {"replies": {"data": [reply], "commentCount": 1, "pageCount": 1}}]
    document = {"data": {"commentCount": 12, "pageCount": 2, "pageSize": 10, "data": rows}}

    url = first_url(find_thread(page.encode(), URL))
    found = answer(document, url)

    assert url == "https://cusdis.com/api/open/comments?appId=a-1&pageId=rain"
    assert (found.n_posts, further_url(url, found, "")) == (12, f"{url}&page=2")
    assert [(post.id, post.parent, post.author.name) for post in found.posts] == [
        ("r1", "", "Gogo"), ("r2", "r1", "Editor"),
    ]  # fmt: skip


SECTION = "00000000-0000-4000-8000-010fdf3f0a45"
CONTAINER = "fe897d9b-8fcf-411a-b9d6-97325116ed98"
VIAFOURA_PAGE = f"""<meta property="vf:container_id" content="A3RH1Qs8SqgG"/>
<div data-config="{{&#34;viafouraEnvironmentId&#34;:&#34;{SECTION}&#34;}}"></div>"""


def test_viafoura_is_asked_where_the_page_names_article_and_section():
    thread = find_thread(VIAFOURA_PAGE.encode(), URL)
    url = first_url(thread)
    row = {"content_uuid": "6007f8a1-1c67-4be2-8336-27650bb5d4ff", "parent_uuid": CONTAINER,
           "content": "Rain < hail", "date_created": 1795168800000, "state": "visible",
           "actor_uuid": "a1", "total_likes": 1}  # fmt: skip
    reply = row | {"content_uuid": "7007f8a1", "parent_uuid": row["content_uuid"]}
    document = {"content_container_uuid": CONTAINER, "contents": [row, reply],
                "more_available": True, "total_visible_content": 1173}  # fmt: skip

    found = answer(document, url)

    assert url == (
        f"https://livecomments.viafoura.co/v4/livecomments/{SECTION}"
        "?limit=100&reply_limit=100&sorted_by=newest&container_id=A3RH1Qs8SqgG"
    )
    assert [(post.parent, post.depth, post.author.id) for post in found.posts] == [
        ("", 0, "a1"), (row["content_uuid"], 1, "a1"),
    ]  # fmt: skip
    assert found.posts[0].created_at == datetime(2026, 11, 20, 10, tzinfo=UTC)
    assert (found.n_posts, found.is_whole, found.is_closed) == (1173, False, None)
    assert further_url(url, found, "").endswith(
        f"/{SECTION}/{CONTAINER}/comments?limit=100&reply_limit=100&sorted_by=newest"
        f"&starting_from={row['content_uuid']}"
    )


def test_viafoura_without_its_section_is_named_only():
    page = '<meta name="vf:container_id" content="9699541" /><vf-conversations></vf-conversations>'
    thread = find_thread(page.encode(), URL)

    assert (thread.system, thread.identifier, first_url(thread)) == ("viafoura", "9699541", "")


# --- What no answer does --------------------------------------------------------------------------

ADDRESSES = [
    "https://disqus.com/embed/comments/?f=paper&t_i=1",
    "https://disqus.com/api/3.0/threads/listPosts.json?api_key=k",
    WORDPRESS_URL,
    TOPIC_URL,
    first_url(DISCOURSE),
    REMARK_URL,
    "https://talk.paper.example/?uri=%2Frain",
    "https://cusdis.com/api/open/comments?appId=a&pageId=b",
    f"https://livecomments.viafoura.co/v4/livecomments/{SECTION}?container_id=1",
]
DEEP = b'{"replies":[{"id":1,"created":1,"replies":' * 10_000
ODD = [3, None, [], "x", {}, {"id": None}, {"id": [1], "created_at": {}}, {"id": 1, "created": "x"}]
HOSTILE = {
    "empty": b"",
    "html": b"<html><body>Busy</body></html>",
    "number": b"1" * 5_000,
    "nan": b'{"code": 0, "response": NaN, "data": NaN, "contents": NaN, "replies": NaN}',
    "list": b"[" * 10_000 + b"]" * 10_000,
    "deep": DEEP + b"[]" + b"}]}" * 10_000,
    "null": b"null",
    "text": b'"text"',
    "wrong": json.dumps(
        {
            "code": 0,
            "response": ODD,
            "comments": ODD,
            "replies": ODD,
            "contents": ODD,
            "data": {"data": ODD, "pageCount": "x"},
            "post_stream": {"posts": ODD, "stream": {"a": 1}},
            "cursor": [1],
        }
    ).encode(),
    "rows": json.dumps(ODD).encode(),
    "binary": bytes(range(256)) * 50,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("url", ADDRESSES)
def test_hostile_answer_raises_nothing_and_holds_no_posts(url, body):
    found = read_answer(url, body, (("X-WP-TotalPages", "NaN"), ("X-WP-Total", "9" * 99)))

    assert found.posts == ()
    assert isinstance(further_url(url, found, "key"), str)


def test_every_address_belongs_to_one_system():
    owners = [[s.key for s in SYSTEMS if s.reader and s.reader.owns(url)] for url in ADDRESSES]

    assert owners == [
        ["disqus"], ["disqus"], ["wordpress"], ["discourse"], ["discourse"], ["remark42"], ["isso"],
        ["cusdis"], ["viafoura"],
    ]  # fmt: skip
    assert system_of("https://www.paper.example/rain") is None
    assert read_answer("https://www.paper.example/rain", b"[]").problem


def test_circle_of_parents_and_doubled_ids_end():
    rows = [
        WORDPRESS_ROW | {"id": 1, "parent": 2},
        WORDPRESS_ROW | {"id": 2, "parent": 1},
        WORDPRESS_ROW | {"id": 2, "parent": 2},
    ]

    found = answer(rows, WORDPRESS_URL)

    assert [(post.id, post.parent) for post in found.posts] == [("1", "2"), ("2", "1")]


def test_huge_answer_is_cut():
    rows = [WORDPRESS_ROW | {"id": n, "content": {"rendered": "x" * 10}} for n in range(1, 9_000)]

    assert len(answer(rows, WORDPRESS_URL).posts) == 5_000


def test_deep_markup_of_a_comment_gives_its_words():
    markup = "<blockquote>" * 10_000 + "rain" + "</blockquote>" * 10_000
    row = WORDPRESS_ROW | {"content": {"rendered": markup}}

    (post,) = answer([row], WORDPRESS_URL).posts

    assert post.raw_message in {"rain", ""}
