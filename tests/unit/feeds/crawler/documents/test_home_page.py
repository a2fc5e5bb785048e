import pytest

from feeds.crawler.documents.home_page import (
    ANCHOR,
    DECLARED,
    KNOWN_PATH,
    FeedCandidate,
    known_paths,
    looks_like_feed,
    read_home_page,
)

URL = "https://www.example.co.za/news/"


def found(html, how):
    return [item for item in read_home_page(html.encode(), URL).candidates if item.how == how]


def test_candidates_declared_by_link_come_first():
    html = (
        '<html><head><link rel="alternate" type="application/rss+xml" title="News &amp; more" '
        'href="/feed/news"><link rel="ALTERNATE home" type="application/atom+xml; charset=utf-8" '
        'href="sport.atom"><link rel="alternate" type="text/html" href="/m"><link rel="alternate" '
        'hreflang="af" href="/af"><link rel="stylesheet" type="text/css" href="/rss.css"></head>'
    )

    assert found(html, DECLARED) == [
        FeedCandidate("https://www.example.co.za/feed/news", "News & more", DECLARED),
        FeedCandidate("https://www.example.co.za/news/sport.atom", "", DECLARED),
    ]


def test_candidates_of_anchors_look_like_feeds():
    html = (
        '<a href="/rss">All</a><a href="/export?format=atom">x</a><a href="/x"><b>RSS</b></a>'
        '<a href="https://feedly.com/i/subscription/feed/x">Feedly</a><a href="/feedback">f</a>'
        '<a href="/rss.png">RSS</a><a href="mailto:rss@x.example">RSS</a><a href="/press">Press</a>'
        '<a href="/crossing">x</a><a>rss</a>'
    )

    assert [item.url for item in found(html, ANCHOR)] == [
        "https://www.example.co.za/rss",
        "https://www.example.co.za/export?format=atom",
        "https://www.example.co.za/x",
    ]


def test_candidates_stand_once_in_the_best_place():
    html = '<a href="/feed/">RSS</a><link rel="alternate" type="application/rss+xml" href="/feed">'

    candidates = read_home_page(html.encode(), URL).candidates

    assert [(item.url, item.how) for item in candidates][:2] == [
        ("https://www.example.co.za/feed", DECLARED),
        ("https://www.example.co.za/rss", KNOWN_PATH),
    ]


def test_candidates_leave_feeds_of_comments_out():
    html = '<link rel="alternate" type="application/rss+xml" href="/comments/feed/">'

    assert found(html, DECLARED) == []


def test_candidates_obey_base_of_page():
    html = (
        '<base href="https://cdn.example/x/">'
        '<link rel="alternate" type="application/rss+xml" href="feed">'
    )

    assert found(html, DECLARED)[0].url == "https://cdn.example/x/feed"


@pytest.mark.parametrize("body", [b"", b"<!-- x -->", b"\x00\xff", b"hello"])
def test_candidates_of_anything_are_known_paths(body):
    assert list(read_home_page(body, URL).candidates) == known_paths(URL)


def test_known_paths_start_from_root_of_host():
    assert known_paths(URL)[0] == FeedCandidate("https://www.example.co.za/feed", "", KNOWN_PATH)


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ('<title>x</title><meta property="og:site_name" content="The Courier">', "The Courier"),
        ("<title>Latest news from the Karoo | The Courier</title>", "The Courier"),
        ("<title>The Courier – News, sport, weather and more</title>", "The Courier"),
        ("<title>Well-known</title>", "Well-known"),
        ("<title>The Courier – News</title>", "The Courier"),
        ("<title>Home | The Karoo Courier and Gazette</title>", "The Karoo Courier and Gazette"),
        ("<title>Tuis - Nuus - Die Koerier</title>", "Die Koerier"),
        ("<title>News24 | Latest news</title>", "News24"),
        ("<title>Welcome! | Home</title>", ""),
        ("", ""),
    ],
)
def test_home_page_gives_name_of_site(head, title):
    assert read_home_page(f"<html><head>{head}</head>".encode(), URL).title == title


def test_home_page_gives_language():
    assert read_home_page(b'<html lang="af-ZA"><body>x', URL).language == "af-za"


@pytest.mark.parametrize(
    ("url", "is_feed_like"),
    [
        ("https://x.example/feed.rss", True),
        ("https://x.example/feed/", True),
        ("https://x.example/atom.xml", True),
        ("https://feeds.x.example/news", True),
        ("https://x.example/?feed=rss2", True),
        ("https://x.example/rss/news.xml?x=1", True),
        ("https://x.example/sitemap-news.xml", True),
        ("https://x.example/", False),
        ("https://x.example/feedback", False),
        ("https://x.example/press/rssing-around", False),
        ("https://x.example/logo-rss.png", False),
    ],
)
def test_address_looks_like_feed(url, is_feed_like):
    assert looks_like_feed(url) is is_feed_like
