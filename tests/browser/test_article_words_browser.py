"""An editor's words on one article: corrected by hand and undone, taken anyway and left out."""

import os
from pathlib import Path

import pytest
from django.utils import timezone
from factories import index_all, make_article, make_publication

from extraction.models import Article
from search.models import IndexedArticle

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "\n".join(["The harbour was quiet, and no ship came in that night."] * 12)


@pytest.fixture
def article(transactional_db):
    article = make_article(LONG, make_publication(), sources={"title": "page"})
    index_all(timezone.now())
    return article


def picture(page, name):
    """Keep a picture where somebody wants to look at it."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_title_is_corrected_by_hand_and_the_correction_undone(scripts, open_window, article):
    window = open_window(role="editor", scripts=scripts)
    page = window.open(f"/articles/{article.pk}/")

    page.click("text=Correct by hand")
    page.fill("[name=title]", "A quiet harbour")
    page.fill("[name=authors]", "Anne Jacobs\nThandi Nkosi")
    picture(page, "correct")
    page.press("[name=title]", "Enter")
    page.wait_for_selector("h1:text('A quiet harbour')")
    picture(page, "corrected")
    assert page.is_visible("text=By Anne Jacobs, Thandi Nkosi")
    assert Article.objects.get().published_at == article.published_at
    assert IndexedArticle.objects.get().due_at is not None
    page.click("text=Correct by hand")
    picture(page, "undo")
    page.click("text=Undo: title as read")
    page.wait_for_selector("text=1 field is corrected by hand")

    assert Article.objects.get().title == "Maas for all"
    page = window.open(f"/articles/{article.pk}/timeline/")
    assert page.is_visible("text=Title corrected")
    assert page.is_visible("text=Title as read again")
    assert window.complaints == []


def test_a_left_out_article_is_taken_anyway_and_left_out_again(open_window, transactional_db):
    reason = "Its text is shorter than 500 characters."
    article = make_article("Rain.", kind="short", in_corpus=False, reason=reason)
    window = open_window(role="editor", width=390, colours="dark")
    page = window.open(f"/articles/{article.pk}/")
    picture(page, "left-out")

    page.click("text=Take it anyway")
    page.wait_for_selector("text=In the corpus by the word of")
    picture(page, "taken")
    is_sideways = window.is_scrolled_sideways()
    is_taken = Article.objects.get().in_corpus
    page.click("text=Leave it out again")
    page.wait_for_selector("text=Not in the corpus")

    assert (is_taken, is_sideways, window.complaints) == (True, False, [])


def test_the_terms_of_a_publication_are_ticked(open_window, article):
    window = open_window(role="editor", width=390)
    page = window.open("/sources/karoo-courier/settings/")

    page.fill("[name=min_characters]", "120")
    page.check("text=Galleries")
    picture(page, "terms")
    page.click("button.go")
    page.wait_for_selector("text=The settings are saved")

    article.publication.refresh_from_db()
    terms = (article.publication.min_characters, article.publication.taken_kinds)
    assert terms == (120, ["gallery"])
    assert not window.is_scrolled_sideways()
