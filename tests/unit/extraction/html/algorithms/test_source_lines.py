"""Source lines: the breaks, what a line counts, and that they are the lines of the outline."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.html.algorithms.source_lines import (
    BreakRules,
    block_breaks,
    outline_positions,
    source_lines,
)
from extraction.html.markup.cleaning import clean
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html

PARAGRAPHS = BreakRules(after=frozenset(["p", "br"]))


def outlined(html):
    root = parse_html(html)
    clean(root)
    return outline_page(root)


def texts(html, breaks=PARAGRAPHS):
    return [line.text for line in source_lines(outlined(html), breaks)]


def test_lines_end_at_source_breaks_and_named_tags():
    html = "<body>one\n<div>two</div><p>three</p>four<br>five\n\n</body>"

    assert texts(html) == ["one", "twothree", "four", "five", "", ""]


def test_source_break_behind_a_named_end_is_no_second_one():
    html = "<body><p>one</p>\n<p>two</p> \n\n<div>three</div></body>"

    assert texts(html) == ["one", "two", "", "three"]


def test_block_breaks_leave_an_empty_line_between_nested_ends():
    html = "<body><div><div>one</div></div><div>two</div></body>"
    outline = outlined(html)

    lines = [line.text for line in source_lines(outline, block_breaks(outline))]

    assert lines == ["", "", "", "", "one", "", "", "two", "", "", ""]


def test_line_counts_links_images_and_bytes():
    outline = outlined('<body><p>Die <a href="/x">braai</a><img src="a"></p></body>')
    [line] = [line for line in source_lines(outline, block_breaks(outline)) if line.text]

    # `<p>`, "Die ", `<a href="/x">`, "braai", `</a>`, `<img src="a">`, `</img>`, `</p>`
    expected = 3 + 4 + (3 + 10) + 5 + 4 + (5 + 8) + 6 + 4
    assert (line.text, line.n_links, line.n_images) == ("Die braai", 1, 1)
    assert line.html_bytes == expected


def test_skipped_elements_leave_the_text_behind_them():
    outline = outlined("<body><div>menu</div>text</body>")

    lines = source_lines(outline, PARAGRAPHS, [outline.tags.index("div")])

    assert [line.text for line in lines] == ["text"]


WORDS = st.text("ab \n", max_size=6)
TAGS = st.sampled_from(
    ["div", "p", "span", "a", "b", "li", "br", "button", "x-part", "td", "section"]
)


@st.composite
def pages(draw, depth=0):
    parts = [draw(WORDS)]
    for _ in range(draw(st.integers(0, 3)) if depth < 3 else 0):
        tag = draw(TAGS)
        parts.append(f"<{tag}>{draw(pages(depth + 1))}</{tag}>{draw(WORDS)}")
    return "".join(parts)


@given(pages())
def test_all_lines_together_are_the_outline(html):
    outline = outlined(f"<body>{html}</body>")

    for breaks in (PARAGRAPHS, block_breaks(outline)):
        lines = source_lines(outline, breaks)
        assert outline_positions(lines, outline) == tuple(range(len(outline.lines)))


@pytest.mark.parametrize("html", ["", "<body></body>", "<frameset>"])
def test_page_without_text_has_no_words(html):
    assert set(texts(html)) <= {""}


def test_lines_of_an_endless_page_end(monkeypatch):
    monkeypatch.setattr("extraction.html.algorithms.source_lines.MAX_LINES", 3)

    assert texts("<body>" + "a\n" * 6 + "</body>") == ["a", "a", "a", "a a a"]
