import pytest
from cpu_time import takes_less

from feeds.crawler.addressing.links import (
    BadPattern,
    LinkDecision,
    LinkFilter,
    is_click_through,
    unwrap,
)

ARTICLE = "https://www.example.co.za/news/fire-in-the-harbour-123"


def test_link_filter_without_patterns_accepts_articles():
    assert LinkFilter().decide(ARTICLE) == LinkDecision(accepted=True)


def test_link_filter_includes_what_matches():
    links = LinkFilter.compile(include=["/news/", "/sport/"])

    assert links.decide(ARTICLE).accepted
    assert links.decide("https://www.example.co.za/dating/x") == LinkDecision(
        accepted=False, reason="matches no pattern of “/news/”, “/sport/”"
    )


def test_link_filter_exclusion_wins():
    links = LinkFilter.compile(include=["/news/"], exclude=["HARBOUR"])

    assert links.decide(ARTICLE) == LinkDecision(
        accepted=False, reason="left out by the pattern “HARBOUR”"
    )


def test_link_filter_leaves_blank_patterns_out():
    assert LinkFilter.compile(["", "  "], [" "]) == LinkFilter()


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("(", "“(” is not a pattern: missing ): (."),
        ("(?=x)", "“(?=x)” is not a pattern: invalid perl operator: (?=."),
        ("a" * 501, "The pattern is longer than 500 characters."),
    ],
)
def test_link_filter_refuses_pattern_with_sentence(pattern, sentence):
    with pytest.raises(BadPattern) as refused:
        LinkFilter.compile([pattern])

    assert str(refused.value) == sentence


def test_link_filter_is_linear_on_evil_pattern():
    links = LinkFilter.compile(exclude=["(a+)+$"])
    address = "https://x.example/" + "a" * 1_500 + "!"

    assert links.decide(address).accepted
    assert takes_less(0.2, lambda: links.decide(address))


@pytest.mark.parametrize(
    ("url", "is_click"),
    [
        ("http://ads.iol.co.za/CLINK/123", True),
        ("https://x.example/clink?id=3", True),
        ("https://ad.doubleclick.net/ddm/x", True),
        ("https://trc.taboola.com/x", True),
        ("https://x.example/adclick.php?bannerid=3", True),
        ("https://x.example/go?adurl=http%3A%2F%2Fshop", True),
        ("https://x.example/news/click-here-to-read-more", False),
        ("https://x.example/business/ads-and-money", False),
        ("https://ads-africa.example/news/a", False),
        (ARTICLE, False),
    ],
)
def test_click_link_of_advertiser_is_recognised(url, is_click):
    assert is_click_through(url) is is_click


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fb&sa=D", "https://a.example/b"),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2Fb", "https://a.example/b"),
        ("https://www.google.com/url?q=javascript:x", "https://www.google.com/url?q=javascript:x"),
        (
            "https://x.example/share?url=https://a.example/b",
            "https://x.example/share?url=https://a.example/b",
        ),
        (ARTICLE, ARTICLE),
    ],
)
def test_unwrap_gives_page_behind_redirector(url, target):
    assert unwrap(url) == target
