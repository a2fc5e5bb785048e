import json
from datetime import UTC, datetime

from feeds.crawler.documents.feed_document import FeedEntry, FeedKind
from feeds.crawler.documents.feed_parser import parse_feed

URL = "https://www.example.co.za/feed.json"


def read(items, **head):
    document = {"version": "https://jsonfeed.org/version/1.1", "items": items} | head
    return parse_feed(json.dumps(document).encode(), "application/feed+json", URL)


def test_json_feed_gives_all_fields():
    feed = read(
        [
            {
                "id": 17,
                "url": "/a",
                "title": "Fire &amp; water",
                "date_published": "2026-11-20T10:00:00+02:00",
                "authors": [{"name": "Ann B"}, {"name": "Ben C"}],
                "content_html": "<p>One.</p>",
            }
        ],
        title="The Courier",
        home_page_url="https://www.example.co.za/",
        language="af-ZA",
    )

    assert (feed.kind, feed.title, feed.home_url, feed.language, feed.n_items) == (
        FeedKind.JSON,
        "The Courier",
        "https://www.example.co.za/",
        "af-za",
        1,
    )
    assert feed.entries == (
        FeedEntry(
            url="https://www.example.co.za/a",
            guid="17",
            headline="Fire & water",
            published_at=datetime(2026, 11, 20, 8, tzinfo=UTC),
            author="Ann B, Ben C",
            description="One.",
        ),
    )


def test_json_feed_1_0_has_one_author():
    assert read([{"url": "/a", "author": {"name": "Ann"}}]).entries[0].author == "Ann"


def test_json_feed_takes_external_address_without_own():
    assert read([{"external_url": "https://x.example/a"}]).entries[0].url == "https://x.example/a"


def test_json_feed_id_is_never_an_address():
    feed = read([{"id": "https://x.example/a"}])

    assert (feed.entries, feed.n_items) == ((), 1)


def test_json_feed_survives_wrong_types():
    feed = read(
        [7, None, {"url": 3}, {"url": "/a", "title": {}, "authors": "Ann", "date_published": 5}],
        title=["x"],
    )

    assert list(feed.entries) == [FeedEntry(url="https://www.example.co.za/a")]


def test_broken_json_is_refused_with_sentence():
    assert parse_feed(b'{"items": [', "", URL).problem.startswith("This is neither XML nor valid")


def test_deep_json_is_refused():
    assert not parse_feed(b'{"a":' * 100_000, "", URL).is_feed
