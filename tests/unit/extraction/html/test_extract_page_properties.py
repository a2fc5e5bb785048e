"""Nothing the web sends makes the extraction fail, and no words of two elements ever meet."""

from datetime import UTC, datetime

import pytest
from cpu_time import takes_less
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from newspaper_pages import article_page

from extraction.html.extract_page import extract_page
from extraction.html.markup.outline import BLOCK_TAGS
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageInput

PAGE = article_page(
    head=(
        '<script type=\'application/ld+json\'>{"@type": "NewsArticle", "author": '
        '[{"name": "A"}]}</script>'
    ),
    before="<div class='byline'>By <a rel='author'>Thandi Nkosi</a>, 5 June 2024</div>",
    after="<table><tr><td>1</td><td>2</td></tr></table><div id='comments'>Nice.</div>",
)
SLOWEST_SECONDS = 2.0
_BLOCKS = sorted(BLOCK_TAGS - {"body", "html", "hr", "center", "dir", "summary"})


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes_never_crash(junk):
    extract_page(PageInput(body=junk, url="https://example.org/a"))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(PAGE)), st.binary(max_size=20))
def test_truncated_and_damaged_pages_never_crash(cut, junk):
    extract_page(PageInput(body=PAGE[:cut] + junk + PAGE[cut + len(junk) : cut + 4000]))


def test_a_form_feed_behind_a_removed_element_is_white_space():
    page = extract_page(PageInput(body=article_page("<script>x()</script>\x0c" + "One pot. " * 40)))

    assert page.text == ("One pot. " * 40).strip()


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(_BLOCKS), st.booleans()), min_size=1, max_size=8))
def test_words_of_two_blocks_never_join(tags):
    markup = "".join(
        f"<{tag}>word{n}" + (f"</{tag}>" if closed else "") for n, (tag, closed) in enumerate(tags)
    )

    outline = outline_page(parse_html(f"<body>{markup}"))

    words = [word for line in outline.lines for word in line.text.split()]
    assert words == [f"word{n}" for n in range(len(tags))]


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=300))
def test_any_url_and_text_are_taken(text):
    page = extract_page(PageInput(body=article_page(f"<p>{text}</p>"), url=text, content_type=text))

    assert page.text == "\n".join(block.text for block in page.blocks)


@pytest.mark.parametrize(
    "body",
    [
        b"<div>" * 200_000 + b"text",
        b"<b>" * 200_000 + b"text",
        b"<table><tr><td>" * 60_000 + b"text",
        b"<p>word " * 100_000,
        b"<a href=x>link</a> " * 60_000,
        b"<" * 1_000_000,
        b"<p " + b"class='a' " * 200_000 + b">text",
        b"<script type='application/ld+json'>" + b"[" * 200_000 + b"</script><p>text",
        b"<p>" + b"word " * 1_000_000,
        b"<img src='data:image/png;base64," + b"A" * 5_000_000 + b"'><p>text",
        b"<!--" * 200_000,
        b"&" * 1_000_000,
        b"<div class='" + b"comment " * 100_000 + b"'>text</div>",
        b"<div id=comment-1 class=comment><div class=comment-content>" * 20_000 + b"text",
        b"<meta name=author content='By Ann Lee and Bob Ray'>" * 20_000 + b"<p>text",
        b"<span itemprop=author>By Ann Lee</span>" * 10_000 + b"<p>text",
        b"<script type='application/ld+json'>{" + b"/* , " * 300_000 + b"</script><p>text",
        b"<title>" + b"a | " * 20_000 + b"</title><h1>a</h1><p>text",
        b"<p itemprop=text>word" * 150_000,
        b"<h1>Many marks on one letter</h1><p>a" + "\u0301\u0316".encode() * 100_000,
    ],
    ids=lambda body: body[:24].decode(),
)
def test_huge_and_deep_pages_end_in_time(body):
    assert takes_less(SLOWEST_SECONDS, lambda: extract_page(PageInput(body=body)))


@pytest.mark.parametrize("day", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_first_and_last_day_of_the_calendar_are_taken(day):
    head = f'<meta property="article:published_time" content="{day}">'
    given = PageInput(body=article_page(head=head), url="https://a.example/2024/06/05/a")

    page = extract_page(given, now=datetime(2026, 11, 20, tzinfo=UTC))

    assert day in [one.value for one in page.disagreements]
