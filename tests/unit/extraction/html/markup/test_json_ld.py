import json

import pytest
from cpu_time import takes_less

from extraction.html.extract_page import extract_page
from extraction.html.markup.json_ld import (
    JsonLdArticle,
    live_posts,
    load_json,
    read_json_ld,
    with_posts,
)
from extraction.html.markup.parse import parse_html
from extraction.html.page import Extractor, PageInput


def read(script):
    return read_json_ld(parse_html(f"<script type='application/ld+json'>{script}</script>"))


ARTICLE = '"@type": "NewsArticle", "headline": "Fire"'


@pytest.mark.parametrize(
    "script",
    [
        "{" + ARTICLE + "}",
        '[{"@type": "WebSite", "name": "Herald"}, {' + ARTICLE + "}]",
        '{"@graph": [{"@type": "Organization", "name": "Herald"}, {' + ARTICLE + "}]}",
        '{"@type": "WebPage", "mainEntity": {' + ARTICLE + "}}",
        "{" + ARTICLE + ",}",
        "<!-- {" + ARTICLE + "} -->",
        "// a comment\n{" + ARTICLE + "}",
        "/* a comment */ {" + ARTICLE + ', "keywords": ["a",]}',
        "<![CDATA[{" + ARTICLE + "}]]>",
        "{" + ARTICLE + ', "description": "a\nraw line feed"}',
        "{" + ARTICLE + ', "url": "https://x.example/a//b" /* one */, // two\n}',
        "//<![CDATA[\n{" + ARTICLE + ",}\n//]]>",
        "/*<![CDATA[*/{" + ARTICLE + "}/*]]>*/",
        "\ufeff{" + ARTICLE + "};",
        "{" + ARTICLE + ', "description": "a \\x wrong \\\' escape"}',
        "{" + ARTICLE + ', "description": "bell \x07 tab \t"}',
        '{"@type": "WebSite"}{' + ARTICLE + "}",
        '{"@type": "WebSite"}\n,{' + ARTICLE + "},",
        '{"@type": ["NewsArticle", "Thing"], "headline": ["Fire"]}',
        '[[{"@graph": [{' + ARTICLE + "}]}]]",
        "{&quot;@type&quot;: &quot;NewsArticle&quot;, &quot;headline&quot;: &quot;Fire&quot;}",
    ],
)
def test_article_is_found_in_every_shape(script):
    assert read(script).headline == "Fire"


@pytest.mark.parametrize(
    "script",
    [
        "",
        "{",
        "null",
        "[[[[",
        "12",
        '"text"',
        "{}",
        '{"@type": "Person", "name": "Fire"}',
        "[" * 5000,
        "{" + ARTICLE + "} trailing words",
        "/*" * 50_000,
        "{" + " " * 50_000 + "," + " " * 50_000,
    ],
)
def test_what_cannot_be_read_is_no_article(script):
    assert read(script) == JsonLdArticle()


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ('"Thandi Nkosi"', ("Thandi Nkosi",)),
        ('{"@type": "Person", "name": "Thandi Nkosi"}', ("Thandi Nkosi",)),
        ('[{"name": "Thandi Nkosi"}, {"name": "Piet Louw"}]', ("Thandi Nkosi", "Piet Louw")),
        ('{"name": ["Thandi Nkosi", "Piet Louw"]}', ("Thandi Nkosi", "Piet Louw")),
        ('{"givenName": "Thandi", "familyName": "Nkosi"}', ("Thandi Nkosi",)),
        ("null", ()),
        ("7", ()),
    ],
)
def test_authors_in_every_shape(author, expected):
    assert read(f'{{{ARTICLE}, "author": {author}}}').authors == expected


def test_body_markup_becomes_lines():
    assert read(
        "{" + ARTICLE + ', "articleBody": "<p>One &amp; two.</p><p>Three.</p>"}'
    ).body.split("\n") == ["", "One & two.", "", "Three.", ""]


def test_paywall_mark():
    assert [
        read(f'{{{ARTICLE}, "isAccessibleForFree": {value}}}').is_free
        for value in ('"False"', "true", "3")
    ] == [False, True, None]


def test_part_behind_a_paywall_counts():
    parts = '"hasPart": [{"isAccessibleForFree": "False", "cssSelector": ".locked"}]'

    assert read(f"{{{ARTICLE}, {parts}}}").is_free is False


def test_author_and_publisher_are_found_by_their_id():
    graph = (
        '{"@graph": [{' + ARTICLE + ', "author": {"@id": "#p1"}, "publisher": {"@id": "#house"}},'
        '{"@id": "#p1", "@type": "Person", "name": "Thandi Nkosi"},'
        '{"@id": "#house", "@type": "Organization", "name": "The Herald"}]}'
    )

    found = read(graph)

    assert (found.authors, found.publisher) == (("Thandi Nkosi",), "The Herald")


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["Home", "News", "Politics", "Fire"], "Politics"),
        (["Home", "News"], "News"),
        (["Home"], ""),
        (["Home", "x" * 41], ""),
    ],
)
def test_breadcrumbs_give_a_section(steps, expected):
    items = ",".join(f'{{"@type": "ListItem", "name": "{step}"}}' for step in steps)
    crumbs = f'{{"@type": "BreadcrumbList", "itemListElement": [{items}]}}'

    assert read(f"[{{{ARTICLE}}}, {crumbs}]").breadcrumb == expected


