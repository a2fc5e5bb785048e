"""Answers of Mastodon's interface → posts, and the way from one answer to the next."""

import json
from datetime import UTC, datetime

import pytest
from microblog_shapes import status

from feeds.crawler.documents.timeline_posts import TimelineAnswer, TimelinePlace
from feeds.crawler.timelines import mastodon
from feeds.crawler.timelines.networks import find_post, network_of, read_timeline, timeline_network

PUBLIC = "https://karoo.example/api/v1/timelines/public?limit=40&local=true"


def _read(*statuses: object, url: str = PUBLIC) -> TimelineAnswer:
    return read_timeline(url, json.dumps(statuses).encode())


def test_a_post_with_all_that_it_says() -> None:
    markup = (
        "<p>Rain in <a href='https://karoo.example/tags/Karoo'>#<span>Karoo</span></a><br>at "
        '<a href="https://courier.example/rain/of-the-year"><span class="invisible">https://'
        '</span><span class="ellipsis">courier.example/rain</span><span class="invisible">'
        "/of-the-year</span></a></p><p>Fish &amp; chips &lt;3</p>"
    )
    said = _read(
        status(
            "11",
            markup,
            in_reply_to_id="9",
            edited_at="2026-11-20T09:00:00.000Z",
            spoiler_text="Weather &\nfood",
            language="af",
            tags=[{"name": "karoo", "url": "https://karoo.example/tags/karoo"}],
            media_attachments=[{"type": "image", "description": "A wet\nroad"}, {"type": "image"}],
            poll={"options": [{"title": "More rain", "votes_count": 3}, {"title": "Enough"}]},
        )
    )
    (post,) = said.posts
    assert post.text.split("\n") == [
        "Rain in #Karoo",
        "at https://courier.example/rain/of-the-year",
        "Fish & chips <3",
        "More rain",
        "Enough",
    ]
    assert post.address == "https://karoo.example/api/v1/statuses/11"
    assert post.url == "https://karoo.example/@nomsa/11"
    assert post.byline == "Nomsa Dube (@nomsa@karoo.example)"
    assert post.posted_at == datetime(2026, 11, 20, 8, 11, tzinfo=UTC)
    assert post.edited_at == datetime(2026, 11, 20, 9, tzinfo=UTC)
    assert (post.warning, post.language, post.tags) == ("Weather & food", "af", ("karoo",))
    assert post.descriptions == ("A wet road",)
    assert post.reply_to == "https://karoo.example/api/v1/statuses/9"
    assert (said.newest, said.title) == ("11", "Local timeline of karoo.example")


def test_boosts_and_what_is_not_for_strangers_are_no_posts() -> None:
    account = status()["account"]
    said = _read(
        status("14", reblog=status("3")),
        status("13", visibility="private"),
        status("12", account=account | {"noindex": True}),
        status("11", account=account | {"acct": "jan@veld.example", "display_name": ""}),
        "noise",
        {"id": "10"},
    )
    assert [post.byline for post in said.posts] == ["nomsa (@jan@veld.example)"]
    assert (said.n_items, said.n_boosts, said.n_declined) == (5, 1, 2)
    assert said.newest == "14"


def test_only_what_its_author_changes_makes_another_digest() -> None:
    first, liked, edited = (
        _read(status("11", **changes)).posts[0].digest
        for changes in (
            {},
            {"favourites_count": 99, "replies_count": 3},
            {"edited_at": "2026-11-20T10:00:00Z"},
        )
    )
    assert first == liked != edited


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"<html>", "not readable"),
        (b'{"error": "This method requires an authenticated user"}', "authenticated user"),
        (b'["a", 1]', "not readable"),
        (b"[" * 100_000, "not readable"),
        (b"null", "not readable"),
    ],
)
def test_no_timeline(body: bytes, problem: str) -> None:
    said = read_timeline(PUBLIC, body)
    assert problem in said.problem
    assert not said.posts


def test_values_of_other_types_break_nothing() -> None:
    odd = status("11", account=None, tags={"a": 1}, media_attachments=[1], poll=3, spoiler_text=5)
    odd |= {"content": "a\0b\ud800", "language": ["x"], "in_reply_to_id": {}, "edited_at": "soon"}
    (post,) = _read(odd).posts
    assert (post.text, post.language, post.reply_to, post.edited_at) == ("ab", "", "", None)
    post.text.encode()


def test_a_single_post() -> None:
    address = "https://karoo.example/api/v1/statuses/11"
    body = json.dumps(status("11")).encode()
    post = find_post(address, body, address)
    assert post is not None
    assert post.text == "Rain at last."
    assert find_post(address, b'{"error": "Record not found"}', address) is None
    assert timeline_network(address) is None
    assert network_of("https://karoo.example/api/v1/statuses/11/context") is None


def test_later_looks_ask_for_what_is_newer() -> None:
    first = mastodon.next_step(TimelinePlace(), _read(status("11"), status("10")), is_met=True)
    assert first.place == TimelinePlace(newest="11")
    assert not first.has_more
    assert mastodon.request_url(PUBLIC, first.place) == f"{PUBLIC}&min_id=11"
    full = _read(*(status(str(n)) for n in range(60, 20, -1)))
    later = mastodon.next_step(first.place, full, is_met=False)
    assert (later.place.newest, later.has_more) == ("60", True)
    quiet = mastodon.next_step(later.place, _read(), is_met=False)
    assert (quiet.place.newest, quiet.has_more) == ("60", False)


def test_addresses_of_timelines() -> None:
    root = "https://karoo.example"
    tag = mastodon.tag_url(root, "reën/x")
    assert tag == f"{root}/api/v1/timelines/tag/re%C3%ABn%2Fx?limit=40"
    assert read_timeline(tag, b"[]").title == "#reën/x on karoo.example"
    account = mastodon.account_url(root, "7")
    assert all(map(mastodon.is_timeline, (tag, account, mastodon.public_url(root))))
    assert not mastodon.is_timeline(f"{root}/api/v1/timelines/home")
    assert mastodon.lookup_url(root, "jan@veld.example").endswith("?acct=jan%40veld.example")
    assert mastodon.read_account(b'{"id": "7", "acct": "nomsa", "display_name": "N"}') == ("7", "N")
    assert mastodon.read_account(b"<html>") == ("", "")


def test_a_place_comes_back_from_its_column() -> None:
    place = TimelinePlace(older="x", n_back=3)
    assert TimelinePlace.from_json(place.to_json()) == place
    assert TimelinePlace.from_json({"newest": 3, "n_back": "x"}) == TimelinePlace()
    assert TimelinePlace.from_json(None) == TimelinePlace()
