import pytest

from feeds.crawler.addressing.links import LinkFilter
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.documents.index_page import (
    LinkShape,
    is_article_address,
    link_shapes,
    read_index_page,
)
from feeds.crawler.documents.page_links import read_links

HOME = "https://www.karoo.example/"
FRONT_PAGE = """
<html><head><base href="https://www.karoo.example/"></head><body>
<nav><a href="/news/">News</a><a href="/about-the-karoo-courier-newspaper">About</a></nav>
<h2><a href="/news/farmers-wait-for-the-rain-20012">Farmers wait for the rain</a></h2>
<a href="/news/farmers-wait-for-the-rain-20012#comments">12 comments</a>
<a href="news/council-votes-on-water-tariff-20013"><h3>Council votes on water tariff</h3></a>
<a href="https://sport.karoo.example/2026/11/20/derby">Read more</a>
<a href="https://elsewhere.example/a-story-of-another-paper-999">Elsewhere</a>
<a href="http://ads.karoo.example/clink?adurl=x">Win a car with us today</a>
<a href="/tag/water-in-the-great-karoo/">Water</a><a href="/2026/11/">November</a>
<a href="/terms-and-conditions-of-use">Terms</a>
<a href="/files/budget-of-the-town-council.pdf">PDF</a>
<a href="mailto:news@karoo.example">Mail</a><a href="javascript:void(0)">x</a><a>no address</a>
<footer><a href="/news/how-we-check-our-facts-19000">Facts</a></footer></body></html>
"""


def stories(html=FRONT_PAGE, accepts=None):
    parsed = read_index_page(html.encode(), HOME, "text/html", accepts or LinkFilter())
    return [(entry.url, entry.headline) for entry in parsed.entries]


def test_stories_of_a_front_page_are_its_own_in_page_order_with_their_headlines():
    assert stories() == [
        (f"{HOME}news/farmers-wait-for-the-rain-20012", "Farmers wait for the rain"),
        (f"{HOME}news/council-votes-on-water-tariff-20013", "Council votes on water tariff"),
        ("https://sport.karoo.example/2026/11/20/derby", ""),
    ]


def test_a_pattern_of_the_editor_alone_says_what_a_story_is():
    html = '<a href="/news/rain">Rain</a><a href="/sport/derby-of-the-great-karoo-1234">D</a>'

    assert stories(html, LinkFilter.compile(["/news/[a-z]+$"])) == [(f"{HOME}news/rain", "")]


def test_a_page_without_stories_says_how_many_links_it_had():
    parsed = read_index_page(b'<a href="/news/">News</a><a href="/sport/">Sport</a>', HOME)

    assert (parsed.kind, parsed.entries) == (FeedKind.NONE, ())
    assert parsed.problem.startswith("No story was found among the 2 links of this page")


@pytest.mark.parametrize(
    ("path", "is_article"),
    [
        ("/news/fire-in-cape-town-harbour-2000123", True),
        ("/2026/11/20/fire/", True),
        ("/nuus/brand-in-die-hawe-van-kaapstad.html", True),
        ("/?p=12345", True),
        ("/artikel.php?id=12345", True),
        ("/1234567", True),
        ("/", False),
        ("/news/", False),
        ("/2026/11/20/", False),
        ("/author/a-long-name-of-somebody/", False),
        ("/page/20412/", False),
        ("/subscribe/three-months-for-one-rand", False),
        ("/our-privacy-policy-and-cookie-notice", False),
    ],
)
def test_story_is_known_by_its_address(path, is_article):
    assert is_article_address("https://www.karoo.example" + path) is is_article


def test_shapes_are_patterns_that_match_what_they_were_made_of():
    urls = [
        f"{HOME}2026/11/20/fire/",
        f"{HOME}2026/10/02/water/",
        f"{HOME}news/council-votes-20013.html",
    ]

    shapes = link_shapes(urls)

    assert shapes == (
        LinkShape(r"/\d{4}/\d{1,2}/\d{1,2}/[^/?]+/$", 2, (urls[0], urls[1])),
        LinkShape(r"/[^/?]+/[^/?]*-\d{4,}\.html$", 1, (urls[2],)),
    )
    for shape in shapes:
        accepts = LinkFilter.compile([shape.pattern])
        assert all(accepts.decide(url).accepted for url in shape.examples)


def test_a_directory_of_links_is_read_up_to_a_limit():
    html = "".join(
        f'<a href="/story-of-the-day-{number}">x</a>' for number in range(10_000, 15_000)
    )

    assert len(read_links(html.encode(), HOME)) == 2_000
    assert len(stories(html)) == 300


@pytest.mark.parametrize("body", [b"", b"<!-- -->", b"\x00\xff", b"<a href='http://[:'>x</a>"])
def test_odd_pages_have_no_links(body):
    assert read_links(body, HOME) == []
