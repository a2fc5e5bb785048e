import numpy as np
import pytest

from extraction.html.lines.line_votes import loose_ends, voted
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html


def outline(html):
    return outline_page(parse_html(f"<body>{html}</body>"))


def probabilities(*values):
    return np.array(values, dtype=np.float32)


TABLE = "<table>" + "<tr><td>Kaizer Chiefs</td><td>24</td></tr>" * 3 + "</table>"


def test_table_whose_cells_are_likely_enough_is_text_as_a_whole():
    page = outline(f"<p>The log after 24 rounds:</p>{TABLE}")

    found = voted(page, probabilities(0.9, 0.6, 0.1, 0.6, 0.1, 0.6, 0.1))

    assert (found >= 0.5).tolist() == [True] * 7


def test_table_whose_cells_are_unlikely_is_out_as_a_whole():
    page = outline(f"<p>The log after 24 rounds:</p>{TABLE}")

    found = voted(page, probabilities(0.9, 0.6, 0.01, 0.1, 0.01, 0.1, 0.01))

    assert (found >= 0.5).tolist() == [True] + [False] * 6


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(
            TABLE.replace("<td>24", "<td>" + "A sentence of the story. " * 5), id="layout"
        ),
        pytest.param("<table><tr><td>a<td>b<td>c<td>d<td>e</table><p>f", id="few cells"),
    ],
)
def test_other_tables_are_left_to_the_lines(table):
    page = outline(table)
    values = probabilities(0.9, 0.1, 0.9, 0.1, 0.9, 0.1)

    assert voted(page, values).tolist() == values.tolist()


def test_only_the_innermost_of_nested_tables_votes():
    page = outline(f"<table><tr><td>Menu</td><td>{TABLE}</td></tr></table>")

    found = voted(page, probabilities(0.02, 0.6, 0.1, 0.6, 0.1, 0.6, 0.1))

    assert (found >= 0.5).tolist() == [False] + [True] * 6


def test_embedded_post_stays_with_its_signature():
    page = outline("<blockquote><p>We are done here.</p>— Zee (@zee) 3 May</blockquote>")

    assert (voted(page, probabilities(0.7, 0.2)) >= 0.5).all()


def test_aside_that_is_mostly_unlikely_is_out():
    page = outline("<aside><h3>Our tip line</h3><p>Write to us.</p><p>Or call us.</p></aside>")

    assert (voted(page, probabilities(0.2, 0.6, 0.2)) < 0.5).all()


def test_aside_that_is_likely_is_left_to_its_lines():
    values = probabilities(0.9, 0.3, 0.9)
    page = outline("<aside><h3>Facts</h3><p>Up to 1994.</p><p>And after it.</p></aside>")

    assert voted(page, values).tolist() == values.tolist()


def test_no_vote_brings_back_what_the_site_repeats_on_every_page():
    page = outline(TABLE)

    found = voted(page, probabilities(0.9, 0.001, 0.9, 0.9, 0.9, 0.9))

    assert (found >= 0.5).tolist() == [True, False, True, True, True, True]


def test_doubtful_tail_behind_a_gap_is_loose():
    page = outline("<p>A long paragraph of the story.</p>" * 3 + "<p>x</p>" * 7 + "<p>Tail.</p>")
    values = probabilities(0.9, 0.9, 0.9, *[0.1] * 7, 0.6)

    assert loose_ends(page, [0, 1, 2, 10], values) == {10}


@pytest.mark.parametrize(
    ("n_between", "likely"), [pytest.param(7, 0.9, id="sure"), pytest.param(5, 0.6, id="near")]
)
def test_other_tails_stay(n_between, likely):
    page = outline(
        "<p>A long paragraph of the story.</p>" * 3 + "<p>x</p>" * n_between + "<p>Tail.</p>"
    )
    values = probabilities(0.9, 0.9, 0.9, *[0.1] * n_between, likely)

    assert loose_ends(page, [0, 1, 2, 3 + n_between], values) == frozenset()


def test_second_half_of_a_text_is_no_tail():
    page = outline("<p>Part one.</p>" + "<p>x</p>" * 9 + "<p>Part two, which is longer.</p>")
    values = probabilities(0.9, *[0.1] * 9, 0.6)

    assert loose_ends(page, [0, 10], values) == frozenset()


def test_heading_with_nothing_kept_below_it_is_loose():
    page = outline("<p>The story.</p><h3>Read also</h3>" + "<p>x</p>" * 9 + "<h3>More</h3>")
    values = probabilities(0.9, 0.8, *[0.1] * 9, 0.6)

    assert loose_ends(page, [0, 1], values) == {1}


def test_heading_of_kept_lines_stays():
    page = outline("<p>The story.</p><h3>The vote</h3><p>It was close.</p>")

    assert loose_ends(page, [0, 1, 2], probabilities(0.9, 0.6, 0.9)) == frozenset()
