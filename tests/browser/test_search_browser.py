"""What a linguist does, in a real browser: search, read lines, open the text, go back."""

from datetime import timedelta

import pytest
from factories import (
    NOW,
    index_all,
    make_article,
    make_comment,
    make_fetch,
    make_publication,
    make_version,
)
from waiting import wait_until

from dedup.models import Duplicate

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS = 30.0  # for a page that lays itself out on a busy machine


@pytest.fixture
def corpus(transactional_db):
    """Sixty articles, the newest first in the concordance; one has comments and a twin."""
    papers = [make_publication(), make_publication("cape-meridian", name="Cape Meridian")]
    articles = [
        make_article(
            f"Nobody came on day {number}. The braai was cold and the dog has the wors. Shame.",
            papers[number % 2],
            title=f"Cold fire {number}",
            dated_at=NOW - timedelta(days=number),
        )
        for number in range(60)
    ]
    make_comment(articles[0], "A gas braai is a stove with ambitions.")
    make_fetch(articles[0].page)
    Duplicate.objects.create(
        article=articles[0], other=articles[1], relation="repost", similarity=1, n_shared=2,
        detected_at=NOW,
    )  # fmt: skip
    index_all()
    return articles


def test_from_home_to_the_text_and_back(window, corpus):
    page = window.open("/")
    page.keyboard.type("lemma:braai")
    page.keyboard.press("Enter")
    page.wait_for_selector("table.kwic")
    assert window.path == "/search/?q=lemma%3Abraai"
    assert page.inner_text(".answer strong") == "60"
    assert page.title() == "lemma:braai – Concordance – Broadsheet"

    page.click("tbody >> nth=1 >> td.c a")
    page.wait_for_selector(".hitbar")
    assert page.inner_text("h1") == "Cold fire 1"
    assert page.inner_text("b.hit") == "braai"
    assert page.inner_text(".hitbar b") == "2"
    page.click(".hitbar >> text=Back to line 2")
    page.wait_for_selector("table.kwic")
    page.go_back()
    page.wait_for_selector(".hitbar")
    page.go_back()
    page.wait_for_selector("table.kwic")
    assert window.path == "/search/?q=lemma%3Abraai"
    assert window.complaints == []


@pytest.mark.parametrize("width", [1360, 390])
def test_links_in_the_sentence_below_the_exports_stand_in_its_lines(open_window, corpus, width):
    page = open_window(width=width).open("/search/?q=braai")
    page.click(".export summary")

    link = page.get_by_role("link", name="goes on", exact=True)

    assert link.evaluate("a => getComputedStyle(a).display") == "inline"


@pytest.mark.parametrize(("width", "scripts"), [(1360, True), (390, False)])
def test_back_to_a_line_has_it_in_view_and_under_the_keys(open_window, corpus, width, scripts):
    page = open_window(width=width, scripts=scripts).open("/search/?q=braai")
    page.set_viewport_size({"width": width, "height": 300})
    page.click("tbody >> nth=44 >> td.c a")
    page.wait_for_selector(".hitbar")
    hit = page.locator("b.hit")
    # Its sentence comes into view once the page has its styles.
    wait_until(lambda: 60 < hit.bounding_box()["y"] < 240, SECONDS)

    page.set_viewport_size({"width": width, "height": 900})
    page.click(".hitbar >> text=Back to line 45")
    page.wait_for_selector("table.kwic")

    row = page.locator("tbody >> nth=44")
    row.wait_for()
    # Clear of the head that sticks at the top.
    wait_until(lambda: 40 <= (box := row.bounding_box())["y"] <= 900 - box["height"], SECONDS)
    assert page.evaluate("document.activeElement.closest('tbody')?.id") == page.get_attribute(
        "tbody >> nth=44", "id"
    )
    page.keyboard.press("Enter")
    page.wait_for_selector(".hitbar >> text=Hit 45 of 60")


