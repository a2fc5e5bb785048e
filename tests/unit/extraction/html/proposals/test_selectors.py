"""Selectors proposed for an element: they match it, name no position, prefer lasting names."""

import pytest
from cssselect import SelectorError
from hypothesis import given
from hypothesis import strategies as st
from lxml.cssselect import CSSSelector

from extraction.html.markup.parse import parse_html
from extraction.html.proposals.selectors import PageIndex, looks_generated, selectors_of

PAGE = """<html><body><div id="wrap"><article class="story css-1x2y3z4" data-testid="article">
<h1 itemprop="headline" class="Head_head__3xK2d">Maas</h1>
<div class="story__body" id="post-104233"><p>One</p><p class="lead">Two</p></div>
</article><div class="story__body side"><p>Three</p></div></div></body></html>"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("article-body", False),
        ("story__text", False),
        ("col-md-8", False),
        ("h2", False),
        ("articleBody", False),
        ("content-main2", False),
        ("css-1x2y3z4", True),
        ("sc-bdVaJa", True),
        ("post-104233", True),
        ("_3xK2d", True),
        ("hhylRt", True),
    ],
)
def test_looks_generated(name, expected):
    assert looks_generated(name) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("//h1", '[itemprop="headline"]'),
        ("//article", ".story"),
        ("//div[@id='post-104233']", ".story__body"),
        ("//p[@class='lead']", ".lead"),
    ],
)
def test_selectors_of_an_element_begin_with_its_most_lasting_name(path, expected):
    element = parse_html(PAGE).xpath(path)[0]

    assert selectors_of(element)[0].css == expected


def test_selectors_of_a_module_class_keep_the_words_before_its_hash():
    element = parse_html(PAGE).xpath("//h1")[0]

    assert 'h1[class*="Head_head__"]' in [choice.css for choice in selectors_of(element)]


def test_every_selector_finds_in_the_index_what_it_finds_as_css():
    root = parse_html(PAGE)
    index = PageIndex(root)

    for element in root.iter():
        for choice in selectors_of(element):
            found = CSSSelector(choice.css, translator="html")(root)
            assert index.find(choice) == found
            assert element in found


_NAMES = st.text(alphabet="abX_-19é .:#", min_size=1, max_size=12)


@given(classes=_NAMES, identity=_NAMES, prop=_NAMES)
def test_selectors_of_any_names_are_css_that_matches(classes, identity, prop):
    root = parse_html("<div id='outer'><p>text</p></div>")
    element = root.find(".//p")
    element.set("class", classes)
    element.set("id", identity)
    element.set("itemprop", prop)

    for choice in selectors_of(element):
        try:
            found = CSSSelector(choice.css, translator="html")(root)
        except SelectorError:
            pytest.fail(f"not CSS: {choice.css}")
        assert element in found
