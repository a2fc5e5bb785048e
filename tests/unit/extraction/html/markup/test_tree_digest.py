"""One digest for documents that are read alike, another for any that are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.html.markup.tree_digest import tree_digest

PAGE = """<html><head><script nonce="{0}">var a = "<!-- {1} -->";</script>
<meta name="csrf-token" content="{0}"><title>Fire</title></head>
<body><p title="a">The harbour{2} was quiet.</p><form>
<input type="hidden" name="csrfmiddlewaretoken" value="{0}"></form></body></html>"""
FIRST = PAGE.format("8f31", "1", "")


def digest(page):
    return tree_digest(page.encode(), "text/html; charset=utf-8")


@pytest.mark.parametrize(
    "other",
    [
        PAGE.format("ff02", "1", ""),
        PAGE.format("8f31", "1", "<!-- 12:03 -->"),
        f"{FIRST}<!-- cached -->",
        f"<!-- cached -->{FIRST}",
    ],
)
def test_comments_and_keys_make_no_other_document(other):
    assert digest(other) == digest(FIRST)


@pytest.mark.parametrize(
    "other",
    [
        PAGE.format("8f31", "2", ""),  # in a script it is no comment
        PAGE.format("8f31", "1", " house"),
        FIRST.replace('title="a"', 'title="b"'),
        FIRST.replace('type="hidden"', 'type="text"'),
        FIRST.replace("<p ", "<h1 ").replace("</p>", "</h1>"),
        FIRST.replace("The", '<a title="<!--">No</a> The').replace("quiet", '<b title="-->"></b>'),
        FIRST.replace("The harbour", 'nonce="1" The harbour'),
    ],
)
def test_all_else_does(other):
    assert digest(other) != digest(FIRST)


def test_words_that_look_like_a_key_are_words():
    one, other = (f'{FIRST}<p>&lt;script nonce="{key}"&gt;</p>' for key in "ab")

    assert digest(one) != digest(other)


def test_the_charset_that_was_read_belongs_to_it():
    assert tree_digest(b"<p>a</p>", "text/html; charset=utf-8") != tree_digest(
        b"<p>a</p>", "text/html; charset=koi8-r"
    )


@given(st.binary(max_size=300))
def test_any_bytes_have_a_digest(body):
    assert len(tree_digest(body, "")) == 32
