"""Answers of Bluesky's public interface → posts, and the way back to what is known."""

import json
from datetime import UTC, datetime

import pytest
from microblog_shapes import DID, Json, feed_view, post_view

from feeds.crawler.documents.timeline_posts import TimelineAnswer, TimelinePlace
from feeds.crawler.timelines import bluesky
from feeds.crawler.timelines.networks import find_post, read_timeline, timeline_network

ROOT = "https://public.api.bsky.app"
ACCOUNT = bluesky.account_url(ROOT, "courier.example")


def _feed(*rows: Json, **beside: object) -> TimelineAnswer:
    return read_timeline(ACCOUNT, json.dumps({"feed": rows} | beside).encode())


def test_a_post_with_all_that_it_says() -> None:
    view = post_view(
        words="Rain  in #Karoo\n\nat last",
        langs=["af", "en"],
        facets=[
            {
                "index": {"byteStart": 8, "byteEnd": 14},
                "features": [{"$type": "app.bsky.richtext.facet#tag", "tag": "Karoo"}],
            },
            {"features": [{"$type": "app.bsky.richtext.facet#link", "uri": "https://x.example"}]},
        ],
        tags=["weather"],
        labels={"$type": "com.atproto.label.defs#selfLabels", "values": [{"val": "graphic-media"}]},
        embed={"$type": "app.bsky.embed.images", "images": [{"alt": "A wet road"}, {"alt": ""}]},
        reply={
            "root": {"uri": f"at://{DID}/app.bsky.feed.post/3kroot", "cid": "b"},
            "parent": {"uri": f"at://{DID}/app.bsky.feed.post/3kup", "cid": "b"},
        },
    )
    said = _feed(feed_view(view), cursor="2026-11-20T08:00:00Z")
    (post,) = said.posts
    assert post.text == "Rain in #Karoo\nat last"
    assert post.url == f"https://bsky.app/profile/{DID}/post/3kaa"
    assert post.address == bluesky.post_address(ROOT, view["uri"])
    assert post.byline == "Karoo Courier (@courier.example)"
    assert (post.language, post.warning) == ("af", "graphic-media")
    assert (post.tags, post.descriptions) == (("Karoo", "weather"), ("A wet road",))
    assert post.reply_to.endswith("post%2F3kup")
    assert post.thread.endswith("post%2F3kroot")
    assert (said.older, said.title) == ("2026-11-20T08:00:00Z", "@courier.example on Bluesky")


def test_reposts_and_what_is_not_for_strangers_are_no_posts() -> None:
    hidden = post_view("3kbb")
    hidden["author"] |= {"labels": [{"val": "!no-unauthenticated"}]}
    taken_back = post_view("3kcc")
    taken_back["author"] |= {"labels": [{"val": "!no-unauthenticated", "neg": True}]}
    said = _feed(
        feed_view(post_view(), reason={"$type": "app.bsky.feed.defs#reasonRepost"}),
        feed_view(post_view("3kdd"), reason={"$type": "app.bsky.feed.defs#reasonPin"}),
        feed_view(hidden),
        feed_view(taken_back),
        {"post": {"uri": "nonsense"}},
    )
    assert [post.url.rpartition("/")[2] for post in said.posts] == ["3kdd", "3kcc"]
    assert (said.n_items, said.n_boosts, said.n_declined) == (5, 1, 1)


def test_a_clock_that_is_ahead_is_not_believed() -> None:
    (post,) = _feed(feed_view(post_view(createdAt="2031-01-01T00:00:00Z"))).posts
    assert post.posted_at == datetime(2026, 11, 20, 8, 0, 1, tzinfo=UTC)


def test_a_search_and_a_single_post() -> None:
    search = bluesky.search_url(ROOT, "#karoo")
    assert search.endswith("?limit=100&q=%23karoo&sort=latest")
    said = read_timeline(search, json.dumps({"posts": [post_view()], "cursor": "1"}).encode())
    assert (len(said.posts), said.title) == (1, "#karoo on Bluesky")
    address = said.posts[0].address
    assert timeline_network(address) is None
    assert find_post(address, json.dumps({"posts": [post_view()]}).encode(), address)
    assert find_post(address, b'{"posts": []}', address) is None


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"[]", "not readable"),
        (b'{"feed": 3}', "not readable"),
        (b'{"error": "InvalidRequest", "message": "Profile not found"}', "Profile not found"),
    ],
)
def test_no_timeline(body: bytes, problem: str) -> None:
    assert problem in read_timeline(ACCOUNT, body).problem


def test_a_look_goes_back_until_it_meets_what_is_known() -> None:
    answer = _feed(feed_view(post_view()), cursor="c1")
    step = bluesky.next_step(TimelinePlace(), answer, is_met=False)
    assert step.has_more
    assert bluesky.request_url(ACCOUNT, step.place) == f"{ACCOUNT}&cursor=c1"
    assert bluesky.next_step(step.place, answer, is_met=True).place == TimelinePlace()
    last = bluesky.next_step(step.place, _feed(feed_view(post_view())), is_met=False)
    assert (last.place, last.has_more, last.has_gap) == (TimelinePlace(), False, False)


def test_a_gap_that_is_too_wide_is_given_up() -> None:
    place = TimelinePlace(older="c", n_back=bluesky.MAX_STEPS_BACK)
    step = bluesky.next_step(place, _feed(feed_view(post_view()), cursor="d"), is_met=False)
    assert (step.place, step.has_more, step.has_gap) == (TimelinePlace(), False, True)
