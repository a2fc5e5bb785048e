import json

import pytest
from newspaper_pages import TITLE, article_page

from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput

ARTICLE = {
    "@type": "NewsArticle",
    "headline": TITLE,
    "author": {"name": "Thandi Nkosi"},
    "datePublished": "2024-06-05T10:30:00+02:00",
    "dateModified": "2024-06-06",
    "articleSection": "Harbours",
    "keywords": "fishing, dredging, fishing",
    "isAccessibleForFree": False,
    "publisher": {"name": "The Saldanha Herald"},
}
HEAD = (
    f"<script type='application/ld+json'>{json.dumps(ARTICLE)}</script>"
    "<link rel='canonical' href='/news/dredging'><meta property='og:description' "
    "content='The work is nearly done.'>"
    "<meta name='author' content='The Saldanha Herald'>"
)


def extract(head=HEAD, url="https://herald.example/news/dredging?x=1", **more):
    return extract_page(PageInput(body=article_page(head=head, **more), url=url))


def test_every_field_with_its_source():
    page = extract()

    assert page.title == TITLE
    assert page.authors == ("Thandi Nkosi",)
    assert page.published_at.isoformat() == "2024-06-05T10:30:00+02:00"
    assert page.modified_at.date().isoformat() == "2024-06-06"
    assert (page.section, page.tags) == ("Harbours", ("fishing", "dredging"))
    assert page.description == "The work is nearly done."
    assert page.canonical_url == "https://herald.example/news/dredging"
    assert page.declared_language == "en"
    assert page.is_paywalled
    assert {source.name: source.source for source in page.sources} == {
        "title": "page",
        "authors": "json_ld",
        "published_at": "json_ld",
        "modified_at": "json_ld",
        "section": "json_ld",
        "description": "open_graph",
        "tags": "json_ld",
        "canonical_url": "link",
        "declared_language": "page",
        "is_paywalled": "json_ld",
    }


def test_visible_byline_and_date_serve_where_the_head_is_silent():
    page = extract(head="", before="<p class='byline'>By Thandi Nkosi, 5 June 2024</p>")

    assert page.authors == ("Thandi Nkosi",)
    assert page.published_at.date().isoformat() == "2024-06-05"
    assert {source.name: source.source for source in page.sources} == {
        "title": "page",
        "authors": "page",
        "published_at": "page",
        "declared_language": "page",
    }


def test_date_of_the_address_serves_before_the_visible_one():
    page = extract(
        head="", url="https://herald.example/2024/06/04/dredging", before="<p>5 June 2024</p>"
    )

    assert page.published_at.date().isoformat() == "2024-06-04"


def test_broken_canonical_link_is_left_out():
    assert extract(head="<link rel=canonical href='http://[broken'>").canonical_url == ""


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("/news/dredging", "https://herald.example/news/dredging"),
        ("https://www.herald.example/news/dredging", "https://www.herald.example/news/dredging"),
        ("https://agency.example/wire/7", ""),
        ("https://herald.example/", ""),
        ("/index.html", ""),
        ("mailto:desk@herald.example", ""),
    ],
)
def test_canonical_address_is_of_the_same_site_and_no_home_page(link, expected):
    assert extract(head=f"<link rel=canonical href='{link}'>").canonical_url == expected


@pytest.mark.parametrize(
    ("head", "before", "expected"),
    [
        ("<meta name='article:content_tier' content='metered'>", "", True),
        ("<meta name='article:content_tier' content='free'>", "", False),
        ("", "<article class='post is-premium'>", True),
        ("", "<article class='post no-paywall'>", False),
        ("", "<div class='paywall' hidden></div>", False),
        ("", "<meta itemprop='isAccessibleForFree' content='False'>", True),
    ],
)
def test_paywall_is_read_from_every_mark(head, before, expected):
    assert extract(head=head, before=before).is_paywalled is expected


def test_microdata_serve_where_the_head_is_silent():
    page = extract(
        head="",
        before=(
            "<div itemscope itemtype='https://schema.org/NewsArticle'>"
            "<a itemprop='articleSection'>Harbours</a><span itemprop='keywords'>fish, port</span>"
            "<time itemprop='datePublished' datetime='2024-06-05T10:30+02:00'></time>"
            "<time itemprop='dateModified' datetime='2024-06-06T10:30+02:00'></time></div>"
            "<div itemscope itemtype='https://schema.org/Comment'>"
            "<time itemprop='dateModified' datetime='2025-01-01'></time></div>"
        ),
    )

    assert (page.section, page.tags) == ("Harbours", ("fish", "port"))
    assert page.published_at.isoformat() == "2024-06-05T10:30:00+02:00"
    assert page.modified_at.isoformat() == "2024-06-06T10:30:00+02:00"


def test_update_before_the_publication_is_none():
    article = ARTICLE | {"dateModified": "2024-06-04"}

    assert (
        extract(f"<script type='application/ld+json'>{json.dumps(article)}</script>").modified_at
        is None
    )


def test_sources_that_say_something_else_are_named():
    head = HEAD + (
        "<title>Dredging | The Saldanha Herald</title>"
        "<meta property='og:title' content='Why the harbour is closed'>"
        "<meta property='article:published_time' content='2024-06-09'>"
        "<meta property='article:section' content='News'>"
        "<meta name='article:content_tier' content='free'>"
    )
    article = ARTICLE | {"author": {"name": "Piet Louw"}}

    page = extract(
        head.replace(json.dumps(ARTICLE), json.dumps(article)),
        before="<p class=byline>By Thandi Nkosi</p>",
    )

    assert [(one.name, one.source, one.value) for one in page.disagreements] == [
        ("title", "open_graph", "Why the harbour is closed"),
        ("authors", "json_ld", "Piet Louw"),
        ("authors", "meta", "The Saldanha Herald"),
        ("published_at", "meta", "2024-06-09"),
        ("section", "meta", "News"),
        ("is_paywalled", "meta", "no"),
    ]


def test_sources_that_agree_are_not_named():
    assert [one.name for one in extract().disagreements] == ["authors"]


def test_byline_is_looked_for_by_the_heading_where_the_head_says_another_title():
    page = (
        "<title>Where to bike in town</title><nav><p>Parks</p></nav>"
        "<h1>Our favourite trails</h1><p>By Thandi Nkosi 12 April 2024</p><p>Take the bus.</p>"
    )

    found = extract_page(PageInput(body=page.encode()))

    assert found.authors == ("Thandi Nkosi",)
