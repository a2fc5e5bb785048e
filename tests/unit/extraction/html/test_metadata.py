import json

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
    }


def test_visible_byline_and_date_serve_where_the_head_is_silent():
    page = extract(head="", before="<p class='byline'>By Thandi Nkosi, 5 June 2024</p>")

    assert page.authors == ("Thandi Nkosi",)
    assert page.published_at.date().isoformat() == "2024-06-05"
    assert {source.name: source.source for source in page.sources} == {
        "title": "page",
        "authors": "page",
        "published_at": "page",
    }


def test_date_of_the_address_serves_before_the_visible_one():
    page = extract(
        head="", url="https://herald.example/2024/06/04/dredging", before="<p>5 June 2024</p>"
    )

    assert page.published_at.date().isoformat() == "2024-06-04"


def test_broken_canonical_link_is_left_out():
    assert extract(head="<link rel=canonical href='http://[broken'>").canonical_url == ""
