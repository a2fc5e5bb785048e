"""An editor goes through doubtful pairs: by keys, by buttons without scripts, on a telephone."""

import pytest
from factories import NOW, make_article
from like_texts import sentences

from dedup.judging.review import pair_name
from dedup.models import Decision, Duplicate

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pairs():
    """Make three doubtful pairs, the most doubtful first."""
    made = []
    for number, closeness in enumerate((0.99, 0.95, 0.9)):
        text = sentences(f"pair {number}", 6)
        changed = [text[0].replace("The ", "A new "), *text[1:4], "Nobody else said so."]
        earlier = make_article(" ".join(text), text_digest=f"earlier {number}")
        later = make_article(" ".join(changed), text_digest=f"later {number}")
        made.append(
            Duplicate.objects.create(
                article=later,
                other=earlier,
                relation="near",
                similarity=0.4,
                containment=0.6,
                closeness=closeness,
                joins=False,
                n_shared=3,
                detected_at=NOW,
            )
        )
    return made


def press(page, key):
    with page.expect_navigation():
        page.keyboard.press(key)


def notice(page):
    return page.locator(".notice").inner_text()


def verdicts():
    return list(Duplicate.objects.order_by("pk").values_list("verdict", flat=True))


def test_an_editor_goes_through_the_queue_by_keys(open_window, pairs):
    window = open_window(role="editor")
    page = window.open("/duplicates/")

    press(page, "n")
    assert notice(page).endswith("different texts.")
    assert window.path == f"/duplicates/?pair={pair_name(pairs[1])}"
    press(page, "j")
    assert window.path == f"/duplicates/?pair={pair_name(pairs[2])}"
    press(page, "e")
    assert verdicts() == ["different", "open", "event"]
    press(page, "u")
    assert notice(page) == "Taken back: the same event in other words."
    assert window.path == f"/duplicates/?pair={pair_name(pairs[2])}"
    press(page, "y")

    assert verdicts() == ["different", "open", "same"]
    assert page.locator(".review-bar b").inner_text() == "2"
    assert window.complaints == []


def test_a_key_that_is_held_down_decides_once(open_window, pairs):
    page = open_window(role="editor").open("/duplicates/")
    with page.expect_navigation():
        page.keyboard.down("n")

    page.keyboard.down("n")  # the browser repeats it on the next page
    page.keyboard.up("n")
    page.wait_for_load_state("networkidle")

    assert Decision.objects.count() == 1
    assert verdicts() == ["different", "open", "open"]


def test_a_double_click_decides_what_was_pressed(open_window, pairs):
    page = open_window(role="editor").open("/duplicates/")
    page.get_by_role("button", name="Same text").dblclick(delay=10)
    page.wait_for_load_state("networkidle")

    assert (Decision.objects.count(), verdicts()) == (1, ["same", "open", "open"])

    page.goto(f"{page.url.partition('/duplicates/')[0]}/articles/{pairs[0].other_id}/duplicates/")
    page.get_by_role("button", name="Hide").first.dblclick(delay=10)
    page.wait_for_load_state("networkidle")

    kinds = list(Decision.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["judge", "hide"]


def test_keys_are_letters_while_one_types(open_window, pairs):
    page = open_window(role="editor").open("/duplicates/")
    page.locator("[data-query]").focus()

    page.keyboard.type("yne")

    assert page.locator("[data-query]").input_value() == "yne"
    assert Decision.objects.count() == 0


def test_linguists_have_no_keys_that_decide(open_window, pairs):
    window = open_window(role="linguist")
    page = window.open("/duplicates/")

    page.keyboard.press("y")
    page.keyboard.press("e")
    press(page, "j")

    assert window.path == f"/duplicates/?pair={pair_name(pairs[1])}"
    assert Decision.objects.count() == 0


def test_everything_is_done_without_scripts(open_window, pairs):
    window = open_window(role="editor", scripts=False)
    page = window.open("/duplicates/")

    window.follow(page.get_by_role("link", name="Show the differences only"))
    assert page.locator(".hidden-run").all_inner_texts() == ["3 sentences the same"]
    window.follow(page.get_by_role("button", name="Same text"))
    assert window.path == f"/duplicates/?pair={pair_name(pairs[1])}&diff=1"
    window.follow(page.get_by_role("button", name="Undo"))
    window.follow(page.get_by_role("button", name="Same event"))

    assert verdicts() == ["event", "open", "open"]


def test_two_tabs_and_one_pair(open_window, pairs):
    first, second = open_window(role="editor"), open_window(role="editor")
    one, other = first.open("/duplicates/"), second.open("/duplicates/")
    press(one, "n")

    press(other, "y")

    assert notice(other).startswith("Meanwhile somebody has said of these two: different texts.")
    assert verdicts() == ["different", "open", "open"]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_on_a_telephone_equal_sentences_stand_once(open_window, pairs, colours):
    window = open_window(width=390, colours=colours, role="editor")
    addresses = ["/duplicates/", "/duplicates/decisions/", "/duplicates/limit/"]
    addresses += [f"/articles/{pairs[0].article_id}/duplicates/?with={pairs[0].other_id}"]

    for address in addresses:
        page = window.open(address)
        assert not window.is_scrolled_sideways(), address

    same = page.locator("tr.is-same").first.locator("td")
    assert [same.nth(0).is_visible(), same.nth(1).is_visible()] == [True, False]
    changed = page.locator("tr.is-changed").first.locator("td")
    assert [changed.nth(0).is_visible(), changed.nth(1).is_visible()] == [True, True]


def test_a_shared_sentence_leads_to_its_like_on_the_other_side(open_window):
    text = sentences("moved", 4)
    left = make_article(" ".join(text))
    right = make_article(" ".join([*text[1:], text[0]]))
    window = open_window()
    page = window.open(f"/articles/{left.pk}/duplicates/?with={right.pk}")

    page.locator("#l1 a.same").focus()
    page.keyboard.press("Enter")

    assert window.path.endswith("#r4")
    assert page.evaluate("document.querySelector('td:target').textContent.includes('moved 0')")
