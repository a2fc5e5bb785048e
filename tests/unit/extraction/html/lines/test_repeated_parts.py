import numpy as np
import pytest

from extraction.html.lines.repeated_parts import Part, alike_parts, kept_together
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html

POST = (
    '<div class="post p{n}"><h3>{n} minutes</h3><p>Villa press on and win another corner, the'
    " ninth of this half.</p><p>No goal.</p></div>"
)
AD = '<div class="ad">Advertisement</div>'


def outline(*parts):
    return outline_page(parse_html(f"<body><div>{''.join(parts)}</div></body>"))


def posts(n_posts=5, post=POST, between=""):
    return outline(between.join(post.format(n=number) for number in range(n_posts)))


def probabilities(*values):
    return np.array(values, dtype=np.float32)


def kept(page, values):
    return np.flatnonzero(kept_together(page, values) >= 0.5).tolist()


def test_alike_parts_have_their_running_text_and_the_headings_above_it():
    assert list(alike_parts(posts(between=AD))) == [
        tuple(Part((4 * n + 1,), (4 * n,)) for n in range(5))
    ]


def test_doubted_headings_and_posts_stay_with_the_kept_ones():
    values = probabilities(*(0.3, 0.9, 0.1, 0.02) * 3, 0.3, 0.9, 0.1, 0.02, 0.3, 0.1, 0.1)

    assert kept(posts(between=AD), values) == [0, 1, 4, 5, 8, 9, 12, 13, 16, 17]


def test_no_other_line_changes():
    values = probabilities(*(0.3, 0.9, 0.1) * 5)

    found = kept_together(posts(), values)

    assert found.tolist() == probabilities(*(0.51, 0.9, 0.1) * 5).tolist()
    assert values.tolist() == probabilities(*(0.3, 0.9, 0.1) * 5).tolist()


def test_headings_that_are_no_part_of_the_text_stay_out():
    assert kept(posts(), probabilities(*(0.1, 0.9, 0.1) * 5)) == [1, 4, 7, 10, 13]


def test_line_that_other_pages_of_the_site_show_is_not_brought_back():
    values = probabilities(*(0.3, 0.9, 0.1) * 4, 0.3, 0.005, 0.1)

    assert kept(posts(), values) == [0, 1, 3, 4, 6, 7, 9, 10, 12]


@pytest.mark.parametrize(
    "values",
    [
        pytest.param((0.3, 0.9, 0.1) * 3 + (0.3, 0.2, 0.1) * 2, id="three of five kept"),
        pytest.param((0.3, 0.55, 0.1) * 5, id="unsure of all"),
        pytest.param((0.3, 0.1, 0.1) * 5, id="teasers"),
    ],
)
def test_parts_that_the_model_does_not_want_are_left_to_the_lines(values):
    assert (
        kept_together(posts(), probabilities(*values)).tolist() == probabilities(*values).tolist()
    )


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(posts(4), id="four are too few"),
        pytest.param(posts(post=POST.replace("h3>", "b>")), id="without heading or time"),
        pytest.param(
            posts(post='<div class="box"><h3>More</h3><p>All about Villa</p></div>'), id="no text"
        ),
        pytest.param(
            posts(post=POST.replace("<p>", "<p><a href='/'>").replace("</p>", "</a></p>")),
            id="teasers: all linked",
        ),
        pytest.param(
            outline(*(POST.format(n=n).replace("post", "abcde"[n]) for n in range(5))),
            id="other names",
        ),
    ],
)
def test_other_parts_are_no_posts(page):
    assert list(alike_parts(page)) == []


def test_time_opens_a_post_as_a_heading_does():
    page = posts(post=POST.replace("h3>", "time>"))

    assert [len(group) for group in alike_parts(page)] == [5]
