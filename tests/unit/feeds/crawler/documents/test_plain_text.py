import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.documents.plain_text import plain_text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Fish &amp; chips", "Fish & chips"),
        ("Fish &amp;amp; chips", "Fish & chips"),
        ("&lt;b&gt;Fish&lt;/b&gt;", "Fish"),
        ("<b>Fi</b>sh", "Fish"),
        ("<p>One</p><p>Two</p>", "One Two"),
        ("One<br/>Two", "One Two"),
        ("5 < 6 > 4", "5 < 6 > 4"),
        ("AT&T, R&D", "AT&T, R&D"),
        ("a?x=1&copy=2", "a?x=1&copy=2"),
        ("x<script>alert(1)</script>y", "x y"),
        ("x<style>p{}</style>", "x"),
        ("<img src=x onerror=alert(1)>", ""),
        ("<!-- hidden -->", ""),
        ("  a\n\t b\u00a0c ", "a b c"),
        ("a\x00b\x0bc", "abc"),
        ("&#x41;&#66;", "AB"),
        (None, ""),
        (17, ""),
    ],
)
def test_plain_text_of_markup(markup, text):
    assert plain_text(markup, 100) == text


def test_plain_text_is_cut():
    assert plain_text("word " * 100, 7) == "word wo"


@given(st.text(max_size=200))
def test_plain_text_of_anything_has_no_script(text):
    assert "<script" not in plain_text(f"{text}<script>x</script>{text}", 1_000).lower()
