import pytest
from cpu_time import takes_at_most, takes_less

from extraction.html.extract_page import extract_page
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageInput
from feeds.crawler.documents.long_tags import MAX_BRACKETS

COMMENT = (
    "<div class='comment' id='comment-{0}'><b class='author'>Piet {0}</b>"
    "<div class='comment-body'><p>These are the words of a reader who comments.</p></div></div>"
)


def test_page_with_more_tags_than_are_read_is_cut_before_a_tag():
    page = "<p>a</p>" * MAX_BRACKETS

    root = parse_html(page)

    assert len(root.findall(".//p")) == MAX_BRACKETS // 2
    assert "".join(root.itertext()) == "a" * (MAX_BRACKETS // 2)


def test_page_with_as_many_tags_as_are_read_is_whole():
    root = parse_html("<p>a</p>" * (MAX_BRACKETS // 2) + "end")

    assert "".join(root.itertext()) == "a" * (MAX_BRACKETS // 2) + "end"


@pytest.mark.parametrize(
    "page",
    ["<p>A paragraph of a few words." * 400_000, "A line of words<br>" * 400_000],
    ids=["paragraphs", "breaks"],
)
def test_a_million_tags_take_no_time(page):
    body = page.encode()

    assert takes_less(2, lambda: extract_page(PageInput(body=body)))  # seconds


def test_comments_beyond_those_read_take_little_time():
    as_read, twelvefold = (
        "".join(COMMENT.format(number) for number in range(n)).encode() for n in (10_000, 120_000)
    )

    assert takes_at_most(
        3,  # the rest is only looked through for the end of what is read
        lambda: extract_page(PageInput(body=twelvefold)),
        lambda: extract_page(PageInput(body=as_read)),
    )


@pytest.mark.parametrize("sign", ["\0", "\x0b", "\x1f", "\ud800", "\ufffe", "\uffff"], ids=ascii)
def test_characters_that_no_tree_can_hold_are_left_out(sign):
    root = parse_html(f"<p>The {sign}harbour\f</p><p>reën{sign}</p>")

    assert "".join(root.itertext()) == "The harbour reën"
