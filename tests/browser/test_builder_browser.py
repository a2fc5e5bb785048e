"""The query builder in a real browser: by keys alone as one types, on a phone, without scripts."""

import pytest
from factories import index_all, make_article

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def corpus(transactional_db):
    make_article("Nobody came. The braai was cold and the dog has the wors.")
    make_article("They braai snoek. A cold braai is a fire.")
    index_all()


def made(page, cql):
    """Wait for the CQL that stands in the answer."""
    page.wait_for_function("cql => document.querySelector('.made')?.textContent === cql", arg=cql)


def test_a_query_is_built_by_keys_as_one_types(window, corpus):
    page = window.open("/search/?q=cold")
    page.get_by_role("button", name="Builder").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#drawing")
    made(page, '"cold"%c')
    assert page.inner_text("#answer strong") == "2"

    page.locator("#drawing .adds").first.get_by_role("button", name="a token").focus()
    page.keyboard.press("Enter")
    made(page, '"cold"%c []')
    page.keyboard.type("br")  # the new card has the focus
    made(page, '"cold"%c "br"%c')
    page.keyboard.type("aai")
    made(page, '"cold"%c "braai"%c')
    assert page.inner_text("#answer strong") == "1"
    page.locator("[name='p.what']").nth(1).select_option("class")
    page.locator("select[name='p.value']").select_option("NOUN")
    made(page, '"cold"%c [pos="NN.*|NOUN|PROPN"]')
    assert "p.value=NOUN" in page.url
    page.go_back()  # undoes the card
    made(page, '"cold"%c')
    page.go_forward()
    made(page, '"cold"%c [pos="NN.*|NOUN|PROPN"]')

    page.get_by_role("button", name="Move Token 2 earlier").focus()
    page.keyboard.press("Enter")
    made(page, '[pos="NN.*|NOUN|PROPN"] "cold"%c')
    assert page.evaluate("document.activeElement.id") == "v-m-0-0-0"
    page.get_by_role("button", name="Move Token 1 later").click()
    made(page, '"cold"%c [pos="NN.*|NOUN|PROPN"]')

    page.locator("[name='p.value']").first.fill("(cold")
    page.locator("[name='p.how']").first.select_option("like")
    page.wait_for_selector("#answer .error >> text=never closed")
    page.locator("[name='p.value']").first.fill("cold")
    page.wait_for_selector("#answer strong")
    page.get_by_role("button", name="Search").click()
    page.wait_for_selector("table.kwic")
    assert page.input_value("#q") == '"cold"%c [pos="NN.*|NOUN|PROPN"]'
    assert window.complaints == []


def test_a_tag_is_added_from_its_list_on_a_phone_without_scripts(open_window, corpus):
    window = open_window(width=390, scripts=False)
    page = window.open("/search/builder/")
    page.click("#d-tags-1 summary")
    page.click("#d-tags-1 button >> text=DT")
    page.locator(".made", has_text="DT").wait_for()  # on the next page
    assert page.inner_text(".made") == '[pos="DT"]'
    page.click("#drawing .adds >> nth=0 >> text=a token")
    page.locator("[name='p.value']").nth(1).fill("braai")
    page.keyboard.press("Enter")
    page.locator(".made", has_text="braai").wait_for()
    assert page.inner_text(".made") == '[pos="DT"] "braai"%c'
    assert not window.is_scrolled_sideways()
    window.follow(page.get_by_role("button", name="Search"))
    assert page.inner_text(".answer strong") == "1"


@pytest.mark.parametrize("path", ["/search/builder/?q=cold", "/help/admins/"])
def test_the_narrowest_phone_shows_all_of_it(open_window, corpus, path):
    window = open_window(width=320, role="admin")
    window.open(path)

    assert not window.is_scrolled_sideways()
