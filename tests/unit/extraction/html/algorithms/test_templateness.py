"""Templateness: the seven numbers by hand, ranges, regression, and the shipped model."""

import numpy as np
import pytest
from read_pages import kept, read

from extraction.html.algorithms.page_layout import lay_out
from extraction.html.algorithms.scored_page import read_page
from extraction.html.algorithms.templateness import (
    Smoothing,
    TemplatenessParameters,
    element_numbers,
    element_scores,
    templateness,
)
from extraction.html.algorithms.templateness_model import (
    TemplatenessModel,
    fit_logistic,
    shipped_model,
)
from extraction.html.page import PageInput
from feeds.crawler.fetching.drawn_html import without_boxes

PAGE = (
    "<body><div>Two words!</div>"
    "<p>one two thr <a href='/in'>four</a> <a href='https://else.example/x'>five</a></p></body>"
)


def test_layout_is_reckoned_from_text_and_images():
    outline = read(f"{PAGE}<img width=30 height=20px><img>").outline
    layout = lay_out(outline, {})
    div, paragraph = outline.tags.index("div"), outline.tags.index("p")

    assert layout.area[div] == 10 * 150.0
    assert layout.area[paragraph] == (11 + 4 + 4) * 150.0
    assert (layout.top[paragraph], layout.left[paragraph]) == (1.5, 20.0)
    assert layout.area[0] == 29 * 150.0 + 600.0 + 60_000.0


DRAWN = """<html data-broadsheet-box="0 0 1280 900"><body data-broadsheet-box="8 8 1264 884">
<nav data-broadsheet-box="8 8 1264 40">Home</nav>
<p data-broadsheet-box="-40 60 700 {height}">One.</p>
<aside>Unmeasured</aside></body></html>"""


def drawn(height="80"):
    measured = DRAWN.format(height=height).encode()
    return read_page(PageInput(body=without_boxes(measured), measured=measured))


def test_layout_is_the_browsers_where_one_drew_the_page():
    page = drawn()
    layout = lay_out(page.outline, page.boxes)
    html, body, nav, paragraph, aside = map(
        page.outline.tags.index, ("html", "body", "nav", "p", "aside")
    )

    assert [layout.area[index] for index in (html, body, nav, paragraph, aside)] == [
        1280.0 * 900, 1264.0 * 884, 1264.0 * 40, 700.0 * 80, 0.0,
    ]  # fmt: skip
    assert [layout.top[index] for index in (html, body, nav, paragraph, aside)] == [0, 8, 8, 60, 8]
    assert [layout.left[index] for index in (html, body, nav, paragraph, aside)] == [0, 8, 8, 0, 8]
    assert [dict(element.attrib) for element in page.outline.elements] == [{}] * 5
    _, areas, numbers = element_numbers(page, 2000.0)
    assert areas.tolist() == [1280.0 * 900, 1264.0 * 884, 1264.0 * 40, 700.0 * 80]
    assert numbers[3][:2] == pytest.approx([np.log1p(60), 0.0])
    assert templateness(page, TemplatenessParameters()).remark == ""
    assert templateness(read(PAGE), TemplatenessParameters()).remark.startswith("Sizes and places")


@pytest.mark.parametrize("height", ["", "x", "nan", "inf", "-3", "1e300", "80 80", "9" * 400])
def test_a_place_that_is_none_is_passed_over(height):
    page = drawn(height)
    paragraph = page.outline.tags.index("p")

    assert lay_out(page.outline, page.boxes).area[paragraph] == 0.0


def test_seven_numbers_of_an_element():
    page = read(PAGE, url="http://paper.example/a")
    elements, areas, numbers = element_numbers(page, 2000.0)
    paragraph = elements.index(page.outline.tags.index("p"))

    n_html = len(
        "<p>one two thr<a href='/in'>four</a><a href='https://else.example/x'>five</a></p>"
    )
    assert areas[paragraph] == 19 * 150.0
    assert numbers[paragraph] == pytest.approx(
        [np.log1p(1.5), np.log1p(20), 2 / (19 / 6), 8 / 19, 8 / 6 / 2, 0.5, 19 / n_html], rel=0.03
    )


def test_elements_below_the_least_area_are_not_judged():
    page = read(PAGE)
    elements, _, _ = element_numbers(page, 2000.0)

    assert page.outline.tags.index("div") not in elements


def test_limits_belong_to_the_range_above():
    model = TemplatenessModel((10.0, 20.0, 30.0), ())

    assert model.ranges(np.array([9.9, 10.0, 20.0, 29.0, 30.0])).tolist() == [0, 1, 2, 2, 3]


def test_regression_finds_the_weights_it_was_made_with():
    random = np.random.default_rng(5)
    numbers = random.normal(size=(20_000, 2))
    truth = 1 / (1 + np.exp(-(1.5 * numbers[:, 0] - 0.5 * numbers[:, 1] + 0.25)))

    model = fit_logistic(numbers, random.random(20_000) < truth)

    assert model.weights / model.deviation == pytest.approx([1.5, -0.5], abs=0.08)


SENTENCES = "The milk was gone by noon, and shops waited for more of it all day long in vain. " * 3
MENU = "".join(f"<li><a href='/{n}'>Section of news {n}</a></li>" for n in range(20))
ARTICLE = f"<body><div><ul>{MENU}</ul></div><div><p>{SENTENCES}</p><p>{SENTENCES}</p></div></body>"


@pytest.mark.parametrize("smoothing", list(Smoothing))
def test_shipped_model_tells_menu_and_text(smoothing):
    parameters = TemplatenessParameters(smoothing=smoothing)

    assert kept(ARTICLE, templateness, parameters) == [SENTENCES.strip()] * 2


def test_smoothed_scores_never_fall_towards_the_leaves():
    page = read(ARTICLE)
    parameters = TemplatenessParameters(smoothing=Smoothing.ISOTONIC)

    scores = element_scores(page, parameters, shipped_model())

    parents = page.outline.parents
    assert all(scores.get(parents[node], 0.0) <= score for node, score in scores.items())


def test_smoothing_is_off_by_default():
    assert TemplatenessParameters().smoothing is Smoothing.NONE


def test_model_survives_its_file(tmp_path):
    path = tmp_path / "model.json"
    shipped_model().save(path)

    assert TemplatenessModel.load(path).limits == shipped_model().limits
