import random
import re

import pytest
from cpu_time import takes_less

from extraction.html.markup.parse import parse_html
from extraction.html.trace.inert_page import make_inert
from feeds.crawler.documents.feed_parser import parse_feed
from feeds.crawler.documents.home_page import read_home_page
from feeds.crawler.documents.long_tags import MAX_ATTRIBUTES, cut_long_tags

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
        lambda: read_home_page(PAGE.encode(), "http://karoo.example/"),
        lambda: parse_feed(f'<rss version="2.0" {ATTRIBUTES}><channel/></rss>'.encode()),
    ],
)
def test_a_hundred_thousand_attributes_take_no_time(read):
    assert takes_less(2, read)  # seconds; half a minute uncut


@pytest.mark.parametrize("piece", ["a{0}='x=\"{0}\"'", "a{0}=x/", "a{0}='>' ", "a{0}='<'"])
def test_attributes_are_counted_as_the_parser_does(piece):
    tag = "<p " + " ".join(piece.format(n) for n in range(40_000)).replace("' a", "'a") + ">word"

    cut = cut_long_tags(tag)

    assert (cut.count("="), cut[-5:]) == (MAX_ATTRIBUTES * (2 if '"' in piece else 1), ">word")


def test_slashes_divide_attributes():
    tag = "<p/" + "/".join(f"a{n}" for n in range(40_000)) + ">word"

    assert cut_long_tags(tag).count("/") == MAX_ATTRIBUTES + 1


LONGEST = 4_000  # characters of a tag that is left alone whatever is in it
RUNS = (0, 1, 700, 1_999, 2_000, 2_001, 3_998, 3_999, 4_000, 4_001, 6_000)


@pytest.mark.parametrize("seed", range(40))
def test_long_tags_are_found_wherever_they_stand(seed):
    chance = random.Random(seed)
    page = "".join(
        chance.choice(["<", "<p", "</", ">", "> ", ""]) + "a " * (chance.choice(RUNS) // 2)
        + "b" * chance.randrange(2)
        for _ in range(chance.randrange(12))
    )  # fmt: skip
    long_tags = re.findall(rf"<[a-zA-Z][^<>]{{{LONGEST},}}", page)

    cut = cut_long_tags(page)

    assert (cut != page) == any(len(tag.split()) > MAX_ATTRIBUTES + 1 for tag in long_tags)
    assert cut.count("<") == page.count("<")
