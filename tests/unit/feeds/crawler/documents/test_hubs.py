"""Hubs as headers, Atom, RSS and JSON Feed name them, by the examples of WebSub and JSON Feed."""

import pytest

from feeds.crawler.documents.feed_document import Hub
from feeds.crawler.documents.feed_parser import parse_feed
from feeds.crawler.documents.hubs import hub_in_headers

FEED = "https://a.example/feed"
HUB = "https://hub.example.com/"
ITEM = "<item><link>https://a.example/1</link></item>"


def test_headers_name_hub_and_topic():
    link = f'<{HUB}>; rel="hub", <https://a.example/topic>; rel="self"'

    assert hub_in_headers([("link", link)], FEED) == Hub(HUB, "https://a.example/topic")


@pytest.mark.parametrize("headers", [[], [("Link", '<https://a.example/2>; rel="next"')]])
def test_headers_without_a_hub_name_none(headers):
    assert hub_in_headers(headers, FEED) is None


@pytest.mark.parametrize(
    "body",
    [
        f"""<feed xmlns="http://www.w3.org/2005/Atom"><link rel="hub" href="{HUB}"/>
        <link rel="self" href="/topic"/><entry><link href="https://a.example/1"/></entry></feed>""",
        f"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
        <atom:link rel="hub" href="{HUB}"/><atom:link rel="self" href="https://a.example/topic"/>
        {ITEM}</channel></rss>""",
        f"""{{"version": "https://jsonfeed.org/version/1.1", "items": [],
        "feed_url": "https://a.example/topic", "hubs": [{{"type": "rssCloud", "url": "/no"}},
        {{"type": "WebSub", "url": "{HUB}"}}]}}""",
    ],
    ids=["atom", "rss", "json"],
)
def test_documents_name_hub_and_topic(body):
    assert parse_feed(body.encode(), base_url=FEED).hub == Hub(HUB, "https://a.example/topic")


def test_feed_without_self_is_known_by_its_address():
    body = f"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
    <atom:link rel="hub" href="{HUB}"/>{ITEM}</channel></rss>"""

    assert parse_feed(body.encode(), base_url=FEED).hub == Hub(HUB, FEED)


def test_feed_that_names_no_hub_has_none():
    body = f'<rss version="2.0"><channel>{ITEM}</channel></rss>'

    assert parse_feed(body.encode(), base_url=FEED).hub is None