def test_comments_are_kept_as_they_are_described():
    comment = '{"@type": "Comment", "text": "Well said."}'

    assert read(f'{{{ARTICLE}, "comment": [{comment}, 7]}}').comments == (
        {"@type": "Comment", "text": "Well said."},
    )


LIVE = (
    '{"@type": "LiveBlogPosting", "headline": "Polls close", "datePublished": "2024-03-02", %s'
    ' "liveBlogUpdate": [{"@type": "BlogPosting", "headline": "First counts", "author":'
    ' {"name": "Ann Lee"}, "datePublished": "2024-03-03", "articleBody": "<p>Boxes arrive.</p>"},'
    ' {"@type": "BlogPosting", "articleBody": "Doors open."}, {"headline": "A picture"}, null]}'
)


@pytest.mark.parametrize(
    ("own", "body"),
    [
        pytest.param("", "First counts\n\nBoxes arrive.\n\nDoors open.", id="posts alone"),
        pytest.param(
            '"articleBody": "All day.",',
            "All day.\nFirst counts\n\nBoxes arrive.\n\nDoors open.",
            id="behind the lead",
        ),
        pytest.param(
            '"articleBody": "First counts <p>Boxes arrive.</p> Doors open.",',
            "First counts \nBoxes arrive.\n Doors open.",
            id="said already",
        ),
    ],
)
def test_posts_of_a_live_blog_are_its_text_and_no_articles_of_their_own(own, body):
    assert read(LIVE % own) == JsonLdArticle(
        headline="Polls close", published="2024-03-02", kind="LiveBlogPosting", body=body
    )


def test_posts_belong_to_the_article_beside_the_live_blog():
    article = '{"@type": "NewsArticle", "headline": "Polls close", "description": "All day."}'

    found = read(f"[{LIVE % ''}, {article}]")

    assert (found.headline, found.body) == (
        "Polls close",
        "First counts\n\nBoxes arrive.\n\nDoors open.",
    )


@pytest.mark.parametrize(("n_before", "headline"), [(199, "Fire"), (200, "")])
def test_two_hundred_scripts_are_read(n_before, headline):
    script = "<script type='application/ld+json'>%s</script>"
    page = (script % "{broken") * n_before + script % f"{{{ARTICLE}}}"

    assert read_json_ld(parse_html(page)).headline == headline


MINUTES = ("Kick-off", "18 minutes", "Half-time", "72 minutes", "Full time")
POST = "Villa press on through the middle and win another corner, the ninth of this half. " * 3
BLOG = {
    "@type": "LiveBlogPosting",
    "headline": "Luton v Villa: as it happened",
    "coverageStartTime": "2024-03-02T16:00:00Z",
    "liveBlogUpdate": [
        {
            "@type": "BlogPosting",
            "headline": minute,
            "articleBody": POST.strip(),
            "author": {"name": "Ann Lee"},
            "datePublished": f"2024-03-02T17:0{number}:00Z",
        }
        for number, minute in enumerate(MINUTES)
    ],
}


@pytest.mark.parametrize(
    "value", [None, "", 3, [], ["text"], [None]], ids=["none", "text", "number", "0", "str", "null"]
)
def test_what_is_no_list_of_posts_is_none(value):
    assert live_posts({"liveBlogUpdate": value}) == []


def test_single_post_needs_no_list():
    assert live_posts({"liveBlogUpdate": {"headline": "Goal"}}) == [{"headline": "Goal"}]


def test_body_does_not_say_a_post_twice():
    posts = [("Goal", "Luton lead."), ("", "No goal."), ("Photo", "")]

    assert with_posts("Report. Luton lead.", posts) == "Report. Luton lead.\nNo goal."
    assert with_posts("", posts) == "Goal\nLuton lead.\nNo goal."


def test_live_blog_whose_posts_a_script_would_load_is_read_from_its_json_ld():
    body = (
        "<html><head><title>Luton v Villa: as it happened</title>"
        f"<script type='application/ld+json'>{json.dumps(BLOG)}</script></head><body>"
        "<h1>Luton v Villa: as it happened</h1><p>Loading posts</p></body></html>"
    )

    page = extract_page(PageInput(body=body.encode(), url="https://herald.example/live/1"))

    assert (page.title, page.extractor) == ("Luton v Villa: as it happened", Extractor.JSON_LD)
    assert page.text.split("\n") == [part for minute in MINUTES for part in (minute, POST.strip())]


@pytest.mark.parametrize("end", ["", "\\"])
def test_string_that_never_ends_is_read_once(end):
    script = '{"@type": "NewsArticle", // x\n "a": ' + '\\"' * 30_000 + end

    assert takes_less(0.2, lambda: load_json(script))
