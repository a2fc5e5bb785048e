import random
import re
from pathlib import Path

import pytest
from cpu_time import takes_less

from extraction.html.markup.parse import parse_html
from extraction.html.trace.inert_page import make_inert
from feeds.crawler.comment_systems.threads import words_of
from feeds.crawler.documents.feed_parser import parse_feed
from feeds.crawler.documents.home_page import read_home_page
from feeds.crawler.documents.long_tags import (
    MAX_ATTRIBUTES,
    MAX_BRACKETS,
    cut_long_tags,
    first_tags,
)
from feeds.crawler.documents.plain_text import plain_text

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


PRODUCT = ("corpus_site", "dedup", "extraction", "feeds", "presentation", "search")
# All others ask one of these for a tree.
PARSING = {
    "extraction/html/markup/parse.py",
    "feeds/crawler/comment_systems/threads.py",
    "feeds/crawler/documents/html_tree.py",
    "feeds/crawler/documents/plain_text.py",
}
HTML_PARSERS = ("HTMLParser(", "document_fromstring(", "fragment_fromstring(")


def test_every_module_that_parses_html_bounds_it_before():
    """libxml2 takes the square of a tag's attributes in HTML, and cannot be interrupted."""
    root = Path(__file__).resolve().parents[5]
    parsing = {
        path.relative_to(root): source
        for folder in PRODUCT
        for path in (root / folder).rglob("*.py")
        if any(parser in (source := path.read_text(encoding="utf-8")) for parser in HTML_PARSERS)
    }

    assert {str(path) for path in parsing} == PARSING
    assert [path for path, source in parsing.items() if "cut_long_tags(" not in source] == []


@pytest.mark.parametrize("read", [lambda text: plain_text(text, 100_000), words_of])
def test_words_of_a_feed_or_comment_with_a_tag_without_end_take_no_time(read):
    text = f"<p {ATTRIBUTES}"[:400_000] + ">rain</p>"

    assert takes_less(0.3, lambda: read(text))


def test_html_beyond_the_last_bracket_is_left_out():
    page = "<p>a" * (MAX_BRACKETS + 5)

    assert first_tags(page) == "<p>a" * (MAX_BRACKETS - 1)
