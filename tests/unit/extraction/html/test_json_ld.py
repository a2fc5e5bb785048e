import pytest

from extraction.html.json_ld import JsonLdArticle, read_json_ld
from extraction.html.parse import parse_html


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