def test_lines_that_run_to_the_left_have_the_words_around_the_node_beside_it(
    window, transactional_db
):
    make_article(f"{'قبل ' * 40}الجيل {'بعد ' * 40}", language="ar")
    index_all()

    page = window.open("/search/?q=الجيل")

    def edges(selector):
        box = page.locator(selector).bounding_box()
        return box["x"], box["x"] + box["width"]

    node = edges("tbody td.c a")
    after, before = edges("tbody .l .rl"), edges("tbody .r .rl")
    assert "بعد" in page.inner_text("tbody .l")
    assert "قبل" in page.inner_text("tbody .r")
    assert 0 < node[0] - after[1] < 60
    assert 0 < before[0] - node[1] < 60
    assert (
        page.evaluate("getComputedStyle(document.querySelector('tbody .l .rl')).direction") == "rtl"
    )


def test_keys_reach_query_lines_and_pages(window, corpus):
    page = window.open("/search/?q=braai")

    window.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    window.press("Escape")
    assert page.input_value("#q") == "braai"
    window.press("j")
    window.press("j")
    assert (
        page.evaluate("document.activeElement.closest('tbody').querySelector('.i').innerText")
        == "2"
    )
    window.press("x")
    page.wait_for_selector("tr.wide")
    assert "Nobody came on day 1." in page.inner_text("tr.wide")
    window.press("x")
    page.wait_for_selector("tr.wide", state="detached")
    window.press("j")
    assert (
        page.evaluate("document.activeElement.closest('tbody').querySelector('.i').innerText")
        == "3"
    )
    window.press("n")
    page.wait_for_url("**after=**")
    assert page.inner_text(".pager >> text=of 60") == "51–60 of 60"
    window.press("p")
    page.wait_for_selector("text=1–50 of 60")
    window.press("j")
    window.press("Enter")
    page.wait_for_selector(".hitbar")
    assert page.inner_text("h1") == "Cold fire 0"
    window.press("2")
    page.wait_for_selector(".tok.hit")
    window.press("]")
    page.wait_for_selector(".hitbar >> text=Hit 2 of 60")
    assert page.inner_text("h1") == "Cold fire 1"
    assert window.complaints == []


def test_earlier_queries_come_back_into_the_empty_field(window, corpus):
    for query in ("braai", "wors"):
        page = window.open("/search/")
        page.fill("#q", query)
        page.keyboard.press("Enter")
        page.wait_for_selector("table.kwic")

    window.open("/")
    page.focus("#q")  # by itself it comes with the first picture, which may be later than a key
    shown = []
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
        shown.append(page.input_value("#q"))

    assert shown == ["wors", "braai", "braai", "wors", ""]


