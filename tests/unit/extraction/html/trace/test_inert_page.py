"""Nasty pages: nothing that acts, loads or leads away may come through."""

from html.parser import HTMLParser

import pytest

from extraction.html.trace.inert_page import make_inert


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param("<p>a<script>x()</script>b</p>", "<p>ab</p>", id="script"),
        pytest.param("<p>a</p><script src=//x></script", "<p>a</p>", id="unclosed-script"),
        pytest.param('<p onclick="x()" onmouseover=x()>a</p>', "<p>a</p>", id="handlers"),
        pytest.param('<p ONCLICK = "x()">a</p>', "<p>a</p>", id="handler-in-capitals"),
        pytest.param('<p/onclick="x()">a</p>', "<p>a</p>", id="handler-after-slash"),
        pytest.param(
            '<head><meta http-equiv="refresh" content="0;url=//x"></head><p>a</p>',
            "<p>a</p>",
            id="refresh",
        ),
        pytest.param('<base href="//x"><p>a</p>', "<p>a</p>", id="base"),
        pytest.param('<link rel="stylesheet" href="//x"><p>a</p>', "<p>a</p>", id="style-sheet"),
        pytest.param("<style>@import '//x';</style><p>a</p>", "<p>a</p>", id="style-element"),
        pytest.param(
            '<form action="//x"><p>a</p><input name="q"><button>go</button></form>',
            "<p>a</p>",
            id="form-keeps-its-text",
        ),
        pytest.param('<iframe src="//x"><p>in</p></iframe><p>a</p>', "<p>a</p>", id="frame"),
        pytest.param(
            '<iframe srcdoc="<script>x()</script>"></iframe><p>a</p>', "<p>a</p>", id="srcdoc"
        ),
        pytest.param(
            '<object data="//x"></object><embed src="//x"><p>a</p>', "<p>a</p>", id="plugin"
        ),
        pytest.param('<img src="//x" srcset="//y 2x" alt="A">', '<img alt="A">', id="picture"),
        pytest.param(
            '<picture><source srcset="//x"><img src="//y" width="3" height="4"></picture>',
            '<picture><img width="3" height="4"></picture>',
            id="picture-sources",
        ),
        pytest.param(
            '<video poster="//x"><source src="//y"></video><p>a</p>', "<p>a</p>", id="video"
        ),
        pytest.param(
            '<a href="javascript:x()">a</a>', '<a title="javascript:x()">a</a>', id="script-link"
        ),
        pytest.param(
            '<a href="https://x/" target="_top" ping="//y">a</a>',
            '<a title="https://x/">a</a>',
            id="link",
        ),
        pytest.param('<area href="//x"><p>a</p>', "<p>a</p>", id="map"),
        pytest.param('<body background="//x"><p>a</p>', "<p>a</p>", id="background"),
        pytest.param(
            '<p style="color:red;background:url(//x);behavior:url(//y)">a</p>',
            '<p style="color:red">a</p>',
            id="style-with-address",
        ),
        pytest.param('<p style="background-image:url(//x)">a</p>', '<p style="">a</p>', id="style"),
        pytest.param("<svg onload=x()><p>in</p></svg><p>a</p>", None, id="svg"),
        pytest.param("<noscript><img src=//x></noscript><p>a</p>", "<p>a</p>", id="noscript"),
        pytest.param("<template><img src=//x></template><p>a</p>", "<p>a</p>", id="template"),
        pytest.param(
            "<!--[if IE]><script>x()</script><![endif]--><p>a</p>", "<p>a</p>", id="comment"
        ),
        pytest.param("<my-widget src=//x><p>a</p></my-widget>", "<p>a</p>", id="own-element"),
        pytest.param("", "", id="empty"),
        pytest.param("\x00", "", id="nul"),
        pytest.param("<p>a\x00b\ud800c</p>", "<p>abc</p>", id="impossible-characters"),
        pytest.param("just words", "just words", id="no-markup"),
    ],
)
def test_make_inert_of(markup, expected):
    result = make_inert(markup)

    if expected is not None:
        assert result == expected
    assert_inert(result)


# Markup whose tree changes when it is parsed twice (mutation XSS); published cases against several
# sanitisers.
MUTATIONS = [
    (
        "<math><mtext><table><mglyph><style><!--</style>"
        "<img title='--&gt;&lt;img src=1 onerror=x()&gt;'>"
    ),
    "<svg></p><style><a id='</style><img src=1 onerror=x()>'>",
    "<noscript><p title='</noscript><img src=x onerror=x()>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=x()>",
    "<math><annotation-xml encoding='text/html'><style><img title='</style><img src onerror=x()>'>",
    "<xmp><p title='</xmp><img src=x onerror=x()>'>",
    "<svg><desc><![CDATA[</desc><script>x()</script>]]></svg>",
    "<textarea><p title='</textarea><img src=x onerror=x()>'>",
    "<table><a><table><img src=x onerror=x()></table>",
    "<<script>x()//<</script>",
    '<IMG """><SCRIPT>x()</SCRIPT>">',
    "<img src=`x` onerror=`x()`>",
    "<a title='\"><script>x()</script>'>a</a>",
    "<p title='&quot;&gt;&lt;script&gt;x()&lt;/script&gt;'>a",
    "&lt;script&gt;x()&lt;/script&gt;",
    "<plaintext><script>x()</script>",
    "<select><option><style></select><img src onerror=x()></style>",
    "<p style='width:expression(x())'>a</p>",
    "<p style='color:red;}body{background:url(//x)'>a</p>",
    "<a href=' \x01javascript:x()'>a</a>",
    "<scr<script>ipt>x()</scr</script>ipt>",
]


@pytest.mark.parametrize("markup", MUTATIONS)
def test_make_inert_of_a_mutation(markup):
    assert_inert(make_inert(markup))
    assert_inert(make_inert(make_inert(markup)))


@pytest.mark.parametrize(
    "unit", ["<div>", "<b><p>", "<a><table>", "<font color=1>", "<ul><li>", "<b>"]
)
def test_make_inert_of_a_bottomless_page_is_quick(unit):
    result = make_inert("<p>a</p>" + unit * 200_000)

    assert result.startswith("<p>a</p>")


class Tags(HTMLParser):
    """Every start tag with its attributes, read by a third parser."""

    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def assert_inert(result):
    """Only elements that show text; in them only attributes that load nothing and run nothing."""
    reader = Tags()
    reader.feed(result)
    reader.close()
    acting = {"script", "style", "svg", "math", "iframe", "form", "link", "meta", "base", "input"}
    for tag, attributes in reader.tags:
        assert tag not in acting
        assert set(attributes) <= {
            *("class", "id", "title", "lang", "dir", "style", "alt", "width", "height"),
            *("colspan", "rowspan", "scope", "span", "start", "value", "datetime", "open"),
        }
        assert "url(" not in attributes.get("style", "")
