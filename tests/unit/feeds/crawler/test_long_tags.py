import pytest
from cpu_time import takes_less

from extraction.html.inert_page import make_inert
from extraction.html.parse import parse_html
from feeds.crawler.discovery import find_candidates
from feeds.crawler.long_tags import MAX_ATTRIBUTES, cut_long_tags

ATTRIBUTES = " ".join(f"a{n}=1" for n in range(100_000))
PAGE = f"<html><body><div {ATTRIBUTES}><p>word</p></div>"


@pytest.mark.parametrize(
    "page",
    [
        "<p>word</p>",
        f"<p data-all='{'x ' * 200}'>word</p>",
        f"<p data-all='{'x' * 100_000}'>word</p>",
        "5 < 6 " + "word " * 10_000,
        "<" * 50_000,
        "",
    ],
)
def test_pages_as_they_are_stay_as_they_are(page):
    assert cut_long_tags(page) == page


def test_tag_keeps_its_first_attributes():
    cut = cut_long_tags(PAGE)

    assert cut.count("=1") == MAX_ATTRIBUTES
    assert cut.endswith("><p>word</p></div>")


@pytest.mark.parametrize(
    "read",
    [
        lambda: parse_html(PAGE),
        lambda: make_inert(PAGE),
        lambda: find_candidates(PAGE.encode(), "http://karoo.example/"),
    ],
)
def test_a_hundred_thousand_attributes_take_no_time(read):
    assert takes_less(2, read)  # seconds; half a minute uncut
