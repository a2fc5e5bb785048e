"""Sorting lines in a real browser: by keys, and without scripts by the form."""

import pytest
from factories import index_all, make_article, make_publication
from playwright.sync_api import expect

from search.models import LineMark

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def corpus(transactional_db):
    paper = make_publication()
    for number in range(5):
        make_article(f"On day {number} we braai, and the dog has the wors. Shame.", paper)
    index_all()


def draw(page):
    """Go from a search to its lines."""
    page.click("a.btn >> text=Mark lines")
    page.fill("[name=name]", "Braai")
    page.fill("[name=categories]", "verb\nnoun")
    page.click("button.go")
    page.wait_for_selector("table.marked")


def marks():
    return list(LineMark.objects.order_by("line__number").values_list("line__number", "value"))


def test_keys_sort_lines_one_after_the_other(open_window, corpus):
    window = open_window(role="linguist")
    page = window.open("/search/?q=braai")
    draw(page)

    with page.expect_response("**/mark/"):
        window.press("1")
    for key in ("2", "0", "-", "ArrowUp", "2"):
        page.keyboard.press(key)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("t")
    page.keyboard.type("1 of 2")
    page.keyboard.press("Enter")
    expect(page.locator("#sorted")).to_have_text("3")
    page.wait_for_load_state("networkidle")

    assert marks() == [(1, 1), (2, 2), (3, 2)]
    assert LineMark.objects.get(line__number=3).note == "1 of 2"
    page.reload()
    assert page.inner_text("#sorted") == "3"
    assert page.locator("tbody >> nth=1").locator("input:checked").get_attribute("value") == "2"
    with page.expect_navigation(url="**?show=2"):
        page.select_option("[name=show]", "2")
    assert page.locator("[data-marked]").count() == 2
    page.click("a.btn >> text=Results")
    page.wait_for_selector("svg")
    with page.expect_navigation(url="**?by=form*"):
        page.select_option("[name=by]", "form")
    assert window.complaints == []


def test_lines_are_sorted_without_scripts_on_a_phone(open_window, corpus):
    window = open_window(role="linguist", scripts=False, width=390)
    page = window.open("/search/?q=braai")
    draw(page)

    page.locator("tbody >> nth=1").locator("input[value='1']").check(force=True)
    page.locator("tbody >> nth=3").locator("input[value='0']").check(force=True)
    page.click("text=Save and next page")
    page.wait_for_selector("table.marked")

    assert marks() == [(2, 1), (4, 0)]
    assert not window.is_scrolled_sideways()


@pytest.mark.parametrize("width", [1360, 390])
def test_what_opens_all_marks_is_asked_below_its_button(open_window, corpus, width):
    window = open_window(role="linguist", width=width)
    page = window.open("/search/?q=braai")
    page.click("a.btn >> text=Mark lines")
    page.fill("[name=name]", "Braai")
    page.fill("[name=categories]", "verb\nnoun")
    page.check("[name=is_shared]")
    page.click("button.go")
    page.wait_for_selector("table.marked")

    page.click("text=Open the marks")
    button = page.locator("text=Open the marks").bounding_box()
    panel = page.locator("details.panel form").bounding_box()

    below = panel["y"] - (button["y"] + button["height"])
    assert 0 <= below < button["height"]
    assert not window.is_scrolled_sideways()
