"""What stands in a browser's address field → the timeline that is meant."""

import pytest

from feeds.crawler.timelines.addresses import timeline_wish

BLUESKY = "https://public.api.bsky.app"
_API = "https://karoo.example/api/v1"


@pytest.mark.parametrize(
    ("address", "timeline"),
    [
        ("https://karoo.example/public/local", f"{_API}/timelines/public?limit=40&local=true"),
        ("https://karoo.example/public/", f"{_API}/timelines/public?limit=40"),
        ("https://karoo.example/main/public", f"{_API}/timelines/public?limit=40&local=true"),
        ("https://karoo.example/tags/Karoo", f"{_API}/timelines/tag/Karoo?limit=40"),
        ("https://karoo.example/tag/re%C3%ABn", f"{_API}/timelines/tag/re%C3%ABn?limit=40"),
        (f"{_API}/timelines/public?remote=true", f"{_API}/timelines/public?remote=true"),
        (
            "https://bsky.app/profile/courier.example",
            f"{BLUESKY}/xrpc/app.bsky.feed.getAuthorFeed?actor=courier.example&limit=100",
        ),
        (
            "https://bsky.app/hashtag/karoo",
            f"{BLUESKY}/xrpc/app.bsky.feed.searchPosts?limit=100&q=%23karoo&sort=latest",
        ),
        (
            "https://bsky.app/search?q=rain+karoo",
            f"{BLUESKY}/xrpc/app.bsky.feed.searchPosts?limit=100&q=rain+karoo&sort=latest",
        ),
    ],
)
def test_a_timeline(address: str, timeline: str) -> None:
    wish = timeline_wish(address)
    assert wish is not None
    assert wish.timeline == timeline


@pytest.mark.parametrize(
    ("address", "handle"),
    [
        ("https://karoo.example/@nomsa", "nomsa"),
        ("https://karoo.example/@jan@veld.example/with_replies", "jan@veld.example"),
        ("https://karoo.example/users/nomsa", "nomsa"),
    ],
)
def test_an_account_is_looked_up_first(address: str, handle: str) -> None:
    wish = timeline_wish(address)
    assert wish is not None
    assert (wish.handle, wish.timeline, wish.root) == (handle, "", "https://karoo.example")


@pytest.mark.parametrize(
    "address",
    [
        "https://karoo.example/",
        "https://karoo.example/@nomsa/11",
        "https://karoo.example/news/rain",
        "https://bsky.app/profile/courier.example/post/3kaa",
        "https://bsky.app/",
        "https://bsky.app/search",
    ],
)
def test_other_addresses(address: str) -> None:
    assert timeline_wish(address) is None
