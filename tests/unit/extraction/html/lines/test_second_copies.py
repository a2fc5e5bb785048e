import pytest

from extraction.html.cascade import CascadeInput, choose
from extraction.html.lines.drop_reasons import DropReason
from extraction.html.lines.line_places import PageContext
from extraction.html.lines.second_copies import second_copies
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html

PARAGRAPHS = [
    f"<p>On {day} the harbour of the town was closed because of the wind from the south.</p>"
    for day in ("Monday", "Tuesday", "Wednesday", "Thursday")
]
WHOLE = "".join(PARAGRAPHS)
CAPTION = "<p>The harbour wall on Monday morning, seen from the old lighthouse.</p>"


def outline(html):
    return outline_page(parse_html(f"<body>{html}</body>"))


def copies(html):
    page = outline(html)
    return second_copies(page, range(len(page.lines)))


@pytest.mark.parametrize(
    ("html", "again"),
    [
        pytest.param(WHOLE * 2, {4, 5, 6, 7}, id="whole"),
        pytest.param(WHOLE * 3, set(range(4, 12)), id="three times"),
        pytest.param("".join(part * 2 for part in PARAGRAPHS), {1, 3, 5, 7}, id="in turns"),
        pytest.param(f"<h2>Wind</h2>{WHOLE}" * 2, {5, 6, 7, 8, 9}, id="with its heading"),
        pytest.param(WHOLE * 2 + CAPTION, {4, 5, 6, 7}, id="with a caption more"),
    ],
)
def test_text_that_comes_again_as_a_whole_is_cut_once(html, again):
    assert copies(html) == again


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("", id="nothing"),
        pytest.param(WHOLE, id="once"),
        pytest.param(WHOLE + PARAGRAPHS[0] + PARAGRAPHS[1], id="lines that come again"),
        pytest.param("".join(PARAGRAPHS[:2]) * 2, id="announcement"),
        pytest.param("<p>Batter</p><p>Bowler</p><p>Keeper</p>" * 4, id="short lines"),
    ],
)
def test_other_texts_are_left_as_they_are(html):
    assert copies(html) == frozenset()


def test_choice_holds_a_doubled_text_once_and_says_why():
    page = outline(f"<article><h1>Wind</h1>{WHOLE}{WHOLE}</article>")

    choice = choose(CascadeInput(page, PageContext("Wind", "", "", ())))

    assert choice.lines == (1, 2, 3, 4)
    assert {choice.reasons[position] for position in (5, 6, 7, 8)} == {DropReason.AGAIN}
