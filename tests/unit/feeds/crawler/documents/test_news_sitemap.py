from datetime import UTC, datetime

from feeds.crawler.documents.feed_document import FeedEntry, FeedKind
from feeds.crawler.documents.feed_parser import parse_feed

URL = "https://www.example.co.za/sitemap-news.xml"
HEAD = (
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">'
)
NEWS = (
    "<news:news><news:publication><news:name>The Courier</news:name>"
    "<news:language>EN</news:language></news:publication>"
    "<news:publication_date>2026-11-20T10:00:00+02:00</news:publication_date>"
    "<news:title>Fire &amp; water</news:title></news:news>"
)


def test_news_sitemap_is_a_feed():
    body = f"{HEAD}<url><loc>https://www.example.co.za/a</loc>{NEWS}</url></urlset>"

    feed = parse_feed(body.encode(), "application/xml", URL)

    assert (feed.kind, feed.title, feed.language) == (FeedKind.SITEMAP, "The Courier", "en")
    assert feed.entries == (
        FeedEntry(
            url="https://www.example.co.za/a",
            headline="Fire & water",
            published_at=datetime(2026, 11, 20, 8, tzinfo=UTC),
        ),
    )


def test_news_sitemap_leaves_pages_without_news_tags_out():
    body = (
        f"{HEAD}<url><loc>https://www.example.co.za/about</loc></url>"
        f"<url><loc>https://www.example.co.za/a</loc>{NEWS}</url></urlset>"
    )

    feed = parse_feed(body.encode(), "", URL)

    assert ([entry.url for entry in feed.entries], feed.n_items) == (
        ["https://www.example.co.za/a"],
        2,
    )
