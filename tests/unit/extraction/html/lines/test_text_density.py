"""Composite text density against the formulas of Sun, Song & Liao 2011, computed by hand."""

from math import e, log

import pytest

from extraction.html.lines.text_density import content_elements, text_densities
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html

PAGE = "<body><div><a>menu</a><a>more</a></div><div><p>{words}</p><p>{words}</p></div></body>"
WORDS = "word " * 39 + "word"  # 199 characters


def measured(html):
    outline = outline_page(parse_html(html))
    return outline, text_densities(outline)


def density_of(outline, densities, tag, position=0):
    found = [index for index, name in enumerate(outline.tags) if name == tag]
    return densities.density[found[position]]


def test_density_follows_the_formula():
    outline, densities = measured(PAGE.format(words=WORDS))
    body_chars, link_chars = 2 * 199 + 8, 8
    share = link_chars / body_chars

    # The first div: 8 characters in 2 links, so NLC = 0 and counts as 1.
    expected = 8 / 2 * log(8 * 2 / (8 * 2)) / log(log(8 / 1 * 8 + share * 8 + e))
    assert density_of(outline, densities, "div", 0) == pytest.approx(expected)
    # The second: 398 characters in 2 tags without links.
    expected = 398 / 2 * log(398 * 2 / (1 * 1)) / log(log(398 / 398 * 0 + share * 398 + e))
    assert density_of(outline, densities, "div", 1) == pytest.approx(expected)


def test_density_sum_adds_children_and_direct_text():
    outline, densities = measured("<body><div>direct<b>bold</b></div><a>link</a></body>")
    div, bold = outline.tags.index("div"), outline.tags.index("b")
    share = 4 / 14

    direct = 6 * log(6) / log(log(share * 6 + e))
    assert densities.density_sum[div] == pytest.approx(densities.density[bold] + direct)


def test_content_is_the_dense_container():
    outline, densities = measured(PAGE.format(words=WORDS))

    [element] = content_elements(outline, densities)
    texts = [
        line.text for line in outline.lines[outline.first_line[element] : outline.end_line[element]]
    ]

    assert texts == [WORDS, WORDS]


@pytest.mark.parametrize("html", ["", "<body></body>", "<body><br></body>"])
def test_page_without_text_has_no_content(html):
    outline, densities = measured(html)

    assert content_elements(outline, densities) == []


def test_page_without_links_keeps_plain_density():
    outline, densities = measured("<body><p>one two three</p></body>")

    assert density_of(outline, densities, "p") == 13.0
