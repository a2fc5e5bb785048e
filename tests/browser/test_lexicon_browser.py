"""A wrong tag: a linguist marks it, an editor accepts it, and page and search show it."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import NOW, index_all, make_article, make_publication

from corpus_site.pipeline import BY_NAME
from corpus_site.running.executor import WorkLoop
from search.articles.tagged import annotated_article
from search.lexicon.corrections import Wish, ask
from search.models import LexiconEntry, Retagging, Scope, TagCorrection

pytestmark = pytest.mark.django_db(transaction=True)
# "fog" is token 9 of the first text.
TEXT = "By noon the bakkies stood in the thick fog. The fog drank maas. Eish!"
FOG = 9


@pytest.fixture
def corpus(transactional_db):
    paper = make_publication()
    articles = [
        make_article(TEXT, paper, title="", dated_at=NOW - timedelta(days=number))
        for number in range(25)
    ]
    index_all(timezone.now())
    return articles


class _NoHeartbeat:
    """The loop of a worker stamps its row; here the test is the worker."""

    name = "test"

    def stamp(self, doing, now):
        pass


def work():
    """Let a worker tag again what is due."""
    loop = WorkLoop((BY_NAME["index"],), _NoHeartbeat())
    while Retagging.objects.filter(finished_at=None).exists() or loop.run_once():
        loop.run_once()


def tag_under(page, number):
    return page.inner_text(f"#t{number} i")


def mark(page, article, scope):
    """Go from the tagged view to a marked tag, by what is written on the page."""
    page.click(f"#t{FOG}")
    page.wait_for_selector("#h-token >> text=fog")
    page.click("text=Correct the tag")
    page.wait_for_selector("#correct")
    page.fill("#correct [name=tag]", "VB")
    page.check(f"#correct [value={scope}]")
    page.click("text=Mark for an editor")
    page.wait_for_selector("text=An editor decides.")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_wrong_tag_goes_from_a_linguist_through_the_queue_into_search(
    open_window, corpus, scripts
):
    linguist = open_window(role="linguist", scripts=scripts)
    page = linguist.open(f"/articles/{corpus[0].pk}/tagged/")
    assert tag_under(page, FOG) == "NN"
    mark(page, corpus[0], "always")
    assert tag_under(page, FOG) == "NN"

    editor = open_window(role="editor", scripts=scripts)
    page = editor.open("/words/lexicon/")
    page.click("text=Corrections 1 open")
    page.click("text=Look and decide")
    page.wait_for_selector("text=50 of the newest 50 occurrences change, in 25 texts.")
    assert page.locator("table.effect tbody tr").count() == 20
    assert page.inner_text("table.effect tbody tr >> nth=0 >> td >> nth=2") == "VB fog"
    page.click("text=Accept into the lexicon")
    page.wait_for_selector("text=Nothing waits.")
    assert LexiconEntry.objects.get().tag == "VB"
    work()

    page = linguist.open(f"/articles/{corpus[7].pk}/tagged/?t={FOG}")
    assert tag_under(page, FOG) == "VB"
    assert page.inner_text("#token .state") == "◆ lexicon"
    page = linguist.open("/search/?ql=cql&q=%5Bword%3D%22fog%22+%26+pos%3D%22VB%22%5D")
    page.wait_for_selector("table.kwic")
    assert page.inner_text(".answer strong") == "50"
    page = linguist.open("/words/lexicon/")
    assert "25 texts" in page.inner_text("aside .plain-list")
    assert linguist.complaints == editor.complaints == []


def test_a_correction_of_one_token_stays_when_the_text_is_tagged_again(open_window, corpus):
    window = open_window(role="editor")
    page = window.open(f"/articles/{corpus[3].pk}/tagged/?t={FOG}&correct=1")
    page.fill("#correct [name=tag]", "JJ")
    page.click("#correct button.go")
    page.wait_for_selector("text=searches follow in a moment")
    assert tag_under(page, FOG) == "JJ"
    assert tag_under(page, FOG + 3) == "NN"
    work()

    window.open("/words/lexicon/add/?word=fog")
    page.fill("[name=tag]", "VB")
    page.click("text=Look at what it changes")
    page.click("text=Save and tag again")
    page.wait_for_selector("text=is VB from now on")
    work()

    page = window.open(f"/articles/{corpus[3].pk}/tagged/?t={FOG}")
    assert tag_under(page, FOG) == "JJ"
    assert tag_under(page, FOG + 3) == "VB"
    page = window.open("/search/?ql=cql&q=%5Bword%3D%22fog%22+%26+pos%3D%22JJ%22%5D")
    assert page.inner_text(".answer strong") == "1"
    assert window.complaints == []


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_panel_of_a_word_is_in_view_on_a_narrow_screen(open_window, corpus, scripts):
    address = "https://harbour.example/" + "a/very/long/path/" * 6
    text = "The fog came over the hills and stayed there. " * 60
    long = make_article(f"{text}See {address}.", title="")
    window = open_window(width=390, role="editor", scripts=scripts)
    page = window.open(f"/articles/{long.pk}/tagged/?s=61")
    assert "a/very/long/path" in page.inner_text("main")
    assert not window.is_scrolled_sideways()
    window.open(f"/articles/{long.pk}/tagged/")
    page.click("#t102")
    page.wait_for_selector("#token")

    height = page.viewport_size["height"]
    for chosen in ("#t102", "#h-token"):
        box = page.locator(chosen).bounding_box()
        assert 0 <= box["y"] < height
    page.click("#token >> text=Correct the tag")
    page.wait_for_selector("#correct")
    assert 0 <= page.locator("#correct").bounding_box()["y"] < height


def test_a_tag_is_corrected_with_the_keyboard_alone(open_window, corpus):
    window = open_window(role="editor")
    page = window.open(f"/articles/{corpus[0].pk}/tagged/?t={FOG}")

    page.keyboard.press("c")
    page.wait_for_selector("#correct")
    page.focus("#correct [name=tag]")
    page.keyboard.type("JJ")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=in this text; searches follow")

    assert tag_under(page, FOG) == "JJ"
    assert TagCorrection.objects.get().scope == "text"


def test_a_mistake_is_shown_where_it_was_made_and_keeps_what_was_typed(open_window, corpus):
    window = open_window(role="linguist")
    page = window.open(f"/articles/{corpus[0].pk}/tagged/?t={FOG}&correct=1")
    page.fill("#correct [name=tag]", "noun")
    page.fill("#correct [name=note]", "thick what?")
    page.click("text=Mark for an editor")

    page.wait_for_selector("#correct .error")
    assert page.inner_text("#correct .error") == "“noun” is not a Penn tag; nouns are NN, verbs VB."
    assert page.input_value("#correct [name=note]") == "thick what?"
    page.fill("#correct [name=tag]", "VB")
    page.click("text=Mark for an editor")
    page.wait_for_selector("text=An editor decides.")


def test_a_list_is_pasted_mended_and_saved(open_window, corpus):
    window = open_window(role="editor")
    page = window.open("/words/lexicon/paste/")
    page.fill("[name=text]", "fog;VB\nmist;NOUN")
    page.click("text=Look at what it does")
    page.wait_for_selector("text=1 new, 0 changed, 0 same, 1 refused")
    page.click("text=Back to the list")
    page.fill("[name=text]", page.input_value("[name=text]").replace("NOUN", "NN"))
    page.click("text=Look at what it does")
    page.click("text=Save 2 words and tag again")
    page.wait_for_selector("text=2 words are in the lexicon.")

    assert sorted(LexiconEntry.objects.values_list("word", "tag")) == [
        ("fog", "VB"),
        ("mist", "NN"),
    ]
    assert window.complaints == []


PATHS = [
    "/articles/{0}/tagged/?t=9&correct=1",
    "/articles/{0}/tagged/?mark=unsure",
    "/articles/{0}/tagged/?mark=first",
    "/words/lexicon/entry/maas/",
    "/words/lexicon/entry/nothing/",
    "/words/lexicon/add/?word=maas",
    "/words/lexicon/paste/",
    "/words/lexicon/corrections/",
    "/words/lexicon/corrections/{1}/",
    "/words/lexicon/corrections/?state=refused",
]


@pytest.mark.parametrize(
    ("width", "colours"), [(1360, "dark"), (390, "light"), (390, "dark"), (320, "light")]
)
def test_pages_of_the_lexicon_fit_and_keep_the_policy(open_window, corpus, width, colours):
    token = annotated_article(corpus[0]).tokens[FOG - 1]
    row = ask(corpus[0], token, Wish(Scope.ALWAYS, "VB", note="why " * 40), None, NOW)
    window = open_window(width=width, colours=colours, role="editor")
    sideways = []
    for path in PATHS:
        window.open(path.format(corpus[0].pk, row.pk))
        if window.is_scrolled_sideways():
            sideways.append(path)

    assert sideways == []
    assert window.complaints == [
        "Failed to load resource: the server responded with a status of 404 (Not Found)"
    ]