def test_an_earlier_query_comes_back_in_its_language(window, corpus):
    page = window.open("/search/?ql=cql")
    page.fill("#q", '[word="braai"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("table.kwic")

    for field in ("#q", "#short-q"):
        window.open("/" if field == "#q" else "/articles/")
        page.focus(field)
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        page.wait_for_selector("table.kwic")
        assert "ql=cql" in window.path


def test_a_line_opens_and_closes_in_place(window, corpus):
    page = window.open("/search/?q=braai")

    page.click("tbody >> nth=2 >> .k-more a")
    page.wait_for_selector("tr.wide b")
    assert page.inner_text("tr.wide b") == "braai"
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.click("tbody >> nth=2 >> .k-more a")
    page.wait_for_selector("tr.wide", state="detached")
    assert window.path == "/search/?q=braai"
    assert window.complaints == []


def test_a_longer_context_is_all_to_be_read(window, transactional_db):
    make_article(" ".join(["early"] * 30 + ["braai"] + ["later"] * 30))
    index_all()

    page = window.open("/search/?q=braai&ctx=30")

    is_clipped = "cell => cell.scrollWidth > cell.clientWidth"
    assert page.inner_text("table.kwic .r").count("later") == 30
    assert [page.eval_on_selector(f"table.kwic {side}", is_clipped) for side in (".l", ".r")] == [
        False,
        False,
    ]


def test_everything_works_without_scripts(open_window, corpus):
    window = open_window(scripts=False)
    page = window.open("/search/")
    page.fill("#q", "braai")
    window.follow(page.locator("button.go"))
    window.follow(page.locator("tbody >> nth=1 >> .k-more a"))
    assert "Nobody came on day 1." in page.inner_text("tr.wide")

    window.follow(page.locator(".pager [data-next]"))
    assert "51–60 of 60" in page.inner_text(".pager")
    window.follow(page.locator("thead >> text=Right context"))
    assert "sort=r1" in window.path
    window.follow(page.locator(".rail >> text=Cape Meridian"))
    assert page.inner_text(".answer strong") == "30"
    window.follow(page.locator(".chip .x"))
    assert page.inner_text(".answer strong") == "60"


def test_a_mistake_keeps_the_field_in_focus_and_offers_a_way_on(window, corpus):
    page = window.open("/search/?ql=cql")
    page.fill("#q", '[lemma="braai')
    page.keyboard.press("Enter")
    page.wait_for_selector(".query-error")

    assert page.evaluate("document.activeElement.id") == "q"
    caret = page.locator(".mirror .caret").bounding_box()
    mark = page.locator(".mirror mark").bounding_box()
    end = caret["x"] + caret["width"]
    assert mark["x"] - 2 <= end - mark["width"] <= mark["x"] + 3
    page.click(".query-error a")
    page.wait_for_selector("table.kwic")


def test_an_editor_saves_a_permanent_link(open_window, corpus):
    window = open_window(role="editor")
    page = window.open("/search/?q=braai")
    page.click("text=Permanent link to these numbers")
    page.wait_for_selector("text=Numbers of generation 1")

    short = page.inner_text(".notice a >> nth=0")
    page.goto(window.address + short)
    assert window.path == "/search/?q=braai&asof=1"
    assert window.complaints == []


def test_a_network_on_a_phone_shows_its_node_first(open_window, corpus):
    page = open_window(width=390).open("/search/collocates/?q=braai&net=1")

    box = page.locator("[data-middle]").evaluate(
        "box => [box.scrollLeft, (box.scrollWidth - box.clientWidth) / 2]"
    )

    assert box[1] > 100
    assert abs(box[0] - box[1]) <= 1


def test_the_frame_shows_the_stored_page_and_loads_nothing_from_outside(window, corpus):
    page = window.open(f"/articles/{corpus[0].pk}/page/")
    page.wait_for_load_state("networkidle")

    assert all(address.startswith((window.address, "data:")) for address in window.requests)
    assert window.complaints == []


PATHS = [
    "/search/",
    "/search/?q=braai",
    "/search/?q=braai&in=both&view=sentence",
    "/search/?q=nobody+came+on+day+*+.+the+braai&sort=l1,l2,l3",
    "/search/?q=zzzz",
    "/articles/",
    "/articles/changed/",
    "/articles/{0}/",
    "/articles/{0}/?q=braai&hit={0}-8",
    "/articles/{0}/tagged/?t=3",
    "/articles/{0}/page/",
    "/articles/{0}/comments/",
    "/articles/{0}/duplicates/?with={1}",
    "/articles/{0}/versions/",
    "/articles/{0}/timeline/",
    "/words/lexicon/",
    "/words/lists/",
    "/words/new/ignored/?word=shame",
    "/saved/?query=q%3Dbraai%26in%3Dboth",
]


@pytest.mark.parametrize(
    ("width", "colours"),
    [(1360, "light"), (1360, "dark"), (390, "light"), (390, "dark"), (320, "light")],
)
def test_pages_fit_and_keep_the_policy(open_window, corpus, width, colours):
    window = open_window(width=width, colours=colours, role="editor")
    make_version(corpus[0], "Somebody came. The braai was hot.", title="Hot fire")
    sideways = []
    for path in PATHS:
        window.open(path.format(corpus[0].pk, corpus[1].pk))
        if window.is_scrolled_sideways():
            sideways.append(path)

    assert sideways == []
    assert window.complaints == []


def test_dark_and_light_differ(open_window, corpus):
    grounds = [
        open_window(colours=colours)
        .open("/search/?q=braai")
        .evaluate("getComputedStyle(document.body).backgroundColor")
        for colours in ("light", "dark")
    ]

    assert grounds == ["rgb(244, 246, 244)", "rgb(18, 21, 24)"]


def test_a_first_visit_stays_within_its_budget(window, corpus):
    window.open("/search/?q=braai")
    window.page.wait_for_load_state("networkidle")

    assert len(window.requests) <= 6


def test_the_tab_in_use_is_in_sight_on_narrow_screens(open_window, corpus):
    window = open_window(width=390)
    page = window.open("/search/distribution/?q=braai")

    tab = page.locator(".tabs [aria-current]").bounding_box()
    assert tab["x"] >= 0
    assert tab["x"] + tab["width"] <= 390
    assert window.complaints == []


@pytest.mark.parametrize("width", [1360, 390])
@pytest.mark.parametrize("query", ["q=nobody", "q=ambitions&in=comments", "q=the+wors"])
def test_short_nodes_are_shown_whole_in_one_line(open_window, corpus, width, query):
    page = open_window(width=width).open(f"/search/?{query}&n=25")

    cut = page.evaluate(
        """[...document.querySelectorAll("td.c")].filter((cell) =>
            cell.scrollWidth > cell.clientWidth ||
            cell.querySelector("a").getClientRects().length > 1
        ).length"""
    )
    assert page.locator("td.c").count() > 0
    assert cut == 0


def test_the_name_of_a_row_stays_when_a_wide_table_is_scrolled(open_window, corpus):
    page = open_window(width=760).open("/search/collocates/?q=braai&more=1&min=1")

    places = page.evaluate(
        """[...document.querySelectorAll(".counted .scroll")].map((box) => {
            box.scrollLeft = 10000;
            const name = box.querySelector("tbody th").getBoundingClientRect();
            return [box.scrollLeft > 0, name.left >= box.getBoundingClientRect().left - 1];
        })"""
    )
    assert places == [[True, True]]


def test_estimates_give_way_to_exact_numbers(window, corpus, monkeypatch):
    monkeypatch.setattr("search.views.statistics.collocates.MOST_AT_ONCE", 20)
    monkeypatch.setattr("search.views.statistics.collocates.SAMPLE_HITS", 30)

    page = window.open("/search/collocates/?q=braai")
    page.wait_for_selector("text=Estimated", state="detached")

    assert page.inner_text("tbody tr >> nth=0 >> td >> nth=1") == "60"
    assert window.complaints == []


def test_a_linguist_keeps_words_as_a_list_and_searches_for_them(open_window, corpus):
    window = open_window(role="linguist")
    page = window.open("/words/?pattern=*o*s&order=alphabet")
    page.click("text=Save these words as a list")
    page.fill("input[name=name]", "things")
    page.click("text=Save list")
    page.click("a.t")
    page.wait_for_selector("table.kwic")

    assert page.input_value("#q") == "$things %c"
    assert page.inner_text(".answer strong") == "60"
    assert window.complaints == []


def test_an_editor_ignores_a_word_and_takes_it_back(open_window, corpus):
    window = open_window(role="editor")
    page = window.open("/words/new/ignored/?word=shame")
    page.click("button:text-is('Ignore')")
    page.wait_for_selector("text=“shame” is left out of new words from now on.")
    page.click("button:text-is('Take back')")
    page.wait_for_selector("text=“shame” may be among new words again.")

    assert window.complaints == []


def test_the_first_line_stands_high_on_a_linguists_phone_too(open_window, corpus):
    """Who may save and mark has two choices more above the lines: one row holds them all."""
    phone = open_window(width=390, role="linguist").open("/search/?q=braai")

    phone.locator("tbody >> nth=0").wait_for()
    assert phone.locator("tbody >> nth=0").bounding_box()["y"] < 400


def test_lines_have_room_and_choices_act(open_window, corpus):
    window = open_window()
    page = window.open("/search/?q=braai")
    page.click(".rail summary")
    assert page.locator("tbody .l >> nth=0").bounding_box()["width"] > 460  # some 12 words
    page.select_option("select[name=ctx]", "20")
    page.wait_for_url("**ctx=20**")
    assert page.locator(".rail h3 >> nth=0").is_hidden()  # it stays folded
    assert page.get_by_role("button", name="Show", exact=True).count() == 0
    page.click("text=Sample…")
    page.wait_for_function("document.activeElement.name === 'sample'")
    assert window.complaints == []

    phone = open_window(width=390, scripts=False).open("/search/?q=braai")
    assert phone.locator("tbody >> nth=0").bounding_box()["y"] < 400
    assert phone.locator(".query .options").is_hidden()
    phone.click("text=Options")
    phone.check(".options input[value=both]", force=True)
    phone.click(".query .go")
    phone.wait_for_selector("table.kwic")
    assert "in=both" in phone.url
