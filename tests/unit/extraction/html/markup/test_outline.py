import pytest

from extraction.html.markup.outline_walk import MAX_LINES, outline_page
from extraction.html.markup.parse import parse_html


def lines(html: str) -> list[str]:
    return [line.text for line in outline_page(parse_html(html)).lines]


@pytest.mark.parametrize(
    "name",
    [
        "sr-only",
        "screen-reader-text",
        "visuallyHidden",
        "rollover-people-block",
        "tooltip__content",
    ],
)
def test_words_hidden_by_convention_are_no_text_and_break_no_line(name):
    html = f"<p>The mayor <a href='/m'>Zee</a><span class='{name}'>born in 1971</span> spoke.</p>"

    assert lines(html) == ["The mayor Zee spoke."]


def test_hidden_block_leaves_two_lines():
    assert lines("<div>One<div class='sr-only'>Two</div>three</div>") == ["One", "three"]


@pytest.mark.parametrize("name", ["tooltip", "popup", "hide", "sr-only-focusable-story"])
def test_other_names_hide_nothing(name):
    assert lines(f"<p>The mayor <span class='{name}'>of Knysna</span> spoke.</p>") == [
        "The mayor of Knysna spoke."
    ]


def test_page_whose_body_has_such_a_name_keeps_its_text():
    assert lines("<body class='visually-hidden'><p>Text</p></body>") == ["Text"]


def test_subtrees_beyond_the_last_line_end_with_it():
    items = "<li><a href=/x>Link</a></li>" * (MAX_LINES + 1)

    outline = outline_page(parse_html(f"<ul>{items}</ul><p>Beyond all lines.</p>"))

    assert len(outline.lines) == MAX_LINES
    assert max(outline.end_line) == MAX_LINES
